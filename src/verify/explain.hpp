// Counterexamples that a person can follow, with the names of switches and ports.
#pragma once
#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "routing/routing.hpp"
#include "verify/dependencies.hpp"
#include "verify/walk.hpp"

namespace banyan::verify {

struct Step {
  Channel channel;
  u16 lanes;
};
enum class End { none, arrived, lost, loop };

// Follows a header from a NIC depth first, by every channel into every place once: f(steps, end) after each
// step, until it returns true. Slow and plain; for explanations only.
template <class F, class Visit>
class Tracer {
 public:
  Tracer(const Fabric& fabric, const F& forward, Nic to, Visit visit)
      : fabric_(fabric), forward_(forward), goal_(fabric.node(to)), visit_(std::move(visit)) {}

  bool trace(Nic from, const Header& header) { return leave(fabric_.node(from), header); }

 private:
  bool leave(Node node, Header header) {
    Hops hops;
    offered(forward_, node, header, hops);
    if (hops.size() == 0) return visit_(steps_, End::lost);
    on_path_.emplace_back(node, header.state);
    for (const Hop& hop : hops) {
      const Channel c = cabled_channel(fabric_, node, hop.port);
      if (c == none<Channel> ? visit_(steps_, End::lost) : enter(c, hop, header)) return true;
    }
    on_path_.pop_back();
    return false;
  }

  bool enter(Channel c, const Hop& hop, Header header) {
    const Node node = fabric_.to(c);
    header.state = hop.state;
    if (!been_.emplace(c, hop.lanes, hop.state).second) return false;
    steps_.push_back({c, hop.lanes});
    const bool is_loop =
        std::find(on_path_.begin(), on_path_.end(), std::pair(node, hop.state)) != on_path_.end();
    const End end = node == goal_              ? End::arrived
                    : !fabric_.is_switch(node) ? End::lost
                    : is_loop                  ? End::loop
                                               : End::none;
    if (visit_(steps_, end) || (end == End::none && leave(node, header))) return true;
    steps_.pop_back();
    return false;
  }

  const Fabric& fabric_;
  const F& forward_;
  Node goal_;
  Visit visit_;
  std::vector<Step> steps_;
  std::vector<std::pair<Node, u8>> on_path_;
  std::set<std::tuple<Channel, u16, u8>> been_;
};

// "h0:1 -> s1-0:19 -> s2-0:3 -> h7": the ports a packet leaves by, and the node it comes to.
std::string describe_path(const Fabric& fabric, const std::vector<Step>& steps);

std::string describe_failure(const Fabric& fabric, Nic from, Nic to, const std::vector<Step>& steps, End end);

// Who waits in a cycle, and the pairs whose packets do so; cycle[i] waits for cycle[i + 1].
struct Waiter {
  LanedChannel held;
  Nic from = none<Nic>, to = none<Nic>;
};
std::string describe_cycle(const Fabric& fabric, const std::vector<Waiter>& cycle);

}  // namespace banyan::verify
