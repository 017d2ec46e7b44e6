// A fabric as the engines for any graph see it: switches numbered from 0, the ways between them cable by
// cable, and NICs in groups that are attached to the same switches and so share their shortest paths.
#pragma once
#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engines/ids.hpp"
#include "engines/table_limits.hpp"
#include "routing/routing.hpp"

namespace banyan::engines {

// A cabled channel from one switch to another.
struct Way {
  Channel channel;
  Switch to;
};

// NICs that are cabled to the same switches.
struct NicGroup {
  std::vector<Switch> roots;  // these switches, ascending
  std::vector<Nic> nics;      // ascending
};

class PortGraph {
 public:
  explicit PortGraph(const Fabric& fabric);

  const Fabric& fabric() const { return *fabric_; }
  IdRange<Switch> switches() const { return IdRange<Switch>(fabric_->switches()); }
  Node node(Switch s) const { return Node{fabric_->nics() + index(s)}; }
  Switch number(Node node) const { return Switch{index(node) - fabric_->nics()}; }

  // Ways whose channels have a lower rank come first at their switch; ports decide between equal ones.
  void sort_ways(const std::function<u32(Channel)>& rank);
  // The ways of a switch, in order of their ports, or as they were sorted.
  std::span<const Way> ways(Switch s) const {
    return {ways_.data() + first_[index(s)], first_[index(s) + 1] - first_[index(s)]};
  }

  std::size_t way_count() const { return ways_.size(); }

  // The groups, in order of their first NICs. A NIC without a cable to a switch is in none.
  const std::vector<NicGroup>& groups() const { return groups_; }
  u32 nics_at(Switch s) const { return nics_at_[s]; }  // NICs with a cable here

  // The channels from a switch to a NIC cabled to it, in order of their ports.
  std::span<const Channel> exits(Switch s, Nic nic) const;

 private:
  void group_nics();
  void list_exits();

  const Fabric* fabric_;
  std::vector<u32> first_;  // by switch, and one past the last
  std::vector<Way> ways_;
  std::vector<NicGroup> groups_;
  IdVector<Switch, u32> nics_at_;
  std::vector<u32> first_exit_;  // by NIC, and one past the last
  std::vector<Channel> exits_;   // ascending
};

// All permitted ways towards one group of NICs: at every switch, ways that end nearer to it.
struct Dag {
  static constexpr u32 unreached = std::numeric_limits<u32>::max();
  IdVector<Switch, u32> distance;  // channels to the nearest root of the group
  std::vector<Switch> order;       // the switches reached, nearest first
  std::vector<u32> first;          // by position in `order`, with one entry more at the end: its first way
  std::vector<Way> ways;           // entries from first.back() on are unused

  void start(const PortGraph& graph, const NicGroup& group);  // reaches only the group's own switches
  std::span<const Way> at(std::size_t place) const {
    return {ways.data() + first[place], first[place + 1] - first[place]};
  }
};

// Computes the Dag of all shortest paths.
void find_shortest(const PortGraph& graph, const NicGroup& group, Dag& out);

// Computes the Dag of paths that take the minimum number of links of `avoid` and, among these, are shortest.
// They take such a link only where a switch cannot be reached otherwise.
void find_avoiding(const PortGraph& graph, const NicGroup& group,
                   const std::function<bool(Switch, Switch)>& avoid, Dag& out);

// Lists, in order, all channels of a NIC to those of its switches that are nearest to the group.
void find_entries(const PortGraph& graph, const Dag& dag, Node nic, std::vector<Channel>& out);

// Fills the entries of NICs that are cabled directly to each other.
void enter_direct(const Fabric& fabric, u32 lmc, Tables& tables);

// Choices are compared as one number: their cost times `choice_step`, plus their index among at most 255.
constexpr u64 choice_step = 256;
template <class Key>
auto least_of(std::size_t count, Key key) {
  auto even = key(0), odd = even;  // two chains: the processor works on both at once
  for (std::size_t i = count % 2; i < count; i += 2) {
    even = std::min(even, key(i));
    odd = std::min(odd, key(i + 1));
  }
  return std::min(even, odd);
}

// The weight of a destination relative to the others.
inline u64 destination_weight(Address) { return 1; }

}  // namespace banyan::engines
