// Figures 4, 5a and 5b of domke19: collectives by message size and number of hosts as gains over the fat-tree
// with ftree, the barrier, and the ring all-reduce.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.hpp"
#include "study/domke19.hpp"
#include "traffic/pattern.hpp"

namespace banyan::domke19 {
namespace {

constexpr std::array<std::string_view, 6> operations = {"broadcast", "gather",    "scatter",
                                                        "reduce",    "allreduce", "alltoall"};

struct Box {
  std::string_view operation;
  u32 hosts;
  u64 bytes;
  std::array<double, combinations> seconds{};
  double gain(u32 i) const { return seconds[0] / seconds[i] - 1; }  // positive: better than the baseline
};

// All rounds, each as long as its last message; equal ones in a row are asked for once.
double seconds_of(const Machines& m, u32 i, const std::string& pattern, u32 hosts, u64 seed) {
  const Topology& t = m.topology(i);
  const Traffic traffic = make_traffic({t, hosts}, pattern);
  const Placement placement = m.placement(i, hosts, seed);
  double out = 0, last = 0;
  std::vector<Demand> before, round;
  for (u64 r = 0; r < traffic.rounds; ++r) {
    round.clear();
    traffic.list(seed, 0, r, round);
    if (r == 0 || round != before)
      last = round_time(t.fabric, m.routing(i), round, placement, time_options(i));
    out += last;
    std::swap(before, round);
  }
  return out;
}

std::vector<Box> measure(const Machines& m, const PaperOptions& options) {
  std::vector<Box> boxes;
  const std::vector<u32> counts =
      options.quick ? std::vector<u32>{7, 14, 56} : std::vector<u32>{7, 14, 28, 56, 112};
  for (std::string_view operation : operations)
    for (u32 hosts : counts)
      for (u64 bytes : {u64{8}, u64{512}, u64{16} << 10, u64{512} << 10, u64{4} << 20})
        boxes.push_back({operation, hosts, bytes, {}});
  parallel_for(boxes.size() * combinations, options.threads, [&](u64 k) {
    Box& box = boxes[k / combinations];
    const u32 i = static_cast<u32>(k % combinations);
    box.seconds[i] =
        seconds_of(m, i, fmt::format("{}:bytes={}", box.operation, box.bytes), box.hosts, options.seed);
  });
  return boxes;
}

void show(Reproduction& out, const std::vector<Box>& boxes) {
  std::vector<std::vector<std::string>> rows;
  for (const Box& box : boxes) {
    std::vector<std::string> row = {std::string(box.operation), std::to_string(box.hosts),
                                    std::to_string(box.bytes)};
    for (u32 i = 1; i < combinations; ++i) row.push_back(fmt::format("{:+.2f}", box.gain(i)));
    rows.push_back(std::move(row));
  }
  out.show(
      "Collectives: gain over the fat-tree with ftree, hosts in order",
      {"operation", "hosts", "bytes", "SSSP clustered", "DFSSSP linear", "DFSSSP random", "PARX clustered"},
      std::move(rows));
}

template <class Accept>
std::vector<double> gains(const std::vector<Box>& boxes, u32 i, Accept accept) {
  std::vector<double> out;
  for (const Box& box : boxes)
    if (accept(box)) out.push_back(box.gain(i));
  return out;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (double v : values) sum += v;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

void judge_boxes(Reproduction& out, const std::vector<Box>& boxes) {
  const auto of = [&](std::string_view operation, u32 i, u64 least, u64 below, u32 hosts) {
    return gains(boxes, i, [=](const Box& b) {
      return b.operation == operation && b.bytes >= least && b.bytes < below && b.hosts >= hosts;
    });
  };
  constexpr u64 any = ~u64{0};
  for (const auto& [id, operation] :
       {std::pair("bcast.par", "broadcast"), std::pair("reduce.par", "reduce")}) {
    const double middle = median(of(operation, minimal, 0, any, 0));
    out.ordering(id, std::abs(middle) <= 0.1, fmt::format("the median gain is {:+.2f}", middle));
  }
  const double gathered = median(of("gather", minimal, 512 << 10, any, 0)),
               scattered = median(of("scatter", minimal, 0, any, 56)),
               summed = median(of("allreduce", minimal, 0, 4 << 20, 0));
  const std::string root = "; the root's own link is what limits it here, on both machines alike";
  out.ordering("gather.large", gathered > 0, fmt::format("the median gain is {:+.3f}{}", gathered, root));
  out.ordering("scatter.large", scattered > 0, fmt::format("the median gain is {:+.3f}{}", scattered, root));
  out.ordering("allreduce.bias", summed < 0, fmt::format("the median gain is {:+.3f}", summed));
  double fourteen = 0;
  for (const Box& b : boxes)
    if (b.operation == "alltoall" && b.hosts == 14 && b.bytes == 4 << 20) fourteen = b.gain(minimal);
  out.ordering("alltoall.14", fourteen < -0.5, fmt::format("the gain is {:+.2f}", fourteen));
  std::array<double, combinations> all{}, small{};
  for (u32 i = 0; i < combinations; ++i) {
    all[i] = mean(gains(boxes, i, [](const Box&) { return true; }));
    small[i] = mean(gains(boxes, i, [](const Box& b) { return b.bytes <= 512; }));
  }
  out.ordering("parx.least",
               *std::min_element(all.begin(), all.end()) == all[parx] && small[parx] < all[parx],
               fmt::format("mean gains: DFSSSP {:+.2f}, random {:+.2f}, PARX {:+.2f}", all[minimal],
                           all[minimal_random], all[parx]));
}

void barriers(Reproduction& out, const Machines& m, const PaperOptions& options) {
  std::vector<std::vector<std::string>> rows;
  bool inside = true;
  for (u32 hosts : {7u, 28u, 112u, 448u}) {
    std::vector<std::string> row = {std::to_string(hosts)};
    double base = 0;
    for (u32 i = 0; i < combinations; ++i) {
      const double seconds = seconds_of(m, i, "barrier", hosts, options.seed);
      if (i == 0) base = seconds;
      if (i == parx) inside &= seconds / base >= 2.8 && seconds / base <= 6.9;
      row.push_back(fmt::format("{:.1f}", 1e6 * seconds));
    }
    rows.push_back(std::move(row));
  }
  out.show("Barrier, microseconds", {"hosts", "ftree", "SSSP", "DFSSSP", "random", "PARX"}, std::move(rows));
  out.ordering("barrier.parx", inside, "the parameter for the message layer says otherwise");
}

// Every round is the same: each rank sends a part to the next.
void rings(Reproduction& out, const Machines& m, const PaperOptions& options) {
  std::vector<std::vector<std::string>> rows;
  double worst_tree = 0, worst_hyperx = 0;
  for (u32 hosts : {28u, 112u, 448u, 672u}) {
    const double bytes = 2147483648.0 / hosts;
    std::vector<Demand> round;
    for (u32 i = 0; i < hosts; ++i) round.push_back({Rank{i}, Rank{(i + 1) % hosts}, bytes});
    std::vector<std::string> row = {std::to_string(hosts)};
    std::array<double, combinations> seconds{};
    for (u32 i = 0; i < combinations; ++i) {
      seconds[i] = 2 * (hosts - 1) *
                   round_time(m.topology(i).fabric, m.routing(i), round, m.placement(i, hosts, options.seed),
                              time_options(i));
      row.push_back(fmt::format("{:.3f}", seconds[i]));
    }
    worst_tree = std::max(worst_tree, seconds[tree_ftree] / seconds[tree_sssp]);
    worst_hyperx = std::max(worst_hyperx, seconds[minimal] / seconds[tree_sssp]);
    rows.push_back(std::move(row));
  }
  out.show("Ring all-reduce of 2 GiB, seconds", {"hosts", "ftree", "SSSP", "DFSSSP", "random", "PARX"},
           std::move(rows));
  out.ordering(
      "ring.ftree", worst_tree > 1.05,
      fmt::format("ftree takes {:.2f} times as long as SSSP at most: to a neighbour in order there is "
                  "nothing to collide with",
                  worst_tree));
  out.ordering("ring.hyperx", worst_hyperx <= 1.1, fmt::format("{:.2f} times as long", worst_hyperx));
}

}  // namespace

void collectives(Reproduction& out, const Machines& m, const PaperOptions& options) {
  const std::vector<Box> boxes = measure(m, options);
  show(out, boxes);
  judge_boxes(out, boxes);
  barriers(out, m, options);
  rings(out, m, options);
}

}  // namespace banyan::domke19
