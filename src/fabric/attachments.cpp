#include "fabric/attachments.hpp"

#include <algorithm>

namespace banyan::fabric {

std::strong_ordering compare_cabling(const Fabric& fabric, Nic a, Nic b) {
  const auto left = fabric.channels(fabric.node(a)), right = fabric.channels(fabric.node(b));
  return std::lexicographical_compare_three_way(
      left.begin(), left.end(), right.begin(), right.end(),
      [&](Channel c, Channel d) { return index(fabric.to(c)) <=> index(fabric.to(d)); });
}

bool cabled_alike(const Fabric& fabric, Nic a, Nic b) {
  return fabric.rail(a) == fabric.rail(b) && compare_cabling(fabric, a, b) == 0;
}

std::vector<Attachment> attachments(const Fabric& fabric) {
  const IdRange<Nic> all(fabric.nics());
  std::vector<Nic> order(all.begin(), all.end());
  std::stable_sort(order.begin(), order.end(), [&](Nic a, Nic b) {
    const auto rails = fabric.rail(a) <=> fabric.rail(b);
    return (rails != 0 ? rails : compare_cabling(fabric, a, b)) < 0;
  });
  std::vector<Attachment> out;
  for (const Nic nic : order) {
    if (out.empty() || !cabled_alike(fabric, out.back().nics.back(), nic)) {
      out.push_back({fabric.rail(nic), {}, {}});
      for (const Channel c : fabric.channels(fabric.node(nic))) out.back().at.push_back(fabric.to(c));
    }
    out.back().nics.push_back(nic);
  }
  std::sort(out.begin(), out.end(),
            [](const Attachment& a, const Attachment& b) { return a.nics.front() < b.nics.front(); });
  return out;
}

Channel channel_to_switch(const Fabric& fabric, Nic nic) {
  for (const Channel c : fabric.channels(fabric.node(nic)))
    if (fabric.cabled(c) && fabric.is_switch(fabric.to(c))) return c;
  return none<Channel>;
}

Node switch_of(const Fabric& fabric, Nic nic) {
  const Channel c = channel_to_switch(fabric, nic);
  return c == none<Channel> ? none<Node> : fabric.to(c);
}

bool nics_have_one_port(const Fabric& fabric) {
  for (const Node nic : fabric.nic_nodes())
    if (fabric.ports(nic) > 1) return false;
  return true;
}

}  // namespace banyan::fabric
