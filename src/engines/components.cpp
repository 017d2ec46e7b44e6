#include "engines/components.hpp"

namespace banyan::engines {

IdVector<Switch, Switch> components(const Fabric& fabric) {
  IdVector<Switch, Switch> out(fabric.switches(), none<Switch>);
  std::vector<Node> reached;
  for (const Node start : fabric.switch_nodes()) {
    const Switch first{index(start) - fabric.nics()};
    if (out[first] != none<Switch>) continue;
    out[first] = first;
    reached.assign(1, start);
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const Channel c : fabric.channels(reached[i])) {
        if (!fabric.cabled(c) || !fabric.is_switch(fabric.to(c))) continue;
        Switch& part = out[Switch{index(fabric.to(c)) - fabric.nics()}];
        if (part == none<Switch>) part = first, reached.push_back(fabric.to(c));
      }
  }
  return out;
}

}  // namespace banyan::engines
