#include "flow/load_meter.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace banyan {

void LoadMeter::choose_unit(std::span<const Flow> flows) {
  constexpr u64 most = u64{1} << 32;  // beyond, sums are rounded as usual
  u64 units = 1, last = 1;
  for (const Flow& flow : flows) {
    if (flow.from == flow.to) continue;
    const u64 ways = lister_.source().count(flow.from, flow.to, bytes(flow));
    if (ways <= 1 || ways == last) continue;
    last = ways;
    units = std::lcm(units, ways);
    if (units > most) break;
  }
  units_ = units > most ? 1 : static_cast<double>(units);
}

template <class F>
void LoadMeter::measure_by(const F& forward, std::span<const Flow> flows) {
  for (const Flow& flow : flows) {
    if (flow.from == flow.to) continue;
    lister_.source().ways(flow.from, flow.to, bytes(flow), ways_);
    const double share = flow.demand * (units_ / static_cast<double>(ways_.size()));
    bool arrives = !ways_.empty();
    for (const Header& header : ways_) {
      if (lister_.list(forward, flow.from, flow.to, header, parts_))
        for (const Part& part : parts_) load_[part.channel] += share * part.share;
      else
        arrives = false;
    }
    undelivered_ += !arrives;
  }
}

void LoadMeter::measure(std::span<const Flow> flows) {
  std::fill(load_.begin(), load_.end(), 0);
  undelivered_ = 0;
  choose_unit(flows);
  std::visit([&](const auto& forward) { measure_by(forward, flows); }, lister_.forward());
}

double LoadMeter::max() const {
  std::array<double, 4> heaviest{};  // several at a time
  std::size_t i = 0;
  const auto at = load_.begin();
  for (; i + 4 <= load_.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k) heaviest[k] = std::max(heaviest[k], at[i + k]);
  for (; i < load_.size(); ++i) heaviest[0] = std::max(heaviest[0], at[i]);
  return *std::max_element(heaviest.begin(), heaviest.end()) / units_;
}

IdVector<Channel, double> LoadMeter::loads() const {
  IdVector<Channel, double> out = load_;
  for (double& load : out) load /= units_;
  return out;
}

template <class F>
double LoadMeter::rate_by(const F& forward, const Flow& flow) {
  lister_.source().ways(flow.from, flow.to, bytes(flow), ways_);
  double rate = 0;
  for (const Header& header : ways_) {
    if (!lister_.list(forward, flow.from, flow.to, header, parts_)) continue;
    double contention = units_;
    for (const Part& part : parts_) contention = std::max(contention, load_[part.channel]);
    rate += units_ / contention;
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
  std::visit(by, lister_.forward());
  return count == 0 ? ContentionRates{} : ContentionRates{sum / static_cast<double>(count), least};
}

}  // namespace banyan
