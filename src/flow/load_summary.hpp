// Summarises the loads of one round: by kind of channel, their distribution, and the hottest channels with
// the flows on them.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "flow/load_meter.hpp"
#include "topology/topology.hpp"

namespace banyan::flow {

// Channels of one kind: in a fat-tree those between two levels in one direction, in a HyperX, mesh or torus
// those of a dimension, elsewhere those between switches; and those from and to hosts.
struct ChannelKind {
  std::string name;
  u64 channels = 0, loaded = 0;  // with a cable; of these, with a load
  double max_load = 0, mean_load = 0;
};
std::vector<ChannelKind> by_kind(const Topology& topology, const IdVector<Channel, double>& loads);

// How many channels have which load: every load separately if they are few, else twenty equal ranges.
struct LoadRange {
  double from = 0, to = 0;  // the minimum and the maximum load in it
  u64 channels = 0;
};
std::vector<LoadRange> distribution(const Topology& topology, const IdVector<Channel, double>& loads);
// The same of channels that are counted by their loads.
std::vector<LoadRange> in_ranges(const std::map<double, u64>& counts);

struct HotChannel {
  Channel channel;
  double load = 0;
  struct Share {
    Nic from, to;
    double load;
  };
  std::vector<Share> flows{};  // in their order

  // Adds a flow's parts, one after another.
  void add(Nic from, Nic to, double part) {
    if (flows.empty() || flows.back().from != from || flows.back().to != to) flows.push_back({from, to, 0});
    flows.back().load += part;
  }
};
// The channels with the maximum load first, of equal ones the smaller number first; without their flows.
std::vector<HotChannel> hottest(const IdVector<Channel, double>& loads, std::size_t count);
void add_flows(std::vector<HotChannel>& hot, LoadMeter& meter, std::span<const Flow> flows);

}  // namespace banyan::flow
