// Figures 1 and 5c of domke19: mpiGraph on the hosts of a rack, effective bisection bandwidth by number of
// hosts.
#include <fmt/format.h>

#include <algorithm>

#include "flow/bandwidth.hpp"
#include "flow/load.hpp"
#include "study/domke19.hpp"

namespace banyan::domke19 {
namespace {

constexpr u32 on_switch = 7, in_rack = 28;

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

void mpigraphs(Reproduction& out, const Machines& m, unsigned threads) {
  const auto mean = [&](const Topology& t, const Routing& r, const Placement& p) {
    return mpigraph(t.fabric, r, p, {}, threads).mean;
  };
  const double tree = mean(m.tree, m.ftree, place_linearly(in_rack));
  std::vector<std::vector<std::string>> rows;
  double minimal_ratio = 0, parx_ratio = 0;
  for (const auto& [columns, lines] : {std::pair(2u, 2u), std::pair(4u, 1u), std::pair(1u, 4u)}) {
    const Placement hosts = rack(columns, lines);
    const double plain = mean(m.hyperx, m.dfsssp, hosts) / tree,
                 around = mean(m.hyperx, m.parx, hosts) / tree;
    if (columns == 2) minimal_ratio = plain, parx_ratio = around;
    rows.push_back({fmt::format("{}x{}", columns, lines), "1", number(plain), number(around)});
  }
  out.show("mpiGraph, 28 hosts of a rack, mean relative to the fat-tree (paper: 1 : 0.37 : 0.62)",
           {"switches", "fat-tree", "DFSSSP", "PARX"}, std::move(rows));
  out.assume(
      "the four switches of a rack are a 2x2 block of the grid; the other layouts are shown beside it");
  const std::string why = "contention alone: what the message layer costs large messages is not in it";
  out.number("mpigraph.minimal", minimal_ratio);
  out.number("mpigraph.parx", parx_ratio, why);
  out.number("mpigraph.boost", parx_ratio / minimal_ratio, why);
  out.number("mpigraph.streams", streams(m));
}

}  // namespace

void bandwidths(Reproduction& out, const Machines& m, const PaperOptions& options) {
  mpigraphs(out, m, options.threads);
  const BandwidthOptions sampling{
      .samples = options.quick ? 50u : 1000u, .seed = options.seed, .threads = options.threads};
  std::vector<u32> counts = {7, 14, 28, 56, 112, 224, 448, 672};
  std::vector<std::vector<std::string>> rows;
  std::vector<std::vector<double>> shares;  // by count and combination
  double parx_linear = 0;
  for (u32 n : counts) {
    std::vector<std::string> row = {std::to_string(n)};
    auto& of = shares.emplace_back();
    for (u32 i = 0; i < combinations; ++i) {
      of.push_back(bisection_bandwidth(m.topology(i), m.routing(i), m.placement(i, n, options.seed), sampling)
                       .mean_share);
      row.push_back(number(of.back()));
    }
    const double linear = bisection_bandwidth(m.hyperx, m.parx, place_linearly(n), sampling).mean_share;
    if (n == 14) parx_linear = linear;
    row.push_back(number(linear));
    rows.push_back(std::move(row));
  }
  out.show("Effective bisection bandwidth, mean share of a link",
           {"hosts", "ftree", "SSSP", "DFSSSP", "random", "PARX", "PARX linear"}, std::move(rows));
  out.number("ebb.14", shares[1][parx] / shares[1][minimal],
             fmt::format("one way only; with both in order it is {:.3g}", parx_linear / shares[1][minimal]));
  bool above = false;
  for (std::size_t i = 2; i <= 5; ++i) above |= shares[i][parx] > shares[i][tree_ftree];
  out.ordering("ebb.mid", above, "at flow level the fat-tree loses little to its missing cables");
  out.ordering("ebb.full", shares.back()[parx] < shares.back()[tree_ftree]);
  out.ordering("ebb.detours", shares.back()[parx] < shares.back()[minimal]);
}

}  // namespace banyan::domke19
