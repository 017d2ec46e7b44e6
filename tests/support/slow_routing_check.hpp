// Routings by table, followed pair by pair in the most obvious way: the reference that engines for any graph
// are held against.
#pragma once
#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "routing/routing.hpp"

namespace banyan::tests {

struct SlowVerdict {
  u64 connectable = 0, arrived = 0, minimal = 0;  // ordered pairs of NICs, times addresses of the second
  u64 channels = 0;                               // of all paths that arrive
  u32 lanes = 0;                                  // the highest lane used, plus one
  bool acyclic = true;                            // dependencies between (channel, lane)
};

using Waiting = std::map<std::pair<Channel, u8>, std::set<std::pair<Channel, u8>>>;

// Takes away what waits for nothing until nothing is left; what cannot be taken away holds a cycle.
inline bool is_acyclic(const Waiting& waits_for) {
  std::map<std::pair<Channel, u8>, std::set<std::pair<Channel, u8>>> held_by;
  std::map<std::pair<Channel, u8>, std::size_t> count;
  for (const auto& [held, wanted] : waits_for) {
    count[held] += wanted.size();
    for (const auto& w : wanted) count.try_emplace(w, 0), held_by[w].insert(held);
  }
  std::vector<std::pair<Channel, u8>> free;
  for (const auto& [at, n] : count)
    if (n == 0) free.push_back(at);
  std::size_t taken = 0;
  for (; taken < free.size(); ++taken)
    for (const auto& held : held_by[free[taken]])
      if (--count[held] == 0) free.push_back(held);
  return taken == count.size();
}

// By node: fewest channels to the destination, whose NIC is the only one that packets may enter.
inline std::vector<u32> slow_distances(const Fabric& fabric, Node to) {
  std::vector<u32> out(fabric.nodes().size(), ~u32{0});
  std::deque<Node> queue = {to};
  out[index(to)] = 0;
  while (!queue.empty()) {
    const Node v = queue.front();
    queue.pop_front();
    if (v != to && !fabric.is_switch(v)) continue;
    for (Channel c : fabric.channels(v))
      if (fabric.cabled(c) && out[index(fabric.to(c))] == ~u32{0}) {
        out[index(fabric.to(c))] = out[index(v)] + 1;
        queue.push_back(fabric.to(c));
      }
  }
  return out;
}

inline SlowVerdict check_slowly(const Fabric& fabric, const Routing& routing) {
  const Tables& tables = std::get<Tables>(routing.forward);
  SlowVerdict out;
  Waiting waits_for;
  const auto follow = [&](Node at, Node to, const Header& header) {
    u32 length = 0;
    for (Channel held = none<Channel>; at != to; ++length) {
      const Hop hop = tables.next(at, header);
      if (index(hop.port) >= fabric.ports(at) || length > fabric.nodes().size()) return ~u32{0};
      const Channel wanted = fabric.channel(at, hop.port);
      if (!fabric.cabled(wanted) || (length > 0 && !fabric.is_switch(at))) return ~u32{0};
      if (held != none<Channel>) waits_for[{held, header.lane}].insert({wanted, header.lane});
      held = wanted;
      at = fabric.to(wanted);
    }
    return length;
  };
  for (Node to : fabric.nic_nodes()) {
    const std::vector<u32> distance = slow_distances(fabric, to);
    for (Node from : fabric.nic_nodes()) {
      if (from == to || distance[index(from)] == ~u32{0}) continue;
      for (u32 i = 0; i < routing.source.count(fabric.nic(from), fabric.nic(to), 0); ++i) {
        const Header header = routing.source.way(fabric.nic(from), fabric.nic(to), 0, i);
        const u32 length = follow(from, to, header);
        ++out.connectable;
        out.lanes = std::max(out.lanes, header.lane + 1u);
        if (length == ~u32{0}) continue;
        ++out.arrived;
        out.channels += length;
        out.minimal += length == distance[index(from)];
      }
    }
  }
  out.acyclic = is_acyclic(waits_for);
  return out;
}

}  // namespace banyan::tests
