// Section 2.2 of domke19 in the simulator: what the machines accept of uniform traffic and of patterns that
// put all hosts of a switch on one cable.
#include <fmt/format.h>

#include <algorithm>

#include "base/statistics.hpp"
#include "papers/domke19/simulated.hpp"
#include "traffic/pattern.hpp"

namespace banyan::papers::domke19 {
namespace {

constexpr u32 columns = 12, rows_of_grid = 8, hosts = on_switch * columns * rows_of_grid;
constexpr std::array<std::string_view, 4> names = {
    "uniform", "a permutation", "to the next switch of a column", "to the switch across the grid"};

// Host h of switch (x, y) of the grid sends to host h of (x + dx, y + dy); the fat-tree gets the same pairs.
Traffic across(u32 dx, u32 dy) {
  return {.ranks = hosts, .list = [=](u64, u64, u64, std::vector<Demand>& out) {
            for (u32 i = 0; i < hosts; ++i) {
              const u32 x = i / on_switch % columns, y = i / on_switch / columns;
              const u32 to = (y + dy) % rows_of_grid * columns + (x + dx) % columns;
              out.push_back({Rank{i}, Rank{to * on_switch + i % on_switch}});
            }
          }};
}

Traffic traffic_of(const Topology& t, u32 pattern) {
  if (pattern < 2) return make_traffic({t, hosts}, pattern == 0 ? "uniform" : "permutation");
  return pattern == 2 ? across(0, 1) : across(columns / 2, rows_of_grid / 2);
}

}  // namespace

SimulatedThroughput::SimulatedThroughput(const Arenas& arenas, const Effort& effort, u64 seed, Tasks& tasks) {
  for (u32 pattern = 0; pattern < patterns; ++pattern)
    for (u32 i = 0; i < contenders; ++i) {
      std::vector<double>& found = found_[pattern][i];
      found.resize(arenas.size());
      if (i == minimal_random) continue;  // all hosts send, and where is part of the pattern
      for (std::size_t draw = 0; draw < arenas.size(); ++draw)
        tasks.add(fmt::format("throughput/{}/{}/{}", pattern, i, draw), {&found[draw]},
                  [&found, &arena = arenas[draw], cycles = effort.cycles, pattern, i, draw, seed] {
                    const Topology& t = arena.topology(i);
                    found[draw] = steady_share(t.fabric, arena.routing(i), traffic_of(t, pattern),
                                               place_linearly(hosts),
                                               {.cycles = cycles, .single_packets = true}, seed + draw);
                  });
    }
  // Section 2.1 is about a fat-tree with all its cables.
  intact_.resize(3);
  for (const u32 k : {0u, 1u, 2u})
    tasks.add(fmt::format("throughput-intact/{}", k), {&intact_[k]}, [this, cycles = effort.cycles, k, seed] {
      static const Topology whole =
          make_topology("Directors(48; hosts=14, up=18, directors=12, lines=4, spines=9, parallel=2)");
      static const Routing any_way = routed(whole, "adaptive");
      intact_[k] = steady_share(whole.fabric, any_way, traffic_of(whole, k == 0 ? 0 : k + 1),
                                place_linearly(hosts), {.cycles = cycles, .single_packets = true}, seed);
    });
}

double SimulatedThroughput::mean(u32 pattern, u32 i) const { return estimate(found_[pattern][i]).mean; }

void SimulatedThroughput::report(Reproduction& out, SimulatedFindings& findings) const {
  std::vector<std::vector<std::string>> rows;
  for (u32 pattern = 0; pattern < patterns; ++pattern) {
    std::array<double, contenders> of{};
    for (u32 i = 0; i < contenders; ++i) of[i] = mean(pattern, i);
    std::vector<std::string> row = {std::string(names[pattern])};
    for (u32 i = 0; i < contenders; ++i)
      if (i != minimal_random) row.push_back(fmt::format("{:.1f}", 100 * of[i]));
    rows.push_back(std::move(row));
    findings.add_gap(std::string(names[pattern]), of);
  }
  std::vector<std::string> head = {"all hosts send"};
  for (u32 i = 0; i < contenders; ++i)
    if (i != minimal_random) head.emplace_back(short_name(i));
  out.show("Simulated: throughput at full load, % of what the hosts' links carry", std::move(head),
           std::move(rows));
  const auto worst = [&](u32 i) { return std::min(mean(2, i), mean(3, i)); };
  const double uniform = std::max(mean(0, hyperx_dal), mean(0, hyperx_ugal));
  out.number("uniform", 100 * uniform, guess("finite buffers and a switch's matching leave gaps"));
  out.number("worst", 100 * std::max(worst(hyperx_dal), worst(hyperx_ugal)),
             known(fmt::format("DAL {:.3g} %, UGAL {:.3g} %; two hops instead of one for all leave 57 %",
                               100 * worst(hyperx_dal), 100 * worst(hyperx_ugal))));
  const double whole = std::min(intact_[1], intact_[2]);
  out.ordering(
      "tree.same", whole >= 0.9 * intact_[0],
      guess("finite buffers and a switch's matching leave gaps where all of a switch goes one way"),
      fmt::format("with all cables {:.3g} % of the worst case and {:.3g} % of uniform traffic, with "
                  "7.4 % missing {:.3g} and {:.3g} %",
                  100 * whole, 100 * intact_[0], 100 * worst(tree_adaptive), 100 * mean(0, tree_adaptive)));
}

}  // namespace banyan::papers::domke19
