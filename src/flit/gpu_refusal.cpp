#include "flit/gpu_refusal.hpp"

#include <fmt/format.h>

namespace banyan::flit {

std::optional<NotApplicable> process_refusal(const SimulationSetup& setup) {
  if (setup.rails) return gpu_simulates("hosts with one NIC and one process");
  if (setup.exchange) return gpu_simulates("in one process, not under mpirun");
  return std::nullopt;
}

std::optional<NotApplicable> path_memory_refusal(const NetworkOptions& network) {
  if (network.path_choice != PathChoice::recycled && network.path_choice != PathChoice::flowlet)
    return std::nullopt;
  return gpu_simulates("NICs that do not remember paths: path-choice other than recycled and flowlet");
}

std::optional<NotApplicable> hosts_refusal(const SimulationSetup& setup, u32 max_hosts, u32 max_ports) {
  const Fabric& fabric = setup.fabric;
  if (fabric.nics() > max_hosts)
    return gpu_simulates(fmt::format("up to {} hosts, not {}", max_hosts, fabric.nics()));
  for (const Node nic : fabric.nic_nodes())
    if (fabric.ports(nic) != 1) return gpu_simulates("NICs of one port");
  for (const Node v : fabric.switch_nodes())
    if (fabric.ports(v) > max_ports)
      return gpu_simulates(fmt::format("switches of up to {} ports", max_ports));
  return std::nullopt;
}

}  // namespace banyan::flit
