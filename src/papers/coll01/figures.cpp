#include <algorithm>
#include <cmath>
#include <limits>

#include "papers/coll01/coll01.hpp"

namespace banyan::papers::coll01 {
namespace {

std::string_view plane(u32 hosts) {
  if (hosts == 16) return "XGFT(2; 4,4; 1,4)";
  return hosts == 32 ? "XGFT(2; 4,8; 1,4)" : hosts == 64 ? "4-ary 3-tree" : "XGFT(3; 4,4,8; 1,4,4)";
}

}  // namespace

RailResult Figures::at(u32 hosts, u32 rail_count, const Curve& line, u32 kb, double load,
                       const std::string& other) const {
  const std::string fabric = fmt::format("{} x {}", rail_count, plane(hosts));
  const std::string policy = "rails-policy=" + line.policy, stripe = fmt::format("stripe={}", line.stripe);
  const std::string size =
      other.starts_with("packet-flits") ? other : fmt::format("message-packets={}", 4 * kb);
  const std::string offered = fmt::format("load={}", load);
  const StoredPoint& point = other.empty()
                                 ? rows_.point("", {fabric, policy, stripe, size, offered, "turns=process",
                                                    "nic-messages=2", "bus-turn=0", "sends=awaited"})
                                 : rows_.point(rail_count == 7 ? "choices, 7 rails" : "choices",
                                               {fabric, policy, stripe, size, offered, other});
  // In fewer cycles than ten messages take a NIC, nothing is steady: nothing is known about the spread then.
  constexpr double flits_of_kb = 64, least_messages = 10;
  const bool is_steady = row_of(point, "cycles") >= least_messages * flits_of_kb * kb;
  // The latency of a message is that of its packets here.
  const auto interval = [&](std::string_view metric, double scale) {
    const Interval spread = interval_of(point, metric == "message_latency" ? "packet_latency" : metric);
    return Interval{scale * row_of(point, metric),
                    is_steady ? scale * spread.half_width : std::numeric_limits<double>::infinity()};
  };
  constexpr double paper_cycles = 8;  // a flit of 16 bytes, the paper's 2 each
  return {row_of(point, "offered"), interval("accepted", 1), interval("message_latency", paper_cycles),
          paper_cycles * row_of(point, "network_latency"), row_of(point, "saturated") != 0};
}

void Figures::all() {
  bandwidth_and_latency();
  striping();
  sizes();
  nodes();
  rails_by_size();
  rails_maximum();
  rails_latency();
  saturation();
  hybrid();
  choices();
  static_rails();
  if (!quick_) readings();
  double largest = 0;
  for (const StoredPoint& point : rows_.all())
    if (point.options.find("bus=full") == std::string::npos)
      largest = std::max(largest, row_of(point, "accepted"));
  holds("half", decided(largest < 0.5), percent(largest) + " % at most");
}

std::vector<double> Figures::loads() const {
  if (quick_) return {0.05, 0.1, 0.3, 0.5};
  return {0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5};
}

Interval Figures::peak(const Curve& line, u32 kb) {
  Interval out;
  for (const double load : loads()) out = maximum_of(at(line, kb, load).accepted, out);
  return out;
}

Interval Figures::maximum(u32 hosts, u32 rail_count, const Curve& line, u32 kb) {
  Interval out;
  for (const double load : quick_ ? std::vector{0.5} : std::vector{0.3, 0.4, 0.5})
    out = maximum_of(at(hosts, rail_count, line, kb, load).accepted, out);
  return out;
}

void Figures::curves(u32 first_figure, std::string_view what, const std::vector<Curve>& lines, u32 kb,
                     std::vector<std::string> of_bandwidth, std::vector<std::string> of_latency) {
  show(
      fmt::format("Figure {}, accepted bandwidth in % of injection, {}", first_figure, what), "load", loads(),
      lines, [&](const Curve& line, double load) { return percent(at(line, kb, load).accepted); },
      std::move(of_bandwidth), {{0, 0.5, 50, 50, "no more than half (Section 4.3)"}}, true);
  show(
      fmt::format("Figure {}, mean message latency in cycles below saturation, {}", first_figure + 1, what),
      "load", loads(), lines,
      [&](const Curve& line, double load) {
        const RailResult r = at(line, kb, load);
        return r.saturated ? std::string("") : fmt::format("{:.0f}", r.latency.mean);
      },
      std::move(of_latency));
}

void Figures::more(std::string_view id, const Interval& a, const Interval& b, std::string why) {
  const auto text = [](const Interval& x) {
    const bool is_share = x.mean < 1;
    const std::string mean = is_share ? percent(x) : fmt::format("{:.0f}", x.mean);
    if (!std::isfinite(x.half_width)) return mean + (is_share ? " %" : "") + " of too short a run";
    return fmt::format("{} ± {}{}", mean,
                       is_share ? percent(x.half_width) : fmt::format("{:.0f}", x.half_width),
                       is_share ? " %" : "");
  };
  holds(id, is_more(a, b), text(a) + " and " + text(b), std::move(why));
}

}  // namespace banyan::papers::coll01
