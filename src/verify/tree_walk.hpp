// Follows a header that never changes, from any NIC, and remembers what was found at each node, so that ways
// that many sources share are walked once. Also the results that all walks share.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"
#include "routing/step.hpp"
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
    ++destinations[c];
  }
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

// A header that never changes has one exit at every switch, so its ways form a tree.
template <KeepsHeader F>
class TreeWalker {
 public:
  TreeWalker(const Fabric& fabric, const F& forward, Seen& seen)
      : fabric_(fabric), forward_(forward), seen_(seen), known_(fabric.switches()) {}

  void begin(const Header& header, Nic goal) {
    header_ = header;
    goal_ = goal;
    ++walk_;
    seen_.lanes |= static_cast<u16>(1u << header.lane);
  }

  void forget() {}
  void keep() {}  // walking again costs no more than asking again

  WalkOutcome from(Nic nic) {
    const Step first = step(fabric_, forward_, fabric_.node(nic), header_, fabric_.node(goal_));
    const u32 length = first.leads_on() ? length_from(first.node) : first.arrived() ? 0 : lost;
    if (length >= on_path) return {.lost = length == lost, .loops = length == loops};
    return {.longest = length + 1, .average = length + 1.0};
  }

 private:
  static constexpr u32 on_path = ~u32{0} - 2, lost = ~u32{0} - 1, loops = ~u32{0};
  struct Known {
    u32 walk = 0;    // walk in which this was found
    u32 length = 0;  // channels to the goal
    Channel out = none<Channel>;
  };

  u32 length_from(Node node) {
    auto waits = seen_.waits.plane(header_.lane, header_.lane);
    path_.clear();
    u32 length = 0;
    for (Channel held = none<Channel>;;) {
      Known& here = known_[index(node) - fabric_.nics()];
      const bool is_new = here.walk != walk_;
      Step next;
      if (is_new) {
        next = step(fabric_, forward_, node, header_, fabric_.node(goal_));
        here = {walk_, on_path, next.channel};
      }
      if (here.out == none<Channel>) {
        length = here.length = lost;
        break;
      }
      if (held != none<Channel>) waits.add(held, index(here.out) - index(fabric_.channel(node, Port{0})));
      if (!is_new) {
        length = here.length == on_path ? loops : here.length;
        break;
      }
      held = here.out;
      seen_.visit(held, goal_);
      path_.push_back(&here);
      if (!next.leads_on()) {
        length = next.arrived() ? 0 : lost;
        break;
      }
      node = next.node;
    }
    for (auto at = path_.rbegin(); at != path_.rend(); ++at)
      (*at)->length = length >= on_path ? length : ++length;
    return length;
  }

  const Fabric& fabric_;
  const F& forward_;
  Seen& seen_;
  Header header_;
  Nic goal_{};
  u32 walk_ = 0;
  std::vector<Known> known_;  // by switch
  std::vector<Known*> path_;
};

}  // namespace banyan::verify
