// Asks a forward where packets go whose heads have become visible: once per cycle for all of them, so that
// the engine is compiled once for all forwards.
#pragma once
#include <array>
#include <bit>
#include <cstring>
#include <span>

#include "flit/hop_lists.hpp"
#include "flit/hop_table.hpp"
#include "flit/state.hpp"
#include "routing/routing.hpp"

namespace banyan::flit {

// A packet to be routed, and the answer.
struct RouteJob {
  LaneId lane;  // buffer it stands in; for a NIC its first lane
  PacketId packet;
  Channel exit;  // the answer: it leaves through,
  u32 flits;     // has so many,
  u16 lanes;     // and these lanes are permitted
  bool again;    // it was routed before, to `exit`; set and read only where packets choose again
};

struct RouteSetting;

// The hop that a packet takes, of several that are listed.
using ListChoice = const ListedHop* (*)(std::span<const ListedHop> hops, const RouteSetting& setting,
                                        Node node, const Packet& packet, u64 now);
// By a row's lanes and whether its hops differ, so that a hop asks for nothing that is known.
struct ListChoices {
  explicit ListChoices(const State& state);
  ListChoice operator[](const HopLists::Row& row) const { return of[2 * row.lanes + row.differ]; }

  std::array<ListChoice, 10> of;
  bool are_plain;  // hops cost what is queued and all credits that are missing, and nothing else
};

struct RouteSetting {
  const Fabric& fabric;
  State& state;
  u32 lmc;
  u64 seed;
  std::vector<u16> permitted;  // by a hop's lanes: the lanes that they stand for
  HopTable table;
  HopLists lists;
  u32 all_classes = static_cast<u32>(permitted.size() - 1);
  ListChoices choices = ListChoices(state);

  u16 permits(u32 classes) const { return permitted[classes & all_classes]; }
};

[[noreturn]] void no_way(const RouteSetting& setting, Node node, const Packet& packet);
[[noreturn]] void no_way(const RouteSetting& setting, Nic from, Nic to);

// The exit of a node, if a packet can leave through that port.
[[gnu::always_inline]] inline Channel checked_exit(const RouteSetting& setting, Node node, u32 port,
                                                   u16 lanes, const Packet& packet) {
  const State& state = setting.state;
  const Channel exit = state.layout.exit(node, port);
  if (port >= state.layout.ports(node) || state.output(exit).far == none<LaneId> || lanes == 0) [[unlikely]]
    no_way(setting, node, packet);
  return exit;
}

// The hop of a packet at a switch, from the lists; null: the forward has to be asked. For adaptive ones.
[[gnu::always_inline]] inline const ListedHop* listed_hop(const RouteSetting& setting, Node node,
                                                          const Packet& packet, u64 now) {
  const HopLists::Row& row = setting.lists.row(node, packet.header);
  const ListedHop* const hops = setting.lists.hops(row);
  if (row.count == 0) [[unlikely]]
    return nullptr;
  return row.count == 1 ? hops : setting.choices[row]({hops, row.count}, setting, node, packet, now);
}

// Tells a packet at its NIC the whole way, if the forward knows it; the exit that it takes there.
template <KnowsWay F>
[[gnu::always_inline]] inline Channel start_packet(const F& forward, const RouteSetting& setting, Node nic,
                                                   Packet& packet) {
  const auto put_bytes = [](u64 value, u8* out) {  // the lowest first
    if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
    std::memcpy(out, &value, 8);
  };
  const auto way = forward.way(nic, packet.header);
  put_bytes(way.ascent, packet.ports.data());
  put_bytes(way.descent, packet.ports.data() + way.up);
  packet.hop = 1;
  packet.lanes = setting.permits(u32{1} << packet.header.lane);
  return checked_exit(setting, nic, static_cast<u8>(way.ascent), packet.lanes, packet);
}

// Missing credits by port of one node, each counted once for all packets that choose there in a cycle. A port
// keeps two sets of lanes: those of an escape and the others.
class KeptCredits {
 public:
  void forget() { node_ = none<Node>; }
  void begin(Node node, u32 ports) {
    if (node == node_) return;
    node_ = node;
    ++stamp_;
    if (kept_.size() < 2 * ports) kept_.resize(2 * ports);
  }
  // count(): those of a port's lanes.
  template <class F>
  [[gnu::always_inline]] u64 operator()(u32 port, u16 permitted, F&& count) {
    Kept& kept = kept_[2 * port + (permitted & 1)];
    if (kept.stamp != stamp_ || kept.permitted != permitted) kept = {stamp_, count(), permitted};
    return kept.missing;
  }

 private:
  struct Kept {
    u64 stamp = 0, missing = 0;
    u16 permitted = 0;
  };
  Node node_ = none<Node>;
  u64 stamp_ = 0;
  std::vector<Kept> kept_;
};

// Flits that were routed to each exit since a cycle's routing began: without them, what was queued before is
// known while packets are routed. For hop-view global.
class RoutedNow {
 public:
  void begin(std::size_t exits) {
    if (flits_.size() < exits) flits_.resize(exits);
    for (const Channel exit : changed_) flits_[index(exit)] = 0;
    changed_.clear();
  }
  void add(Channel exit, u64 flits) {  // modulo 2^64
    flits_[index(exit)] += flits;
    changed_.push_back(exit);
  }
  u64 operator[](Channel exit) const { return flits_[index(exit)]; }

 private:
  std::vector<u64> flits_;  // by exit
  std::vector<Channel> changed_;
};

// What an adaptive forward needs while it answers.
struct RouteSpace {
  Hops hops;
  KeptCredits credits;
  Hops ahead;  // of a switch further on
  RoutedNow routed;
};

// Answers all jobs. An adaptive forward wants them in order of their lanes; one that knows the whole way is
// asked at NICs only.
using RouteFunction = void (*)(const void* forward, const RouteSetting&, std::span<RouteJob>, u64 now,
                               RouteSpace&);

// Compiled for each forward; wants its alternative. `with_trails`: packets are routed at every switch and
// keep their Trail, for forwards that do not choose; in order of their lanes, too.
RouteFunction route_function(const Forward& forward, bool with_trails);

// An exit that a packet that waits may choose, and the lanes that are permitted there.
struct PermittedExit {
  Channel exit;
  u16 lanes;
};
// All choices of a packet that has been routed at this node, where packets choose again; for find_deadlock().
std::vector<PermittedExit> choices_of(const Forward& forward, const RouteSetting& setting, Node node,
                                      const Packet& packet);

// Class c of a routing that needs `classes` lanes may use lanes c, c + classes, ... of `lanes`.
std::vector<u16> permitted_lanes(u32 classes, u32 lanes);

}  // namespace banyan::flit
