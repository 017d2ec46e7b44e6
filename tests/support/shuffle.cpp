#include "support/shuffle.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>

namespace banyan::tests {
namespace {

std::vector<u32> permutation(u32 size, Random& random) {
  std::vector<u32> out(size);
  std::iota(out.begin(), out.end(), 0);
  random.shuffle(std::span(out));
  return out;
}

}  // namespace

Damage undamaged(const Fabric& fabric) {
  Damage out;
  fabric.each_link([&](Link link) { out.cables.push_back(link); });
  return out;
}

void take_cables(Damage& damage, u64 count, Random& random) {
  random.shuffle(std::span(damage.cables));
  damage.cables.resize(damage.cables.size() - std::min<u64>(count, damage.cables.size()));
}

void take_hosts(Damage& damage, const Fabric& fabric, u64 count, Random& random) {
  const std::vector<u32> order = permutation(fabric.hosts(), random);
  for (u32 h : order)
    if (damage.gone.size() < count) damage.gone.push_back(Host{h});
}

void swap_cables(Damage& damage, const Fabric& fabric, Random& random) {
  for (int attempt = 0; attempt < 100 && damage.cables.size() > 1; ++attempt) {
    Link& one = damage.cables[random.below(damage.cables.size())];
    Link& two = damage.cables[random.below(damage.cables.size())];
    if (random.below(2)) std::swap(two.a, two.b);
    if (&one == &two || fabric.from(one.a) == fabric.from(two.b) || fabric.from(two.a) == fabric.from(one.b))
      continue;
    std::swap(one.b, two.b);
    return;
  }
}

Shuffled shuffled(const Fabric& fabric, const Damage& damage, Random& random) {
  std::vector<bool> gone(fabric.hosts());
  for (Host host : damage.gone) gone[index(host)] = true;
  const u32 hosts = fabric.hosts() - static_cast<u32>(std::count(gone.begin(), gone.end(), true));

  Shuffled out{FabricBuilder(0).build(), IdVector<Node, Node>(fabric.nodes().size(), none<Node>)};
  const auto slots = fabric.endpoints().rails() > 0 ? Endpoints::Slots::rails : Endpoints::Slots::plain;
  FabricBuilder builder(Endpoints(hosts, fabric.columns(), slots));
  u32 host = 0;
  for (u32 original : permutation(fabric.hosts(), random)) {
    if (gone[original]) continue;
    const std::vector<u32> rails = permutation(fabric.columns(), random);
    for (u32 rail = 0; rail < fabric.columns(); ++rail) {
      const Node nic = fabric.node(fabric.nic(Host{original}, rail)), seen = Node{rails[rail] * hosts + host};
      builder.nic_ports(Nic{index(seen)}, fabric.ports(nic));
      out.seen_as[nic] = seen;
    }
    ++host;
  }
  for (u32 i : permutation(fabric.switches(), random)) {
    const Node original{fabric.nics() + i};
    out.seen_as[original] = builder.add_switch(fabric.ports(original));
  }

  IdVector<Channel, Port> port(fabric.channels().size());
  for (Node node : fabric.nodes()) {
    const std::vector<u32> order = permutation(fabric.ports(node), random);
    for (Channel c : fabric.channels(node)) port[c] = Port{order[index(fabric.port(c))]};
  }
  for (const Link& link : damage.cables) {
    const Node a = out.seen_as[fabric.from(link.a)], b = out.seen_as[fabric.from(link.b)];
    if (a != none<Node> && b != none<Node>) builder.connect(a, port[link.a], b, port[link.b], 0);
  }
  out.fabric = std::move(builder).build();
  return out;
}

u64 wrong_cables(const Fabric& raw, const Fabric& ideal, const IdVector<Node, Node>& place) {
  const NodePairs has = named_cables(raw, undamaged(raw).cables, [&](Node n) { return place[n]; });
  const NodePairs should = named_cables(ideal, undamaged(ideal).cables, [](Node n) { return n; });
  NodePairs wrong;
  std::set_difference(has.begin(), has.end(), should.begin(), should.end(), std::back_inserter(wrong));
  return wrong.size();
}

}  // namespace banyan::tests
