// Figures 1 and 5c of domke19: mpiGraph on the hosts of a rack, effective bisection bandwidth by number of
// hosts.
#include <fmt/format.h>

#include <algorithm>

#include "flow/bandwidth.hpp"
#include "flow/load.hpp"
#include "papers/domke19/domke19.hpp"

namespace banyan::papers::domke19 {
namespace {

// The hosts of four switches of one quadrant, in a block of so many columns and rows.
Placement rack(u32 columns, u32 rows) {
  Placement out;
  for (u32 y = 0; y < rows; ++y)
    for (u32 x = 0; x < columns; ++x)
      for (u32 h = 0; h < on_switch; ++h) out.push_back(Host{(y * 12 + x) * on_switch + h});
  return out;
}

// The most flows on a cable between switches when the hosts of one switch send to those of the next.
double streams(const Machines& m) {
  std::vector<Flow> flows;
  for (u32 h = 0; h < on_switch; ++h) flows.push_back({Nic{h}, Nic{on_switch + h}, 1});
  const auto load = loads(m.hyperx.fabric, m.dfsssp, flows);
  return *std::max_element(load.begin(), load.end());
}

// A panel of Figure 1: the share of a link between any two ranks.
Figure::Panel pairs(std::string title, const BandwidthMatrix& found) {
  std::vector<std::string> ranks;
  for (u32 r = 0; r < found.ranks; ++r) ranks.push_back(std::to_string(r));
  Figure::Panel out = make_panel(std::move(title), ranks, ranks);
  for (u32 a = 0; a < found.ranks; ++a)
    for (u32 b = 0; b < found.ranks; ++b)
      if (a != b) out.at(a, b) = {found(Rank{a}, Rank{b})};
  out.note = fmt::format("mean {:.3f}", found.mean);
  return out;
}

void mpigraphs(Reproduction& out, const Machines& m, const PaperOptions& options) {
  const auto measured = [&](const Topology& t, const Routing& r, const Placement& p) {
    return mpigraph(t.fabric, r, p, {});
  };
  Figure figure{.kind = Figure::Kind::heat,
                .title = "mpiGraph on 28 hosts (Figure 1): bandwidth of every pair while all send",
                .down = "sending rank",
                .across = "receiving rank",
                .value = "share of a link",
                .statements = {"mpigraph.minimal", "mpigraph.parx", "mpigraph.boost", "mpigraph.streams"}};
  std::vector<std::vector<std::string>> rows;
  double tree = 0;
  for (const u32 i : {tree_ftree, tree_sssp, minimal_random}) {
    const auto found = measured(m.topology(i), m.routing(i), m.placement(i, in_rack, options.seed));
    if (i == tree_ftree) tree = found.mean;
    figure.panels.push_back(pairs(std::string(combination(i).name), found));
    rows.push_back({std::string(combination(i).name), "-", number(found.mean), number(found.mean / tree)});
  }
  double minimal_ratio = 0, parx_ratio = 0;
  for (const u32 i : {minimal, parx})
    for (const auto& [columns, lines] : {std::pair(2u, 2u), std::pair(4u, 1u), std::pair(1u, 4u)}) {
      const auto found = measured(m.hyperx, m.routing(i), rack(columns, lines));
      if (columns == 2) (i == parx ? parx_ratio : minimal_ratio) = found.mean / tree;
      const std::string layout = fmt::format("{}x{} switches", columns, lines);
      figure.panels.push_back(
          pairs(fmt::format("HyperX, {}, {}", i == parx ? "PARX" : "DFSSSP", layout), found));
      rows.push_back({i == parx ? "HyperX, PARX" : "HyperX, DFSSSP", layout, number(found.mean),
                      number(found.mean / tree)});
    }
  figure.note =
      "The hosts of a rack in the order of their switches, in the three layouts that four switches of a "
      "quadrant can have; above, the combinations that place hosts elsewhere. One scale for all.";
  out.draw(std::move(figure));
  out.show("mpiGraph, 28 hosts: mean share of a link, and relative to the fat-tree (paper: 1 : 0.37 : 0.62)",
           {"combination", "layout", "mean", "relative"}, std::move(rows));
  out.assume(
      "the four switches of a rack are a 2x2 block of the grid; the other layouts are shown beside it");
  const std::string why = "contention alone: what the message layer costs large messages is not in it";
  out.number("mpigraph.minimal", minimal_ratio);
  out.number("mpigraph.parx", parx_ratio, why);
  out.number("mpigraph.boost", parx_ratio / minimal_ratio, why);
  out.number("mpigraph.streams", streams(m));
}

// --- effective bisection bandwidth
// ---------------------------------------------------------------------------

Figure::Samples bisections(const DrawnMachines& machines, u32 i, u32 hosts, const PaperOptions& options,
                           bool linear) {
  Figure::Samples out;
  for (std::size_t s = 0; s < machines.size(); ++s) {
    const Machines& m = machines[s];
    const BandwidthOptions sampling{.samples = options.quick ? 25u : 100u, .seed = options.seed + s};
    const Placement placement = linear ? place_linearly(hosts) : m.placement(i, hosts, options.seed + s);
    out.push_back(bisection_bandwidth(m.topology(i), m.routing(i), placement, sampling).mean_share);
  }
  return out;
}

constexpr u32 bisection_columns = combinations + 1;  // and PARX in order

Figure::Panel bisection_panel(std::string title, const std::vector<u32>& counts, std::size_t draws) {
  std::vector<std::string> columns = combination_names();
  columns.push_back("HyperX, PARX, linear");
  Figure::Panel out = make_panel(std::move(title), as_texts(counts), columns);
  for (Figure::Samples& cell : out.cells) cell.resize(draws);
  return out;
}

void judge_bisections(Reproduction& out, const Figure::Panel& found) {
  const auto share = [&](u32 hosts, u32 i) {
    for (std::size_t n = 0; n < found.rows.size(); ++n)
      if (found.rows[n] == std::to_string(hosts)) return mean(found.at(n, i));
    return 0.0;
  };
  out.number("ebb.14", share(14, parx) / share(14, minimal),
             fmt::format("one way only; with both in order it is {:.3g}",
                         share(14, combinations) / share(14, minimal)));
  bool above = false;
  double best = 0;
  for (const u32 hosts : {28u, 56u, 112u, 224u}) {
    if (share(hosts, tree_ftree) == 0) continue;
    above |= share(hosts, parx) > share(hosts, tree_ftree);
    best = std::max(best, share(hosts, parx) / share(hosts, tree_ftree));
  }
  out.ordering("ebb.mid", above,
               "a guess: theirs lost more to its missing cables, of which only the number is known",
               fmt::format("at best PARX has {:.2f} of its bandwidth", best));
  out.ordering("ebb.full", share(672, parx) < share(672, tree_ftree));
  out.ordering("ebb.detours", share(672, parx) < share(672, minimal));
}

}  // namespace

FlowBandwidths::FlowBandwidths(const DrawnMachines& machines, const PaperOptions& options, Tasks& tasks)
    : machines_(machines), options_(options) {
  std::vector<std::vector<u32>> counts = {options.quick ? std::vector<u32>{14, 56, 672} : sevens()};
  if (!options.quick) counts.push_back(powers_of_two());
  for (const auto& hosts : counts)
    bisections_.push_back(
        bisection_panel(bisections_.empty() ? "7 to 672 hosts" : "powers of two", hosts, machines.size()));
  for (std::size_t panel = 0; panel < counts.size(); ++panel)
    for (std::size_t n = 0; n < counts[panel].size(); ++n)
      for (u32 i = 0; i < bisection_columns; ++i) {
        const u32 hosts = counts[panel][n];
        Figure::Samples& cell = bisections_[panel].at(n, i);
        tasks.add(fmt::format("bisection/{}/{}", hosts, i), cell, [&machines, options, &cell, hosts, i] {
          std::ranges::copy(bisections(machines, std::min(i, u32{parx}), hosts, options, i == combinations),
                            cell.begin());
        });
      }
}

void FlowBandwidths::report(Reproduction& out) const {
  mpigraphs(out, machines_.front(), options_);
  Figure figure{.kind = Figure::Kind::whiskers,
                .title = "Effective bisection bandwidth (Figure 5c): mean share of a link",
                .down = "hosts",
                .across = "combination",
                .value = "share of a link",
                .statements = {"ebb.14", "ebb.mid", "ebb.full", "ebb.detours"},
                .panels = bisections_};
  figure.note = fmt::format(
      "Each value is the mean over {} random bisections; whiskers are over {} draws of "
      "cables, hosts and bisections.",
      options_.quick ? 25 : 100, machines_.size());
  judge_bisections(out, bisections_.front());
  out.draw(std::move(figure));
}

}  // namespace banyan::papers::domke19
