#include "study/cost.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"

namespace banyan::study {
namespace {

// The rack that most of a switch's hosts are in; none: it has no hosts.
constexpr u32 no_rack = ~u32{0};

u32 rack_with_most(const Fabric& fabric, Node node, u32 hosts_per_rack) {
  std::map<u32, u32> hosts;  // by rack
  for (const Channel c : fabric.channels(node)) {
    const Node other = fabric.to(c);
    if (other == none<Node> || fabric.is_switch(other)) continue;
    ++hosts[index(fabric.host(fabric.nic(other))) / hosts_per_rack];
  }
  const auto maximum = std::max_element(hosts.begin(), hosts.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  return maximum == hosts.end() ? no_rack : maximum->first;
}

double distance(u32 a, u32 b, double pitch) { return pitch * (a < b ? b - a : a - b); }

void add(Price& sum, const Price& part) {
  sum.money += part.money;
  sum.watts += part.watts;
}

}  // namespace

Hall furnish(const Fabric& fabric, const HallOptions& options) {
  if (options.hosts_per_rack == 0 || options.switches_per_rack == 0 || options.racks_per_row == 0)
    throw InputError("a rack or a row of nothing; expected 1 or more in each");
  const u32 host_racks = (fabric.hosts() + options.hosts_per_rack - 1) / options.hosts_per_rack;
  Hall out;
  for (u32 h = 0; h < fabric.hosts(); ++h) out.rack_of.push_back(h / options.hosts_per_rack);
  u32 others = 0;
  for (const Node node : fabric.switch_nodes()) {
    u32 rack = rack_with_most(fabric, node, options.hosts_per_rack);
    if (rack == no_rack) rack = host_racks + others++ / options.switches_per_rack;
    out.rack_of.push_back(rack);
  }
  const u32 switch_racks = (others + options.switches_per_rack - 1) / options.switches_per_rack;
  out.racks = host_racks + switch_racks;
  const u32 middle = host_racks / 2;
  for (u32& rack : out.rack_of) {
    if (rack >= host_racks)
      rack = middle + (rack - host_racks);
    else if (rack >= middle)
      rack += switch_racks;
  }
  return out;
}

double metres(const HallOptions& options, u32 rack, u32 other) {
  if (rack == other) return options.inside;
  const u32 n = options.racks_per_row;
  return options.outside + distance(rack % n, other % n, options.rack_pitch) +
         distance(rack / n, other / n, options.row_pitch);
}

Cost cost(const Fabric& fabric, const HallOptions& options, const PriceList& prices) {
  const Hall hall = furnish(fabric, options);
  const auto rack_of = [&](Node node) {
    return hall.rack_of[fabric.is_switch(node) ? fabric.hosts() + (index(node) - fabric.nics())
                                               : index(fabric.host(fabric.nic(node)))];
  };
  Cost out{.racks = hall.racks, .switches = fabric.switches(), .nics = fabric.nics()};
  out.cables.resize(prices.cables.size());
  for (const Node node : fabric.switch_nodes()) {
    const PriceList::Switch& bought = prices.switch_with(fabric.ports(node));
    add(out.of_switches, bought.price);
    out.switch_ports += bought.ports;
    out.ports_used += fabric.cabled_ports(node);
  }
  out.of_nics = {prices.nic.money * out.nics, prices.nic.watts * out.nics};
  fabric.each_link([&](const Link& link) {
    const double length = metres(options, rack_of(fabric.from(link.a)), rack_of(fabric.from(link.b)));
    const std::size_t cable = prices.cable_class(length);
    ++out.cables[cable];
    add(out.of_cables, prices.cables[cable].price);
    out.cable_metres += length;
    out.longest_cable = std::max(out.longest_cable, length);
  });
  return out;
}

}  // namespace banyan::study
