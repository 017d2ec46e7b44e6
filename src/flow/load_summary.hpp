// Loads of one round in words: by kind of channel, how they are spread, and the hottest channels with the
// flows on them.
#pragma once
#include <string>
#include <vector>

#include "flow/load_meter.hpp"
#include "topology/topology.hpp"

namespace banyan::flow {

// Channels of one kind: in a fat-tree those between two levels in one direction, in a HyperX, mesh or torus
// those of a dimension, elsewhere those between switches; and those from and to hosts.
struct ChannelKind {
  std::string name;
  u64 channels = 0, loaded = 0;  // cabled ones; of these, with a load
  double max_load = 0, mean_load = 0;
};
std::vector<ChannelKind> by_kind(const Topology& topology, const IdVector<Channel, double>& loads);

// How many channels have which load: every load by itself if they are few, else twenty equal ranges.
struct LoadRange {
  double from = 0, to = 0;  // the least and the greatest load in it
  u64 channels = 0;
};
std::vector<LoadRange> distribution(const Topology& topology, const IdVector<Channel, double>& loads);

struct HotChannel {
  Channel channel;
  double load = 0;
  struct Share {
    Nic from, to;
    double load;
  };
  std::vector<Share> flows{};  // in their order

  // Of a flow's parts, one after another.
  void add(Nic from, Nic to, double part) {
    if (flows.empty() || flows.back().from != from || flows.back().to != to) flows.push_back({from, to, 0});
    flows.back().load += part;
  }
};
// The heaviest first; of equal ones that with the smaller number. Without their flows.
std::vector<HotChannel> hottest(const IdVector<Channel, double>& loads, std::size_t count);
void add_flows(std::vector<HotChannel>& hot, LoadMeter& meter, std::span<const Flow> flows);

}  // namespace banyan::flow
