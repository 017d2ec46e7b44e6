#include "routing/switch_cables.hpp"

#include "fabric/attachments.hpp"

namespace banyan::routing {

SwitchCables::SwitchCables(const Fabric& fabric)
    : nics(fabric.nics()), leaf(fabric.nics(), nowhere), host_port(fabric.nics(), none<Port>) {
  for (const Node s : fabric.switch_nodes()) {
    first.push_back(static_cast<u32>(to.size()));
    for (const Channel c : fabric.channels(s)) {
      const Node end = fabric.to(c);
      to.push_back(fabric.cabled(c) && fabric.is_switch(end) ? index(end) - nics : nowhere);
    }
  }
  first.push_back(static_cast<u32>(to.size()));
  for (const Nic nic : IdRange<Nic>(nics))
    if (const Channel c = channel_to_switch(fabric, nic); c != none<Channel>) {
      leaf[index(nic)] = index(fabric.to(c)) - nics;
      host_port[index(nic)] = fabric.port(fabric.reverse(c));
    }
}

std::vector<u8> SwitchCables::distances() const {
  const u32 count = switches();
  std::vector<u8> out(std::size_t{count} * count, far);
  std::vector<u32> queue;
  for (u32 goal = 0; goal < count; ++goal) {
    u8* const row = &out[std::size_t{goal} * count];
    row[goal] = 0;
    queue.assign(1, goal);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      if (row[queue[i]] + 1 == far) break;
      each_cable(queue[i], [&](u32, u32 next) {
        if (row[next] != far) return;
        row[next] = static_cast<u8>(row[queue[i]] + 1);
        queue.push_back(next);
      });
    }
  }
  return out;
}

}  // namespace banyan::routing
