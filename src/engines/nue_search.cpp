#include "engines/nue_search.hpp"

#include <algorithm>
#include <tuple>

namespace banyan::engines {

namespace {
constexpr u32 nothing = Backbone::nothing;
constexpr SwitchChannel no_exit = none<SwitchChannel>;
}  // namespace

NueSearch::NueSearch(const Backbone& backbone)
    : b_(backbone),
      hosts_(static_cast<u32>(backbone.first_plug.size()) - 1),
      weight_(backbone.channels),
      exit_(backbone.switches),
      distance_(backbone.switches),
      cost_(backbone.switches),
      escape_exit_(backbone.switches),
      tried_(backbone.switches),
      carried_(backbone.switches) {}

void NueSearch::route(std::span<const Plug> plugs, AcyclicDependencies& lane, const EscapeTree& escape) {
  lane_ = &lane;
  std::fill(escape_exit_.begin(), escape_exit_.end(), no_exit);
  for (;;) {
    start(plugs);
    grow();
    while (find_stuck(plugs) &&
           std::any_of(stuck_.begin(), stuck_.end(), [&](Switch u) { return bend_for(u); }))
      grow();
    if (stuck_.empty()) break;
    lane.undo(0);
    escape_from_stuck(escape, plugs);
  }
  settle();
  fill_idle();
}

// The leaves, and around them what was put on the escape tree.
void NueSearch::start(std::span<const Plug> plugs) {
  std::fill(exit_.begin(), exit_.end(), no_exit);
  std::fill(distance_.begin(), distance_.end(), nothing);
  for (auto& ring : rings_) ring.clear();
  if (rings_.empty()) rings_.emplace_back();
  for (const Plug& plug : plugs) {
    if (distance_[plug.leaf] == 0) continue;
    distance_[plug.leaf] = 0;
    cost_[plug.leaf] = 0;
    rings_[0].push_back(plug.leaf);
  }
  for (u32 level = 0; level < rings_.size(); ++level)
    for (std::size_t i = 0; i < rings_[level].size(); ++i) {
      const Switch v = rings_[level][i];
      for (SwitchChannel e : b_.exits(v))
        if (const Switch u = b_.to[e]; escape_exit_[u] == b_.reverse[e]) join(u, b_.reverse[e]);
    }
}

// Ring after ring around the destination; a switch that finds no permitted way in one ring waits for the
// next.
void NueSearch::grow() {
  std::fill(tried_.begin(), tried_.end(), nothing);
  for (u32 level = 0; level < rings_.size(); ++level)
    for (std::size_t i = 0; i < rings_[level].size(); ++i) {
      const Switch v = rings_[level][i];
      if (distance_[v] != level) continue;
      for (SwitchChannel e : b_.exits(v)) {
        const Switch u = b_.to[e];
        if (distance_[u] != nothing || tried_[u] == level) continue;
        tried_[u] = level;
        attach(u, level);
      }
    }
}

// The permitted exit with the fewest channels to go; among these the one of least cost. A dependency against
// the lane's present order costs half as much again, and one path of every host: the order stays while loads
// permit, and with it the dependencies that later destinations need.
bool NueSearch::attach(Switch u, u32 level) {
  for (;;) {
    std::tuple best(nothing, ~u64{0});
    SwitchChannel best_exit = no_exit;
    for (SwitchChannel c : b_.exits(u)) {
      const Switch v = b_.to[c];
      if (distance_[v] > level || distance_[v] > std::get<0>(best)) continue;
      const SwitchChannel next = exit_[v];
      if (next != no_exit && lane_->is_blocked(c, next)) continue;
      const u64 cost = cost_[v] + weight_[c];
      const bool against = next != no_exit && !lane_->in_order(c, next);
      const std::tuple key(distance_[v], against ? cost + cost / 2 + hosts_ : cost);
      if (key < best) best = key, best_exit = c;
    }
    if (best_exit == no_exit) return false;
    const SwitchChannel next = exit_[b_.to[best_exit]];
    if (next == no_exit || lane_->add(best_exit, next)) return join(u, best_exit), true;
  }
}

void NueSearch::join(Switch u, SwitchChannel channel) {
  const Switch v = b_.to[channel];
  exit_[u] = channel;
  distance_[u] = distance_[v] + 1;
  cost_[u] = cost_[v] + weight_[channel];
  if (distance_[u] >= rings_.size()) rings_.resize(distance_[u] + 1);
  rings_[distance_[u]].push_back(u);
}

// Switches with hosts that could be connected but are not.
bool NueSearch::find_stuck(std::span<const Plug> plugs) {
  stuck_.clear();
  for (Switch v : b_.all_switches())
    if (distance_[v] == nothing && b_.nics[v] > 0 &&
        std::any_of(plugs.begin(), plugs.end(),
                    [&](const Plug& plug) { return b_.component[plug.leaf] == b_.component[v]; }))
      stuck_.push_back(v);
  return !stuck_.empty();
}

// Local backtracking: a neighbour takes another exit, which those behind it may follow too.
bool NueSearch::bend_for(Switch u) {
  std::vector<std::tuple<u32, SwitchChannel, SwitchChannel>>
      ways;  // distance, channel to the neighbour, its other exit
  for (SwitchChannel c : b_.exits(u)) {
    const Switch v = b_.to[c];
    if (distance_[v] == nothing || escape_exit_[v] != no_exit) continue;
    for (SwitchChannel e : b_.exits(v)) {
      const Switch w = b_.to[e];
      if (distance_[w] == nothing || w == u || e == exit_[v] || lane_->is_blocked(c, e) || passes(w, v))
        continue;
      if (exit_[w] == no_exit || !lane_->is_blocked(e, exit_[w])) ways.emplace_back(distance_[w] + 2, c, e);
    }
  }
  std::sort(ways.begin(), ways.end());
  return std::any_of(ways.begin(), ways.end(), [&](const auto& way) {
    if (!bend(std::get<1>(way), std::get<2>(way))) return false;
    return join(u, std::get<1>(way)), true;
  });
}

bool NueSearch::bend(SwitchChannel channel, SwitchChannel other_exit) {
  const Switch v = b_.to[channel];
  const SwitchChannel next = exit_[b_.to[other_exit]];
  const std::size_t mark = lane_->mark();
  bool permitted = (next == no_exit || lane_->add(other_exit, next)) && lane_->add(channel, other_exit);
  for (SwitchChannel e : b_.exits(v))
    if (permitted && exit_[b_.to[e]] == b_.reverse[e]) permitted = lane_->add(b_.reverse[e], other_exit);
  if (!permitted) return lane_->undo(mark), false;
  ++bends_;
  exit_[v] = other_exit;
  measure_again(v);
  return true;
}

bool NueSearch::passes(Switch from, Switch v) const {
  for (; from != v; from = b_.to[exit_[from]])
    if (exit_[from] == no_exit) return false;
  return true;
}

// Distances and costs of v and all behind it, after v took another exit. They are grown from once more.
void NueSearch::measure_again(Switch v) {
  std::vector<Switch> queue = {v};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Switch x = queue[i];
    join(x, exit_[x]);
    for (SwitchChannel e : b_.exits(x))
      if (exit_[b_.to[e]] == b_.reverse[e]) queue.push_back(b_.to[e]);
  }
}

// The paths of the escape tree from stuck switches are permitted whatever else is used.
void NueSearch::escape_from_stuck(const EscapeTree& escape, std::span<const Plug> plugs) {
  escapes_ += stuck_.size();
  for (Switch u : stuck_) {
    const auto plug = std::find_if(plugs.begin(), plugs.end(),
                                   [&](const Plug& p) { return b_.component[p.leaf] == b_.component[u]; });
    bool on_the_way = true;  // up to the first leaf of the destination
    escape.path(u, plug->leaf, [&](Switch v, SwitchChannel exit) {
      on_the_way =
          on_the_way && std::none_of(plugs.begin(), plugs.end(), [&](const Plug& p) { return p.leaf == v; });
      if (on_the_way) escape_exit_[v] = exit;
    });
  }
}

// Adds the weight of this tree: on each channel its paths, and as many as a quarter of all hosts have. With
// paths alone, channels that few hosts use would gather destinations. Then gives back dependencies that no
// host's packets cause.
void NueSearch::settle() {
  for (auto& ring : rings_) ring.clear();
  for (Switch v : b_.all_switches())
    if (reached(v)) rings_[distance_[v]].push_back(v);
  carried_ = b_.nics;
  for (std::size_t level = rings_.size(); level-- > 1;)
    for (Switch v : rings_[level]) {
      carried_[b_.to[exit_[v]]] += carried_[v];
      if (carried_[v] > 0) weight_[exit_[v]] += carried_[v] + hosts_ / 4;
    }
  lane_->settle([&](SwitchChannel held, SwitchChannel wanted) {
    const Switch v = b_.from[held];
    return exit_[v] == held && exit_[b_.to[held]] == wanted && carried_[v] > 0;
  });
}

// Switches that carry nothing get an entry all the same: a complete table serves whoever manages the switch.
void NueSearch::fill_idle() {
  for (u32 level = 0; level < rings_.size(); ++level)
    for (std::size_t i = 0; i < rings_[level].size(); ++i) {
      const Switch v = rings_[level][i];
      for (SwitchChannel e : b_.exits(v))
        if (!reached(b_.to[e])) join(b_.to[e], b_.reverse[e]);
    }
}

}  // namespace banyan::engines
