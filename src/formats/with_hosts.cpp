#include "formats/with_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "formats/lines.hpp"

namespace banyan::formats {

FabricFile with_hosts(const FabricFile& file, u32 per_switch, const std::string& name) {
  const Fabric& from = file.topology.fabric;
  if (from.hosts() > 0 && (file.says_hosts || from.slots() > 1))
    throw InputError(Place{name}, fmt::format("found {} hosts, expected a graph of switches only for hosts=",
                                              from.hosts()));
  std::vector<Node> order(from.nodes().begin(), from.nodes().end());
  std::stable_sort(order.begin(), order.end(),
                   [&](Node a, Node b) { return natural_less(from.name(a), from.name(b)); });
  check_size(order.size() * (u64{per_switch} + 1), order.size() * u64{per_switch} * 2, from.links(), name);
  FabricBuilder builder(static_cast<u32>(order.size()) * per_switch);
  IdVector<Node, Node> place(from.nodes().size(), none<Node>);
  for (Node v : order) place[v] = builder.add_switch(from.ports(v) + per_switch);
  for (Node v : order) builder.name_switch(place[v], from.name(v));
  const u8 usual = builder.add_class(from.link_classes()[0]);
  const u32 hosts = static_cast<u32>(order.size()) * per_switch;
  for (Node v : order)
    if (const std::string taken = from.name(v);
        taken.starts_with('h') && parse_unsigned(taken.substr(1)).value_or(hosts) < hosts)
      throw InputError(Place{name},
                       fmt::format("found a switch named {}, which hosts= gives to a host", shown(taken)));
  u32 host = 0;
  for (Node v : order)
    for (u32 i = 0; i < per_switch; ++i, ++host) {
      builder.name_host(Host{host}, fmt::format("h{}", host));
      builder.connect(Node{host}, Port{0}, place[v], Port{from.ports(v) + i}, usual);
    }
  from.each_link([&](const Link& link) {
    builder.connect(place[from.from(link.a)], from.port(link.a), place[from.from(link.b)], from.port(link.b),
                    builder.add_class(from.link_class(link.a)));
  });
  for (Channel c : from.channels())
    builder.label_port(place[from.from(c)], from.port(c), from.port_number(c), from.port_text(c));
  return {
      Topology{std::move(builder).build(), Irregular{}, 1, "", file.topology.remark}, {}, true, file.unit};
}

}  // namespace banyan::formats
