// Follows a header that never changes, from any NIC, and remembers what was found at each node, so that ways
// that many sources share are walked once. Also the results that all walks share.
#pragma once
#include <optional>
#include <vector>

#include "fabric/fabric.hpp"
#include "routing/step.hpp"
#include "routing/tree_ports.hpp"
#include "verify/dependencies.hpp"

namespace banyan::verify {

// The fate of a packet, over everything that is permitted to it.
struct WalkOutcome {
  bool lost = false, loops = false;  // it may get lost; it may loop
  u32 longest = 0;                   // in channels, over the paths that arrive
  double average = 0;                // all offered hops are equally likely
  bool arrives() const { return !lost && !loops; }
};

// What all headers together did on the channels. Results can be merged in any order.
struct Seen {
  explicit Seen(const Fabric& fabric)
      : waits(fabric), destinations(fabric.channels().size()), last(fabric.channels().size(), none<Nic>) {}

  void visit(Channel c, Nic goal) {
    if (last[c] == goal) return;
    last[c] = goal;
    count(c);
  }
  void count(Channel c) { ++destinations[c]; }  // a goal that nobody else counts there
  void merge(const Seen& other) {
    waits.merge(other.waits);
    for (Channel c : destinations.ids()) destinations[c] += other.destinations[c];
    lanes |= other.lanes;
  }

  Dependencies waits;
  IdVector<Channel, u32> destinations;  // NICs that channels out of switches lead to
  IdVector<Channel, Nic> last;          // the last NIC that was counted there
  u16 lanes = 0;                        // used, as a mask
};

// What all nodes offer to a header, of which a row holds what can be computed once.
template <KeepsHeader F>
class HeaderPorts {
 public:
  using Row = Header;
  Node place(Node node) const { return node; }
  explicit HeaderPorts(const F& forward) : forward_(forward) {}
  Row row(const Header& header) const { return header; }
  u32 at(Node node, const Row& row) const { return index(forward_.next(node, row).port); }
  bool alike(Node a, Node b, const Row&) const { return a == b; }

 private:
  const F& forward_;
};
template <>
class HeaderPorts<TreeForm> : public TreePorts {
  using TreePorts::TreePorts;
};

// A header that never changes has one exit at every switch, so its ways form a tree.
template <KeepsHeader F>
class TreeWalker {
 public:
  TreeWalker(const Fabric& fabric, const F& forward, Seen& seen)
      : fabric_(fabric),
        seen_(seen),
        ports_(forward),
        known_(fabric.switches()),
        path_(std::size_t{fabric.switches()} + 1) {}

  // `is_only`: this goal has no other header.
  void begin(const Header& header, Nic goal, bool is_only = false) {
    row_ = ports_.row(header);
    lane_ = header.lane;
    goal_ = goal;
    is_only_ = is_only;
    waits_.emplace(seen_.waits.plane(lane_, lane_));
    ++walk_;
    seen_.lanes |= static_cast<u16>(1u << header.lane);
  }

  void forget() {}
  void keep() {}  // walking again costs no more than asking again

  // The number of channels to the goal, or one of these.
  static constexpr u32 lost = ~u32{0} - 1, loops = ~u32{0};
  u32 length(Nic nic) {
    const Step first = next(fabric_.node(nic));
    const u32 behind = first.leads_on() ? length_from(first.node) : first.arrived() ? 0 : lost;
    return behind >= lost ? behind : behind + 1;
  }

  WalkOutcome from(Nic nic) {
    const u32 all = length(nic);
    if (all >= lost) return {.lost = all == lost, .loops = all == loops};
    return {.longest = all, .average = static_cast<double>(all)};
  }

 private:
  static constexpr u32 on_path = lost - 1;
  struct Known {
    u32 walk = 0;    // walk in which this was found
    u32 length = 0;  // channels to the goal
    Channel out = none<Channel>;
  };

  Step next(Node node) const {
    const Hop hop{.port = Port{ports_.at(ports_.place(node), row_)}, .lanes = static_cast<u16>(1u << lane_)};
    return take<true>(fabric_, node, hop, fabric_.node(goal_));
  }

  u32 length_from(Node node) {
    if (const Known& here = known_[index(node) - fabric_.nics()]; here.walk == walk_) return here.length;
    u32 length = 0, steps = 0;
    for (Channel held = none<Channel>;;) {
      Known& here = known_[index(node) - fabric_.nics()];
      const bool is_new = here.walk != walk_;
      Step onward;
      if (is_new) {
        onward = next(node);
        here = {walk_, on_path, onward.channel};
      }
      if (here.out == none<Channel>) {
        length = here.length = lost;
        break;
      }
      if (held != none<Channel>) waits_->add(held, index(here.out) - index(fabric_.channel(node, Port{0})));
      if (!is_new) {
        length = here.length == on_path ? loops : here.length;
        break;
      }
      held = here.out;
      if (is_only_)
        seen_.count(held);
      else
        seen_.visit(held, goal_);
      path_[steps++] = &here;
      if (!onward.leads_on()) {
        length = onward.arrived() ? 0 : lost;
        break;
      }
      node = onward.node;
    }
    while (steps > 0) path_[--steps]->length = length >= on_path ? length : ++length;
    return length;
  }

  const Fabric& fabric_;
  Seen& seen_;
  HeaderPorts<F> ports_;
  typename HeaderPorts<F>::Row row_{};
  u8 lane_ = 0;
  Nic goal_{};
  bool is_only_ = false;
  u32 walk_ = 0;
  std::optional<Dependencies::Plane> waits_;  // of the header's lane
  std::vector<Known> known_;                  // by switch
  std::vector<Known*> path_;                  // room for all of them
};

}  // namespace banyan::verify
