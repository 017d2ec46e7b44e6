#include "engines/backbone.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace banyan::engines {

Backbone::Backbone(const Fabric& fabric) : switches(fabric.switches()) {
  add_channels(fabric);
  add_plugs(fabric);
  find_components();
}

void Backbone::add_channels(const Fabric& fabric) {
  std::vector<u32> number(fabric.channels().size(), nothing);
  std::vector<Channel> originals;
  first.assign(1, 0);
  for (Node node : fabric.switch_nodes()) {
    for (Channel c : fabric.channels(node)) {
      if (!fabric.cabled(c) || !fabric.is_switch(fabric.to(c)) || fabric.to(c) == node) continue;
      number[index(c)] = channels++;
      originals.push_back(c);
      from.push_back(index(node) - fabric.nics());
      to.push_back(index(fabric.to(c)) - fabric.nics());
      port.push_back(static_cast<u8>(index(fabric.port(c))));
    }
    max_exits = std::max(max_exits, channels - first.back());
    first.push_back(channels);
  }
  for (Channel c : originals) reverse.push_back(number[index(fabric.reverse(c))]);
}

void Backbone::add_plugs(const Fabric& fabric) {
  nics.assign(switches, 0);
  first_plug.assign(1, 0);
  for (Node nic : fabric.nic_nodes()) {
    for (Channel c : fabric.channels(nic)) {
      if (!fabric.cabled(c) || !fabric.is_switch(fabric.to(c))) continue;
      const u32 leaf = index(fabric.to(c)) - fabric.nics();
      plug.push_back({leaf, static_cast<u8>(index(fabric.port(fabric.reverse(c)))),
                      static_cast<u8>(index(fabric.port(c)))});
      ++nics[leaf];
    }
    first_plug.push_back(static_cast<u32>(plug.size()));
  }
}

void Backbone::find_components() {
  component.assign(switches, nothing);
  std::vector<u32> queue;
  for (u32 start = 0; start < switches; ++start) {
    if (component[start] != nothing) continue;
    component[start] = start;
    queue.assign(1, start);
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (u32 c = first[queue[i]]; c < first[queue[i] + 1]; ++c)
        if (component[to[c]] == nothing) component[to[c]] = start, queue.push_back(to[c]);
  }
}

std::vector<u32> Backbone::distances(std::span<const u32> to_switches) const {
  std::vector<u32> out(switches, nothing), queue;
  for (u32 v : to_switches)
    if (out[v] == nothing) out[v] = 0, queue.push_back(v);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const u32 v = queue[i];
    for (u32 c = first[v]; c < first[v + 1]; ++c)
      if (out[to[c]] == nothing) out[to[c]] = out[v] + 1, queue.push_back(to[c]);
  }
  return out;
}

std::vector<u32> Backbone::natural_order() const {
  std::vector<u32> leaves;
  for (u32 v = 0; v < switches; ++v)
    if (nics[v] > 0) leaves.push_back(v);
  const std::vector<u32> height = distances(leaves);
  const auto key = [&](u32 c) {
    const u32 a = height[from[c]], b = height[to[c]];
    return a < b ? std::tuple(0u, a, c) : a == b ? std::tuple(1u, u32{port[c]}, c) : std::tuple(2u, ~a, c);
  };
  std::vector<u32> channel_at(channels), place(channels);
  std::iota(channel_at.begin(), channel_at.end(), 0);
  std::sort(channel_at.begin(), channel_at.end(), [&](u32 a, u32 b) { return key(a) < key(b); });
  for (u32 i = 0; i < channels; ++i) place[channel_at[i]] = i;
  return place;
}

}  // namespace banyan::engines
