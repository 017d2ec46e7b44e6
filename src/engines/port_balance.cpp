#include "engines/port_balance.hpp"

namespace banyan::engines {

PortBalance::PortBalance(const PortGraph& graph, u32 lmc)
    : graph_(graph),
      fabric_(graph.fabric()),
      lmc_(lmc),
      tables_(fabric_, lmc),
      used_(fabric_.channels().size()) {}

void PortBalance::spread(Node node, std::span<const Address> addresses) {
  const u32 first = index(fabric_.channel(node, Port{0}));
  for (Address to : addresses) {
    const u64 best = least_of(keys_.size(), [&](std::size_t i) { return keys_[i]; }) % choice_step;
    keys_[best] += destination_weight(to) * choice_step;
    tables_(node, to) = static_cast<u8>(index(offered_[best]) - first);
  }
  for (std::size_t i = 0; i < keys_.size(); ++i) used_[offered_[i]] = keys_[i] - i;
  keys_.clear();
  offered_.clear();
}

void PortBalance::add(const NicGroup& group, const Dag& dag) {
  addresses_.clear();
  for (Nic nic : group.nics)
    for (u32 i = 0; i < 1u << lmc_; ++i) addresses_.push_back(address_of(nic, lmc_, i));
  for (std::size_t place = group.roots.size(); place < dag.order.size(); ++place) {
    for (const Way& way : dag.at(place)) offer(way.channel);
    spread(graph_.node(dag.order[place]), addresses_);
  }
  add_exits(group);
  if (tables_.first_node() == 0) add_entries(dag);
}

void PortBalance::add_exits(const NicGroup& group) {
  std::span<const Address> rest = addresses_;
  for (Nic nic : group.nics) {
    for (Switch root : group.roots) {
      for (Channel c : graph_.exits(root, nic)) offer(c);
      spread(graph_.node(root), rest.first(1u << lmc_));
    }
    rest = rest.subspan(1u << lmc_);
  }
}

void PortBalance::add_entries(const Dag& dag) {
  for (Node nic : fabric_.nic_nodes()) {
    find_entries(graph_, dag, nic, entries_);
    if (entries_.empty()) continue;
    const auto own = [&](u32 n) {
      return std::lower_bound(addresses_.begin(), addresses_.end(), address_of(Nic{n}, lmc_));
    };
    for (const std::span<const Address> others :
         {std::span<const Address>(addresses_.begin(), own(index(nic))),
          std::span<const Address>(own(index(nic) + 1), addresses_.end())}) {
      for (Channel c : entries_) offer(c);
      spread(nic, others);
    }
  }
}

}  // namespace banyan::engines
