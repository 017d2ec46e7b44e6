#include "report/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/parallel.hpp"
#include "engines/engine.hpp"
#include "flow/bandwidth.hpp"
#include "flow/listed_kernel.hpp"
#include "formats/load.hpp"
#include "report/drawing.hpp"

namespace banyan::report {
namespace {

constexpr std::size_t max_pictures = 32, max_matrices = 8;
constexpr u64 max_table_entries = 40'000'000;  // switches times NICs: beyond, only closed forms are drawn
constexpr u64 max_rounds = 128, flows_in_all = 4'000'000, max_uniform_ranks = 4096;
constexpr u32 max_matrix_ranks = 2048, max_blocks = 60;

double rounded(double value) { return std::round(value * 1000) / 1000; }
std::vector<double> rounded(std::vector<double> values) {
  for (double& value : values) value = rounded(value);
  return values;
}

struct Picture {
  const Point* point = nullptr;
  std::optional<Drawing> drawing{};  // the fabric in this state
  u32 hosts = 0, switches = 0;
  Shades mean{}, peak{};
  std::vector<u32> missing{};
  u64 rounds = 0;  // 0: without loads
  std::string remark{};
};

// Loads of channels, over rounds: their means, and the heaviest.
struct MeanLoads {
  IdVector<Channel, double> mean, peak;
  u64 rounds = 0;
  bool is_all = false;  // of the traffic's rounds
};

MeanLoads mean_loads(const Topology& topology, const Routing& routing, const Job& job, u64 seed) {
  const ListedKernel kernel(topology, routing, job.traffic, job.placement, false);
  LoadMeter meter(kernel.lister(), job.traffic.in_bytes);
  const u64 there_are = job.traffic.is_random ? max_rounds : job.traffic.rounds;
  u64 count = std::min(max_rounds, there_are);
  const std::size_t channels = topology.fabric.channels().size();
  MeanLoads out{IdVector<Channel, double>(channels), IdVector<Channel, double>(channels)};
  u64 measured_flows = 0;
  for (u64 i = 0; i < count && measured_flows <= flows_in_all; ++i, ++out.rounds) {
    if (interrupted()) throw Interrupted();
    const auto flows = kernel.flows(seed, i * there_are / count);
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

Topology topology_of(const Study& study, const Point& point) {
  return load_fabric(study.path(study.fabrics[point.fabric].fabric), study.without[point.faults].without)
      .topology;
}

std::optional<Routing> routing_of(const Study& study, const Topology& topology, const Point& point) {
  RouteResult result = route(topology, resolved(study, engine_text(point)));
  auto* routing = std::get_if<Routing>(&result);
  return routing ? std::optional(std::move(*routing)) : std::nullopt;
}

Job job_of(const Study& study, const Topology& topology, const Point& point) {
  return make_job(topology, resolved(study, point.traffic), resolved(study, point.placement), point.ranks,
                  point.seed);
}

void colour(Picture& out, const Study& study, const Topology& topology) {
  const Point& point = *out.point;
  const Job job = job_of(study, topology, point);
  if (job.traffic.draw == Traffic::Draw::uniform && job.traffic.ranks > max_uniform_ranks) {
    out.remark = "not coloured: everyone to everyone is too many flows";
    return;
  }
  const auto routing = routing_of(study, topology, point);
  if (!routing) return;
  const MeanLoads loads = mean_loads(topology, *routing, job, point.seed);
  out.mean = shade(*out.drawing, topology.fabric, loads.mean);
  out.peak = shade(*out.drawing, topology.fabric, loads.peak);
  out.rounds = loads.rounds;
  out.remark = loads.is_all ? (loads.rounds == 1 ? std::string("in its only round")
                                                 : fmt::format("mean over its {} rounds", loads.rounds))
               : job.traffic.is_random
                   ? fmt::format("mean over {} samples", loads.rounds)
                   : fmt::format("mean over {} of its {} rounds", loads.rounds, job.traffic.rounds);
}

Picture picture_of(const Study& study, const Point& point) {
  Picture out{.point = &point};
  const Topology topology = topology_of(study, point);
  out.hosts = topology.fabric.hosts();
  out.switches = topology.fabric.switches();
  out.drawing = draw(topology);
  out.missing = missing_cables(*out.drawing, topology.fabric);
  const bool is_tree = std::holds_alternative<Pgft>(topology.shape);
  if (point.traffic.empty()) return out;
  if (!is_tree && u64{out.switches} * topology.fabric.nics() > max_table_entries)
    out.remark = "not coloured: routing it once more would take too long";
  else
    colour(out, study, topology);
  return out;
}

// One point for each fabric, state, engine and traffic; for fabrics without traffic one for each state.
std::vector<const Point*> pictured(const Study& study, const std::vector<Point>& points, std::string& left) {
  std::set<std::tuple<u32, u32, std::string, std::string, std::string>> seen;
  std::set<u32> with_traffic;
  std::vector<const Point*> out;
  const auto needs = [&](const Point& p) { return study.measures[p.measure].measure->needs; };
  for (const Point& p : points)
    if (needs(p) == Needs::traffic) with_traffic.insert(p.fabric);
  std::size_t all = 0;
  for (const Point& p : points) {
    if (with_traffic.contains(p.fabric) ? needs(p) != Needs::traffic : needs(p) == Needs::plan) continue;
    const bool has_traffic = needs(p) == Needs::traffic;
    if (!seen.insert({p.fabric, p.faults, has_traffic ? p.engine : "", p.traffic, p.placement}).second)
      continue;
    if (++all <= max_pictures) out.push_back(&p);
  }
  if (all > out.size()) left = fmt::format("{} of {} pictures of fabrics are shown", out.size(), all);
  return out;
}

void write_drawing(JsonWriter& json, const Study& study, const Picture& p) {
  constexpr std::string_view names[] = {"tree", "grid", "groups"};
  const FabricChoice& fabric = study.fabrics[p.point->fabric];
  const Drawing& d = *p.drawing;
  json.field("fabric", fabric.name)
      .field("notation", fabric.fabric)
      .field("kind", names[static_cast<std::size_t>(d.kind)]);
  json.field("hosts", p.hosts)
      .field("switches", p.switches)
      .field("planes", d.planes)
      .field("widths", d.widths);
  json.field("kinds", d.kinds).key("cells").begin_array();
  for (const Drawing::Cell& cell : d.cells)
    json.begin_array().value(cell.name).value(cell.row).value(cell.group).value(cell.switches).end_array();
  json.end_array().key("strands").begin_array();
  for (const Drawing::Strand& s : d.strands) json.value(std::vector<u32>{s.cell, s.kind, s.hub, s.cables});
  json.end_array();
}

void write_picture(JsonWriter& json, const Study& study, const Picture& p) {
  json.begin_object()
      .field("without", study.without[p.point->faults].text())
      .field("engine", p.rounds ? p.point->engine : "");
  json.field("traffic", p.point->traffic).field("placement", p.point->placement).field("rounds", p.rounds);
  json.field("remark", p.remark).field("missing", p.missing);
  json.field("out_mean", rounded(p.mean.out)).field("in_mean", rounded(p.mean.in));
  json.field("out_peak", rounded(p.peak.out)).field("in_peak", rounded(p.peak.in)).end_object();
}

void write_drawings(JsonWriter& json, const Study& study, const std::vector<Picture>& pictures) {
  json.key("drawings").begin_array();
  for (std::size_t i = 0; i < pictures.size();) {
    json.begin_object();
    write_drawing(json, study, pictures[i]);
    json.key("pictures").begin_array();
    const Picture& first = pictures[i];
    for (; i < pictures.size() && pictures[i].point->fabric == first.point->fabric &&
           pictures[i].drawing->looks_like(*first.drawing);
         ++i)
      write_picture(json, study, pictures[i]);
    json.end_array().end_object();
  }
  json.end_array();
}

// --- the bandwidth of every pair, as mpiGraph measures it
// ------------------------------------------------------

// Means of blocks of pairs, without the diagonal.
std::vector<std::vector<double>> blocks_of(const BandwidthMatrix& m, u32 block) {
  const u32 count = (m.ranks + block - 1) / block;
  std::vector<std::vector<double>> sum(count, std::vector<double>(count)), pairs = sum;
  for (u32 i = 0; i < m.ranks; ++i)
    for (u32 j = 0; j < m.ranks; ++j)
      if (i != j) sum[i / block][j / block] += m(Rank{i}, Rank{j}), pairs[i / block][j / block] += 1;
  for (u32 i = 0; i < count; ++i)
    for (u32 j = 0; j < count; ++j) sum[i][j] = rounded(sum[i][j] / std::max(1.0, pairs[i][j]));
  return sum;
}

// False where it would be too large, or there is no routing.
bool write_matrix(JsonWriter& json, const Study& study, const Point& p, unsigned threads) {
  const Topology topology = topology_of(study, p);
  const auto routing = routing_of(study, topology, p);
  const Job job = job_of(study, topology, p);
  if (!routing || job.traffic.ranks > max_matrix_ranks) return false;
  std::string model = "max-min";
  for (const auto& [key, value] : p.options.options)
    if (key == "model") model = value;
  const BandwidthMatrix m =
      mpigraph(topology.fabric, *routing, job.placement, read_rate_options(model), threads);
  const u32 block = (m.ranks + max_blocks - 1) / max_blocks;
  json.begin_object()
      .field("fabric", study.fabrics[p.fabric].name)
      .field("without", study.without[p.faults].text());
  json.field("engine", p.engine)
      .field("placement", p.placement)
      .field("ranks", m.ranks)
      .field("block", block);
  json.field("mean", m.mean).field("least", m.least).field("values", blocks_of(m, block)).end_object();
  return true;
}

bool asks_for_matrix(const Study& study, const Point& p) {
  return study.measures[p.measure].measure->name == "rates" && p.traffic == "mpigraph";
}

}  // namespace

void write_pictures(JsonWriter& json, const Study& study, const std::vector<Point>& points,
                    unsigned threads) {
  std::string left;
  const auto chosen = pictured(study, points, left);
  std::vector<Picture> pictures(chosen.size());
  Progress progress("pictures", chosen.size());
  parallel_for(
      chosen.size(), threads, [&](u64 i) { pictures[i] = picture_of(study, *chosen[i]); }, &progress);
  write_drawings(json, study, pictures);
  json.key("matrices").begin_array();
  std::size_t asked = 0, shown = 0;
  for (const Point& p : points) {
    if (!asks_for_matrix(study, p)) continue;
    ++asked;
    if (shown < max_matrices) shown += write_matrix(json, study, p, threads);
  }
  json.end_array().key("remarks").begin_array();
  if (!left.empty()) json.value(left);
  if (shown < asked)
    json.value(fmt::format("{} of {} matrices of mpiGraph are shown: at most {}, of at most {} ranks each",
                           shown, asked, max_matrices, max_matrix_ranks));
  json.end_array();
}

}  // namespace banyan::report
