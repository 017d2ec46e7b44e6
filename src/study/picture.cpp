#include "study/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <tuple>

#include "ask/answer.hpp"
#include "base/json_writer.hpp"
#include "base/parallel.hpp"
#include "flow/bandwidth.hpp"
#include "flow/listed_kernel.hpp"
#include "topology/map/overview.hpp"

namespace banyan::study {
namespace {

constexpr std::size_t max_pictures = 32, max_matrices = 8, max_hottest = 8;
constexpr double page_width = 1000, page_height = 800;  // pixels: what would be too small there is not kept
constexpr u64 max_rounds = 128, flows_in_all = 4'000'000, max_uniform_ranks = 4096;
constexpr u32 max_matrix_ranks = 2048, max_blocks = 60;

double to_thousandth(double value) { return std::round(value * 1000) / 1000; }

template <class F>
std::string json_object(F&& write) {
  std::ostringstream out;
  JsonWriter json(out, JsonWriter::Form::one_line);
  json.begin_object();
  write(json);
  json.end_object();
  return out.str();
}

// Loads of channels, over rounds: their means, and the heaviest.
struct MeanLoads {
  IdVector<Channel, double> mean, peak;
  u64 rounds = 0;
  bool is_all = false;  // of the traffic's rounds
};

MeanLoads mean_loads(const Situation& at, const Job& job) {
  const ListedKernel kernel(at.topology, *at.routing, job.traffic, job.placement, false);
  LoadMeter meter(kernel.lister(), job.traffic.in_bytes);
  const u64 there_are = job.traffic.is_random ? max_rounds : job.traffic.rounds;
  const u64 count = std::min(max_rounds, there_are);
  const std::size_t channels = at.topology.fabric.channels().size();
  MeanLoads out{IdVector<Channel, double>(channels), IdVector<Channel, double>(channels)};
  u64 measured_flows = 0;
  for (u64 i = 0; i < count && measured_flows <= flows_in_all; ++i, ++out.rounds) {
    if (interrupted()) throw Interrupted();
    const auto flows = kernel.flows(at.seed, i * there_are / count);
    meter.measure(flows);
    measured_flows += flows.size();
    const auto load = meter.loads();
    for (const Channel c : load.ids()) {
      out.mean[c] += load[c];
      out.peak[c] = std::max(out.peak[c], load[c]);
    }
  }
  for (const Channel c : out.mean.ids()) out.mean[c] /= static_cast<double>(std::max<u64>(1, out.rounds));
  out.is_all = !job.traffic.is_random && out.rounds == there_are;
  return out;
}

std::string described(const MeanLoads& loads, const Traffic& traffic) {
  if (loads.is_all && loads.rounds == 1) return "in its only round";
  if (loads.is_all) return fmt::format("mean over its {} rounds", loads.rounds);
  if (traffic.is_random) return fmt::format("mean over {} samples", loads.rounds);
  return fmt::format("mean over {} of its {} rounds", loads.rounds, traffic.rounds);
}

void write_hottest(JsonWriter& json, const Fabric& fabric, const MeanLoads& loads) {
  std::vector<Channel> all;
  for (const Channel c : fabric.channels())
    if (fabric.cabled(c)) all.push_back(c);
  const auto shown = all.begin() + static_cast<std::ptrdiff_t>(std::min(max_hottest, all.size()));
  std::partial_sort(all.begin(), shown, all.end(), [&](Channel a, Channel b) {
    return std::pair(-loads.mean[a], a) < std::pair(-loads.mean[b], b);
  });
  json.key("hottest").begin_array();
  for (auto c = all.begin(); c != shown; ++c)
    json.begin_object()
        .field("from", fabric.name(fabric.from(*c)))
        .field("port", NumberOrText(fabric.port_number(*c), std::string(fabric.port_text(*c))))
        .field("to", fabric.name(fabric.to(*c)))
        .field("mean", to_thousandth(loads.mean[*c]))
        .field("peak", to_thousandth(loads.peak[*c]))
        .end_object();
  json.end_array();
}

void write_loads(JsonWriter& json, const Situation& at, const Overview& seen) {
  if (at.traffic.empty()) return;
  const Job job = at.job();
  if (job.traffic.draw == Traffic::Draw::uniform && job.traffic.ranks > max_uniform_ranks) {
    json.field("remark", "not coloured: everyone to everyone is too many flows");
    return;
  }
  const MeanLoads loads = mean_loads(at, job);
  std::vector<double> mean = heaviest(seen, loads.mean);
  std::transform(mean.begin(), mean.end(), mean.begin(), to_thousandth);
  json.field("remark", described(loads, job.traffic)).field("loads", mean);
  json.field("unit", job.traffic.in_bytes ? "bytes" : "flows");
  write_hottest(json, at.topology.fabric, loads);
}

// Means of blocks of pairs, without the diagonal.
std::vector<std::vector<double>> blocks_of(const BandwidthMatrix& m, u32 block) {
  const u32 count = (m.ranks + block - 1) / block;
  std::vector<std::vector<double>> sum(count, std::vector<double>(count)), pairs = sum;
  for (u32 i = 0; i < m.ranks; ++i)
    for (u32 j = 0; j < m.ranks; ++j)
      if (i != j) sum[i / block][j / block] += m(Rank{i}, Rank{j}), pairs[i / block][j / block] += 1;
  for (u32 i = 0; i < count; ++i)
    for (u32 j = 0; j < count; ++j) sum[i][j] = to_thousandth(sum[i][j] / std::max(1.0, pairs[i][j]));
  return sum;
}

// As mpiGraph measures it. Empty where it would be too large.
std::string matrix_of(const Situation& at, const Point& point) {
  const Job job = at.job();
  if (job.traffic.ranks > max_matrix_ranks) return "";
  std::string model = "max-min";
  for (const auto& [key, value] : point.options.options)
    if (key == "model") model = value;
  const BandwidthMatrix m =
      mpigraph(at.topology.fabric, *at.routing, job.placement, read_rate_options(model), at.threads);
  const u32 block = (m.ranks + max_blocks - 1) / max_blocks;
  return json_object([&](JsonWriter& json) {
    json.field("ranks", m.ranks).field("block", block).field("mean", m.mean).field("least", m.least);
    json.field("values", blocks_of(m, block));
  });
}

}  // namespace

// One point for each fabric, state, engine and traffic; for fabrics without traffic one for each state.
PictureChoices choose_pictures(const Study& study, const std::vector<Point>& points) {
  std::set<std::tuple<u32, u32, std::string, std::string, std::string>> seen;
  std::set<u32> with_traffic;
  const auto needs = [&](const Point& p) { return study.measures[p.measure].measure->needs; };
  for (const Point& p : points)
    if (needs(p) == Needs::traffic) with_traffic.insert(p.fabric);
  PictureChoices out;
  std::size_t maps = 0, matrices = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& p = points[i];
    const bool has_traffic = needs(p) == Needs::traffic;
    const bool is_drawn =
        (with_traffic.contains(p.fabric) ? has_traffic : needs(p) != Needs::plan) &&
        seen.insert({p.fabric, p.faults, has_traffic ? p.engine : "", p.traffic, p.placement}).second;
    const bool is_matrix = study.measures[p.measure].measure->name == "rates" && p.traffic == "mpigraph";
    const PictureChoice choice{i, is_drawn && ++maps <= max_pictures,
                               is_matrix && ++matrices <= max_matrices};
    if (choice.has_map || choice.has_matrix) out.all.push_back(choice);
  }
  if (maps > max_pictures)
    out.remarks.push_back(fmt::format("{} of {} pictures of fabrics are shown", max_pictures, maps));
  if (matrices > max_matrices)
    out.remarks.push_back(fmt::format("{} of {} matrices of mpiGraph are shown", max_matrices, matrices));
  return out;
}

Picture make_picture(const Situation& at, const Point& point, const PictureChoice& choice) {
  Picture out;
  if (choice.has_matrix) out.matrix = matrix_of(at, point);
  if (!choice.has_map) return out;
  const Fabric& fabric = at.topology.fabric;
  const Overview seen = overview(at.topology, fabric_map(at.topology), page_width, page_height);
  out.map = json_object([&](JsonWriter& json) {
    ask::write_fields(json, map_data(seen.fabric, seen.map));
    json.field("counts", seen.cables);
    json.key("whole")
        .begin_object()
        .field("hosts", fabric.hosts())
        .field("switches", fabric.switches())
        .end_object();
  });
  out.loads = json_object([&](JsonWriter& json) {
    json.field("missing", missing_cables(seen, fabric));
    write_loads(json, at, seen);
  });
  return out;
}

}  // namespace banyan::study
