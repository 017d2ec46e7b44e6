#include "flit/seats.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/error.hpp"

namespace banyan::flit {
namespace {

void check_placement(const Fabric& fabric, const Traffic& traffic, const Placement& placement) {
  if (placement.size() != traffic.ranks) throw InputError("the placement has another number of ranks");
  for (const Host host : placement)
    if (index(host) >= fabric.hosts()) throw InputError("a rank is placed on a host that is not there");
}

// Flits a cycle that a NIC's channels carry together.
double injection_capacity(const Fabric& fabric, Nic nic) {
  double largest = 0, own = 0;
  for (const LinkClass& link_class : fabric.link_classes()) largest = std::max(largest, link_class.capacity);
  for (const Channel c : fabric.channels(fabric.node(nic)))
    if (fabric.cabled(c)) own += fabric.link_class(c).capacity;
  return own / largest;
}

}  // namespace

Seats seats_of(const Fabric& fabric, const Traffic& traffic, const Placement& placement, u32 processes,
               const std::vector<bool>& mine) {
  check_placement(fabric, traffic, placement);
  Seats out{{}, processes == 0 ? fabric.nics() : fabric.hosts() * processes};
  std::vector<u32> taken(fabric.hosts());
  for (const Rank rank : placement.ids()) {
    const u32 host = index(placement[rank]), slot = processes == 0 ? 0 : taken[host]++;
    if (processes > 0 && slot >= processes)
      throw InputError("more than " + std::to_string(processes) + " ranks on " +
                       fabric.host_name(Host{host}));
    out.of.push_back(Seat{slot * fabric.hosts() + host});
  }
  if (!mine.empty() && mine.size() != out.count) throw std::logic_error("mine is not by seat");
  return out;
}

void check_sender(const Fabric& fabric, Host host, u32 processes) {
  for (u32 slot = 0; slot < (processes == 0 ? 1 : fabric.nics(host)); ++slot)
    if (const Node nic = fabric.node(fabric.nic(host, slot)); fabric.ports(nic) == 0)
      throw InputError(fabric.name(nic) + " sends and has no port");
}

double seat_capacity(const Fabric& fabric, Host host, u32 processes, u32 sharing) {
  if (processes == 0) return injection_capacity(fabric, Nic{index(host)});
  double sum = 0;
  for (u32 slot = 0; slot < fabric.nics(host); ++slot)
    sum += injection_capacity(fabric, fabric.nic(host, slot));
  return sum / sharing;
}

}  // namespace banyan::flit
