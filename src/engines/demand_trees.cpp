#include "engines/demand_trees.hpp"

#include "engines/destination_order.hpp"
#include "engines/weighted_trees.hpp"

namespace banyan::engines {

DemandTrees::DemandTrees(const PortGraph& graph, u32 lmc, const NodeDemands& demands)
    : graph_(graph),
      fabric_(graph.fabric()),
      demands_(demands),
      tables_(fabric_, lmc),
      nics_choose_(tables_.first_node() == 0),
      lmc_(lmc),
      weight_(fabric_.channels().size()),
      switch_of_(fabric_.nics(), none<Switch>),
      place_(graph.switches().size()),
      cost_(graph.switches().size()),
      amount_(graph.switches().size()),
      chosen_(graph.switches().size()) {
  for (const NicGroup& group : graph.groups())
    for (Nic nic : group.nics) switch_of_[index(nic)] = group.roots.front();
}

void DemandTrees::route(const Dag& dag, const NicGroup& group, Nic nic, u32 number) {
  const Address to = address_of(nic, lmc_, number);
  const std::size_t roots = group.roots.size();
  place_switches(dag);
  set_amounts(dag, nic);
  choose_exits(dag, roots, nic, to);
  choose_ways(dag, roots, to);
  if (nics_choose_) choose_entries(dag, nic, to);
  add_amounts(dag, roots);
}

Tables DemandTrees::take() && {
  enter_direct(fabric_, lmc_, tables_);
  return std::move(tables_);
}

void DemandTrees::place_switches(const Dag& dag) {
  for (u32 place = 0; place < dag.order.size(); ++place) place_[dag.order[place]] = place;
}

// Where NICs choose where to enter, nothing starts anywhere yet.
void DemandTrees::set_amounts(const Dag& dag, Nic nic) {
  std::fill(amount_.begin(), amount_.end(), 0);
  if (nics_choose_) return;
  const auto senders = demands_.to(fabric_.host(nic));
  if (senders.empty()) {
    for (u32 place = 0; place < dag.order.size(); ++place) amount_[place] = graph_.nics_at(dag.order[place]);
    --amount_[place_[switch_of_[index(nic)]]];  // none to itself
    return;
  }
  for (const auto& [from, weight] : senders) {
    const Nic sender = fabric_.in_column(from, fabric_.column(nic));
    const Switch s = sender == none<Nic> ? none<Switch> : switch_of_[index(sender)];
    if (s != none<Switch> && dag.distance[s] != Dag::unreached) amount_[place_[s]] += weight;
  }
}

void DemandTrees::choose_exits(const Dag& dag, std::size_t roots, Nic nic, Address to) {
  for (u32 place = 0; place < roots; ++place) {
    const auto exits = graph_.exits(dag.order[place], nic);
    Channel best = exits.front();
    for (Channel c : exits)
      if (weight_[c] < weight_[best]) best = c;
    chosen_[place] = best;
    cost_[place] = weight_[best];
    tables_(fabric_.from(best), to) = static_cast<u8>(index(fabric_.port(best)));
  }
}

// Of equals the lowest port.
void DemandTrees::choose_ways(const Dag& dag, std::size_t roots, Address to) {
  for (std::size_t place = roots; place < dag.order.size(); ++place) {
    u64 least = ~u64{0};
    Channel best = none<Channel>;
    for (const Way& way : dag.at(place))
      if (const u64 cost = weight_[way.channel] + cost_[place_[way.to]]; cost < least) {
        least = cost;
        best = way.channel;
      }
    cost_[place] = least;
    chosen_[place] = best;
    tables_(graph_.node(dag.order[place]), to) = static_cast<u8>(index(fabric_.port(best)));
  }
}

u64 DemandTrees::amount(Nic from, Nic to) const {
  const auto senders = demands_.to(fabric_.host(to));
  if (senders.empty()) return 1;
  if (fabric_.column(from) != fabric_.column(to)) return 0;
  const auto found = std::lower_bound(senders.begin(), senders.end(), fabric_.host(from),
                                      [](const NodeDemands::Sender& s, Host host) { return s.from < host; });
  return found != senders.end() && found->from == fabric_.host(from) ? found->weight : 0;
}

void DemandTrees::choose_entries(const Dag& dag, Nic self, Address to) {
  const auto cost = [&](Channel c) { return weight_[c] + cost_[place_[graph_.number(fabric_.to(c))]]; };
  for (Node nic : fabric_.nic_nodes()) {
    find_entries(graph_, dag, nic, entries_);
    if (nic == fabric_.node(self) || entries_.empty()) continue;
    Channel best = entries_.front();
    for (Channel c : entries_)
      if (cost(c) < cost(best)) best = c;
    tables_(nic, to) = static_cast<u8>(index(fabric_.port(best)));
    const u64 more = amount(fabric_.nic(nic), self);
    weight_[best] += more;
    amount_[place_[graph_.number(fabric_.to(best))]] += more;
  }
}

// From the far end, so that each switch knows all that joins at it.
void DemandTrees::add_amounts(const Dag& dag, std::size_t roots) {
  for (std::size_t place = dag.order.size(); place-- > 0;) {
    weight_[chosen_[place]] += amount_[place];
    if (place >= roots) amount_[place_[graph_.number(fabric_.to(chosen_[place]))]] += amount_[place];
  }
}

void each_destination(const PortGraph& graph, const NodeDemands& demands,
                      const std::function<void(const NicGroup&, Nic)>& f) {
  for (const bool listed : {true, false})
    for (const NicGroup& group : graph.groups())
      for (Nic nic : group.nics)
        if (demands.to(graph.fabric().host(nic)).empty() != listed) f(group, nic);
}

Tables demand_trees(const PortGraph& graph, u32 lmc, const NodeDemands& demands) {
  DemandTrees trees(graph, lmc, demands);
  Dag dag;
  const NicGroup* last = nullptr;
  each_destination(graph, demands, [&](const NicGroup& group, Nic nic) {
    if (&group != last) find_shortest(graph, group, dag);
    last = &group;
    for (u32 i = 0; i < 1u << lmc; ++i) trees.route(dag, group, nic, i);
  });
  return std::move(trees).take();
}

Tables balanced_trees(const Topology& topology, const PortGraph& graph, u32 lmc, const std::string& demands) {
  if (demands.empty()) return weighted_trees(graph, lmc, destination_order(topology, graph));
  return demand_trees(graph, lmc, open_node_demands(demands, graph.fabric()));
}

}  // namespace banyan::engines
