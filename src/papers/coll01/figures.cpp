#include <algorithm>

#include "papers/coll01/coll01.hpp"

namespace banyan::papers::coll01 {
namespace {

std::string_view plane(u32 hosts) {
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
  const StoredPoint& point = other.empty() ? rows_.point("", {fabric, policy, stripe, size, offered})
                                           : rows_.point(rail_count == 7 ? "choices, 7 rails" : "choices",
                                                         {fabric, policy, stripe, size, offered, other});
  double half_width = 0;
  for (const Row& row : point.rows)
    if (row.metric == "accepted") half_width = row.half_width;
  constexpr double paper_cycles = 8;  // a flit of 16 bytes, the paper's 2 each
  return {row_of(point, "offered"), row_of(point, "accepted"), half_width,
          row_of(point, "message_latency") * paper_cycles, row_of(point, "saturated") != 0};
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
  double largest = 0;
  for (const StoredPoint& point : rows_.all())
    if (point.options.find("bus=full") == std::string::npos)
      largest = std::max(largest, row_of(point, "accepted"));
  holds("half", largest < 0.5, percent(largest) + " % at most");
}

std::vector<double> Figures::loads() const {
  if (quick_) return {0.05, 0.1, 0.3, 0.5};
  return {0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5};
}

double Figures::peak(const Curve& line, u32 kb) {
  double out = 0;
  for (const double load : loads()) out = std::max(out, at(line, kb, load).accepted);
  return out;
}

double Figures::maximum(u32 hosts, u32 rail_count, const Curve& line, u32 kb) {
  double out = 0;
  for (const double load : quick_ ? std::vector{0.5} : std::vector{0.3, 0.4, 0.5})
    out = std::max(out, at(hosts, rail_count, line, kb, load).accepted);
  return out;
}

void Figures::curves(u32 first_figure, std::string_view what, const std::vector<Curve>& lines, u32 kb) {
  show(fmt::format("Figure {}, accepted bandwidth in % of injection, {}", first_figure, what), "load",
       loads(), lines, [&](const Curve& line, double load) { return percent(at(line, kb, load).accepted); });
  show(fmt::format("Figure {}, mean message latency in cycles below saturation, {}", first_figure + 1, what),
       "load", loads(), lines, [&](const Curve& line, double load) {
         const RailResult r = at(line, kb, load);
         return r.saturated ? std::string("") : fmt::format("{:.0f}", r.latency);
       });
}

void Figures::more(std::string_view id, double a, double b, std::string why) {
  const auto text = [](double x) { return x < 1 ? percent(x) + " %" : fmt::format("{:.0f}", x); };
  holds(id, a > b, text(a) + " and " + text(b), std::move(why));
}

}  // namespace banyan::papers::coll01
