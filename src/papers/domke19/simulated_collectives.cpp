// Figures 4, 5a and 5b of domke19 in the simulator: collectives as gains over the fat-tree with ftree, the
// barrier, the ring all-reduce.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "papers/domke19/simulated.hpp"
#include "traffic/pattern.hpp"

namespace banyan::papers::domke19 {
namespace {

constexpr double ring_bytes = 2147483648.0;

// A part to the next; all rounds are alike.
Traffic ring_of(u32 hosts) {
  return {.ranks = hosts,
          .list =
              [hosts](u64, u64, u64, std::vector<Demand>& out) {
                for (u32 i = 0; i < hosts; ++i)
                  out.push_back({Rank{i}, Rank{(i + 1) % hosts}, ring_bytes / hosts});
              },
          .in_bytes = true};
}

}  // namespace

SimulatedCollectives::SimulatedCollectives(const Arenas& arenas, const Effort& effort, u64 seed, Tasks& tasks)
    : quick_(effort.quick) {
  for (u32 hosts : effort.hosts)
    for (std::string_view operation : operations)
      for (u64 bytes : effort.bytes)
        boxes_.push_back(
            {std::string(operation), fmt::format("{}:bytes={}", operation, bytes), hosts, bytes});
  for (u32 hosts : effort.hosts) barriers_.push_back({"barrier", "barrier", hosts, 0});
  for (u32 hosts : effort.rings)
    rings_.push_back({"ring all-reduce", "", hosts, u64{1} << 31, 2.0 * (hosts - 1)});
  for (auto* list : {&rings_, &boxes_, &barriers_})
    for (auto box = list->rbegin(); box != list->rend(); ++box)  // the longest first
      plan(arenas.front(), effort, seed, *box, tasks);
}

void SimulatedCollectives::plan(const Arena& arena, const Effort& effort, u64 seed, Box& box, Tasks& tasks) {
  for (u32 i = 0; i < contenders; ++i)
    tasks.add(
        fmt::format("sim-{}/{}/{}/{}", box.pattern.empty() ? "ring" : box.operation, box.hosts, box.bytes, i),
        {&box.simulated[i], &box.flow[i]}, [&arena, effort, seed, &box, i] {
          box.simulated[i] = box.flow[i] = 0;
          const Topology& t = arena.topology(i);
          const Traffic traffic =
              box.pattern.empty() ? ring_of(box.hosts) : make_traffic({t, box.hosts}, box.pattern);
          const Placement placement = arena.placement(i, box.hosts, seed);
          RoundTimes times(t, arena.routing(i), placement, i, effort, seed);
          std::vector<Demand> round;
          for (u64 r = 0; r < traffic.rounds; ++r) {
            round.clear();
            traffic.list(seed, 0, r, round);
            const RoundTimes::Both both = times.of(round);
            box.simulated[i] += box.repeats * both.simulated;
            box.flow[i] += box.repeats * both.flow;
          }
        });
}

template <class Accept>
std::vector<double> SimulatedCollectives::gains(u32 i, Accept accept) const {
  std::vector<double> out;
  for (const Box& box : boxes_)
    if (accept(box)) out.push_back(box.gain(i));
  return out;
}

void SimulatedCollectives::show_boxes(Reproduction& out) const {
  std::vector<std::vector<std::string>> rows;
  for (const Box& box : boxes_) {
    std::vector<std::string> row = {box.operation, std::to_string(box.hosts), std::to_string(box.bytes)};
    row.push_back(fmt::format("{:.1f}", 1e6 * box.simulated[0]));
    for (u32 i = 1; i < contenders; ++i) row.push_back(fmt::format("{:+.2f}", box.gain(i)));
    rows.push_back(std::move(row));
  }
  out.show("Simulated: collectives, microseconds of ftree, gains of the others over it",
           with_contenders({"operation", "hosts", "bytes"}), std::move(rows));
}

void SimulatedCollectives::judge_boxes(Reproduction& out) const {
  constexpr u64 any = ~u64{0};
  const auto middle = [&](std::string_view operation, u64 least, u64 below, u32 hosts) {
    return median(gains(minimal, [=](const Box& b) {
      return b.operation == operation && b.bytes >= least && b.bytes < below && b.hosts >= hosts;
    }));
  };
  const auto said = [](double gain) { return fmt::format("the median gain is {:+.5f}", gain); };
  const double gathered = middle("gather", 512 << 10, any, 0), scattered = middle("scatter", 0, any, 56),
               summed = middle("allreduce", 0, 4 << 20, 0);
  for (const auto& [id, operation] :
       {std::pair("bcast.par", "broadcast"), std::pair("reduce.par", "reduce")}) {
    const auto of = [&](const Box& b) { return b.operation == operation; };
    judge_par(out, id, gains(minimal, of), gains(minimal_random, of), quick_);
  }
  judge_rooted(out, "gather.large", gathered);
  judge_rooted(out, "scatter.large", scattered);
  out.ordering("allreduce.bias", summed < 0, guess("latency of the larger tree outweighs shared cables"),
               said(summed));
  double fourteen = 0;
  for (const Box& b : boxes_)
    if (b.operation == "alltoall" && b.hosts == 14 && b.bytes >= 512 << 10) fourteen = b.gain(minimal);
  out.ordering("alltoall.14", fourteen < -0.5, guess("theirs lost to more than the shared cable"),
               fmt::format("the gain is {:+.2f}", fourteen));
  std::array<double, combinations> all{};
  for (u32 i = 0; i < combinations; ++i) all[i] = mean_of(gains(i, [](const Box&) { return true; }));
  const double small = mean_of(gains(parx, [](const Box& b) { return b.bytes <= 512; }));
  out.ordering("parx.least", *std::min_element(all.begin(), all.end()) == all[parx] && small < all[parx], "",
               fmt::format("mean gains: DFSSSP {:+.2f}, random {:+.2f}, PARX {:+.2f}, of small ones {:+.2f}",
                           all[minimal], all[minimal_random], all[parx], small));
}

void SimulatedCollectives::report_barriers(Reproduction& out) const {
  std::vector<std::vector<std::string>> rows;
  double least = 1e9, maximum = 0;
  for (const Box& box : barriers_) {
    std::vector<std::string> row = {std::to_string(box.hosts)};
    for (double seconds : box.simulated) row.push_back(fmt::format("{:.1f}", 1e6 * seconds));
    rows.push_back(std::move(row));
    const double slower = box.simulated[parx] / box.simulated[tree_ftree];
    least = std::min(least, slower), maximum = std::max(maximum, slower);
  }
  out.show("Simulated: barrier, microseconds", with_contenders({"hosts"}), std::move(rows));
  out.ordering("barrier.parx", least >= 2.8 && maximum <= 6.9, known("the parameter is one number"),
               fmt::format("{:.1f} to {:.1f}: the overhead of PARX is a parameter, this follows from it",
                           least, maximum));
}

void SimulatedCollectives::report_rings(Reproduction& out) const {
  std::vector<std::vector<std::string>> rows;
  double worst_tree = 0, worst_hyperx = 0;
  for (const Box& box : rings_) {
    std::vector<std::string> row = {std::to_string(box.hosts)};
    for (double seconds : box.simulated) row.push_back(fmt::format("{:.3f}", seconds));
    rows.push_back(std::move(row));
    worst_tree = std::max(worst_tree, box.simulated[tree_ftree] / box.simulated[tree_sssp]);
    worst_hyperx = std::max(worst_hyperx, box.simulated[minimal] / box.simulated[tree_sssp]);
  }
  out.show("Simulated: ring all-reduce of 2 GiB, seconds", with_contenders({"hosts"}), std::move(rows));
  out.ordering("ring.ftree", worst_tree > 1.05,
               tested(fmt::format("ftree takes {:.2f} times as long as SSSP at most: to a neighbour in order "
                                  "there is nothing to collide with",
                                  worst_tree)));
  out.ordering("ring.hyperx", worst_tree > 1.05 && worst_hyperx <= 1.1,
               known("ftree has no problem here that SSSP and the HyperX could mitigate"),
               fmt::format("{:.2f} times as long as SSSP, and ftree {:.2f} times", worst_hyperx, worst_tree));
}

Comparison SimulatedCollectives::Box::comparison() const {
  Comparison out{fmt::format("{}, {} hosts: us", operation, hosts), {}, {}};
  for (u32 i = 0; i < combinations; ++i) {
    out.simulated[i] = 1e6 * simulated[i];
    out.flow[i] = 1e6 * flow[i];
  }
  return out;
}

// By operation: pairs of combinations that are in the same order on both levels, over all sizes and numbers
// of hosts, and how much longer the simulator takes.
void SimulatedCollectives::show_comparisons(Reproduction& out) const {
  std::vector<std::vector<std::string>> rows;
  for (std::string_view operation : operations) {
    u32 agree = 0, of = 0;
    std::array<std::vector<double>, combinations> longer;
    for (const Box& box : boxes_) {
      if (box.operation != operation) continue;
      agree += pairs_in_order(box.comparison());
      of += combination_pairs;
      for (u32 i = 0; i < combinations; ++i) longer[i].push_back(box.simulated[i] / box.flow[i]);
    }
    std::vector<std::string> row = {std::string(operation), fmt::format("{} of {}", agree, of)};
    for (const auto& ratios : longer)
      row.push_back(fmt::format("{:.2f} / {:.2f} / {:.2f}", *std::min_element(ratios.begin(), ratios.end()),
                                median(ratios), *std::max_element(ratios.begin(), ratios.end())));
    rows.push_back(std::move(row));
  }
  out.show(
      "Collectives, simulator over flow level: pairs of combinations in the same order, time least / median "
      "/ most",
      {"operation", "same order", "ftree", "SSSP", "DFSSSP", "random", "PARX"}, std::move(rows));
}

void SimulatedCollectives::report(Reproduction& out, SimulatedFindings& findings) const {
  show_boxes(out);
  judge_boxes(out);
  report_barriers(out);
  report_rings(out);
  show_comparisons(out);
  for (const auto* list : {&barriers_, &rings_})
    for (const Box& box : *list) findings.comparisons.push_back(box.comparison());
}

}  // namespace banyan::papers::domke19
