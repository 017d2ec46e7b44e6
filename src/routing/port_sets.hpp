// For every destination and node the set of ports through which a packet may leave, and the number of
// channels then left. The NICs of one leaf share their sets.
#pragma once
#include <span>
#include <vector>

#include "fabric/fabric.hpp"
#include "routing/header.hpp"

namespace banyan::routing {

class PortSets {
 public:
  static constexpr u32 nobody = ~u32{0};
  static constexpr u8 far = 255;  // unreachable; distances stop at one less

  explicit PortSets(const Fabric& fabric);  // all sets are empty

  // Nodes are counted from first_node() on, as in Tables: NICs are nodes only where one has several ports.
  u32 first_node() const { return first_node_; }
  u32 nodes() const { return nodes_; }
  u32 groups() const { return static_cast<u32>(start_.size()); }
  u32 group(Nic nic) const { return group_of_[index(nic)]; }  // `nobody` if it has no cable
  u32 start(u32 group) const { return start_[group]; }        // the leaf, or the NIC if it has several ports

  u8 distance(u32 group, u32 v) const { return distance_[slot(group, v)]; }  // channels to the start
  void reach(u32 group, u32 v, u8 distance) { distance_[slot(group, v)] = distance; }
  void add(u32 group, u32 v, Port port) {
    ports_[slot(group, v) * words_ + index(port) / 64] |= u64{1} << (index(port) % 64);
  }
  // How much each port of the set takes, in ascending order of the ports; at least one of each. Without
  // weights all take the same. What the weights have in common is left out: 4 and 2 are 2 and 1.
  void weigh(u32 group, u32 v, std::span<const u32> weights);

  // The exits of a packet at a node: a set, or one port where there is no choice, or none<Port>.
  struct Exits {
    const u64* words = nullptr;  // the set, 64 ports per word; null where there is no choice
    Port only = none<Port>;
    u8 left = 0;                // channels after the exit
    const u32* sums = nullptr;  // of weights, by port of the set: its own and those before; null: all alike
  };
  Exits exits(Node node, Nic to) const;
  u32 words() const { return words_; }

 private:
  void group_nics(const Fabric& fabric);
  std::size_t slot(u32 group, u32 v) const { return std::size_t{group} * nodes_ + v; }

  u32 first_node_, nodes_, words_;
  std::vector<u32> group_of_;   // by NIC
  std::vector<u32> start_;      // by group
  std::vector<u32> leaf_;       // by NIC of one port: its switch
  std::vector<Port> exit_;      // by NIC of one port: the port there
  std::vector<u8> distance_;    // by group and node
  std::vector<u64> ports_;      // by group, node and word
  std::vector<u32> first_sum_;  // by group and node: of the sums of its weights, or nobody; empty: no weights
  std::vector<u32> sums_;
};

// The sets of all next hops on shortest paths.
PortSets shortest_port_sets(const Fabric& fabric);

}  // namespace banyan::routing
