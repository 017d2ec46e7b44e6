// Figures 1 and 5c of domke19 in the simulator: mpiGraph on the hosts of a rack, effective bisection
// bandwidth by number of hosts.
#include <fmt/format.h>

#include <algorithm>

#include "flow/bandwidth.hpp"
#include "papers/domke19/simulated.hpp"
#include "traffic/pattern.hpp"

namespace banyan::papers::domke19 {
namespace {

constexpr std::array<std::pair<u32, u32>, 3> racks = {{{2, 2}, {4, 1}, {1, 4}}};  // columns and rows

// The hosts of a rack on the HyperX, the first ones of the fat-tree; random ones where they are placed so.
Placement dense(const Arena& arena, u32 i, u32 layout, u64 seed) {
  if (i == minimal_random) return arena.placement(i, in_rack, seed);
  if (!arena.is_hyperx(i)) return place_linearly(in_rack);
  Placement out;
  for (u32 y = 0; y < racks[layout].second; ++y)
    for (u32 x = 0; x < racks[layout].first; ++x)
      for (u32 h = 0; h < on_switch; ++h) out.push_back(Host{(y * 12 + x) * on_switch + h});
  return out;
}

Traffic shift_by(u32 ranks, u32 by) {
  return {.ranks = ranks, .list = [=](u64, u64, u64, std::vector<Demand>& out) {
            for (u32 i = 0; i < ranks; ++i) out.push_back({Rank{i}, Rank{(i + by) % ranks}});
          }};
}

// The k-th sample alone: the same one for everybody, and for the flow level.
Traffic sample_of(const Traffic& traffic, u64 k) {
  return {.ranks = traffic.ranks, .list = [list = traffic.list, k](u64 seed, u64, u64 round, auto& out) {
            list(seed, k, round, out);
          }};
}

}  // namespace

std::array<double, contenders> SimulatedBandwidths::Level::means() const {
  std::array<double, contenders> out{};
  for (u32 i = 0; i < contenders; ++i) out[i] = mean_of(simulated[i]);
  return out;
}

SimulatedBandwidths::SimulatedBandwidths(const Arenas& arenas, const Effort& effort, u64 seed, Tasks& tasks)
    : effort_(effort), graphs_(racks.size()), halves_(effort.bisected.size()) {
  for (u32 k = static_cast<u32>(effort.bisected.size()); k-- > 0;)
    plan_bisection(arenas.front(), k, seed, tasks);
  for (u32 layout = 0; layout < racks.size(); ++layout) plan_mpigraph(arenas.front(), layout, seed, tasks);
}

void SimulatedBandwidths::plan_mpigraph(const Arena& arena, u32 layout, u64 seed, Tasks& tasks) {
  Level& level = graphs_[layout];
  for (u32 i = 0; i < contenders; ++i) {
    if (layout > 0 && (!arena.is_hyperx(i) || i == minimal_random)) continue;
    const auto plan = [&, i, layout, seed](std::vector<double>& shares, Queueing queueing) {
      shares.resize(in_rack - 1);
      for (u32 s = 1; s < in_rack; ++s)
        tasks.add(
            fmt::format("mpigraph/{}/{}/{}/{}", layout, i, queueing == Queueing::voq ? "voq" : "fifo", s),
            {&shares[s - 1]}, [&arena, &shares, cycles = effort_.cycles, i, layout, s, queueing, seed] {
              shares[s - 1] =
                  steady_share(arena.topology(i).fabric, arena.routing(i), shift_by(in_rack, s),
                               dense(arena, i, layout, seed), {.cycles = cycles, .queueing = queueing}, seed);
            });
    };
    plan(level.simulated[i], Queueing::voq);
    if (layout == 0) plan(unqueued_[i], Queueing::fifo);
    if (i < combinations)
      tasks.add(
          fmt::format("mpigraph-flow/{}/{}", layout, i), {&level.flow[i]}, [&arena, &level, i, layout, seed] {
            level.flow[i] =
                mpigraph(arena.topology(i).fabric, arena.routing(i), dense(arena, i, layout, seed)).mean;
          });
  }
}

void SimulatedBandwidths::plan_bisection(const Arena& arena, u32 count, u64 seed, Tasks& tasks) {
  Level& level = halves_[count];
  const u32 hosts = effort_.bisected[count];
  for (u32 i = 0; i < contenders; ++i) {
    level.simulated[i].resize(effort_.samples);
    for (u32 k = 0; k < effort_.samples; ++k)
      tasks.add(fmt::format("sim-bisection/{}/{}/{}", hosts, i, k), {&level.simulated[i][k]},
                [&arena, &level, cycles = effort_.cycles, i, k, hosts, seed] {
                  const Topology& t = arena.topology(i);
                  level.simulated[i][k] = steady_share(
                      t.fabric, arena.routing(i), sample_of(make_traffic({t, hosts}, "bisection"), k),
                      arena.placement(i, hosts, seed), {.cycles = cycles}, seed);
                });
    if (i < combinations)
      tasks.add(fmt::format("sim-bisection-flow/{}/{}", hosts, i), {&level.flow[i]},
                [&arena, &level, samples = effort_.samples, i, hosts, seed] {
                  level.flow[i] =
                      bisection_bandwidth(arena.topology(i), arena.routing(i),
                                          arena.placement(i, hosts, seed), {.samples = samples, .seed = seed})
                          .mean_share;
                });
  }
}

namespace {

Comparison comparison(std::string what, const std::array<double, contenders>& simulated,
                      const std::array<double, contenders>& flow) {
  Comparison out{std::move(what), {}, {}};
  std::copy_n(simulated.begin(), combinations, out.simulated.begin());
  std::copy_n(flow.begin(), combinations, out.flow.begin());
  return out;
}

}  // namespace

void SimulatedBandwidths::report_mpigraphs(Reproduction& out, SimulatedFindings& findings) const {
  const auto rack = graphs_[0].means();
  const double tree = rack[tree_ftree];
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](std::string what, const std::array<double, contenders>& of) {
    std::vector<std::string> row = {std::move(what)};
    for (double share : of) row.push_back(share > 0 ? number(share) : "");
    rows.push_back(std::move(row));
  };
  for (u32 layout = 0; layout < racks.size(); ++layout)
    add(fmt::format("{}x{} switches", racks[layout].first, racks[layout].second), graphs_[layout].means());
  add("2x2, first in first out", Level{unqueued_, {}}.means());
  out.show("Simulated: mpiGraph, 28 hosts of a rack, mean share of a link (paper: 1 : 0.37 : 0.62)",
           with_contenders({"HyperX"}), std::move(rows));
  findings.add_gap("mpiGraph, 28 hosts", rack);
  findings.comparisons.push_back(comparison("mpiGraph, 28 hosts: share of a link", rack, graphs_[0].flow));
  const std::string why = "contention alone: what the message layer costs large messages is not in it";
  out.number("sim.mpigraph.minimal", rack[minimal] / tree, why);
  out.number("sim.mpigraph.parx", rack[parx] / tree, why);
  out.number("sim.mpigraph.boost", rack[parx] / rack[minimal], why);
  out.ordering("sim.adaptive.mpigraph", std::max(rack[hyperx_dal], rack[hyperx_ugal]) > rack[parx],
               fmt::format("DAL {:.3g}, UGAL {:.3g}, PARX {:.3g} of a link", rack[hyperx_dal],
                           rack[hyperx_ugal], rack[parx]));
}

void SimulatedBandwidths::report_bisections(Reproduction& out, SimulatedFindings& findings) const {
  std::vector<std::vector<std::string>> rows;
  bool above = false;
  double best = 0;
  for (std::size_t k = 0; k < halves_.size(); ++k) {
    const auto of = halves_[k].means();
    const u32 hosts = effort_.bisected[k];
    std::vector<std::string> row = {std::to_string(hosts)};
    for (double share : of) row.push_back(number(share));
    rows.push_back(std::move(row));
    findings.add_gap(fmt::format("bisection, {} hosts", hosts), of);
    findings.comparisons.push_back(
        comparison(fmt::format("bisection, {} hosts: share of a link", hosts), of, halves_[k].flow));
    if (hosts >= 28 && hosts <= 224) {
      above |= of[parx] > of[tree_ftree];
      best = std::max(best, of[parx] / of[tree_ftree]);
    }
    if (hosts == 14)
      out.number("sim.ebb.14", of[parx] / of[minimal],
                 "one way only, and clustered hosts are on more than two switches");
  }
  out.show("Simulated: effective bisection bandwidth, mean share of a link", with_contenders({"hosts"}),
           std::move(rows));
  const auto full = halves_.back().means();
  out.ordering("sim.ebb.mid", above, "", fmt::format("{:.2f} of the fat-tree at most", best));
  out.ordering("sim.ebb.full", full[parx] < full[tree_ftree]);
  out.ordering("sim.ebb.detours", full[parx] < full[minimal],
               fmt::format("PARX {:.3g}, DFSSSP {:.3g} of a link", full[parx], full[minimal]));
  out.ordering("sim.adaptive.ebb", std::max(full[hyperx_dal], full[hyperx_ugal]) > full[parx],
               fmt::format("DAL {:.3g}, UGAL {:.3g}, PARX {:.3g} of a link", full[hyperx_dal],
                           full[hyperx_ugal], full[parx]));
}

void SimulatedBandwidths::report(Reproduction& out, SimulatedFindings& findings) const {
  report_mpigraphs(out, findings);
  report_bisections(out, findings);
}

}  // namespace banyan::papers::domke19
