#include "engines/backbone.hpp"

#include <algorithm>
#include <tuple>

#include "engines/components.hpp"

namespace banyan::engines {

Backbone::Backbone(const Fabric& fabric) : switches(fabric.switches()), component(components(fabric)) {
  add_channels(fabric);
  add_plugs(fabric);
}

void Backbone::add_channels(const Fabric& fabric) {
  IdVector<Channel, SwitchChannel> number(fabric.channels().size(), none<SwitchChannel>);
  std::vector<Channel> originals;
  first.assign(1, 0);
  for (Node node : fabric.switch_nodes()) {
    for (Channel c : fabric.channels(node)) {
      if (!fabric.cabled(c) || !fabric.is_switch(fabric.to(c)) || fabric.to(c) == node) continue;
      number[c] = SwitchChannel{channels++};
      originals.push_back(c);
      from.push_back(Switch{index(node) - fabric.nics()});
      to.push_back(Switch{index(fabric.to(c)) - fabric.nics()});
      port.push_back(static_cast<u8>(index(fabric.port(c))));
    }
    max_exits = std::max(max_exits, channels - first.back());
    first.push_back(channels);
  }
  for (Channel c : originals) reverse.push_back(number[fabric.reverse(c)]);
}

void Backbone::add_plugs(const Fabric& fabric) {
  nics.assign(switches, 0);
  first_plug.assign(1, 0);
  for (Node nic : fabric.nic_nodes()) {
    for (Channel c : fabric.channels(nic)) {
      if (!fabric.cabled(c) || !fabric.is_switch(fabric.to(c))) continue;
      const Switch leaf{index(fabric.to(c)) - fabric.nics()};
      plug.push_back({leaf, static_cast<u8>(index(fabric.port(fabric.reverse(c)))),
                      static_cast<u8>(index(fabric.port(c)))});
      ++nics[leaf];
    }
    first_plug.push_back(static_cast<u32>(plug.size()));
  }
}

IdVector<Switch, u32> Backbone::distances(std::span<const Switch> to_switches) const {
  IdVector<Switch, u32> out(switches, nothing);
  std::vector<Switch> queue;
  for (Switch v : to_switches)
    if (out[v] == nothing) out[v] = 0, queue.push_back(v);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Switch v = queue[i];
    for (SwitchChannel c : exits(v))
      if (out[to[c]] == nothing) out[to[c]] = out[v] + 1, queue.push_back(to[c]);
  }
  return out;
}

IdVector<SwitchChannel, u32> Backbone::natural_order() const {
  std::vector<Switch> leaves;
  for (Switch v : all_switches())
    if (nics[v] > 0) leaves.push_back(v);
  const IdVector<Switch, u32> height = distances(leaves);
  const auto key = [&](SwitchChannel c) {
    const u32 a = height[from[c]], b = height[to[c]];
    return a < b ? std::tuple(0u, a, c) : a == b ? std::tuple(1u, u32{port[c]}, c) : std::tuple(2u, ~a, c);
  };
  const IdRange<SwitchChannel> all(channels);
  std::vector<SwitchChannel> channel_at(all.begin(), all.end());
  IdVector<SwitchChannel, u32> place(channels);
  std::sort(channel_at.begin(), channel_at.end(),
            [&](SwitchChannel a, SwitchChannel b) { return key(a) < key(b); });
  for (u32 i = 0; i < channels; ++i) place[channel_at[i]] = i;
  return place;
}

}  // namespace banyan::engines
