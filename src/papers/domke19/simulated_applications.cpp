// Figure 6 of domke19 in the simulator: applications one at a time, over draws of cables and hosts.
#include <fmt/format.h>

#include <algorithm>

#include "engines/parx.hpp"
#include "papers/domke19/applications.hpp"
#include "papers/domke19/simulated.hpp"
#include "traffic/applications/application.hpp"

namespace banyan::papers::domke19 {
namespace {

// PARX for what the profile sends.
Routing routing_for(const Arena& arena, u32 i, const Profile& profile, const Placement& placement) {
  if (i != parx) return arena.routing(i);
  std::vector<HostAmount> amounts;
  for (const Demand& d : profile.totals()) amounts.push_back({placement[d.from], placement[d.to], d.amount});
  const Topology& t = arena.machines.hyperx;
  return taken(route_parx(t, NodeDemands{t.fabric.hosts(), normalised(std::move(amounts))}));
}

double least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

}  // namespace

double SimulatedApplications::Times::best(u32 i) const { return least(simulated[i]); }

SimulatedApplications::SimulatedApplications(const Arenas& arenas, const Effort& effort, u64 seed,
                                             Tasks& tasks) {
  for (const PaperApplication& app : paper_applications)
    found_.push_back({std::string(app.name), app.hosts(), {}, {}});
  for (Times& found : found_)
    for (u32 i = 0; i < contenders; ++i) {
      found.simulated[i].resize(arenas.size());
      found.flow[i].resize(arenas.size());
      for (std::size_t draw = 0; draw < arenas.size(); ++draw)
        tasks.add(fmt::format("sim-alone/{}/{}/{}", found.name, i, draw),
                  {&found.simulated[i][draw], &found.flow[i][draw]},
                  [&found, &arena = arenas[draw], effort, i, draw, seed = seed + draw] {
                    const Profile profile = paper_profile(found.name, found.hosts).profile;
                    const Placement placement = arena.placement(i, found.hosts, seed);
                    const Routing routing = routing_for(arena, i, profile, placement);
                    RoundTimes times(arena.topology(i), routing, placement, i, effort, seed);
                    double& simulated = found.simulated[i][draw] = profile.seconds();
                    double& flow = found.flow[i][draw] = profile.seconds();
                    for (const Phase& phase : profile.phases)
                      for (const auto& round : phase.rounds) {
                        const RoundTimes::Both both = times.of(round);
                        simulated += static_cast<double>(phase.repeats) * both.simulated;
                        flow += static_cast<double>(phase.repeats) * both.flow;
                      }
                  });
    }
}

void SimulatedApplications::report(Reproduction& out, SimulatedFindings& findings) const {
  std::vector<std::vector<std::string>> rows;
  for (const Times& found : found_) {
    std::vector<std::string> row = {found.name, std::to_string(found.hosts)};
    for (const auto& seconds : found.simulated)
      row.push_back(fmt::format("{:.4g} / {:.4g}", least(seconds), median(seconds)));
    rows.push_back(std::move(row));
    Comparison comparison{fmt::format("{}, {} hosts: s", found.name, found.hosts), {}, {}};
    for (u32 i = 0; i < combinations; ++i) {
      comparison.simulated[i] = found.best(i);
      comparison.flow[i] = least(found.flow[i]);
    }
    findings.comparisons.push_back(std::move(comparison));
  }
  std::vector<std::string> head = {"application", "hosts"};
  for (u32 i = 0; i < contenders; ++i) head.emplace_back(short_name(i));
  out.show("Simulated: applications alone, seconds, least / median over draws of cables and hosts",
           std::move(head), std::move(rows));
  for (const Times& found : found_) {
    const bool random = found.name == "hpl" || found.name == "hpcg" || found.name == "graph500";
    const double tree = found.best(tree_ftree);
    if (random) {
      out.number(fmt::format("{}.random", found.name), 100 * (tree / found.best(minimal_random) - 1),
                 tested("contention gives no such gain, at flow level either"));
      continue;
    }
    if (found.name == "comd" || found.name == "swfft") continue;  // the paper says nothing of their best
    double best = found.best(minimal);
    if (found.name != "milc") best = std::min({best, found.best(minimal_random), found.best(parx)});
    out.ordering(fmt::format("apps.{}", found.name), best <= 1.01 * tree,
                 tested("halos between neighbouring switches share one cable, as at flow level"),
                 fmt::format("{:.1f} % slower", 100 * (best / tree - 1)));
  }
}

}  // namespace banyan::papers::domke19
