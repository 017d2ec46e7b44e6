#include <algorithm>

#include "study/coll01.hpp"

namespace banyan::study::coll01 {

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
  for (const auto& [point, result] : points_.all())
    if (point.variant != RailVariant::full_bus) largest = std::max(largest, result.accepted);
  holds("half", largest < 0.5, percent(largest) + " % at most");
}

std::vector<double> Figures::loads() const {
  if (quick_) return {0.05, 0.1, 0.3, 0.5};
  return {0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5};
}

double Figures::peak(const Line& line, u32 kb) {
  double out = 0;
  for (const double load : loads()) out = std::max(out, at(line, kb, load).accepted);
  return out;
}

double Figures::maximum(u32 hosts, u32 rail_count, const Line& line, u32 kb) {
  double out = 0;
  for (const double load : quick_ ? std::vector{0.5} : std::vector{0.3, 0.4, 0.5})
    out = std::max(out, at(hosts, rail_count, line, kb, load).accepted);
  return out;
}

void Figures::curves(u32 first_figure, std::string_view what, const std::vector<Line>& lines, u32 kb) {
  show(fmt::format("Figure {}, accepted bandwidth in % of injection, {}", first_figure, what), "load",
       loads(), lines, [&](const Line& line, double load) { return percent(at(line, kb, load).accepted); });
  show(fmt::format("Figure {}, mean message latency in cycles below saturation, {}", first_figure + 1, what),
       "load", loads(), lines, [&](const Line& line, double load) {
         const RailResult& r = at(line, kb, load);
         return r.saturated ? std::string("") : fmt::format("{:.0f}", r.latency);
       });
}

void Figures::more(std::string_view id, double a, double b, std::string why) {
  const auto text = [](double x) { return x < 1 ? percent(x) + " %" : fmt::format("{:.0f}", x); };
  holds(id, a > b, text(a) + " and " + text(b), std::move(why));
}

}  // namespace banyan::study::coll01
