#include "engines/weighted_trees.hpp"

#include <array>
#include <cstring>
#include <tuple>

namespace banyan::engines {
namespace {

using Lot = i32 __attribute__((vector_size(16)));  // as many keys as one instruction compares
constexpr u32 lot = sizeof(Lot) / sizeof(i32);

// Places of the Dag that follow each other and whose ways lead to the same switches in the same order, as
// those of all leaves of a subtree do: what lies behind their ways is looked up once.
struct Run {
  u32 first, last;   // places
  u32 ways;          // of each
  u32 to;            // where these switches begin in to_
  u32 keys, stride;  // where the keys of its first place begin, and what lies between two of them
};

// What ways weigh while a group is routed, laid out as it is read: by run, way and place. A key is the weight
// plus the number of the way among those of its place.
template <class Key>
struct Keys {
  std::vector<Key> way;
  std::vector<Key> least;  // by place: the key of its best way and the weight behind that
  Key cost(u32 place) const { return least[place] & ~Key{choice_step - 1}; }
};

class WeightedTrees {
 public:
  WeightedTrees(const PortGraph& graph, u32 lmc)
      : graph_(graph),
        fabric_(graph.fabric()),
        tables_(fabric_, lmc),
        nics_choose_(tables_.first_node() == 0),
        lmc_(lmc),
        port_(fabric_.channels().size()),
        weight_(fabric_.channels().size()),
        place_(graph.switches().size()),
        chosen_(graph.switches().size()),
        parent_(graph.switches().size()),
        exits_(graph.switches().size()) {
    for (Channel c : fabric_.channels()) port_[c] = static_cast<u8>(index(fabric_.port(c)));
  }

  void route(const Turn& turn);
  Tables take() && { return std::move(tables_); }

 private:
  u32 reached() const { return static_cast<u32>(dag_.order.size()); }
  void find_runs();
  bool is_narrow(const Turn& turn) const;
  template <class Key>
  void route_with(const Turn& turn);
  template <class Key>
  void load_keys();
  template <class Key>
  void store_keys();
  template <class Key>
  void choose_exits(Nic nic, Address to);
  template <class Key>
  void choose_ways(Address to);
  void least_of_lots(const Run& run);
  template <class Key>
  void choose_entries(Nic nic, Address to);
  template <class Key>
  void add_paths(u64 each);
  template <class Key>
  Keys<Key>& keys() {
    return std::get<Keys<Key>>(keys_);
  }

  const PortGraph& graph_;
  const Fabric& fabric_;
  Tables tables_;
  bool nics_choose_;  // some NIC has several ports: NICs have rows in the tables
  u32 lmc_;
  IdVector<Channel, u8> port_;
  IdVector<Channel, u64> weight_;  // the paths on it, in steps
  u64 heaviest_ = 0;               // the largest weight between switches
  // Of the turn that is routed.
  Dag dag_;
  u32 roots_ = 0;
  IdVector<Switch, u32> place_;  // its place in the Dag, if it is reached
  std::vector<Run> runs_;
  std::vector<u32> to_;  // by run and way: the place it leads to
  std::tuple<Keys<i32>, Keys<i64>> keys_;
  std::vector<u8> way_port_;    // laid out as the keys
  std::vector<u32> sources_;    // by place: NICs whose paths always start here
  std::vector<u32> paths_;      // by place: those that pass here
  std::vector<u32> chosen_;     // by place: where the key of its way is
  std::vector<u32> parent_;     // by place: where that way leads
  std::vector<Channel> exits_;  // by place of the group's switches
  std::vector<Channel> entries_;
};

void WeightedTrees::route(const Turn& turn) {
  const NicGroup& group = graph_.groups()[turn.group];
  find_shortest(graph_, group, dag_);
  roots_ = static_cast<u32>(group.roots.size());
  find_runs();
  is_narrow(turn) ? route_with<i32>(turn) : route_with<i64>(turn);
}

void WeightedTrees::find_runs() {
  runs_.clear();
  to_.clear();
  sources_.resize(reached());
  for (u32 place = 0; place < reached(); ++place) {
    place_[dag_.order[place]] = place;
    sources_[place] = nics_choose_ ? 0 : graph_.nics_at(dag_.order[place]);
  }
  for (u32 place = roots_; place < reached(); ++place) {
    const auto ways = dag_.at(place);
    const bool goes_on = place > roots_ && runs_.back().ways == ways.size() &&
                         std::equal(ways.begin(), ways.end(), dag_.at(place - 1).begin(),
                                    [](const Way& a, const Way& b) { return a.to == b.to; });
    if (!goes_on) {
      runs_.push_back({place, place, static_cast<u32>(ways.size()), static_cast<u32>(to_.size()), 0, 1});
      for (const Way& way : ways) to_.push_back(place_[way.to]);
    }
    runs_.back().last = place + 1;
  }
}

// Whether all sums of weights fit into 31 bits, also when all paths of the turn share a channel.
bool WeightedTrees::is_narrow(const Turn& turn) const {
  const u64 paths = (u64{fabric_.nics()} * (turn.last - turn.first) << lmc_) * choice_step;
  const u64 channels = dag_.distance[dag_.order.back()] + 1;
  return channels * (heaviest_ + paths) + choice_step < u64{1} << 31;
}

template <class Key>
void WeightedTrees::route_with(const Turn& turn) {
  load_keys<Key>();
  for (u32 n = turn.first; n < turn.last; ++n)
    for (u32 i = 0; i < 1u << lmc_; ++i) {
      const Nic nic = graph_.groups()[turn.group].nics[n];
      const Address to = address_of(nic, lmc_, i);
      paths_ = sources_;
      choose_exits<Key>(nic, to);
      choose_ways<Key>(to);
      if (nics_choose_) choose_entries<Key>(nic, to);
      add_paths<Key>(destination_weight(to));
    }
  store_keys<Key>();
}

// Runs of several places are read lot by lot, also beyond their ends, where older keys may lie.
template <class Key>
void WeightedTrees::load_keys() {
  u32 size = 0;
  for (Run& run : runs_) {
    const u32 places = run.last - run.first;
    run.keys = size;
    run.stride = places == 1 ? 1 : (places + lot - 1) / lot * lot;
    size += run.ways * run.stride;
  }
  auto& [key, least] = keys<Key>();
  if (key.size() < size) key.resize(size);
  if (way_port_.size() < size) way_port_.resize(size);
  least.resize(graph_.switches().size() + lot);
  for (const Run& run : runs_)
    for (u32 place = run.first; place < run.last; ++place) {
      u32 at = run.keys + place - run.first, number = 0;
      for (const Way& way : dag_.at(place)) {
        key[at] = static_cast<Key>(weight_[way.channel] + number++);
        way_port_[at] = port_[way.channel];
        at += run.stride;
      }
    }
}

template <class Key>
void WeightedTrees::store_keys() {
  for (const Run& run : runs_)
    for (u32 place = run.first; place < run.last; ++place) {
      const Key* key = &keys<Key>().way[run.keys + place - run.first];
      for (const Way& way : dag_.at(place)) {
        const u64 weight = static_cast<u64>(*key) / choice_step * choice_step;
        heaviest_ = std::max(heaviest_, weight);
        weight_[way.channel] = weight;
        key += run.stride;
      }
    }
}

template <class Key>
void WeightedTrees::choose_exits(Nic nic, Address to) {
  for (u32 place = 0; place < roots_; ++place) {
    const Switch root = dag_.order[place];
    const auto exits = graph_.exits(root, nic);
    Channel best = exits.front();
    for (Channel c : exits)
      if (weight_[c] < weight_[best]) best = c;
    keys<Key>().least[place] = static_cast<Key>(weight_[best]);
    exits_[place] = best;
    if (!nics_choose_) --paths_[place];  // none to itself
    tables_(graph_.node(root), to) = port_[best];
  }
}

// The least keys of a run, a lot of places at a time; in two chains, so that the processor works on both.
void WeightedTrees::least_of_lots(const Run& run) {
  Keys<i32>& narrow = keys<i32>();
  std::array<Lot, choice_step> behind;
  for (u32 i = 0; i < run.ways; ++i) behind[i] = Lot{} + narrow.cost(to_[run.to + i]);
  const auto smaller = [](Lot a, Lot b) { return a < b ? a : b; };
  const auto load = [](const i32* key) {
    Lot out;
    std::memcpy(&out, key, sizeof(Lot));
    return out;
  };
  for (u32 j = 0; j < run.stride; j += lot) {
    const i32* key = &narrow.way[run.keys + j];
    const Lot *cost = behind.data(), *const end = cost + run.ways;
    Lot even = load(key) + *cost, odd = even;
    if (run.ways % 2) key += run.stride, ++cost;
    for (; cost != end; key += 2 * std::size_t{run.stride}, cost += 2) {
      even = smaller(even, load(key) + cost[0]);
      odd = smaller(odd, load(key + run.stride) + cost[1]);
    }
    even = smaller(even, odd);
    std::memcpy(&narrow.least[run.first + j], &even, sizeof(Lot));
  }
}

// Pointers are kept in variables: an entry might alias whatever a vector holds.
template <class Key>
void WeightedTrees::choose_ways(Address to) {
  Keys<Key>& all = keys<Key>();
  u8* const entry = &tables_(graph_.node(Switch{0}), to);
  u32 *const chosen = chosen_.data(), *const parent = parent_.data();
  const Switch* const order = dag_.order.data();
  const u8* const port = way_port_.data();
  Key* const least = all.least.data();
  for (const Run& run : runs_) {
    const u32 first = run.first, last = run.last, stride = run.stride, *const nearer = &to_[run.to];
    if (std::is_same_v<Key, i32> && last - first > 1)
      least_of_lots(run);
    else
      for (u32 place = first; place < last; ++place)
        least[place] = least_of(run.ways, [&, at = run.keys + place - first](std::size_t i) -> Key {
          return all.cost(nearer[i]) + all.way[at + i * stride];
        });
    for (u32 place = first, at = run.keys; place < last; ++place, ++at) {
      const u32 way = static_cast<u32>(least[place]) % choice_step;
      chosen[place] = at + way * stride;
      parent[place] = nearer[way];
      entry[index(order[place])] = port[chosen[place]];
    }
  }
}

template <class Key>
void WeightedTrees::choose_entries(Nic self, Address to) {
  const auto cost = [&](Channel c) {
    return weight_[c] + static_cast<u64>(keys<Key>().cost(place_[graph_.number(fabric_.to(c))]));
  };
  for (Node nic : fabric_.nic_nodes()) {
    find_entries(graph_, dag_, nic, entries_);
    if (nic == fabric_.node(self) || entries_.empty()) continue;
    Channel best = entries_.front();
    for (Channel c : entries_)
      if (cost(c) < cost(best)) best = c;
    tables_(nic, to) = port_[best];
    weight_[best] += destination_weight(to) * choice_step;
    ++paths_[place_[graph_.number(fabric_.to(best))]];
  }
}

// From the far end, so that each switch knows all paths that join at it.
template <class Key>
void WeightedTrees::add_paths(u64 each) {
  Key* const way = keys<Key>().way.data();
  u32* const paths = paths_.data();
  const u32 *const chosen = chosen_.data(), *const parent = parent_.data();
  const Key step = static_cast<Key>(each * choice_step);
  for (u32 place = reached(); place-- > roots_;) {
    way[chosen[place]] += static_cast<Key>(paths[place]) * step;
    paths[parent[place]] += paths[place];
  }
  for (u32 place = 0; place < roots_; ++place) weight_[exits_[place]] += paths_[place] * each * choice_step;
}

}  // namespace

Tables weighted_trees(const PortGraph& graph, u32 lmc, std::span<const Turn> order) {
  WeightedTrees trees(graph, lmc);
  for (const Turn& turn : order) trees.route(turn);
  Tables tables = std::move(trees).take();
  enter_direct(graph.fabric(), lmc, tables);
  return tables;
}

}  // namespace banyan::engines
