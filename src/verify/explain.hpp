// Counterexamples in words, with the names of switches and ports.
#pragma once
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "routing/walk.hpp"
#include "verify/dependencies.hpp"
#include "verify/judge.hpp"

namespace banyan::verify {

// Follows a header by every channel into every place once: visit(steps) after each step, until it returns
// true. Slow and plain; for explanations only.
template <class F, class Visit>
bool trace(const Fabric& fabric, const F& forward, Nic from, Nic to, const Header& header, Visit&& visit) {
  std::set<std::tuple<Channel, u16, u8>> been;
  PathsWalk walk(fabric, forward, fabric.node(to), [&](std::span<const Step> steps) {
    const Step& last = steps.back();
    if (last.channel != none<Channel> && !been.emplace(last.channel, last.lanes, last.state).second)
      return Then::back;
    return visit(steps) ? Then::stop : Then::on;
  });
  return walk.from(fabric.node(from), header);
}

// "h0:1 -> s1-0:19 -> s2-0:3 -> h7": the ports a packet leaves by, and the node it comes to.
std::string describe_path(const Fabric& fabric, std::span<const Channel> channels);

// Of steps the last of which is lost.
std::string describe_failure(const Fabric& fabric, Nic from, Nic to, std::span<const Step> steps);
// Of a path to a switch from which no escape leads to the goal.
std::string describe_dead_end(const Fabric& fabric, Nic from, Nic to, std::span<const Channel> channels);
std::vector<Channel> channels_of(std::span<const Step> steps);

// A channel in a cycle, and the pair whose packets wait there; cycle[i] waits for cycle[i + 1].
struct Waiter {
  LanedChannel held;
  Nic from = none<Nic>, to = none<Nic>;
};
std::string describe_cycle(const Fabric& fabric, const std::vector<Waiter>& cycle);
void add_deadlock(Evidence& evidence, const std::vector<Waiter>& cycle);

}  // namespace banyan::verify
