#include "verify/shift_table_arcs.hpp"

namespace banyan::verify {

TableArcs::TableArcs(const Fabric& fabric, const Tables& tables)
    : fabric_(fabric), tables_(tables), origins_(shift_origins(fabric, true)), known_(fabric.switches()) {}

void TableArcs::add(ShiftCounter& counter, Nic to, Address address) {
  ++round_;
  for (const ShiftOrigin& origin : origins_[fabric_.column(to)]) {
    const Node leaf = fabric_.to(fabric_.channel(fabric_.node(origin.nics.front()), Port{0}));
    if (leaf == none<Node> || !fabric_.is_switch(leaf)) continue;
    const u32 at = index(leaf) - fabric_.nics();
    look_up(counter, at, fabric_.node(to), address);
    if (!known_[at].arrives) continue;
    for (u32 v = known_[at].counted; v != none_behind; v = known_[v].behind)
      counter.add(known_[v].out, index(fabric_.host(to)), origin.hosts, 1);
  }
}

void TableArcs::look_up(const ShiftCounter& counter, u32 v, Node goal, Address address) {
  path_.clear();
  bool arrives = false;
  u32 counted = none_behind;
  while (true) {
    if (known_[v].round == round_) {  // on this very path: it goes in circles, and does not arrive
      arrives = known_[v].arrives;
      counted = known_[v].counted;
      break;
    }
    const Channel out = exit(v, address);
    known_[v] = {round_, false, out, none_behind, none_behind};
    path_.push_back(v);
    const Node next = out == none<Channel> ? none<Node> : fabric_.to(out);
    if (next == none<Node> || !fabric_.is_switch(next)) {
      arrives = next == goal;
      break;
    }
    v = index(next) - fabric_.nics();
  }
  for (auto u = path_.rbegin(); u != path_.rend(); ++u) {
    Known& here = known_[*u];
    here.arrives = arrives;
    here.behind = counted;
    if (here.out != none<Channel> && counter.counts(here.out)) counted = *u;
    here.counted = counted;
  }
}

Channel TableArcs::exit(u32 v, Address address) const {
  const Node node{v + fabric_.nics()};
  const u32 port = tables_(node, address);
  return port < fabric_.ports(node) ? fabric_.channel(node, Port{port}) : none<Channel>;
}

}  // namespace banyan::verify
