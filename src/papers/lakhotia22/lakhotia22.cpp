// The judge of Lakhotia et al.: what the abstract says of PolarFly.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "papers/paper.hpp"
#include "topology/topology.hpp"

namespace banyan::papers {
namespace {

constexpr u32 polar_fly_orders[] = {4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31};

struct PolarRival {
  std::string_view id, name, notation;
  std::string_view engines[2];  // static, adaptive
};

constexpr PolarRival polar_fly = {"", "PolarFly", "PolarFly(13; hosts=7)", {"dfsssp", "ugal"}};
constexpr PolarRival polar_rivals[] = {
    {"performance.slimfly", "Slim Fly", "SlimFly(9; hosts=7)", {"dfsssp", "ugal"}},
    {"performance.dragonfly", "Dragonfly", "Dragonfly(5,10,5; groups=25)", {"dfsssp", "ugal"}},
    {"performance.fattree", "fat-tree", "XGFT(3; 10,10,12; 1,10,10)", {"dmodk", "adaptive"}},
};

// What a graph of degree d and diameter 2 has at most: 1 + d + d (d - 1).
double share_of_moore_bound(double switches, u32 degree) {
  return switches / (1.0 + static_cast<double>(degree) * degree);
}

void judge_polar_fly_structure(Reproduction& out, const StudyRows& rows) {
  double largest = 0, last = 0;
  bool grows = true;
  std::vector<Cells> cells;
  for (const u32 q : polar_fly_orders) {
    const std::string fabric = fmt::format("PolarFly({})", q);
    const double switches = rows.row("structure", {fabric}, "switches");
    const double between = rows.row("structure", {fabric}, "diameter") - 2;  // without the cables of hosts
    const double share = share_of_moore_bound(switches, q + 1);
    largest = std::max(largest, between);
    grows = grows && share > last;
    last = share;
    cells.push_back({fabric, fmt::format("{:.0f}", switches), fmt::format("{}", q + 1),
                     fmt::format("{:.0f}", between), fmt::format("{:.1f}", 100 * share)});
  }
  out.number("diameter", largest, known("it follows from the construction"));
  out.ordering("moore", last > 0.96, known("it follows from the number of switches"),
               fmt::format("{:.2f} % at degree 32", 100 * last));
  out.ordering("asymptotic", grows, known("it follows from the number of switches"),
               "over all degrees of the table");
  out.show("Structure", {"fabric", "switches", "degree", "diameter", "% of the Moore bound"},
           std::move(cells));
}

// Degrees up to a maximum of the members that a family has.
std::set<u32> feasible_degrees(std::string_view family, u32 maximum) {
  std::set<u32> out;
  for (u32 q = 2; q <= maximum; ++q) try {
      const Fabric fabric = make_topology(fmt::format("{}({}; hosts=1)", family, q)).fabric;
      u32 degree = 0;
      for (const Node v : fabric.switch_nodes()) degree = std::max(degree, fabric.ports(v) - 1);
      if (degree > maximum) break;
      out.insert(degree);
    } catch (const InputError&) {  // it is no prime power
    }
  return out;
}

void judge_polar_fly_scale(Reproduction& out, const StudyRows& rows) {
  constexpr u32 maximum = 64;
  const std::size_t ours = feasible_degrees("PolarFly", maximum).size();
  const std::size_t theirs = feasible_degrees("SlimFly", maximum).size();
  out.ordering("degrees", ours > theirs, known("it follows from which numbers are prime powers"),
               fmt::format("{} degrees up to {}, Slim Fly {}", ours, maximum, theirs));
  const auto switches = [&](std::string_view fabric) { return rows.row("degree 32", {fabric}, "switches"); };
  const double mine = switches("PolarFly(31)"), slim = switches("SlimFly(19)"),
               hyper = switches("HyperX(17x17)");
  out.ordering(
      "scalability", mine > slim && mine > hyper, known("it follows from the numbers of switches"),
      fmt::format("{:.0f} switches, Slim Fly {:.0f}, HyperX of two dimensions {:.0f}", mine, slim, hyper));
}

void judge_polar_fly_cost(Reproduction& out, const StudyRows& rows) {
  const auto money = [&](std::string_view fabric) { return rows.row("price", {fabric}, "money_per_host"); };
  const double ours = money(polar_fly.notation);
  bool is_least = true;
  std::string found = fmt::format("for each host {:.4g}", ours);
  for (const PolarRival& rival : polar_rivals) {
    is_least = is_least && ours < money(rival.notation);
    found += fmt::format(", {} {:.4g}", rival.name, money(rival.notation));
  }
  out.ordering("cost", is_least, known("prices are placeholders"), found);
}

// The better of its two routings.
Interval polar_accepted(const StudyRows& rows, const PolarRival& fabric, std::string_view traffic) {
  Interval best{-1, 0};
  for (const std::string_view engine : fabric.engines) {
    const Interval accepted = simulated(rows.point("throughput", {fabric.name, engine, traffic}), "accepted");
    if (accepted.mean > best.mean) best = accepted;
  }
  return best;
}

Holds opposite(Holds holds) {
  if (holds == Holds::unknown) return holds;
  return decided(holds == Holds::no);
}

void judge_polar_fly_performance(Reproduction& out, const StudyRows& rows, bool quick) {
  std::vector<std::string> traffics = {"uniform", "shift:7"};
  if (!quick) traffics = {"uniform", "permutation", "bisection", "shift:7"};
  std::vector<Cells> cells;
  for (const std::string& traffic : traffics) {
    cells.push_back({traffic, fmt::format("{:.1f}", 100 * polar_accepted(rows, polar_fly, traffic).mean)});
    for (const PolarRival& rival : polar_rivals)
      cells.back().push_back(fmt::format("{:.1f}", 100 * polar_accepted(rows, rival, traffic).mean));
  }
  out.show("Accepted at full load by the better routing, in % of what hosts can send",
           {"traffic", "PolarFly", "Slim Fly", "Dragonfly", "fat-tree"}, std::move(cells));
  for (const PolarRival& rival : polar_rivals) {
    Holds never_less = Holds::yes, more = Holds::no;
    std::string found;
    for (const std::string& traffic : traffics) {
      const Interval ours = polar_accepted(rows, polar_fly, traffic),
                     theirs = polar_accepted(rows, rival, traffic);
      never_less = all_hold({never_less, opposite(is_more(theirs, ours))});
      const Holds here = is_more(ours, theirs);
      if (here == Holds::yes || (here == Holds::unknown && more == Holds::no)) more = here;
      found += fmt::format("{}{} {:.2f}", found.empty() ? "PolarFly over it: " : ", ", traffic,
                           ours.mean / theirs.mean);
    }
    out.ordering(rival.id, quick ? Holds::unknown : all_hold({never_less, more}),
                 rival.name == "fat-tree"
                     ? known("a tree of full bandwidth costs more for each host, and no shift holds it up")
                     : guess("their sizes, hosts at a switch and routings are not in the abstract"),
                 found);
  }
}

void judge_lakhotia22(Reproduction& out, const StudyRows& rows, const PaperOptions& options) {
  out.assume("readings and margins were chosen after a trial run of the same fabrics");
  out.assume(
      "points run until their warm-up is over and their intervals are within 2 %, up to 30,000 cycles (600 "
      "with --quick); what ends in its warm-up decides nothing");
  out.assume("the text that is judged is the abstract: sections and figures were not at hand");
  out.assume(
      "about 1,200 hosts: PolarFly(13; hosts=7), SlimFly(9; hosts=7), Dragonfly(5,10,5; groups=25), XGFT(3; "
      "10,10,12; 1,10,10); of a static and an adaptive routing the better one under each traffic");
  out.assume(
      "traffic, which the abstract does not name: uniform, permutation, bisection, every switch to the next");
  out.assume(
      "8 lanes of 40 flits, packets of 10 flits, virtual cut-through, one cycle for link and switch each; "
      "packets for different outputs pass each other; throughput is what is accepted at full load");
  out.assume("prices are the placeholders of studies/prices.toml, nobody's offer");
  judge_polar_fly_structure(out, rows);
  judge_polar_fly_scale(out, rows);
  judge_polar_fly_cost(out, rows);
  judge_polar_fly_performance(out, rows, options.quick);
}

}  // namespace

Paper lakhotia22_paper() {
  return {"lakhotia22", "Lakhotia and others: PolarFly: A Cost-Effective and Flexible Low-Diameter Topology",
          judge_lakhotia22};
}

}  // namespace banyan::papers
