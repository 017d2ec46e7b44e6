#include "fabric/attachments.hpp"

#include <algorithm>

namespace banyan::fabric {

std::strong_ordering compare_cabling(const Fabric& fabric, Nic a, Nic b) {
  const auto left = fabric.channels(fabric.node(a)), right = fabric.channels(fabric.node(b));
  return std::lexicographical_compare_three_way(
      left.begin(), left.end(), right.begin(), right.end(),
      [&](Channel c, Channel d) { return index(fabric.to(c)) <=> index(fabric.to(d)); });
}

u32 domain_of(const Fabric& fabric, Nic nic, PairScope scope) {
  if (scope == PairScope::all) return fabric.plane(nic);
  return fabric.plane(nic) * fabric.columns() + fabric.column(nic);
}

bool cabled_alike(const Fabric& fabric, Nic a, Nic b, PairScope scope) {
  return domain_of(fabric, a, scope) == domain_of(fabric, b, scope) && compare_cabling(fabric, a, b) == 0;
}

std::vector<Attachment> attachments(const Fabric& fabric, PairScope scope) {
  std::vector<Nic> order;
  for (const Nic nic : IdRange<Nic>(fabric.nics()))
    if (!fabric.vacant(nic)) order.push_back(nic);
  std::stable_sort(order.begin(), order.end(), [&](Nic a, Nic b) {
    const auto domains = domain_of(fabric, a, scope) <=> domain_of(fabric, b, scope);
    return (domains != 0 ? domains : compare_cabling(fabric, a, b)) < 0;
  });
  std::vector<Attachment> out;
  for (const Nic nic : order) {
    if (out.empty() || !cabled_alike(fabric, out.back().nics.back(), nic, scope)) {
      out.push_back({domain_of(fabric, nic, scope), {}, {}});
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
