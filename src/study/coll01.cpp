// Coll, Frachtenberg, Petrini, Hoisie, Gurvits: several rails per host. The protocol by exhaustive search,
// Figures 3 to 16 in the simulator.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.hpp"
#include "flit/rails/explore.hpp"
#include "study/coll01_points.hpp"

namespace banyan {
namespace {

// A line of a figure.
struct Line {
  const char* name;
  const char* policy;
  double stripe;
};
constexpr Line basic{"basic", "basic", 0}, local{"local-dynamic", "local-dynamic", 0},
    dynamic{"dynamic", "dynamic", 0}, local_striped{"local-dynamic, striped", "local-dynamic", 1},
    dynamic_striped{"dynamic, striped", "dynamic", 1};
const std::vector<Line> five = {basic, local, dynamic, local_striped, dynamic_striped};

using Rows = std::vector<std::vector<std::string>>;
std::string percent(double x) { return fmt::format("{:.1f}", 100 * x); }

class Figures {
 public:
  Figures(Reproduction& out, RailPoints& points, bool quick)
      : out_(out), points_(points), quick_(quick), most_(quick ? 32 : 128) {}

  void all() {
    bandwidth_and_latency();
    striping();
    sizes();
    nodes();
    rails();
    saturation();
    hybrid();
    bool below = true;
    for (const auto& [point, result] : points_.all()) below &= result.accepted < 0.5;
    out_.ordering("half", below);
  }

 private:
  const RailResult& at(u32 hosts, u32 rail_count, const Line& line, u32 kb, double load) {
    return points_.at({hosts, rail_count, line.policy, line.stripe, kb, load});
  }
  std::vector<double> loads() const {
    if (quick_) return {0.05, 0.1, 0.3, 0.5};
    return {0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5};
  }
  // The most accepted at any load of a figure.
  double most(u32 hosts, u32 rail_count, const Line& line, u32 kb) {
    double out = 0;
    for (const double load : quick_ ? std::vector{0.5} : std::vector{0.3, 0.4, 0.5})
      out = std::max(out, at(hosts, rail_count, line, kb, load).accepted);
    return out;
  }
  double latency(const Line& line, u32 kb, double load) { return at(most_, 4, line, kb, load).latency; }

  // Shows a table: lines against what varies.
  template <class X, class F>
  void show(const std::string& title, std::string_view axis, const std::vector<X>& xs,
            const std::vector<Line>& lines, F&& cell) {
    std::vector<std::string> columns = {std::string(axis)};
    for (const Line& line : lines) columns.emplace_back(line.name);
    Rows rows;
    for (const X& x : xs) {
      std::vector<std::string> row = {fmt::format("{}", x)};
      for (const Line& line : lines) row.push_back(cell(line, x));
      rows.push_back(std::move(row));
    }
    out_.show(title, std::move(columns), std::move(rows));
  }
  // Accepted bandwidth and latency against offered load.
  void curves(std::string_view figure, std::string_view what, const std::vector<Line>& lines, u32 kb) {
    show(fmt::format("{}, accepted bandwidth in % of injection, {}", figure, what), "load", loads(), lines,
         [&](const Line& line, double load) { return percent(at(most_, 4, line, kb, load).accepted); });
    show(fmt::format("{}, mean message latency in cycles below saturation, {}", figure, what), "load",
         loads(), lines, [&](const Line& line, double load) {
           const RailResult& r = at(most_, 4, line, kb, load);
           return r.saturated ? std::string("") : fmt::format("{:.0f}", r.latency);
         });
  }
  std::string compare(std::string_view what, double a, double b) const {
    return fmt::format("{}: {:.4g} and {:.4g}", what, a, b);
  }
  // a > b, and what they are if not.
  void more(std::string_view id, double a, double b) { out_.ordering(id, a > b, compare("ours", a, b)); }

  void bandwidth_and_latency();
  void striping();
  void sizes();
  void nodes();
  void rails();
  void saturation();
  void hybrid();

  Reproduction& out_;
  RailPoints& points_;
  bool quick_;
  u32 most_;  // hosts of the figures that have 128
};

void Figures::bandwidth_and_latency() {
  curves("Figures 3 and 4", "4 KB", five, 4);
  curves("Figures 5 and 6", "64 KB", five, 64);
  const auto peak = [&](const Line& line, u32 kb) {
    double out = 0;
    for (const double load : loads()) out = std::max(out, at(most_, 4, line, kb, load).accepted);
    return out;
  };
  bool same = true;
  for (const Line& line : five) {
    const RailResult& r = at(most_, 4, line, 64, 0.1);
    same &= !r.saturated && std::abs(r.accepted - r.offered) <= std::max(0.05 * r.offered, r.half_width);
  }
  out_.ordering("fig3.before", same, "see the table");
  more("fig3.basic_over_dynamic", peak(basic, 4), peak(dynamic, 4));
  more("fig3.basic_over_local", peak(basic, 4), peak(local, 4));
  more("fig4.dynamic_latency", latency(dynamic, 4, 0.05),
       std::max(latency(basic, 4, 0.05), latency(local, 4, 0.05)));
  more("fig5.dynamic_over_basic", peak(dynamic, 64), peak(basic, 64));
  more("fig5.local_over_basic", peak(local, 64), peak(basic, 64));
  more("fig5.dynamic_over_local", peak(dynamic, 64), peak(local, 64));
  more("basic.falls", peak(basic, 4), peak(basic, 64));
  more("dynamic.rises", peak(dynamic, 64), peak(dynamic, 4));
  const double of_dynamic = peak(dynamic_striped, 64) / peak(dynamic, 64),
               of_local = peak(local_striped, 64) / peak(local, 64);
  out_.ordering(
      "stripe.bandwidth", std::abs(of_dynamic - 1) <= 0.05 && std::abs(of_local - 1) <= 0.05,
      fmt::format("striped over not striped: dynamic {:.3f}, local-dynamic {:.3f}", of_dynamic, of_local));
}

void Figures::striping() {
  const auto reduction = [&](const Line& plain, const Line& striped, u32 kb, double load) {
    return 100 * (1 - latency(striped, kb, load) / latency(plain, kb, load));
  };
  const double of_dynamic = reduction(dynamic, dynamic_striped, 64, 0.05),
               of_local = reduction(local, local_striped, 64, 0.05);
  const std::string most_possible = "four stripes cannot save more than 75 %";
  out_.number("stripe.dynamic", of_dynamic, most_possible);
  out_.number("stripe.local", of_local, most_possible);
  more("stripe.local_more", of_local, of_dynamic);
  more("stripe.size", of_dynamic, reduction(dynamic, dynamic_striped, 16, 0.05));
  more("stripe.load", of_dynamic, reduction(dynamic, dynamic_striped, 64, 0.15));
  const double half = latency({"", "dynamic", 0.5}, 64, 0.05);
  out_.ordering("stripe.most", latency(dynamic, 64, 0.05) > half && half > latency(dynamic_striped, 64, 0.05),
                fmt::format("latency at 0, 0.5, 1: {:.0f}, {:.0f}, {:.0f}", latency(dynamic, 64, 0.05), half,
                            latency(dynamic_striped, 64, 0.05)));
}

void Figures::sizes() {
  const std::vector<u32> all =
      quick_ ? std::vector<u32>{4, 8, 32, 64} : std::vector<u32>{1, 2, 4, 8, 16, 32, 64, 128, 256};
  show("Figure 7, mean message latency in cycles at a load of 0.15", "KB", all, five,
       [&](const Line& line, u32 kb) {
         const RailResult& r = at(most_, 4, line, kb, 0.15);
         return r.saturated ? std::string("saturated") : fmt::format("{:.0f}", r.latency);
       });
  const auto best = [&](u32 kb) {
    const Line* out = nullptr;
    for (const Line& line : five) {
      const RailResult& r = at(most_, 4, line, kb, 0.15);
      if (!r.saturated && (!out || r.latency < at(most_, 4, *out, kb, 0.15).latency)) out = &line;
    }
    return std::string(out ? out->name : "none");
  };
  bool saturated = true, is_local = true, is_dynamic = true;
  std::string found;
  for (const u32 kb : all) {
    if (kb < 8) saturated &= at(most_, 4, dynamic, kb, 0.15).saturated;
    if (kb < 16) is_local &= best(kb) == local_striped.name;
    if (kb > 16) is_dynamic &= best(kb) == dynamic_striped.name;
    found += fmt::format("{}{} KB: {}", found.empty() ? "" : "; ", kb, best(kb));
  }
  out_.ordering("fig7.saturated", saturated, "dynamic accepts a load of 0.15 for smaller messages too");
  out_.ordering("fig7.short", is_local, found);
  out_.ordering("fig7.long", is_dynamic, found);
}

void Figures::nodes() {
  const std::vector<u32> all = {32, 64, 128};
  show("Figure 8, maximum accepted load in %, 4 rails, 32 KB", "hosts", all, {basic, local, dynamic},
       [&](const Line& line, u32 hosts) { return percent(most(hosts, 4, line, 32)); });
  const auto gain = [&](u32 hosts) {
    return 100 * (most(hosts, 4, dynamic, 32) / most(hosts, 4, basic, 32) - 1);
  };
  const std::string why =
      "how much basic loses depends on how a bus arbitrates between its two ways, which the paper does not "
      "say";
  out_.number("fig8.32", gain(32), why);
  out_.number("fig8.128", gain(128), why);
  const auto loss = [&](const Line& line) {
    return 100 * (1 - most(128, 4, line, 32) / most(64, 4, line, 32));
  };
  out_.number("fig8.loss", (loss(basic) + loss(dynamic)) / 2,
              fmt::format("basic {:.1f} %, dynamic {:.1f} %", loss(basic), loss(dynamic)));
}

void Figures::rails() {
  const std::vector<u32> kbs = quick_ ? std::vector<u32>{4, 16, 64} : std::vector<u32>{1, 4, 16, 64, 256};
  bool rises = true, falls = true;
  for (const u32 rail_count : {1u, 2u, 4u}) {
    show(fmt::format("Figure 9, maximum accepted load in %, 32 hosts, {} rails", rail_count), "KB", kbs,
         {basic, dynamic_striped},
         [&](const Line& line, u32 kb) { return percent(most(32, rail_count, line, kb)); });
    for (std::size_t i = 1; i < kbs.size(); ++i) {
      rises &=
          most(32, rail_count, dynamic_striped, kbs[i]) >= most(32, rail_count, dynamic_striped, kbs[i - 1]);
      falls &= most(32, rail_count, basic, kbs[i]) <= most(32, rail_count, basic, kbs[i - 1]);
    }
  }
  out_.ordering("fig9.dynamic", rises, "not from every size to the next: see the tables");
  out_.ordering("fig9.basic", falls, "not from every size to the next: see the tables");
  more("fig9.rails", most(32, 4, dynamic_striped, 64), most(32, 1, dynamic_striped, 64));
  const std::vector<u32> counts = quick_ ? std::vector<u32>{1, 4, 7} : std::vector<u32>{1, 2, 3, 4, 5, 6, 7};
  show("Figure 10, maximum accepted load in %, 32 hosts, 32 KB", "rails", counts, {basic, dynamic_striped},
       [&](const Line& line, u32 n) { return percent(most(32, n, line, 32)); });
  out_.number("fig10.basic", 100 * (1 - most(32, 7, basic, 32) / most(32, 1, basic, 32)),
              "the paper has processes synchronise their choice of rails; here a host takes its rails in "
              "turn for all "
              "of its processes, which spreads them evenly");
  more("fig10.dynamic", most(32, 7, dynamic_striped, 32), most(32, 1, dynamic_striped, 32));
  show("Figure 11, mean message latency in cycles, 32 hosts, 32 KB, load 0.15", "rails", counts, five,
       [&](const Line& line, u32 n) { return fmt::format("{:.0f}", at(32, n, line, 32, 0.15).latency); });
  const auto grows = [&](const Line& line, double by) {
    return at(32, 7, line, 32, 0.15).latency > by * at(32, 1, line, 32, 0.15).latency;
  };
  more("fig11.basic", at(32, 7, basic, 32, 0.15).latency, at(32, 1, basic, 32, 0.15).latency);
  out_.ordering("fig11.striped", !grows(dynamic_striped, 1) && !grows(local_striped, 1), "see the table");
  more("fig11.local", at(32, 7, dynamic_striped, 32, 0.15).latency,
       at(32, 7, local_striped, 32, 0.15).latency);
  out_.ordering("fig11.unstriped", !grows(dynamic, 1.05) && !grows(local, 1.05), "see the table");
  bool superlinear = true;
  std::string found;
  for (const u32 kb : {16u, 64u}) {
    const double ratio = most(32, 7, dynamic_striped, kb) / most(32, 1, dynamic_striped, kb);
    superlinear &= ratio > 1;
    found += fmt::format("{} KB: {:.2f} times; ", kb, 7 * ratio);
  }
  out_.ordering("superlinear", superlinear, found);
}

void Figures::saturation() {
  const std::vector<u32> kbs = quick_ ? std::vector<u32>{4, 64} : std::vector<u32>{2, 4, 8, 32, 64};
  // Where accepted falls 3 % short of offered, between the loads that were run.
  const auto point = [&](const Line& line, u32 kb) {
    double last = 0, before = 1;
    for (const double load : loads()) {
      const RailResult& r = at(most_, 4, line, kb, load);
      const double ratio = r.offered > 0 ? r.accepted / r.offered : 1;
      if (r.saturated && ratio < 0.97)
        return last + (load - last) * (before - 0.97) / std::max(before - ratio, 1e-9);
      last = load, before = std::max(ratio, 0.97);
    }
    return last;
  };
  show("Figure 12, saturation point in % of injection", "KB", kbs, {basic, local, dynamic},
       [&](const Line& line, u32 kb) { return percent(point(line, kb)); });
  bool rises = true;
  for (std::size_t i = 1; i < kbs.size(); ++i) rises &= point(dynamic, kbs[i]) >= point(dynamic, kbs[i - 1]);
  out_.ordering("fig12.dynamic", rises, "not from every size to the next: see the table");
  const auto flat = [&](std::string_view id, const Line& line) {
    double sum = 0, least = 1, largest = 0;
    for (const u32 kb : kbs) {
      const double p = point(line, kb);
      sum += p, least = std::min(least, p), largest = std::max(largest, p);
    }
    const double mean = sum / static_cast<double>(kbs.size());
    out_.ordering(id, largest <= 1.2 * mean && least >= 0.8 * mean,
                  fmt::format("from {:.1f} to {:.1f} %", 100 * least, 100 * largest));
  };
  flat("fig12.basic", basic);
  flat("fig12.local", local);
}

void Figures::hybrid() {
  const std::vector<u32> thresholds =
      quick_ ? std::vector<u32>{4, 16, 32} : std::vector<u32>{1, 4, 8, 16, 32};
  std::vector<std::string> policies;
  for (const u32 kb : thresholds) policies.push_back(fmt::format("hybrid:{}", kb * 1024));
  const auto peak = [&](const Line& line) {
    double out = 0;
    for (const double load : loads()) out = std::max(out, at(most_, 4, line, 32, load).accepted);
    return out;
  };
  double best = 0;
  for (const double stripe : {0.0, 1.0}) {
    const bool striped = stripe > 0;
    const Line& plain = striped ? dynamic_striped : dynamic;
    std::vector<Line> lines = {basic, plain};
    u32 better = 0;
    bool slower = true;
    for (const std::string& policy : policies) {
      lines.push_back({policy.c_str(), policy.c_str(), stripe});
      const double own = peak(lines.back());
      best = std::max(best, own);
      better += own > peak(plain) && own > peak(basic);
      slower &= latency(plain, 32, 0.05) > latency(lines.back(), 32, 0.05);
    }
    curves(striped ? "Figures 15 and 16" : "Figures 13 and 14", striped ? "32 KB, striped" : "32 KB", lines,
           32);
    out_.ordering(striped ? "fig15.hybrid" : "fig13.hybrid", 2 * better > policies.size(),
                  fmt::format("for {} of {} thresholds", better, policies.size()));
    if (striped)
      more("fig16.low", latency(lines.back(), 32, 0.05), latency(plain, 32, 0.05));
    else
      out_.ordering("fig14.low", slower, "dynamic is not the slowest: see the table");
  }
  const auto gain = [&](std::string_view id, double over) {
    out_.number(id, 100 * (best / over - 1),
                "short messages that are sent unasked disturb reserved ones on the same bus");
  };
  gain("hybrid.dynamic", std::max(peak(dynamic), peak(dynamic_striped)));
  gain("hybrid.basic", peak(basic));
  gain("hybrid.local", std::max(peak(local), peak(local_striped)));
}

void protocol(Reproduction& out) {
  const auto can_be = [](u32 rail_count) {
    try {
      prepare_policy("static", {.hosts = 16, .rails = rail_count});
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  u32 least = 1;
  while (!can_be(least)) ++least;
  out.number("static.bound", least);
  Rows rows;
  const auto row = [&](const std::string& what, const Explored& found) {
    rows.push_back({what, std::to_string(found.states), std::to_string(found.steps),
                    found.is_good()  ? "all is delivered"
                    : found.livelock ? "can go on for ever"
                                     : "wrong"});
  };
  Exploration printed = cycle_of(3);
  printed.tie = TieRule::as_printed;
  const Explored strict_found = explore(cycle_of(3)), printed_found = explore(printed);
  row("three NICs in a cycle, ties by node number", strict_found);
  row("three NICs in a cycle, ties as printed", printed_found);
  row("two NICs that want each other", explore(cycle_of(2)));
  Exploration two_rails = cycle_of(2);
  two_rails.rails = 2, two_rails.stripe = 1;
  for (auto& wish : two_rails.wishes) wish.flits = 2;
  row("the same with two rails and striping", explore(two_rails));
  out.show("Every interleaving of the protocol", {"case", "states", "steps", "verdict"}, std::move(rows));
  out.ordering("tie.strict", strict_found.is_good());
  out.ordering("tie.printed", printed_found.livelock.has_value());
}

void run(Reproduction& out, const PaperOptions& options) {
  const RailModel model{.flit_bytes = 16, .flits = options.quick ? 0.6e6 : 12e6};
  out.assume(
      "32, 64, 128 hosts: XGFT(2; 4,8; 1,4), 4-ary 3-tree, XGFT(3; 4,4,8; 1,4,4); one plane a rail; four "
      "processes "
      "a host; adaptive minimal routing, as QsNET does; destinations are processes of other hosts");
  out.assume(
      "wormhole, two lanes; a flit of the simulation is 16 bytes, eight of the paper's: buffers of 16 "
      "instead of "
      "128, a switch and its channel take 8 of the paper's cycles instead of 7; latencies are given in the "
      "paper's cycles");
  out.assume(
      "packets of 256 bytes; control packets of 32 bytes; a NIC's processor takes 300 cycles for each "
      "control "
      "packet and for the end of a reserved message; a process waits 4000 cycles for replies");
  out.assume(
      "a bus carries one flit a cycle one way; if both ways want it they alternate every 64 bytes, without "
      "loss; "
      "control packets do not cross it");
  out.assume(
      "basic queues messages at the NIC; a process goes on when its message was handed over; messages that "
      "lose a contest keep the priority of their first RTS");
  out.assume("maximum accepted load: the most accepted at loads of 0.3, 0.4 and 0.5");
  if (options.quick)
    out.assume(
        "quick: 32 hosts instead of 128 in all figures but Figure 8, fewer loads, sizes, rails and "
        "thresholds, and a twentieth of the flits");
  protocol(out);
  RailPoints points(options, model);
  Reproduction wanted = out;  // what is asked for
  Figures(wanted, points, options.quick).all();
  points.run();
  Figures(out, points, options.quick).all();
}

}  // namespace

Paper coll01_paper() {
  return {
      "coll01",
      "Coll, Frachtenberg, Petrini, Hoisie, Gurvits: Using Multirail Networks in High-Performance Clusters",
      run};
}

}  // namespace banyan
