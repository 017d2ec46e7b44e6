// A recognised fabric in the numbers of its shape.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "topology/recognise/pair_counts.hpp"
#include "topology/recognise/recognise.hpp"

namespace banyan::topology {
namespace {

// Undecided nodes get numbers too: likely ones, or switches new ones and NICs vacant ones. None if there are
// too few of these.
std::optional<IdVector<Node, Node>> number_all(const Fabric& raw, const Fabric& ideal,
                                               const Recognition& found) {
  IdVector<Node, Node> place = likely_places(found.candidate, static_cast<u32>(ideal.nodes().size()));
  IdVector<Node, bool> vacant(ideal.nodes().size(), true);
  for (Node v : raw.nodes())
    if (place[v] != none<Node>) vacant[place[v]] = false;
  const auto take = [&](Node nic, Node number) { place[nic] = number, vacant[number] = false; };
  const auto beside = [&](Node nic) {  // a vacant number on the switch that the NIC hangs on
    for (Channel c : raw.channels(nic))
      if (raw.cabled(c) && place[raw.to(c)] != none<Node> && raw.is_switch(raw.to(c)))
        for (Channel d : ideal.channels(place[raw.to(c)]))
          if (ideal.cabled(d) && !ideal.is_switch(ideal.to(d)) && vacant[ideal.to(d)]) return ideal.to(d);
    return none<Node>;
  };
  u32 next_switch = static_cast<u32>(ideal.nodes().size()), next_nic = 0;
  for (Node v : found.undecided)
    if (!raw.is_switch(v) && place[v] == none<Node>)
      if (const Node number = beside(v); number != none<Node>) take(v, number);
  for (Node v : found.undecided) {
    if (place[v] != none<Node>) continue;
    if (raw.is_switch(v)) {
      place[v] = Node{next_switch++};
      continue;
    }
    while (next_nic < ideal.nics() && !vacant[Node{next_nic}]) ++next_nic;
    if (next_nic == ideal.nics()) return std::nullopt;
    take(v, Node{next_nic});
  }
  return place;
}

// Ports of the ideal fabric that a raw cable is put on: those of a cable between the same two nodes.
class IdealPorts {
 public:
  explicit IdealPorts(const Fabric& ideal) : last_(ideal.links()) {
    ideal.each_link([&](const Link& link) {
      u32& last = last_(ideal.from(link.a), ideal.from(link.b));
      free_.push_back({link, last});
      last = static_cast<u32>(free_.size());
    });
  }
  std::optional<Link> take(Node u, Node v) {
    const u32 last = last_.find(std::min(u, v), std::max(u, v));
    if (last == 0) return std::nullopt;
    last_(std::min(u, v), std::max(u, v)) = free_[last - 1].before;
    return free_[last - 1].link;
  }

 private:
  struct Free {
    Link link;
    u32 before;  // one more than the place of another one between the same nodes; 0: there is none
  };
  std::vector<Free> free_;
  PairCounts last_;  // likewise
};

std::string vacant_name(const Fabric& ideal, Node node) { return "missing-" + ideal.name(node); }

void name_all(FabricBuilder& builder, const Fabric& raw, const Fabric& ideal,
              const IdVector<Node, Node>& place, u32 nodes) {
  IdVector<Node, Node> standing(nodes, none<Node>);
  for (Node v : raw.nodes()) standing[place[v]] = v;
  for (u32 i = 0; i < ideal.hosts(); ++i) {
    Node nic = none<Node>;  // of any rail
    for (u32 slot = 0; slot < ideal.nics(Host{i}) && nic == none<Node>; ++slot)
      nic = standing[ideal.node(ideal.nic(Host{i}, slot))];
    builder.name_host(
        Host{i}, nic == none<Node> ? vacant_name(ideal, Node{i}) : raw.host_name(raw.host(raw.nic(nic))));
  }
  for (u32 i = ideal.nics(); i < nodes; ++i)
    builder.name_switch(
        Node{i}, standing[Node{i}] == none<Node> ? vacant_name(ideal, Node{i}) : raw.name(standing[Node{i}]));
}

// A raw cable in the new numbers, and the channels of its ends in the old ones.
struct Rewired {
  Node a, b;
  Port pa, pb;
  Link raw;
};

bool is_ideal(const Fabric& ideal, const Rewired& cable) {
  return index(cable.b) < ideal.nodes().size() && index(cable.pa) < ideal.ports(cable.a) &&
         index(cable.pb) < ideal.ports(cable.b);
}

// Whether the file calls the slots of the shape rails, all of them by their numbers.
bool are_rails(const Fabric& raw, const Fabric& ideal, const IdVector<Node, Node>& place) {
  return ideal.slots() > 1 && std::ranges::all_of(raw.nic_nodes(), [&](Node v) {
           return raw.rail(raw.nic(v)) == ideal.slot(ideal.nic(place[v]));
         });
}

// The endpoints of the ideal fabric with the roles and the names of adapters of those that stand there, and
// with the rails of the shape, or else those of the file if they are its slots.
Endpoints labelled(const Fabric& raw, const Fabric& ideal, const IdVector<Node, Node>& place) {
  const bool slots_are_rails = are_rails(raw, ideal, place);
  std::vector<HostLabel> out(ideal.hosts());
  for (const Host host : IdRange<Host>(ideal.hosts())) {
    out[index(host)].nics.resize(ideal.nics(host));
    for (u32 slot = 0; slot < ideal.nics(host); ++slot)
      out[index(host)].nics[slot].rail =
          slots_are_rails ? std::optional(slot) : ideal.rail(ideal.nic(host, slot));
  }
  for (const Node v : raw.nic_nodes()) {
    const Nic from = raw.nic(v), to = ideal.nic(place[v]);
    HostLabel& label = out[index(ideal.host(to))];
    label.role = raw.endpoints().role(raw.host(from));
    label.nics[ideal.slot(to)].adapter = raw.endpoints().adapter(from);
  }
  return Endpoints(out);
}

// The ideal fabric, what the raw one has besides, and then without what it lacks.
Topology rebuild(const Fabric& raw, const Fabric& ideal, const Candidate& candidate,
                 const IdVector<Node, Node>& place, const IdVector<Node, u32>& ports,
                 const std::vector<Rewired>& cables) {
  FabricBuilder builder(labelled(raw, ideal, place));
  for (Node v : ports.ids()) {
    if (index(v) < ideal.nics())
      builder.nic_ports(Nic{index(v)}, ports[v]);
    else
      builder.add_switch(ports[v]);
  }
  name_all(builder, raw, ideal, place, static_cast<u32>(ports.size()));
  std::vector<bool> stands(ideal.nics(), false);
  for (const Node nic : raw.nic_nodes()) stands[index(place[nic])] = true;
  for (const Nic nic : IdRange<Nic>(ideal.nics()))
    if (!stands[index(nic)]) builder.leave_vacant(nic);
  std::vector<bool> has(ideal.channels().size(), false);
  for (const Rewired& cable : cables) {
    builder.connect(cable.a, cable.pa, cable.b, cable.pb, builder.add_class(raw.link_class(cable.raw.a)));
    builder.label_port(cable.a, cable.pa, raw.port_number(cable.raw.a), raw.port_text(cable.raw.a));
    builder.label_port(cable.b, cable.pb, raw.port_number(cable.raw.b), raw.port_text(cable.raw.b));
    if (is_ideal(ideal, cable)) has[index(ideal.channel(cable.a, cable.pa))] = true;
  }
  std::vector<std::pair<Node, Port>> lacking;
  ideal.each_link([&](const Link& link) {
    if (has[index(link.a)]) return;
    const Node a = ideal.from(link.a), b = ideal.from(link.b);
    builder.connect(a, ideal.port(link.a), b, ideal.port(link.b),
                    builder.add_class(ideal.link_class(link.a)));
    lacking.push_back({a, ideal.port(link.a)});
  });
  const Fabric whole = std::move(builder).build();
  std::vector<Link> taken;
  for (const auto& [node, port] : lacking) {
    const Channel a = whole.channel(node, port);
    taken.push_back({a, whole.reverse(a)});
  }
  return {without(whole, taken), candidate.shape, candidate.planes, "", ""};
}

}  // namespace

Topology as_topology(const Fabric& raw, const Recognition& recognition) {
  const Candidate& candidate = recognition.candidate;
  const Fabric ideal = build(candidate.shape, candidate.planes).fabric;
  const auto place = number_all(raw, ideal, recognition);
  if (!place) return {raw, Irregular{}, 1, "", ""};

  u32 nodes = static_cast<u32>(ideal.nodes().size());
  for (Node v : raw.nodes()) nodes = std::max(nodes, index((*place)[v]) + 1);
  IdVector<Node, u32> ports(nodes, 0);
  for (Node v : ideal.nodes()) ports[v] = ideal.ports(v);

  IdealPorts free(ideal);
  std::vector<Rewired> cables;
  raw.each_link([&](const Link& link) {
    Node a = (*place)[raw.from(link.a)], b = (*place)[raw.from(link.b)];
    const Link ends = a < b ? link : Link{link.b, link.a};
    if (b < a) std::swap(a, b);
    if (const auto at = free.take(a, b))
      cables.push_back({a, b, ideal.port(at->a), ideal.port(at->b), ends});
    else
      cables.push_back({a, b, Port{ports[a]++}, Port{ports[b]++}, ends});
  });
  Topology out = rebuild(raw, ideal, candidate, *place, ports, cables);
  assert_whole(out);
  return out;
}

}  // namespace banyan::topology
