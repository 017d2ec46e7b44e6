#include "fabric/slow_links.hpp"

#include <algorithm>
#include <map>

namespace banyan::fabric {
namespace {

// The capacity that most of these cables of a switch have, of equals the higher one; 0: there is no cable.
double usual_capacity(const Fabric& fabric, Node node, bool of_nics) {
  std::map<double, u32> count;
  for (const Channel c : fabric.channels(node))
    if (fabric.cabled(c) && fabric.is_switch(fabric.to(c)) != of_nics) ++count[fabric.link_class(c).capacity];
  const auto most = std::max_element(count.begin(), count.end(),
                                     [](const auto& a, const auto& b) { return a.second <= b.second; });
  return most == count.end() ? 0 : most->first;
}

}  // namespace

std::vector<SlowLink> slow_links(const Fabric& fabric) {
  IdVector<Node, double> of_nics(fabric.nodes().size()), of_switches(fabric.nodes().size());
  for (const Node v : fabric.switch_nodes()) {
    of_nics[v] = usual_capacity(fabric, v, true);
    of_switches[v] = usual_capacity(fabric, v, false);
  }
  std::vector<SlowLink> out;
  fabric.each_link([&](const Link& link) {
    const Node a = fabric.from(link.a), b = fabric.from(link.b);
    const bool joins_switches = fabric.is_switch(a) && fabric.is_switch(b);
    if (!fabric.is_switch(a) && !fabric.is_switch(b)) return;
    const double capacity = fabric.link_class(link.a).capacity;
    const double usual =
        joins_switches ? std::min(of_switches[a], of_switches[b]) : of_nics[fabric.is_switch(a) ? a : b];
    if (capacity < usual) out.push_back({link, capacity, usual});
  });
  return out;
}

}  // namespace banyan::fabric
