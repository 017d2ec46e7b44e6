// The judge of Besta and Hoefler: what the abstract and the authors' page say of Slim Fly.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "papers/paper.hpp"

namespace banyan::papers {
namespace {

struct RivalFabric {
  std::string_view name, notation;
  std::string_view engines[2];  // static, adaptive
};

constexpr RivalFabric slim_fly = {"Slim Fly", "SlimFly(9; hosts=7)", {"dfsssp", "ugal"}};
constexpr RivalFabric slim_fly_rivals[] = {
    {"fat-tree", "16-port 3-tree", {"dmodk", "adaptive"}},
    {"Dragonfly", "Dragonfly(4,8,4)", {"dfsssp", "ugal"}},
    {"torus", "Torus(10x10x10)", {"dor", "minadaptive"}},
    {"hypercube", "Hypercube(10)", {"dfsssp", "spray:lanes=16"}},
};

// Whether the first is less than all others.
Holds is_least(const std::vector<Interval>& all) {
  Holds out = Holds::yes;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Holds more = is_more(all[i], all[0]);
    if (more == Holds::no) return Holds::no;
    if (more == Holds::unknown) out = Holds::unknown;
  }
  return out;
}

// The first of them is of the Slim Fly.
class SlimFlyRuns {
 public:
  SlimFlyRuns(const StudyRows& rows, bool skips_tree) : rows_(rows), fabrics_{slim_fly} {
    for (const RivalFabric& rival : slim_fly_rivals)
      if (!skips_tree || rival.name != "fat-tree") fabrics_.push_back(rival);
  }

  const std::vector<RivalFabric>& fabrics() const { return fabrics_; }
  Interval simulated(std::string_view part, const RivalFabric& fabric, std::string_view engine,
                     std::string_view metric) const {
    return papers::simulated(rows_.point(part, {fabric.name, engine}), metric);
  }
  // Of the routing that is better.
  std::vector<Interval> latencies() const {
    return each([&](const RivalFabric& f) {
      const Interval a = simulated("latency", f, f.engines[0], "packet_latency");
      const Interval b = simulated("latency", f, f.engines[1], "packet_latency");
      return a.mean < b.mean ? a : b;
    });
  }
  std::vector<Interval> accepted() const {
    return each([&](const RivalFabric& f) {
      const Interval a = simulated("uniform", f, f.engines[0], "accepted");
      const Interval b = simulated("uniform", f, f.engines[1], "accepted");
      return a.mean > b.mean ? a : b;
    });
  }
  std::vector<Interval> priced(std::string_view metric) const {
    return each([&](const RivalFabric& f) { return Interval{rows_.row("price", {f.notation}, metric), 0}; });
  }
  std::string told(const std::vector<Interval>& values, double unit = 1) const {
    std::string out;
    for (std::size_t i = 0; i < values.size(); ++i)
      out += fmt::format("{}{} {:.4g}", i == 0 ? "" : ", ", fabrics_[i].name, values[i].mean * unit);
    return out;
  }

 private:
  template <class F>
  std::vector<Interval> each(F&& f) const {
    std::vector<Interval> out;
    for (const RivalFabric& fabric : fabrics_) out.push_back(f(fabric));
    return out;
  }

  const StudyRows& rows_;
  std::vector<RivalFabric> fabrics_;
};

void judge_slim_fly_structure(Reproduction& out, const StudyRows& rows) {
  double largest = 0;
  std::vector<Cells> cells;
  for (const u32 q : {4, 5, 7, 8, 9, 11, 13, 16, 17, 19}) {
    const std::string fabric = fmt::format("SlimFly({})", q);
    const StoredPoint& point = rows.point("structure", {fabric});
    const double between = row_of(point, "diameter") - 2;  // without the cables of hosts
    largest = std::max(largest, between);
    const double switches = row_of(point, "switches");
    const double degree = std::round((2 * row_of(point, "links") - 2 * row_of(point, "hosts")) / switches);
    cells.push_back({fabric, fmt::format("{:.0f}", switches), fmt::format("{:.0f}", degree),
                     fmt::format("{:.0f}", between),
                     fmt::format("{:.1f}", 100 * switches / (degree * degree + 1))});
  }
  out.number("diameter", largest, known("it follows from the construction"));
  out.show("Structure", {"fabric", "switches", "degree", "diameter", "% of the Moore bound"},
           std::move(cells));
}

void judge_slim_fly_size(Reproduction& out, const StudyRows& rows) {
  const auto count = [&](std::string_view fabric, std::string_view metric) {
    return rows.row("size", {fabric}, metric);
  };
  constexpr std::string_view ours = "SlimFly(19; hosts=15)";
  const auto judge = [&](std::string_view id, std::string_view tree, std::string_view metric, double share) {
    const double of_host = count(ours, metric) / count(ours, "hosts");
    const double of_tree = count(tree, metric) / count(tree, "hosts");
    const double saved = 1 - of_host / of_tree;
    out.ordering(
        id, saved > share, known("the tree is not the one of their picture, which is not described"),
        fmt::format("{:.1f} % fewer for each host: {:.0f} of {:.0f} hosts, {:.0f} of {:.0f}", 100 * saved,
                    count(ours, metric), count(ours, "hosts"), count(tree, metric), count(tree, "hosts")));
  };
  constexpr std::string_view tree = "XGFT(3; 22,22,22; 1,22,22)";
  judge("routers", tree, "switches", 0.5);
  judge("routers.filled", "PGFT(3; 22,22,22; 1,22,11; 1,1,2)", "switches", 0.5);
  judge("cables", tree, "links", 0.3);
}

void judge_slim_fly_runs(Reproduction& out, const StudyRows& rows, bool quick) {
  const SlimFlyRuns all(rows, false), direct(rows, true);
  const std::vector<Interval> latencies = all.latencies(), accepted = direct.accepted();
  out.ordering("latency", is_least(latencies),
               guess("which topologies they compare, and at which sizes, is not in the abstract"),
               "cycles at a load of 0.1: " + all.told(latencies));
  std::vector<Interval> refused;
  for (const Interval& a : accepted) refused.push_back({-a.mean, a.half_width});
  out.ordering("bandwidth", quick ? Holds::unknown : is_least(refused),
               known("a hypercube with one host at a switch has ten cables for each host"),
               "accepted under uniform traffic at full load, %: " + direct.told(accepted, 100));
  const char* const placeholder = "prices and watts are placeholders";
  const std::vector<Interval> money = all.priced("money_per_host"), watts = all.priced("watts_per_host");
  out.ordering("cost", is_least(money), known(placeholder), "for each host: " + all.told(money));
  out.ordering("power", is_least(watts), known(placeholder), "W for each host: " + all.told(watts));
}

// A fabric that loses cables, and the first and the last share of them in its study, in steps of 5 %.
struct LosingFabric {
  std::string_view notation;
  u32 first, last;
};

constexpr LosingFabric losing_fabrics[] = {
    {"SlimFly(9; hosts=7)", 10, 16}, {"Dragonfly(4,8,4)", 10, 16}, {"Torus(10x10x10)", 3, 9}};

// The first share of cables that disconnects a pair in one draw.
double disconnected_at(const StudyRows& rows, const LosingFabric& fabric, u32 seed) {
  for (u32 step = fabric.first; step <= fabric.last; ++step)
    if (rows.row("cables gone", {fabric.notation, fmt::format("share={:.2f},seed={}", 0.05 * step, seed)},
                 "unreachable_pairs") > 0)
      return 0.05 * step;
  return 0.05 * (fabric.last + 1);
}

// Mean over five draws. A draw tells the share within a step, which counts beside the spread of the draws.
Interval connected_until(const StudyRows& rows, const LosingFabric& fabric) {
  std::vector<double> shares;
  for (u32 seed = 1; seed <= 5; ++seed) shares.push_back(disconnected_at(rows, fabric, seed) - 0.025);
  const Interval drawn = estimate(shares).interval();
  return {drawn.mean, drawn.half_width + 0.025};
}

void judge_slim_fly_resiliency(Reproduction& out, const StudyRows& rows) {
  Interval until[3];
  for (std::size_t i = 0; i < 3; ++i) until[i] = connected_until(rows, losing_fabrics[i]);
  const auto percent = [](const Interval& x) {
    return fmt::format("{:.1f} ± {:.1f} %", 100 * x.mean, 100 * x.half_width);
  };
  out.ordering("resiliency", all_hold({is_more(until[0], until[1]), is_more(until[0], until[2])}),
               guess("which sizes they compare is not in the abstract"),
               fmt::format("connected until {} of the cables are gone; Dragonfly {}, torus {}",
                           percent(until[0]), percent(until[1]), percent(until[2])));
}

void judge_besta14(Reproduction& out, const StudyRows& rows, const PaperOptions& options) {
  out.assume("readings and margins were chosen after a trial run of the same fabrics");
  out.assume(
      "points run until their warm-up is over and their intervals are within 2 %, up to 30,000 cycles (600 "
      "at full load with --quick); what ends in its warm-up decides nothing");
  out.assume(
      "cables vanish in steps of 5 %, in five draws; a step counts as uncertainty beside their spread");
  out.assume(
      "the text that is judged is the abstract and the authors' page about Slim Fly: sections, tables and "
      "figures were not at hand");
  out.assume(
      "about 1,000 hosts: SlimFly(9; hosts=7), 16-port 3-tree, Dragonfly(4,8,4), Torus(10x10x10), "
      "Hypercube(10); of a static and an adaptive routing the better one");
  out.assume(
      "16 lanes of 40 flits, packets of 10 flits, virtual cut-through, one cycle for link and switch each; "
      "packets for different outputs pass each other");
  out.assume("prices and watts are the placeholders of studies/prices.toml, nobody's offer");
  judge_slim_fly_structure(out, rows);
  judge_slim_fly_size(out, rows);
  judge_slim_fly_runs(out, rows, options.quick);
  judge_slim_fly_resiliency(out, rows);
}

}  // namespace

Paper besta14_paper() {
  return {"besta14", "Besta and Hoefler: Slim Fly: A Cost Effective Low-Diameter Network Topology",
          judge_besta14};
}

}  // namespace banyan::papers
