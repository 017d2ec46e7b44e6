// Finds the channel with the maximum value, where a value is expensive and a bound of it is cheap: channels
// are evaluated in the order of their bounds, until none can be higher.
#pragma once
#include <algorithm>
#include <vector>

#include "flow/channel_uses.hpp"

namespace banyan::flow {

struct HeaviestChannel {
  Channel channel = none<Channel>;
  double load = 0;
  u64 valued = 0;  // channels whose value was computed
};

// Starts from `best`. value(channel, uses, best so far) may return any lower bound of a value that is not
// above the best so far. Among values that are equal within a share of `tolerance`, the first in the order of
// bounds and numbers wins, with any number of threads.
template <class Value>
HeaviestChannel heaviest_channel(const ChannelUses& uses, const IdVector<Channel, u64>& counts,
                                 const IdVector<Channel, double>& bounds, HeaviestChannel best,
                                 unsigned threads, const Value& value, double tolerance = 0) {
  constexpr u64 max_uses = u64{1} << 25;
  const auto may_be_higher = [&](Channel c) { return bounds[c] > best.load * (1 + tolerance); };
  std::vector<Channel> order;
  for (Channel c : bounds.ids())
    if (may_be_higher(c)) order.push_back(c);
  std::stable_sort(order.begin(), order.end(), [&](Channel a, Channel b) { return bounds[a] > bounds[b]; });
  Progress progress("heaviest channel", order.size());
  std::size_t next = 0, batch = 8;
  for (; next < order.size() && may_be_higher(order[next]); batch *= 8) {
    const std::size_t first = next;
    u64 sum = 0;
    for (; next < order.size() && next < first + batch; ++next) {
      if (!may_be_higher(order[next])) break;
      sum += counts[order[next]];
      if (sum > max_uses && next > first) break;
    }
    const std::span chosen = std::span(order).subspan(first, next - first);
    const auto gathered = uses.gather(chosen);
    std::vector<double> values(chosen.size());
    parallel_for(
        chosen.size(), threads, [&](u64 i) { values[i] = value(chosen[i], gathered[i], best.load); },
        &progress);
    for (std::size_t i = 0; i < chosen.size(); ++i)
      if (values[i] > best.load * (1 + tolerance)) best.load = values[i], best.channel = chosen[i];
    best.valued += chosen.size();
  }
  return best;
}

}  // namespace banyan::flow
