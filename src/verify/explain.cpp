#include "verify/explain.hpp"

#include <fmt/format.h>

#include "fabric/names.hpp"

namespace banyan::verify {

std::string describe_path(const Fabric& fabric, const std::vector<Step>& steps) {
  std::string out;
  for (const Step& step : steps) out += port_name(fabric, step.channel) + " -> ";
  return steps.empty() ? out : out + fabric.name(fabric.to(steps.back().channel));
}

std::string describe_failure(const Fabric& fabric, Nic from, Nic to, const std::vector<Step>& steps,
                             End end) {
  const std::string pair =
      fmt::format("from {} to {}: ", fabric.name(fabric.node(from)), fabric.name(fabric.node(to)));
  if (steps.empty()) return pair + "there is no way out of the host";
  const Node at = fabric.to(steps.back().channel);
  const std::string why = end == End::loop       ? "where it has been before"
                          : fabric.is_switch(at) ? "where no cabled port is given for it"
                                                 : "which is not its destination";
  return fmt::format("{}{}, {}", pair, describe_path(fabric, steps), why);
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

}  // namespace banyan::verify
