#include "flow/load_meter.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace banyan::flow {

LoadMeter::LoadMeter(const WayLister& lister, bool demands_are_bytes, Measure measure)
    : lister_(lister), in_bytes_(demands_are_bytes), load_(lister.fabric().channels().size()) {
  if (measure == Measure::demand) return;
  for (Channel c : lister.fabric().channels()) capacity_.push_back(capacity(lister.fabric(), c, measure));
}

// Whether loads can be kept in the units there are when flows have so many ways; otherwise there are now
// more units.
bool LoadMeter::divides(u64 ways) {
  constexpr u64 maximum = u64{1} << 32;  // beyond, sums are rounded as usual
  if (ways == known_ways_ || ways == 0 || units_ % ways == 0 || units_ == 1 + maximum) return true;
  const u64 common = std::lcm(units_, ways);
  known_ways_ = ways;
  units_ = common > maximum ? 1 + maximum : common;
  return false;
}

// False where it must start again.
template <class F>
bool LoadMeter::measure_by(const F& forward, std::span<const Flow> flows) {
  std::fill(load_.begin(), load_.end(), 0);
  undelivered_ = 0;
  for (const Flow& flow : flows) {
    if (flow.from == flow.to) continue;
    lister_.source().ways(flow.from, flow.to, bytes(flow), ways_);
    if (!divides(ways_.size())) return false;
    const double share = flow.demand * (static_cast<double>(units_) / static_cast<double>(ways_.size()));
    bool arrives = !ways_.empty();
    for (const Header& header : ways_) {
      if (lister_.list(forward, flow.from, flow.to, header, way_))
        for (const Passage& part : way_.parts) load_[part.channel] += share * part.share;
      else
        arrives = false;
    }
    undelivered_ += !arrives;
  }
  return true;
}

void LoadMeter::measure(std::span<const Flow> flows) {
  units_ = known_ways_ = 1;
  const auto by = [&](const auto& forward) {
    while (!measure_by(forward, flows)) {
    }
  };
  visit_forward(by, lister_.forward());
}

double LoadMeter::max() const {
  if (!capacity_.empty()) {
    const IdVector<Channel, double> all = loads();
    return *std::max_element(all.begin(), all.end());
  }
  std::array<double, 4> heaviest{};  // several at a time
  std::size_t i = 0;
  const auto at = load_.begin();
  for (; i + 4 <= load_.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k) heaviest[k] = std::max(heaviest[k], at[i + k]);
  for (; i < load_.size(); ++i) heaviest[0] = std::max(heaviest[0], at[i]);
  return *std::max_element(heaviest.begin(), heaviest.end()) / static_cast<double>(units_);
}

IdVector<Channel, double> LoadMeter::loads() const {
  IdVector<Channel, double> out = load_;
  for (Channel c : out.ids()) out[c] = of_capacity(c, out[c] / static_cast<double>(units_));
  return out;
}

template <class F>
double LoadMeter::rate_by(const F& forward, const Flow& flow) {
  lister_.source().ways(flow.from, flow.to, bytes(flow), ways_);
  const double units = static_cast<double>(units_);
  double rate = 0;
  for (const Header& header : ways_) {
    if (!lister_.list(forward, flow.from, flow.to, header, way_)) continue;
    double contention = units;
    for (const Passage& part : way_.parts)
      contention = std::max(contention, of_capacity(part.channel, load_[part.channel]));
    rate += units / contention;
  }
  return ways_.empty() ? 0 : rate / static_cast<double>(ways_.size());
}

ContentionRates LoadMeter::rates(std::span<const Flow> flows) {
  double sum = 0, least = 1;
  u64 count = 0;
  const auto by = [&](const auto& forward) {
    for (const Flow& flow : flows) {
      if (flow.from == flow.to) continue;
      const double rate = rate_by(forward, flow);
      sum += rate;
      least = std::min(least, rate);
      ++count;
    }
  };
  visit_forward(by, lister_.forward());
  return count == 0 ? ContentionRates{} : ContentionRates{sum / static_cast<double>(count), least};
}

}  // namespace banyan::flow
