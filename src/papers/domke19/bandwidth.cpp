// Figures 1 and 5c of domke19: mpiGraph on the hosts of a rack, effective bisection bandwidth by number of
// hosts.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "flow/bandwidth.hpp"
#include "flow/load.hpp"
#include "papers/domke19/domke19.hpp"
#include "traffic/pattern.hpp"

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

struct Ratios {
  std::vector<double> minimal, parx, boost;  // by draw
};

// What Figure 1 compares, on every draw of cables.
Ratios rack_ratios(const DrawnMachines& machines, double host) {
  Ratios out;
  for (const Machines& m : machines) {
    const auto mean_of = [&](u32 i, const Placement& placement) {
      return mpigraph(m.topology(i).fabric, m.routing(i), placement, {.host = host}).mean;
    };
    const double tree = mean_of(tree_ftree, place_linearly(in_rack));
    out.minimal.push_back(mean_of(minimal, rack(2, 2)) / tree);
    out.parx.push_back(mean_of(parx, rack(2, 2)) / tree);
    out.boost.push_back(out.parx.back() / out.minimal.back());
  }
  return out;
}

void draw_mpigraph(Reproduction& out, const Machines& m, const PaperOptions& options) {
  Figure figure{.kind = Figure::Kind::heat,
                .title = "mpiGraph on 28 hosts (Figure 1): bandwidth of every pair while all send",
                .down = "sending rank",
                .across = "receiving rank",
                .value = "share of a link",
                .statements = {"mpigraph.minimal", "mpigraph.parx", "mpigraph.boost", "mpigraph.streams",
                               "adaptive.mpigraph"}};
  std::vector<std::vector<std::string>> rows;
  double tree = 0;
  const auto add = [&](std::string name, const std::string& layout, u32 i, const Placement& placement) {
    const auto found = mpigraph(m.topology(i).fabric, m.routing(i), placement, {.host = host_share});
    if (i == tree_ftree) tree = found.mean;
    rows.push_back({name, layout, number(found.mean), number(found.mean / tree)});
    figure.panels.push_back(pairs(layout == "-" ? name : fmt::format("{}, {}", name, layout), found));
  };
  for (const u32 i : {tree_ftree, tree_sssp, minimal_random})
    add(std::string(combination(i).name), "-", i, m.placement(i, in_rack, options.seed));
  for (const u32 i : {minimal, parx})
    for (const auto& [columns, lines] : {std::pair(2u, 2u), std::pair(4u, 1u), std::pair(1u, 4u)})
      add(i == parx ? "HyperX, PARX" : "HyperX, DFSSSP", fmt::format("{}x{} switches", columns, lines), i,
          rack(columns, lines));
  figure.note =
      "The hosts of a rack in the order of their switches, in the three layouts that four switches of a "
      "quadrant can have; above, the combinations that place hosts elsewhere. One scale for all. The paper's "
      "means are 2.26, 0.84 and 1.39 GiB/s: 1 : 0.37 : 0.62.";
  out.draw(std::move(figure));
  out.show("mpiGraph, 28 hosts: mean share of a link, and relative to the fat-tree (paper: 1 : 0.37 : 0.62)",
           {"combination", "layout", "mean", "relative"}, std::move(rows));
}

void mpigraphs(Reproduction& out, const DrawnMachines& machines, const PaperOptions& options) {
  draw_mpigraph(out, machines.front(), options);
  const Ratios limited = rack_ratios(machines, host_share), unlimited = rack_ratios(machines, 1);
  const auto shown = [](const std::vector<double>& values) {
    const Interval x = interval_of(values);
    return fmt::format("{:.3f} ± {:.3f}", x.mean, x.half_width);
  };
  out.show("mpiGraph, 28 hosts in 2x2 switches, by what a host can send: relative to the fat-tree",
           {"hosts of", "DFSSSP", "PARX", "PARX over DFSSSP"},
           {{"3250 MB/s", shown(limited.minimal), shown(limited.parx), shown(limited.boost)},
            {"4000 MB/s", shown(unlimited.minimal), shown(unlimited.parx), shown(unlimited.boost)},
            {"theirs", "0.37", "0.62", "1.66"}});
  out.assume(
      "the four switches of a rack are a 2x2 block of the grid; the other layouts are shown beside it");
  const std::string why = guess("what the message layer of PARX costs large messages is not in it");
  out.number("mpigraph.minimal", interval_of(limited.minimal), why);
  out.number("mpigraph.parx", interval_of(limited.parx), why);
  out.number("mpigraph.boost", interval_of(limited.boost), why);
  out.number("mpigraph.streams", streams(machines.front()));
}

// --- effective bisection bandwidth
// ---------------------------------------------------------------------------

// How the bandwidth of a bisection is counted. Netgauge's ebb has partners send to each other at once, takes
// for each rank the time until both messages have arrived, and gives the size over the mean of these times.
enum class Counted : u8 { one_way_rates, both_ways_times };

// As a share of a link.
double bisected(const Topology& topology, const Routing& routing, const Placement& placement, Counted counted,
                double host, const BandwidthOptions& sampling) {
  const RateOptions options{.host = host};
  if (counted == Counted::one_way_rates) {
    BandwidthOptions one_way = sampling;
    one_way.rates = options;
    return bisection_bandwidth(topology, routing, placement, one_way).mean_share;
  }
  const Traffic halves = make_traffic({topology, static_cast<u32>(placement.size())}, "bisection");
  RateSolver solver(topology.fabric, options);
  std::vector<Demand> demands;
  std::vector<Flow> flows;
  double times = 0;
  u64 partners = 0;
  for (u64 sample = 0; sample < sampling.samples; ++sample) {
    demands.clear(), flows.clear();
    halves.list(sampling.seed, sample, 0, demands);
    for (std::size_t i = 0, count = demands.size(); i < count; ++i)
      demands.push_back({demands[i].to, demands[i].from});
    for (Demand& demand : demands) demand.amount = 1 << 20;  // bytes, as in the paper: large for PARX
    append_flows(demands, placement, flows);
    const auto& rates = solver.solve(incidence(topology.fabric, routing, flows, Demands::bytes));
    for (std::size_t f = 0; f < flows.size() / 2; ++f, ++partners)
      times += 1 / std::min(rates[f], rates[f + flows.size() / 2]);
  }
  return static_cast<double>(partners) / times;
}

BandwidthOptions bisections_of(const PaperOptions& options, std::size_t draw) {
  return {.samples = options.quick ? 25u : 100u, .seed = options.seed + draw};
}

Figure::Samples bisections(const DrawnMachines& machines, u32 i, u32 hosts, const PaperOptions& options,
                           bool linear) {
  Figure::Samples out;
  for (std::size_t s = 0; s < machines.size(); ++s) {
    const Machines& m = machines[s];
    const Placement placement = linear ? place_linearly(hosts) : m.placement(i, hosts, options.seed + s);
    out.push_back(bisected(m.topology(i), m.routing(i), placement, Counted::both_ways_times, host_share,
                           bisections_of(options, s)));
  }
  return out;
}

constexpr std::array<std::pair<Counted, double>, 4> readings = {{{Counted::one_way_rates, 1},
                                                                 {Counted::one_way_rates, host_share},
                                                                 {Counted::both_ways_times, 1},
                                                                 {Counted::both_ways_times, host_share}}};
std::string_view reading_name(std::size_t r) {
  constexpr std::string_view names[] = {
      "one way, mean of rates, hosts of 4000 MB/s", "one way, mean of rates, hosts of 3250 MB/s",
      "both ways, mean of times, hosts of 4000 MB/s", "both ways, mean of times, hosts of 3250 MB/s"};
  return names[r];
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
  const auto shares = [&](u32 hosts, u32 i) -> Figure::Samples {
    for (std::size_t n = 0; n < found.rows.size(); ++n)
      if (found.rows[n] == std::to_string(hosts)) return found.at(n, i);
    return {};
  };
  const auto over = [&](u32 hosts, u32 a, u32 b) { return ratio_of(shares(hosts, a), shares(hosts, b)); };
  out.number("ebb.14", over(14, parx, minimal),
             guess("clustered hosts are on more than two switches in some draws"));
  Holds above = Holds::no;
  std::string best;
  for (const u32 hosts : {28u, 56u, 112u, 224u}) {
    if (shares(hosts, parx).empty()) continue;
    const Interval gain = over(hosts, parx, tree_ftree);
    const Holds here = is_more(gain, {1, 0});
    if (here == Holds::yes || above == Holds::no) above = here;
    best += fmt::format("{}{} hosts {:.3f} ± {:.3f}", best.empty() ? "" : ", ", hosts, gain.mean,
                        gain.half_width);
  }
  out.ordering("ebb.mid", above,
               guess("theirs lost more to its missing cables, of which only the number is known"),
               "PARX over ftree: " + best);
  const auto below = [&](std::string_view id, u32 other) {
    const Interval share = over(672, parx, other);
    out.ordering(id, is_more({1, 0}, share), "", fmt::format("{:.3f} of it", share.mean));
  };
  below("ebb.full", tree_ftree);
  below("ebb.detours", minimal);
  Holds random = Holds::yes;
  std::string less;
  for (const std::string& row : found.rows) {
    const u32 hosts = static_cast<u32>(std::stoul(row));
    if (hosts < 14 || hosts > 448) continue;  // on one switch, and with all hosts, placement is no choice
    for (const u32 other : {u32{minimal}, u32{parx}}) {
      const Holds here = is_more(over(hosts, minimal_random, other), {1, 0});
      random = all_hold({random, here});
      if (here != Holds::yes)
        less += fmt::format("; {} hosts: {:.3f} of {}", hosts, over(hosts, minimal_random, other).mean,
                            combination(other).name);
    }
  }
  out.ordering(
      "ebb.random", random,
      guess("with many hosts every placement is nearly the same, and detours help where random hosts "
            "still share a cable"),
      less.empty() ? "everywhere" : "not everywhere" + less);
}

}  // namespace

double exchanged_bandwidth(const Topology& topology, const Routing& routing, const Placement& placement,
                           u64 samples, u64 seed) {
  return bisected(topology, routing, placement, Counted::both_ways_times, host_share,
                  {.samples = samples, .seed = seed});
}

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
  plan_readings(tasks);
}

// Every way to count them, on the first draw.
void FlowBandwidths::plan_readings(Tasks& tasks) {
  const Figure::Panel& counts = bisections_.front();
  readings_.assign(readings.size() * counts.rows.size(), std::vector<double>(combinations));
  for (std::size_t k = 0; k < readings_.size(); ++k) {
    const u32 hosts = static_cast<u32>(std::stoul(counts.rows[k / readings.size()]));
    tasks.add(
        fmt::format("bisection-reading/{}/{}", hosts, k % readings.size()), readings_[k], [this, hosts, k] {
          const Machines& m = machines_.front();
          const auto [counted, host] = readings[k % readings.size()];
          for (u32 i = 0; i < combinations; ++i)
            readings_[k][i] = bisected(m.topology(i), m.routing(i), m.placement(i, hosts, options_.seed),
                                       counted, host, bisections_of(options_, 0));
        });
  }
}

void FlowBandwidths::show_readings(Reproduction& out) const {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < readings_.size(); ++k) {
    std::vector<std::string> row = {bisections_.front().rows[k / readings.size()],
                                    std::string(reading_name(k % readings.size()))};
    for (const double share : readings_[k]) row.push_back(number(share));
    row.push_back(number(readings_[k][parx] / readings_[k][minimal]));
    row.push_back(number(readings_[k][parx] / readings_[k][tree_ftree]));
    rows.push_back(std::move(row));
  }
  std::vector<std::string> columns = {"hosts", "counted"};
  for (const std::string& name : combination_names()) columns.push_back(name);
  columns.insert(columns.end(), {"PARX over DFSSSP", "PARX over ftree"});
  out.show(
      "Effective bisection bandwidth, ways to count it (the last is Netgauge's, and judged): share of a link",
      std::move(columns), std::move(rows));
}

void FlowBandwidths::report(Reproduction& out) const {
  mpigraphs(out, machines_, options_);
  Figure figure{.kind = Figure::Kind::whiskers,
                .title = "Effective bisection bandwidth (Figure 5c): mean share of a link",
                .down = "hosts",
                .across = "combination",
                .value = "share of a link",
                .statements = {"ebb.14", "ebb.mid", "ebb.full", "ebb.detours", "ebb.random", "adaptive.ebb"},
                .panels = bisections_};
  figure.note = fmt::format(
      "As Netgauge counts it: partners send to each other at once, size over mean time. Each value is of {} "
      "random bisections; whiskers are over {} draws of "
      "cables, hosts and bisections.",
      options_.quick ? 25 : 100, machines_.size());
  const Figure::Panel& sevens_panel = bisections_.front();
  for (std::size_t n = 0; n < sevens_panel.rows.size(); ++n)
    if (sevens_panel.rows[n] == "14") {
      const double theirs = 1.9 * mean(sevens_panel.at(n, minimal));
      figure.theirs.push_back({0, n, parx, theirs, theirs, "theirs: 1.9 times DFSSSP in order"});
    } else if (sevens_panel.rows[n] == "56" || sevens_panel.rows[n] == "112") {
      const double tree = mean(sevens_panel.at(n, tree_ftree));
      figure.theirs.push_back({0, n, parx, 1.02 * tree, 1.06 * tree, "theirs: 2 to 6 % above ftree"});
    }
  judge_bisections(out, bisections_.front());
  out.draw(std::move(figure));
  show_readings(out);
}

}  // namespace banyan::papers::domke19
