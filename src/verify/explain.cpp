#include "verify/explain.hpp"

#include <fmt/format.h>

#include "fabric/names.hpp"

namespace banyan::verify {

std::vector<Channel> channels_of(std::span<const Step> steps) {
  std::vector<Channel> out;
  for (const Step& step : steps)
    if (step.channel != none<Channel>) out.push_back(step.channel);
  return out;
}

std::string describe_path(const Fabric& fabric, std::span<const Channel> channels) {
  std::string out;
  for (Channel c : channels) out += port_name(fabric, c) + " -> ";
  return channels.empty() ? out : out + fabric.name(fabric.to(channels.back()));
}

std::string describe_failure(const Fabric& fabric, Nic from, Nic to, std::span<const Step> steps) {
  const std::string pair =
      fmt::format("from {} to {}: ", fabric.name(fabric.node(from)), fabric.name(fabric.node(to)));
  const std::vector<Channel> channels = channels_of(steps);
  if (channels.empty()) return pair + "there is no way out of the host";
  const Loss loss = steps.back().why;
  const std::string why = loss == Loss::circles      ? "where it has been before"
                          : loss == Loss::other_host ? "which is not its destination"
                                                     : "where no cabled port is given for it";
  return fmt::format("{}{}, {}", pair, describe_path(fabric, channels), why);
}

std::string describe_dead_end(const Fabric& fabric, Nic from, Nic to, std::span<const Channel> channels) {
  return fmt::format("from {} to {}: {}, from where no escape leads on to the destination",
                     fabric.name(fabric.node(from)), fabric.name(fabric.node(to)),
                     describe_path(fabric, channels));
}

std::string describe_cycle(const Fabric& fabric, const std::vector<Waiter>& cycle) {
  std::string out = "packets can wait for each other in a cycle:";
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Waiter& waiter = cycle[i];
    const Waiter& next = cycle[(i + 1) % cycle.size()];
    out += fmt::format("{} {} lane {} waits for {} lane {}", i ? ";" : "",
                       port_name(fabric, waiter.held.channel), waiter.held.lane,
                       port_name(fabric, next.held.channel), next.held.lane);
    if (waiter.from != none<Nic>)
      out += fmt::format(" (from {} to {})", fabric.name(fabric.node(waiter.from)),
                         fabric.name(fabric.node(waiter.to)));
  }
  return out;
}

void add_deadlock(Evidence& evidence, const std::vector<Waiter>& cycle) {
  evidence.kind = Evidence::Kind::deadlock;
  for (const Waiter& waiter : cycle) {
    evidence.channels.push_back(waiter.held.channel);
    evidence.lanes.push_back(waiter.held.lane);
    evidence.from.push_back(waiter.from);
    evidence.to.push_back(waiter.to);
  }
}

}  // namespace banyan::verify
