#include "verify/shift_tables.hpp"

#include "fabric/attachments.hpp"

namespace banyan::verify {

TableSieve::TableSieve(const Fabric& fabric, const Tables& tables, ShiftSieve& sieve)
    : fabric_(fabric), tables_(tables), sieve_(sieve), leaves_(fabric.columns()), inbox_(fabric.switches()) {
  gather_leaves(fabric);
}

void TableSieve::gather_leaves(const Fabric& fabric) {
  for (const Attachment& at : attachments(fabric, PairScope::rail)) {
    const Node leaf = at.at.front();
    if (leaf == none<Node> || !fabric.is_switch(leaf)) continue;
    const u32 lo = index(fabric.host(at.nics.front())), hi = index(fabric.host(at.nics.back()));
    leaves_[fabric.column(at.nics.front())].push_back(
        {index(leaf) - tables_.first_node(), index(fabric.channel(leaf, Port{0})), fabric.ports(leaf), lo, hi,
         static_cast<u32>(at.nics.size())});
    for (Channel c : fabric.channels(leaf)) sieve_.prepare(c, lo, hi);
  }
}

// FIFO: in a tree all flows to a switch are there before it is asked.
u32 TableSieve::arriving(u32 host, u32 rail, Address to) {
  goal_ = fabric_.node(fabric_.in_column(Host{host}, rail));
  arrived_ = 0;
  queue_.clear();
  const Node beside = fabric_.to(fabric_.channel(goal_, Port{0}));
  if (beside != none<Node> && !fabric_.is_switch(beside)) return 2;  // a NIC, and no other comes here
  const u8* row = tables_.towards(to).data();
  Node at = none<Node>;  // leaves beside each other mostly lead to the same switch
  Inbox flows;
  for (const Leaf& leaf : leaves_[rail]) {
    const u32 port = row[leaf.row];
    if (port >= leaf.ports) continue;
    const Channel c{leaf.first_out + port};
    sieve_.touch(c, host);
    const Node next = fabric_.to(c);
    if (next != at) {
      deliver(at, flows);
      at = next;
      flows = {};
    }
    flows.flows += leaf.hosts;
    flows.lo = std::min(flows.lo, leaf.lo);
    flows.hi = std::max(flows.hi, leaf.hi);
  }
  deliver(at, flows);

  const std::size_t max_steps = 4 * inbox_.size() + 64;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const u32 v = queue_[i];
    const Inbox here = inbox_[v];
    inbox_[v] = {};
    if (i > max_steps) continue;  // only empties what is left
    const Node node{v + fabric_.nics()};
    const u32 port = row[index(node) - tables_.first_node()];
    if (port >= fabric_.ports(node)) continue;
    const Channel c = fabric_.channel(node, Port{port});
    sieve_.use(c, host, here.lo, here.hi);
    deliver(fabric_.to(c), here);
  }
  return queue_.size() > max_steps ? circles : arrived_;
}

void TableSieve::deliver(Node at, const Inbox& flows) {
  if (at == goal_) arrived_ += flows.flows;
  if (at == none<Node> || !fabric_.is_switch(at)) return;
  const u32 v = index(at) - fabric_.nics();
  Inbox& inbox = inbox_[v];
  if (inbox.flows == 0) queue_.push_back(v);
  inbox.flows += flows.flows;
  inbox.lo = std::min(inbox.lo, flows.lo);
  inbox.hi = std::max(inbox.hi, flows.hi);
}

}  // namespace banyan::verify
