#include "flow/load_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "topology/place.hpp"

namespace banyan::flow {
namespace {

// The kinds of a topology, and which of them a channel is of.
class Kinds {
 public:
  explicit Kinds(const Topology& topology) : places_(topology) {
    const u32 top = places_.top();
    if (places_.is_tree()) {
      for (u32 l = 0; l < top; ++l) names_.push_back(fmt::format("up, level {} to {}", l, l + 1));
      for (u32 l = top; l > 0; --l) names_.push_back(fmt::format("down, level {} to {}", l, l - 1));
      return;
    }
    names_ = {"from hosts", "to hosts"};
    for (u32 d = 1; places_.grid() && d <= places_.grid()->dimensions(); ++d)
      names_.push_back(fmt::format("dimension {}", d));
    if (!places_.grid() || topology.fabric.switches() > places_.planes().switches() * topology.planes)
      names_.push_back("between switches");
  }

  const std::vector<std::string>& names() const { return names_; }

  std::size_t of(Channel c) const {
    using enum ChannelRole::Is;
    const auto [is, which] = places_.role(c);
    switch (is) {
      case up:
        return which;
      case down:
        return 2 * places_.top() - which;
      case from_host:
        return 0;
      case to_host:
        return 1;
      case dimension:
        return 2 + which;
      default:
        return names_.size() - 1;
    }
  }

 private:
  Places places_;
  std::vector<std::string> names_;
};

}  // namespace

std::vector<ChannelKind> by_kind(const Topology& topology, const IdVector<Channel, double>& loads) {
  const Kinds kinds(topology);
  std::vector<ChannelKind> out;
  for (const std::string& name : kinds.names()) out.push_back({.name = name});
  for (Channel c : topology.fabric.channels()) {
    if (!topology.fabric.cabled(c)) continue;
    ChannelKind& kind = out[kinds.of(c)];
    ++kind.channels;
    kind.loaded += loads[c] > 0;
    kind.max_load = std::max(kind.max_load, loads[c]);
    kind.mean_load += loads[c];
  }
  for (ChannelKind& kind : out)
    if (kind.channels > 0) kind.mean_load /= static_cast<double>(kind.channels);
  return out;
}

std::vector<LoadRange> distribution(const Topology& topology, const IdVector<Channel, double>& loads) {
  std::map<double, u64> counts;
  for (Channel c : topology.fabric.channels())
    if (topology.fabric.cabled(c)) ++counts[loads[c]];
  return in_ranges(counts);
}

std::vector<LoadRange> in_ranges(const std::map<double, u64>& counts) {
  constexpr std::size_t few = 20;
  std::vector<LoadRange> out;
  const double width = counts.empty() ? 0 : counts.rbegin()->first / few;
  for (const auto& [load, channels] : counts) {
    const bool is_new = out.empty() || counts.size() <= few ||
                        std::min<double>(few - 1, std::floor(load / width)) !=
                            std::min<double>(few - 1, std::floor(out.back().from / width));
    if (is_new) out.push_back({.from = load});
    out.back().to = load;
    out.back().channels += channels;
  }
  return out;
}

std::vector<HotChannel> hottest(const IdVector<Channel, double>& loads, std::size_t count) {
  std::vector<Channel> order;
  for (Channel c : loads.ids())
    if (loads[c] > 0) order.push_back(c);
  count = std::min(count, order.size());
  const auto hotter = [&](Channel a, Channel b) { return std::pair(-loads[a], a) < std::pair(-loads[b], b); };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(), hotter);
  std::vector<HotChannel> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back({order[i], loads[order[i]]});
  return out;
}

void add_flows(std::vector<HotChannel>& hot, LoadMeter& meter, std::span<const Flow> flows) {
  std::unordered_map<Channel, HotChannel*> of;
  for (HotChannel& channel : hot) of.emplace(channel.channel, &channel);
  if (hot.empty()) return;
  meter.each_part(flows, [&](std::size_t flow, Channel c, double load) {
    if (const auto found = of.find(c); found != of.end())
      found->second->add(flows[flow].from, flows[flow].to, load);
  });
}

}  // namespace banyan::flow
