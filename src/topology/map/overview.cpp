#include "topology/map/overview.hpp"

#include <algorithm>
#include <map>

namespace banyan::topology {
namespace {

constexpr double readable = 6;  // between the members of a group that is worth opening, as in web/src/map

// What is seen: nodes, closed groups as nodes, and the groups around them.
class Glance {
 public:
  Glance(const Fabric& whole, const FabricMap& map, double scale)
      : whole_(whole), map_(map), node_(whole.nodes().size(), none<Node>) {
    for (u32 g = 0; g < map.groups.size(); ++g) {
      const MapGroup& group = map.groups[g];
      const u32 above = group.parent == MapGroup::none ? MapGroup::none : hidden_by_[group.parent];
      const bool is_closed = group.detail * scale < readable;
      hidden_by_.push_back(above != MapGroup::none ? above : is_closed ? g : MapGroup::none);
      number_.push_back(static_cast<u32>(groups_.size()));
      if (above == MapGroup::none) groups_.push_back(g);
    }
    for (const Node node : whole.nodes())
      if (is_open(node)) node_[node] = add(whole.name(node)), nics_ += !whole.is_switch(node);
    std::vector<Node> closed(map.groups.size(), none<Node>);
    for (const u32 g : groups_)
      if (hidden_by_[g] == g) closed[g] = add(map.groups[g].name);
    for (const Node node : whole.nodes())
      if (!is_open(node)) node_[node] = closed[hidden_by_[map.group[node]]];
  }

  std::size_t size() const { return names_.size(); }
  Node seen_as(Channel c) const { return node_[whole_.from(c)]; }
  bool is_open(Node node) const {
    return map_.group[node] == MapGroup::none || hidden_by_[map_.group[node]] == MapGroup::none;
  }

  FabricBuilder nodes(const IdVector<Node, u32>& ports) const {
    FabricBuilder out(nics_);
    for (const Node v : ports.ids())
      index(v) < nics_ ? out.nic_ports(Nic{index(v)}, ports[v]) : static_cast<void>(out.add_switch(ports[v]));
    for (const Node v : ports.ids()) out.name_switch(v, names_[index(v)]);
    return out;
  }

  FabricMap map() const {
    FabricMap out = map_;
    out.at = IdVector<Node, MapPoint>(size());
    out.level = out.group = IdVector<Node, u32>(size(), MapGroup::none);
    for (const Node node : whole_.nodes()) {
      const u32 group = map_.group[node];
      out.at[node_[node]] = map_.at[node];
      out.level[node_[node]] = map_.level[node];
      if (group != MapGroup::none)
        out.group[node_[node]] = number_[is_open(node) ? group : hidden_by_[group]];
    }
    out.groups.clear();
    for (const u32 g : groups_) {
      out.groups.push_back(map_.groups[g]);
      u32& parent = out.groups.back().parent;
      if (parent != MapGroup::none) parent = number_[parent];
    }
    return out;
  }

 private:
  Node add(std::string name) {
    names_.push_back(std::move(name));
    return Node{static_cast<u32>(names_.size()) - 1};
  }

  const Fabric& whole_;
  const FabricMap& map_;
  IdVector<Node, Node> node_;       // as which it is seen
  std::vector<u32> hidden_by_;      // by group: the outermost closed one around it, or itself
  std::vector<u32> groups_;         // those that are seen
  std::vector<u32> number_;         // by group: its place among them
  std::vector<std::string> names_;  // of nodes
  u32 nics_ = 0;
};

std::vector<Link> planned_links(const Fabric& fabric) {
  std::vector<Link> out = fabric.taken();
  fabric.each_link([&](const Link& link) { out.push_back(link); });
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

Overview overview(const Topology& topology, const FabricMap& map, double width, double height) {
  const Fabric& whole = topology.fabric;
  const Glance glance(
      whole, map, std::min(width / (map.box.right - map.box.left), height / (map.box.bottom - map.box.top)));
  struct Bundle {
    u32 cables = 0;
    Link first{};
    Port a{}, b{};
  };
  using Ends = std::pair<Node, Node>;
  std::map<Ends, Bundle> bundles;
  std::vector<Link> links = planned_links(whole);
  const auto ends = [&](const Link& l) { return Ends(glance.seen_as(l.a), glance.seen_as(l.b)); };
  IdVector<Node, u32> ports(glance.size(), 0);
  for (Link& link : links) {
    if (glance.seen_as(link.b) < glance.seen_as(link.a)) std::swap(link.a, link.b);
    Bundle& bundle = bundles[ends(link)];
    if (bundle.cables++ == 0)
      bundle = {1, link, Port{ports[glance.seen_as(link.a)]++}, Port{ports[glance.seen_as(link.b)]++}};
  }
  FabricBuilder builder = glance.nodes(ports);
  for (const auto& [pair, bundle] : bundles) builder.connect(pair.first, bundle.a, pair.second, bundle.b, 0);
  // A cable that is seen as itself has its own ports; those of others have no number.
  const auto label = [&](const Bundle& bundle, Node node, Port port, Channel c) {
    if (bundle.cables == 1 && glance.is_open(whole.from(c)))
      builder.label_port(node, port, whole.port_number(c), whole.port_text(c));
    else
      builder.label_port(node, port, 0);
  };
  for (const auto& [pair, bundle] : bundles) {
    label(bundle, pair.first, bundle.a, bundle.first.a);
    label(bundle, pair.second, bundle.b, bundle.first.b);
  }
  Overview out{std::move(builder).build(),
               glance.map(),
               {},
               IdVector<Channel, Channel>(whole.channels().size(), none<Channel>)};
  out.fabric.each_link([&](const Link& link) {
    out.cables.push_back(bundles.at({out.fabric.from(link.a), out.fabric.from(link.b)}).cables);
  });
  for (const Link& link : links) {
    const auto& [pair, bundle] = *bundles.find(ends(link));
    out.seen_as[link.a] = out.fabric.channel(pair.first, bundle.a);
    out.seen_as[link.b] = out.fabric.channel(pair.second, bundle.b);
  }
  return out;
}

std::vector<u32> missing_cables(const Overview& seen, const Fabric& fabric) {
  IdVector<Channel, u32> taken(seen.fabric.channels().size(), 0);
  for (const Link& link : fabric.taken()) ++taken[seen.seen_as[link.a]], ++taken[seen.seen_as[link.b]];
  std::vector<u32> out;
  seen.fabric.each_link([&](const Link& link) { out.push_back(taken[link.a]); });
  return out;
}

std::vector<double> heaviest(const Overview& seen, const IdVector<Channel, double>& load) {
  std::vector<double> out(seen.fabric.channels().size());
  for (const Channel c : load.ids())
    if (const Channel s = seen.seen_as[c]; s != none<Channel>)
      out[index(s)] = std::max(out[index(s)], load[c]);
  return out;
}

}  // namespace banyan::topology
