// Follows all that a forward permits from one header on, and collects which (channel, lane) waits for which.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "fabric/fabric.hpp"
#include "routing/routing.hpp"
#include "verify/judge.hpp"

namespace banyan {

// A packet that holds a channel on some lane may wait for another one. Kept as edges between channel * 16 +
// lane.
class Dependencies {
 public:
  static constexpr u32 most_lanes = 16;

  explicit Dependencies(const Fabric& fabric) : waits_for_(fabric.channels().size() * most_lanes) {}
  void add(Channel held, u16 held_lanes, Channel wanted, u16 wanted_lanes);
  std::vector<u32> cycle() const;  // of channel * 16 + lane; empty: acyclic

 private:
  std::vector<std::vector<u32>> waits_for_;
};

template <class F>
class Walker {
 public:
  Walker(const Fabric& fabric, const F& forward, u32 lmc, Dependencies& dependencies, Verdict& verdict)
      : fabric_(fabric), forward_(forward), lmc_(lmc), dependencies_(dependencies), verdict_(verdict) {}

  void follow(Node source, const Header& header) { visit({source, header, none<Channel>, 0}, 0); }

 private:
  struct Place {
    Node node;
    Header header;
    Channel held;
    u16 held_lanes;
    bool operator==(const Place&) const = default;
  };

  void visit(const Place& place, u32 length) {
    const Node goal = fabric_.node(nic_of(place.header.to, lmc_));
    if (place.node == goal && length > 0) {
      verdict_.longest_path = std::max(verdict_.longest_path, length);
      return;
    }
    if (length > 4 * fabric_.nodes().size() ||
        std::find(on_path_.begin(), on_path_.end(), place) != on_path_.end())
      return fail(verdict_.loop_free, fmt::format("the packet to {} comes back to {}", fabric_.name(goal),
                                                  fabric_.name(place.node)));
    Hops hops;
    offered(forward_, place.node, place.header, hops);
    if (hops.size() == 0) return lost(goal, place.node);
    on_path_.push_back(place);
    for (const Hop& hop : hops) step(place, hop, length, goal);
    on_path_.pop_back();
  }

  void step(const Place& place, const Hop& hop, u32 length, Node goal) {
    const bool has_port = index(hop.port) < fabric_.ports(place.node);
    const Channel channel = has_port ? fabric_.channel(place.node, hop.port) : none<Channel>;
    if (!has_port || !fabric_.cabled(channel)) return lost(goal, place.node);
    for (u32 lane = 0; lane < Dependencies::most_lanes; ++lane)
      if (hop.lanes >> lane & 1) verdict_.lanes = std::max(verdict_.lanes, lane + 1);
    if (place.held != none<Channel>) dependencies_.add(place.held, place.held_lanes, channel, hop.lanes);
    Header header = place.header;
    header.state = hop.state;
    visit({fabric_.to(channel), header, channel, hop.lanes}, length + 1);
  }

  void lost(Node goal, Node at) {
    fail(verdict_.reachable, fmt::format("no way to {} at {}", fabric_.name(goal), fabric_.name(at)));
  }
  void fail(bool& claim, std::string why) {
    claim = false;
    if (verdict_.counterexample.empty()) verdict_.counterexample = std::move(why);
  }

  const Fabric& fabric_;
  const F& forward_;
  u32 lmc_;
  Dependencies& dependencies_;
  Verdict& verdict_;
  std::vector<Place> on_path_;
};

// The judge for any forward, also one that is not in the Forward variant.
template <class F>
Verdict judge(const Fabric& fabric, const F& forward, const Source& source, u32 lmc = 0) {
  Verdict verdict;
  Dependencies dependencies(fabric);
  Walker<F> walker(fabric, forward, lmc, dependencies, verdict);
  for (u32 rail = 0; rail < fabric.rails(); ++rail)
    for (u32 a = 0; a < fabric.hosts(); ++a)
      for (u32 b = 0; b < fabric.hosts(); ++b) {
        if (a == b) continue;
        const Nic from = fabric.nic(Host{a}, rail), to = fabric.nic(Host{b}, rail);
        for (u32 i = 0; i < source.count(from, to, 0); ++i)
          walker.follow(fabric.node(from), source.way(from, to, 0, i));
      }
  if (const auto cycle = dependencies.cycle(); !cycle.empty()) {
    verdict.deadlock_free = false;
    if (verdict.counterexample.empty())
      verdict.counterexample = "packets can wait for each other in a cycle:";
    for (u32 held : cycle) {
      const Channel c{held / Dependencies::most_lanes};
      verdict.counterexample += fmt::format(" {}->{} lane {}", fabric.name(fabric.from(c)),
                                            fabric.name(fabric.to(c)), held % Dependencies::most_lanes);
    }
  }
  return verdict;
}

}  // namespace banyan
