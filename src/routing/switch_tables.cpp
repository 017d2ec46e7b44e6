#include "routing/switch_tables.hpp"

#include <algorithm>
#include <span>

#include "fabric/levels.hpp"

namespace banyan::routing {
namespace {

// Switches by number, with what a search needs of their cables.
class NextSwitches {
 public:
  NextSwitches(const Fabric& fabric, const IdVector<Node, u32>& level) : first_(fabric.switches() + 1) {
    for (Node v : fabric.switch_nodes()) {
      for (Channel c : fabric.channels(v))
        if (fabric.cabled(c) && fabric.is_switch(fabric.to(c)))
          cables_.push_back({index(fabric.to(c)) - fabric.nics(),
                             static_cast<u8>(index(fabric.port(fabric.reverse(c)))),
                             level[fabric.to(c)]<level[v], level[fabric.to(c)]> level[v]});
      first_[index(v) - fabric.nics() + 1] = static_cast<u32>(cables_.size());
    }
  }

  // Seen from one switch: the other one, its port towards here, and whether that channel leads up or down.
  struct Cable {
    u32 from;
    u8 port;
    bool rises, falls;
  };
  std::span<const Cable> cables(u32 at) const {
    return {cables_.data() + first_[at], cables_.data() + first_[at + 1]};
  }

 private:
  std::vector<u32> first_;
  std::vector<Cable> cables_;
};

// Searches backwards from one switch. A way that turns from down to up is taken only where no other is left.
class Search {
 public:
  explicit Search(const NextSwitches& graph) : graph_(graph) {}

  void run(u32 goal, std::span<u8> ports) {
    rises_.assign(ports.size(), false);
    left_ = ports.size() - 1;
    ports[goal] = 0;  // until all are found: it needs no way to itself
    now_ = {goal};
    while (!now_.empty()) {
      later_.clear();
      for (std::size_t i = 0; i < now_.size() && left_ > 0; ++i) extend(now_[i], ports);
      now_.clear();
      for (const NextSwitches::Cable& cable : later_) take(cable, ports);
    }
    ports[goal] = Tables::no_port;
  }

 private:
  void extend(u32 node, std::span<u8> ports) {
    const bool may_turn = rises_[node];
    for (const NextSwitches::Cable& cable : graph_.cables(node)) {
      if (ports[cable.from] != Tables::no_port) continue;
      if (cable.falls && may_turn)
        later_.push_back(cable);
      else
        take(cable, ports);
    }
  }
  void take(const NextSwitches::Cable& cable, std::span<u8> ports) {
    if (ports[cable.from] != Tables::no_port) return;
    ports[cable.from] = cable.port;
    rises_[cable.from] = cable.rises;
    now_.push_back(cable.from);
    --left_;
  }

  const NextSwitches& graph_;
  std::vector<u8> rises_;                   // by switch: its chosen channel leads up
  std::vector<u32> now_;                    // reached, in order
  std::vector<NextSwitches::Cable> later_;  // ways with one more turn
  std::size_t left_ = 0;                    // switches that were not reached
};

}  // namespace

SwitchTables::SwitchTables(const Fabric& fabric, unsigned threads)
    : nics_(fabric.nics()),
      switches_(fabric.switches()),
      ports_(std::size_t{switches_} * switches_, Tables::no_port) {
  const NextSwitches graph(fabric, levels_from_hosts(fabric));
  parallel_ranges(switches_, threads, [&](u64 first, u64 last) {
    Search search(graph);
    for (u64 s = first; s < last; ++s)
      search.run(static_cast<u32>(s), {ports_.data() + s * switches_, switches_});
  });
}

// A cable that no way to a goal takes did not change the search for it.
SwitchTables::SwitchTables(const SwitchTables& before, const Fabric& old_fabric, const Fabric& fabric,
                           unsigned threads)
    : SwitchTables(before) {
  const auto level = levels_from_hosts(fabric);
  std::vector<Channel> gone;
  for (Channel c : old_fabric.channels())
    if (old_fabric.cabled(c) && !fabric.cabled(c)) gone.push_back(c);
  if (level != levels_from_hosts(old_fabric)) {
    *this = SwitchTables(fabric, threads);
    return;
  }
  const NextSwitches graph(fabric, level);
  Search search(graph);
  for (u32 goal = 0; goal < switches_; ++goal) {
    const std::span<u8> ports{ports_.data() + std::size_t{goal} * switches_, switches_};
    const auto is_used = [&](Channel c) {
      return ports[index(fabric.from(c)) - nics_] == index(fabric.port(c));
    };
    if (std::none_of(gone.begin(), gone.end(), is_used)) continue;
    std::fill(ports.begin(), ports.end(), Tables::no_port);
    search.run(goal, ports);
  }
}

}  // namespace banyan::routing
