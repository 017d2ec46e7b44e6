#include "flow/fluid.hpp"

#include <algorithm>

namespace banyan::flow {
namespace {

constexpr double together = 1 + 1e-9;  // ends so close to each other are one event

}  // namespace

Fluid::Fluid(const Fabric& fabric, const RateOptions& options, const Incidence& all,
             std::span<const Flow> flows, double resolution)
    : solver_(fabric, options), all_(all), resolution_(resolution) {
  for (std::size_t f = 0; f < flows.size(); ++f)
    left_.push_back(all.channels_of(f).empty() ? 0 : flows[f].demand);
}

void Fluid::begin(u32 flow, double time) {
  waiting_.push_back({time, flow});
  std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
}

void Fluid::run(const Done& done) {
  while (!waiting_.empty() || !under_way_.empty()) {
    if (under_way_.empty()) now_ = std::max(now_, waiting_.front().time);
    take_starts();
    if (ended_.empty()) advance();
    std::stable_sort(ended_.begin(), ended_.end(),
                     [](const End& a, const End& b) { return a.time < b.time; });
    const std::vector<End> ended = std::move(ended_);
    ended_.clear();
    for (const End& end : ended) done(end.flow, end.time);
  }
}

void Fluid::take_starts() {
  while (!waiting_.empty() && waiting_.front().time <= std::max(now_ * together, now_ + resolution_)) {
    const Start start = waiting_.front();
    std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
    waiting_.pop_back();
    if (left_[start.flow] > 0)
      under_way_.push_back(start.flow);
    else
      ended_.push_back({start.flow, start.time});
  }
}

// To the next event: an end, or a start if that comes first.
void Fluid::advance() {
  select(all_, under_way_, listed_);
  const std::vector<double>& rates = solver_.solve(listed_);
  ++steps_;
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < rates.size(); ++i) step = std::min(step, left_[under_way_[i]] / rates[i]);
  const bool starts_first = !waiting_.empty() && waiting_.front().time < now_ + step;
  if (starts_first) step = waiting_.front().time - now_;
  const double until = std::max(step * together, step + resolution_);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const u32 flow = under_way_[i];
    const double needs = left_[flow] / rates[i];
    if (needs <= until)
      ended_.push_back({flow, now_ + needs});
    else
      under_way_[kept++] = flow, left_[flow] -= rates[i] * step;
  }
  under_way_.resize(kept);
  now_ += step;
}

}  // namespace banyan::flow
