#include "verify/shift_paths.hpp"

namespace banyan::verify {

std::vector<std::vector<ShiftOrigin>> shift_origins(const Fabric& fabric, bool by_attachment) {
  std::vector<std::vector<ShiftOrigin>> out(fabric.columns());
  const auto add = [&](u32 rail, std::vector<Nic> nics) {
    ShiftOrigin origin{std::move(nics), {}};
    for (Nic nic : origin.nics) {
      const u32 host = index(fabric.host(nic));
      if (!origin.hosts.empty() && origin.hosts.back().hi + 1 == host)
        origin.hosts.back().hi = host;
      else
        origin.hosts.push_back({host, host});
    }
    out[rail].push_back(std::move(origin));
  };
  if (by_attachment)
    for (Attachment& at : attachments(fabric, PairScope::rail)) {
      const u32 column = fabric.column(at.nics.front());
      add(column, std::move(at.nics));
    }
  else
    for (Nic nic : IdRange<Nic>(fabric.nics())) add(fabric.column(nic), {nic});
  return out;
}

bool rails_are_apart(const Fabric& fabric) {
  constexpr u32 unseen = ~u32{0};
  IdVector<Node, u32> rail(fabric.nodes().size(), unseen);
  std::vector<Node> queue;
  for (Node nic : fabric.nic_nodes()) {
    const u32 own = fabric.column(fabric.nic(nic));
    if (rail[nic] != unseen && rail[nic] != own) return false;
    if (rail[nic] == own) continue;
    rail[nic] = own;
    queue.assign(1, nic);
    while (!queue.empty()) {
      const Node at = queue.back();
      queue.pop_back();
      for (Channel c : fabric.channels(at)) {
        const Node next = fabric.to(c);
        if (next == none<Node> || rail[next] == own) continue;
        if (rail[next] != unseen || (!fabric.is_switch(next) && fabric.column(fabric.nic(next)) != own))
          return false;
        rail[next] = own;
        queue.push_back(next);
      }
    }
  }
  return true;
}

}  // namespace banyan::verify
