#include "engines/alternatives.hpp"

#include <algorithm>
#include <array>

namespace banyan::engines {

u8 named_port(const PortOrder& layout, u32 q) {
  const u32 n = static_cast<u32>(layout.to.size());
  const auto& cables = layout.to[q % n];
  return cables.size() == 1 ? cables[0] : cables[q / n % cables.size()];
}

namespace {

// The first of 0..count-1 that is useful, from `from` around without it, each time r mod the number of those
// not yet named; there is one. Indices that lost different ones thus go different ways.
template <class Useful>
u32 first_useful(u32 count, u32 from, u32 r, Useful useful) {
  std::array<u8, 256> left;
  u32 size = 0;
  for (u32 i = from + 1; i < from + count; ++i) left[size++] = static_cast<u8>(i < count ? i : i - count);
  for (;; --size) {
    u8* named = left.data() + r % size;
    if (useful(*named)) return *named;
    std::copy(named + 1, left.data() + size, named);
  }
}

}  // namespace

u8 other_port(const PortOrder& layout, const UsefulPorts& useful, u32 q) {
  const u32 n = static_cast<u32>(layout.to.size()), node = q % n, r = q / n;
  const auto cable_to = [&](u32 to, u32 left) {
    const auto& cables = layout.to[to];
    const u32 c = static_cast<u32>(cables.size()), named = left % c;
    if (useful.ports[cables[named]]) return cables[named];
    return cables[first_useful(c, named, left / c, [&](u32 i) { return useful.ports[cables[i]]; })];
  };
  if (useful.nodes[node]) return cable_to(node, r);
  return cable_to(first_useful(n, node, r, [&](u32 i) { return useful.nodes[i]; }), r / (n - 1));
}

Alternatives::Alternatives(const RankedTree& tree)
    : tree_(tree), cost_(tree.nodes().size()), turn_(cost_), via_(cost_), kind_of_(cost_) {
  make_layouts();
}

void Alternatives::make_layouts() {
  for (TreeNode v : tree_.nodes()) {
    PortOrder layout{tree_.rank(v), {}};
    PortSet live;
    bool whole = true;
    for (const auto& u : tree_.up(v)) {
      PortOrder back{tree_.rank(u.parent), {{}}};
      layout.to.emplace_back();
      for (const auto& cable : tree_.cables(u)) {
        layout.to.back().push_back(cable.up);
        back.to[0].push_back(cable.down);
        live[cable.up] = cable.live;
      }
      whole &= u.live == u.cables;
      parents_.push_back(u.parent);
      down_layout_.push_back(intern(std::move(back)));
    }
    up_layout_.push_back(intern(std::move(layout)));
    live_up_.push_back(whole ? nullptr : useful_ports(up_layout_[v], live));
    note_ascent(v);
  }
  ascents_.resize(ascent_numbers_.size());
}

void Alternatives::note_ascent(TreeNode v) {
  ascent_of_.push_back(none_);
  if (live_up_[v]) return;
  std::vector<TreeNode> parents(parents_.begin() + tree_.first_up(v), parents_.end());
  const u32 next = static_cast<u32>(ascent_numbers_.size());
  ascent_of_[v] = ascent_numbers_.try_emplace({up_layout_[v], std::move(parents)}, next).first->second;
}

u32 Alternatives::intern(PortOrder layout) {
  const u32 next = static_cast<u32>(layouts_.size());
  const auto [place, is_new] = layout_numbers_.try_emplace(std::move(layout), next);
  if (is_new) {
    layouts_.push_back(&place->first);
    useful_ports_.emplace_back();
    kind_number_.resize(layouts_.size() * (tree_.top() + 1) * 2, 0);
  }
  return place->second;
}

const UsefulPorts* Alternatives::useful_ports(u32 layout, const PortSet& ports) {
  for (const UsefulPorts& known : useful_ports_[layout])
    if (known.ports == ports) return &known;
  UsefulPorts useful{ports, {}};
  for (const auto& cables : layouts_[layout]->to)
    useful.nodes.push_back(std::any_of(cables.begin(), cables.end(), [&](u8 port) { return ports[port]; }));
  useful_ports_[layout].push_back(std::move(useful));
  return &useful_ports_[layout].back();
}

// First all that the start is below, upwards; then the others downwards, by the way up that costs least.
void Alternatives::explore(TreeNode start) {
  std::fill(cost_.begin(), cost_.end(), no_way);
  std::fill(via_.begin(), via_.end(), none_);
  std::fill(ascents_.begin(), ascents_.end(), Ascent{});
  for (u32 number : numbered_) kind_number_[number] = 0;
  numbered_.clear();
  kinds_.assign(1, {});
  cost_[start] = 0;
  reach_upwards();
  const auto& order = tree_.by_rank();
  for (auto v = order.rbegin(); v != order.rend(); ++v) {
    const bool above = is_above(*v);
    if (above) turn_[*v] = tree_.rank(*v);
    kind_of_[*v] = *v == start ? 0 : above ? descend(*v) : ascend(*v);
  }
}

void Alternatives::reach_upwards() {
  for (TreeNode v : tree_.by_rank()) {
    if (cost_[v] == no_way) continue;
    const u32 next = cost_[v] + 1;
    for (u32 u = tree_.first_up(v); u < tree_.last_up(v); ++u) {
      u32& cost = cost_[parents_[u]];
      if (cost < next || tree_.uplinks()[u].live == 0) continue;
      via_[parents_[u]] = cost == next ? several_ : u;
      cost = next;
    }
  }
}

u32 Alternatives::kind(u32 layout, u32 turn, bool down, const UsefulPorts* useful) {
  u32& whole = kind_number_[(layout * (tree_.top() + 1) + turn) * 2 + down];
  if (whole == 0) {
    numbered_.push_back(static_cast<u32>(&whole - kind_number_.data()));
    whole = static_cast<u32>(kinds_.size());
    kinds_.push_back({layouts_[layout], nullptr, whole, turn, down});
  }
  if (!useful) return whole;
  if (kinds_.back().whole != whole || kinds_.back().useful != useful)
    kinds_.push_back({layouts_[layout], useful, whole, turn, down});
  return static_cast<u32>(kinds_.size()) - 1;
}

u32 Alternatives::descend(TreeNode v) {
  if (via_[v] == several_) return descend_several(v);
  const auto& uplink = tree_.uplinks()[via_[v]];
  const u32 layout = down_layout_[via_[v]];
  if (uplink.live == uplink.cables) return kind(layout, tree_.rank(v), true, nullptr);
  PortSet useful;
  for (const auto& cable : tree_.cables(uplink)) useful[cable.down] = cable.live;
  return kind(layout, tree_.rank(v), true, useful_ports(layout, useful));
}

// In a tree that is not regular several children may lead to the start, all equally near.
u32 Alternatives::descend_several(TreeNode v) {
  PortOrder layout{tree_.rank(v), {}};
  for (u32 u : tree_.down(v)) {
    const auto& uplink = tree_.uplinks()[u];
    if (uplink.live == 0 || cost_[uplink.child] + 1 != cost_[v]) continue;
    layout.to.emplace_back();
    for (const auto& cable : tree_.cables(uplink))
      if (cable.live) layout.to.back().push_back(cable.down);
  }
  return kind(intern(std::move(layout)), tree_.rank(v), true, nullptr);
}

u32 Alternatives::ascend(TreeNode v) {
  if (ascent_of_[v] == none_) return find_ascent(v);
  Ascent& known = ascents_[ascent_of_[v]];
  if (!known.asked) {
    const u32 kind = find_ascent(v);
    known = {true, cost_[v], turn_[v], kind};
  }
  cost_[v] = known.cost;
  turn_[v] = known.turn;
  return known.kind;
}

u32 Alternatives::find_ascent(TreeNode v) {
  const u32 first = tree_.first_up(v), last = tree_.last_up(v), layout = up_layout_[v];
  u32 least = no_way, maximum = 0, best = first;
  for (u32 u = first; u < last; ++u) {
    if (tree_.uplinks()[u].live == 0) continue;
    const u32 cost = cost_[parents_[u]];
    maximum = std::max(maximum, cost);
    if (cost < least) least = cost, best = u;
  }
  if (least == no_way) return 0;
  cost_[v] = least + 1;
  turn_[v] = turn_[parents_[best]];
  if (least == maximum) return kind(layout, turn_[v], false, live_up_[v]);
  PortSet useful;
  for (u32 u = first; u < last; ++u)
    if (cost_[parents_[u]] == least)
      for (const auto& cable : tree_.cables(tree_.uplinks()[u])) useful[cable.up] = cable.live;
  return kind(layout, turn_[v], false, useful_ports(layout, useful));
}

}  // namespace banyan::engines
