#include "topology/dragonfly.hpp"

#include <fmt/format.h>

#include <utility>

#include "topology/family.hpp"
#include "topology/proposals.hpp"
#include "topology/shape_links.hpp"

namespace banyan::topology {
namespace {

using End = GlobalCabling::End;

// In the last, incomplete round the offsets come in pairs 1, -1, 2, -2, ..., and the half way around pairs
// with itself: slot i of that round. Its far end is the slot with the opposite offset.
std::optional<End> far_end_of_rest(u32 groups, u32 rest, u32 first_slot, End near) {
  const u32 i = near.slot - first_slot;
  const bool last_alone = i + 1 == rest && rest % 2 == 1;
  if (last_alone && groups % 2 == 1) return std::nullopt;
  const u32 offset = last_alone ? groups / 2 : (i % 2 == 0 ? i / 2 + 1 : groups - (i / 2 + 1));
  const u32 slot = last_alone ? i : i ^ 1;
  return End{(near.group + offset) % groups, first_slot + slot};
}

std::string write_options(u32 groups, GlobalCabling::Order order, const std::vector<LinkClass>& links) {
  OptionWriter out;
  out.add("groups", groups, 0);
  if (order == GlobalCabling::Order::absolute) out.add("order", "absolute");
  return out.add_links(links).str();
}

GlobalCabling::Order read_order(const Notation& n) {
  const auto word = n.word("order");
  if (!word || *word == "relative") return GlobalCabling::Order::relative;
  if (*word == "absolute") return GlobalCabling::Order::absolute;
  n.fail("order must be relative or absolute, not '" + *word + "'");
}

// Both kinds: cables between slots, where slot s of a group is port s % ports of switch s / ports.
template <class SwitchOf>
void connect_groups(FabricBuilder& builder, const GlobalCabling& cabling, u32 ports, u32 first_port,
                    u8 link_class, SwitchOf&& switch_of) {
  for (u32 g = 0; g < cabling.groups; ++g)
    for (u32 s = 0; s < cabling.slots; ++s)
      if (const auto far = cabling.far_end({g, s}); far && std::pair(g, s) < std::pair(far->group, far->slot))
        builder.connect(switch_of(g, s / ports), Port{first_port + s % ports},
                        switch_of(far->group, far->slot / ports), Port{first_port + far->slot % ports},
                        link_class);
}

}  // namespace

std::optional<End> GlobalCabling::far_end(End near) const {
  if (groups < 2) return std::nullopt;
  const u32 peers = groups - 1, round = near.slot / peers, full = slots / peers;
  if (round == full) return far_end_of_rest(groups, slots % peers, full * peers, near);
  const u32 s = near.slot % peers;
  if (order == Order::relative) return End{(near.group + s + 1) % groups, round * peers + (peers - 1 - s)};
  const u32 far = s < near.group ? s : s + 1;
  return End{far, round * peers + (near.group < far ? near.group : near.group - 1)};
}

u32 GlobalCabling::empty_slots() const {
  return groups > 1 && groups % 2 == 1 && slots % (groups - 1) % 2 == 1;
}

u32 GlobalCabling::max_between_groups() const {
  const u32 full = slots / (groups - 1), rest = slots % (groups - 1) - empty_slots();
  return full + (rest > 0);
}

// Of a slot that leads o groups further on, the arc has min(o, groups - o, some, groups - some) that leave
// it.
u64 GlobalCabling::cut_of_arc(u32 some) const {
  u64 sum = 0;
  for (u32 slot = 0; slot < slots; ++slot)
    if (const auto far = far_end({0, slot}))
      sum += std::min(std::min(far->group, groups - far->group), std::min(some, groups - some));
  return sum;
}

std::string Dragonfly::notation() const {
  return fmt::format("Dragonfly({},{},{}{})", hosts_per_switch, group_switches, global_ports,
                     write_options(groups, order, links));
}

u64 Dragonfly::switch_ports() const {
  return saturating_multiply(u64{hosts_per_switch} + group_switches - 1 + global_ports,
                             saturating_multiply(group_switches, groups));
}

void Dragonfly::add_switches(FabricBuilder& builder, const std::string& prefix) const {
  for (u32 g = 0; g < groups; ++g) {
    builder.name_next_switches(fmt::format("{}g{}s", prefix, g));
    for (u32 i = 0; i < group_switches; ++i)
      builder.add_switch(hosts_per_switch + group_switches - 1 + global_ports);
  }
}

void Dragonfly::connect(FabricBuilder& builder, const Plane& plane) const {
  const u8 local = builder.add_class(links[1]), global = builder.add_class(links[2]);
  const auto switch_of = [&](u32 group, u32 i) { return plane.switch_(group * group_switches + i); };
  plane.connect_hosts(builder, hosts(), hosts_per_switch, links[0]);
  for (u32 g = 0; g < groups; ++g)
    for (u32 a = 0; a < group_switches; ++a)
      for (u32 b = a + 1; b < group_switches; ++b)
        builder.connect(switch_of(g, a), Port{hosts_per_switch + b - 1}, switch_of(g, b),
                        Port{hosts_per_switch + a}, local);
  connect_groups(builder, {groups, group_switches * global_ports, order}, global_ports,
                 hosts_per_switch + group_switches - 1, global, switch_of);
}

namespace {

// Switches at one and two hops from the switches of a group, each in turn. All groups are alike, and every
// two have a cable: three hops always suffice.
//
// Two hops reach all switches of groups that the switch has a cable to, the switches of other groups that
// have a cable to its group, and what cables of the former groups lead to.
class DragonflyNeighbours {
 public:
  DragonflyNeighbours(const GlobalCabling& cabling, u32 global_ports)
      : a_(cabling.slots / global_ports),
        h_(global_ports),
        groups_(cabling.groups),
        joined_(std::size_t{a_} * groups_),
        joined_of_group_(groups_),
        seen_(joined_.size(), nobody),
        group_seen_(groups_, nobody) {
    for (u32 slot = 0; slot < cabling.slots; ++slot) {
      const auto far = cabling.far_end({0, slot});
      far_.push_back(far.value_or(End{0, slot}));  // its own group, which has one hop
      if (!far || joined_[number(far->group, far->slot / h_)]) continue;
      joined_[number(far->group, far->slot / h_)] = true;
      ++joined_of_group_[far->group];
      ++joined_in_all_;
    }
  }

  struct Counts {
    u64 one = 0, two = 0;
  };
  Counts around(u32 source) {
    Counts out{a_ - 1, joined_in_all_};
    near_.clear();
    group_seen_[0] = source;
    each_far({0, source}, [&](End to) {
      if (to.group == 0 || !is_new(seen_[number(to.group, to.slot)], source)) return;
      near_.push_back(to);
      ++out.one;
      --out.two;
      if (is_new(group_seen_[to.group], source)) out.two += a_ - joined_of_group_[to.group];
    });
    for (const End near : near_)
      each_far(near, [&](End to) {
        const std::size_t at = number(to.group, to.slot);
        if (group_seen_[to.group] != source && !joined_[at]) out.two += is_new(seen_[at], source);
      });
    return out;
  }

 private:
  static constexpr u32 nobody = ~u32{0};

  // Here `slot` is the number of a switch in its group.
  std::size_t number(u32 group, u32 slot) const { return std::size_t{group} * a_ + slot; }
  static bool is_new(u32& seen, u32 source) { return std::exchange(seen, source) != source; }
  template <class F>
  void each_far(End from, F&& f) const {
    for (u32 slot = from.slot * h_; slot < (from.slot + 1) * h_; ++slot) {
      const u32 group = from.group + far_[slot].group;
      f(End{group < groups_ ? group : group - groups_, far_[slot].slot / h_});
    }
  }

  u32 a_, h_, groups_;
  std::vector<bool> joined_;          // by switch: whether it has a cable to group 0
  std::vector<u32> joined_of_group_;  // how many have
  u64 joined_in_all_ = 0;
  std::vector<u32> seen_, group_seen_;  // by switch, by group: the last source that saw it
  std::vector<End> far_;                // of group 0, by slot
  std::vector<End> near_;               // where the cables of a source lead
};

// Between switches, from one group; hosts of a switch make no difference.
struct DragonflyHops {
  u64 sum = 0;  // from all switches of the group to all switches
  u32 farthest = 0;
};

DragonflyHops hops_of(const Dragonfly& shape) {
  DragonflyNeighbours neighbours(shape.cabling(), shape.global_ports);
  const u64 others = u64{shape.group_switches} * shape.groups - 1;
  DragonflyHops out;
  for (u32 source = 0; source < shape.group_switches; ++source) {
    const auto [one, two] = neighbours.around(source);
    out.sum += one + 2 * two + 3 * (others - one - two);
    out.farthest = std::max(out.farthest, one + two < others ? 3U : two > 0 ? 2U : others > 0 ? 1U : 0U);
  }
  return out;
}

Distances distances_by(const Dragonfly& shape, const DragonflyHops& hops) {
  Distances out;
  if (shape.hosts() < 2) return out;
  out.diameter = 2 + hops.farthest;
  out.average = 2 + static_cast<double>(hops.sum) / shape.group_switches * shape.hosts_per_switch /
                        (shape.hosts() - 1.0);
  return out;
}

// Cables that a group cuts if its switches below `some` go with the arc of groups behind it, the others with
// the arc of the same length before it; and those between the two arcs. Global cables only.
template <class IsBehind>
u64 cut_through_group(const GlobalCabling& cabling, IsBehind&& is_behind) {
  const u32 arc = cabling.groups / 2;  // groups 1 ... arc, seen from the group
  u64 own = 0, to_arc = 0;
  for (u32 slot = 0; slot < cabling.slots; ++slot)
    if (const auto far = cabling.far_end({0, slot})) {
      const bool in_arc = far->group <= arc;
      to_arc += in_arc;
      own += in_arc != is_behind(slot);
    }
  return cabling.cut_of_arc(arc) - to_arc + own;
}

// Global cables that are cut if the slots below `some` of every group are on one side.
u64 cut_through_all(const GlobalCabling& cabling, u32 some) {
  u64 ends = 0;
  for (u32 slot = 0; slot < cabling.slots; ++slot)
    if (const auto far = cabling.far_end({0, slot})) ends += (slot < some) != (far->slot < some);
  return ends * cabling.groups / 2;
}

}  // namespace

Distances Dragonfly::distances_without_paths() const { return distances_by(*this, hops_of(*this)); }

// Half the groups, the middle one halved where they are odd; or half of every group.
Bisection Dragonfly::best_cut() const {
  const u32 half = group_switches / 2;
  const u64 local = u64{half} * (group_switches - half), one = group_switches % 2 * (hosts_per_switch / 2);
  if (groups == 1) return {local + one, false};
  u64 least =
      groups % 2 == 0
          ? cabling().cut_of_arc(groups / 2)
          : cut_through_group(cabling(), [&](u32 slot) { return slot < half * global_ports; }) + local + one;
  if (group_switches % 2 == 0)
    least = std::min(least, groups * local + cut_through_all(cabling(), half * global_ports));
  return {least, false};
}

u64 Dragonfly::cables(u32 link_class) const {
  if (link_class == 0) return hosts();
  if (link_class == 1) return u64{groups} * (u64{group_switches} * (group_switches - 1) / 2);
  return u64{groups} * cabling().slots;
}

namespace {

// Of global slot i, counted through all groups; nothing where the other end of a cable counts it.
std::optional<std::pair<End, End>> global_cable(const GlobalCabling& cabling, u64 i) {
  const End near{static_cast<u32>(i / cabling.slots), static_cast<u32>(i % cabling.slots)};
  const auto far = cabling.far_end(near);
  if (!far || std::pair(near.group, near.slot) > std::pair(far->group, far->slot)) return std::nullopt;
  return std::pair(near, *far);
}

}  // namespace

std::optional<CableEnds> Dragonfly::cable(u32 link_class, u64 i) const {
  if (link_class == 0) return CableEnds{static_cast<u32>(i), leaf(static_cast<u32>(i))};
  if (link_class == 1) {
    const u64 pairs = u64{group_switches} * (group_switches - 1) / 2;
    const u32 first = static_cast<u32>(i / pairs) * group_switches;
    const CableEnds pair = ring_pair(group_switches, i % pairs);
    return CableEnds{first + pair.from, first + pair.to};
  }
  const auto ends = global_cable(cabling(), i);
  if (!ends) return std::nullopt;
  const auto number = [&](End end) { return end.group * group_switches + end.slot / global_ports; };
  return CableEnds{number(ends->first), number(ends->second)};
}

std::string DragonflyPlus::notation() const {
  return fmt::format("Dragonfly+({},{},{},{}{})", hosts_per_leaf, leaves, spines, global_ports,
                     write_options(groups, order, links));
}

u64 DragonflyPlus::switch_ports() const {
  const u64 group = saturating_add(saturating_multiply(leaves, u64{hosts_per_leaf} + spines),
                                   saturating_multiply(spines, u64{leaves} + global_ports));
  return saturating_multiply(group, groups);
}

void DragonflyPlus::add_switches(FabricBuilder& builder, const std::string& prefix) const {
  for (u32 g = 0; g < groups; ++g) {
    builder.name_next_switches(fmt::format("{}g{}leaf", prefix, g));
    for (u32 i = 0; i < leaves; ++i) builder.add_switch(hosts_per_leaf + spines);
  }
  for (u32 g = 0; g < groups; ++g) {
    builder.name_next_switches(fmt::format("{}g{}spine", prefix, g));
    for (u32 i = 0; i < spines; ++i) builder.add_switch(leaves + global_ports);
  }
}

void DragonflyPlus::connect(FabricBuilder& builder, const Plane& plane) const {
  const u8 local = builder.add_class(links[1]), global = builder.add_class(links[2]);
  const auto spine_of = [&](u32 group, u32 i) { return plane.switch_(leaves * groups + group * spines + i); };
  plane.connect_hosts(builder, hosts(), hosts_per_leaf, links[0]);
  for (u32 g = 0; g < groups; ++g)
    for (u32 leaf = 0; leaf < leaves; ++leaf)
      for (u32 spine = 0; spine < spines; ++spine)
        builder.connect(plane.switch_(g * leaves + leaf), Port{hosts_per_leaf + spine}, spine_of(g, spine),
                        Port{leaf}, local);
  connect_groups(builder, {groups, spines * global_ports, order}, global_ports, leaves, global, spine_of);
}

// Leaves of different groups are three hops apart: up, across, down.
std::optional<Distances> DragonflyPlus::distances() const {
  Distances out;
  if (hosts() < 2) return out;
  const u64 leaf = hosts_per_leaf - 1, group = u64{hosts_per_leaf} * (leaves - 1);
  const u64 others = u64{hosts_per_leaf} * leaves * (groups - 1);
  out.average = static_cast<double>(2 * leaf + 4 * group + 5 * others) / (hosts() - 1.0);
  out.diameter = others > 0 ? 5 : group > 0 ? 4 : 2;
  out.shortest_paths_max =
      std::max({1U, group > 0 ? spines : 0, others > 0 ? cabling().max_between_groups() : 0});
  return out;
}

// As of a dragonfly. In the group that is halved, every spine is on the side where it cuts less.
Bisection DragonflyPlus::best_cut() const {
  const u32 half = leaves / 2;
  const u64 one = leaves % 2 * (hosts_per_leaf / 2);
  if (groups == 1) return {u64{spines} * half + one, false};
  const GlobalCabling global = cabling();
  u64 least = 0;
  if (groups % 2 == 0) {
    least = global.cut_of_arc(groups / 2);
  } else {
    std::vector<u32> to_arc(spines, 0), to_others(spines, 0);
    for (u32 slot = 0; slot < global.slots; ++slot)
      if (const auto far = global.far_end({0, slot}))
        ++(far->group <= groups / 2 ? to_arc : to_others)[slot / global_ports];
    const auto is_behind = [&](u32 slot) {
      const u32 spine = slot / global_ports;
      return leaves - half + to_others[spine] < half + to_arc[spine];
    };
    least = cut_through_group(global, is_behind) + one;
    for (u32 spine = 0; spine < spines; ++spine)
      least += is_behind(spine * global_ports) ? leaves - half : half;
  }
  if (leaves % 2 == 0)
    least = std::min(least, u64{groups} * spines * half + cut_through_all(global, spines / 2 * global_ports));
  return {least, false};
}

u64 DragonflyPlus::cables(u32 link_class) const {
  if (link_class == 0) return hosts();
  return link_class == 1 ? u64{groups} * leaves * spines : u64{groups} * cabling().slots;
}

std::optional<CableEnds> DragonflyPlus::cable(u32 link_class, u64 i) const {
  if (link_class == 0) return CableEnds{static_cast<u32>(i), leaf(static_cast<u32>(i))};
  const u32 first_spine = leaves * groups;
  if (link_class == 1) {
    const u32 group = static_cast<u32>(i / (u64{leaves} * spines)),
              in_group = static_cast<u32>(i % (u64{leaves} * spines));
    return CableEnds{group * leaves + in_group / spines, first_spine + group * spines + in_group % spines};
  }
  const auto ends = global_cable(cabling(), i);
  if (!ends) return std::nullopt;
  const auto number = [&](End end) { return first_spine + end.group * spines + end.slot / global_ports; };
  return CableEnds{number(ends->first), number(ends->second)};
}

namespace {

// `slots` is how many global cables a group can have; by default as many groups as can all meet once.
u32 read_groups(const Notation& n, u64 slots) {
  const u32 groups = n.number("groups", static_cast<u32>(std::min<u64>(slots + 1, largest_number)));
  if (groups > slots + 1)
    n.fail(fmt::format("{} groups cannot all be connected: a group has {} global ports", groups, slots));
  return groups;
}

u32 groups_for(const SizeDemand& demand, u32 hosts_of_group) {
  return (demand.hosts + hosts_of_group - 1) / hosts_of_group;
}

// Kim et al. ask for a >= 2h and p >= h, so that global cables are the first to be full.
// Two groups would be a HyperX.
void propose_dragonflies(const Proposals& out) {
  const SizeDemand& demand = out.demand();
  for (u32 h = 1; h < demand.ports; ++h)
    for (u32 a = 2 * h; h + a - 1 < demand.ports; ++a) {
      u32 counted = 0;  // groups
      DragonflyHops hops;
      for (u32 p = h; p + a - 1 + h <= demand.ports && p * a < demand.hosts; ++p) {
        const u32 groups = groups_for(demand, p * a);
        if (groups < 3 || groups > a * h + 1 || !demand.fills(1, p + a - 1 + h, p)) continue;
        Dragonfly shape{p, a, h, groups, GlobalCabling::Order::relative, {{}, {}, {}}};
        if (shape.hosts() > demand.hosts_at_most) continue;
        if (counted != groups) hops = hops_of(shape), counted = groups;
        const Distances distances = distances_by(shape, hops);
        out.add(outline(std::move(shape), demand.rails, demand.ports, distances));
      }
    }
}

// Leaves and spines are tapered as switches of trees are: down to hosts and leaves, up to spines and groups.
void propose_dragonfly_plus(const Proposals& out, u32 leaf_taper, u32 spine_taper) {
  const SizeDemand& demand = out.demand();
  const auto up = [](u32 down, u32 taper) { return (down + taper - 1) / taper; };
  for (u32 p = 1; p + up(p, leaf_taper) <= demand.ports; ++p)
    for (u32 l = 1; l + up(l, spine_taper) <= demand.ports && p * l < demand.hosts; ++l) {
      const u32 s = up(p, leaf_taper), h = up(l, spine_taper), groups = groups_for(demand, p * l);
      bool was_proposed = false;  // with a milder taper
      for (u32 t = 1; t < leaf_taper; ++t)
        was_proposed |= s == up(p, t) && (h == up(l, 1) || (t > 1 && h == up(l, t)));
      if (leaf_taper > 1 && spine_taper == leaf_taper) was_proposed |= h == up(l, 1);
      if (!was_proposed && groups <= s * h + 1 && demand.fills(l + s, l * (p + s) + s * (l + h), p * l))
        out.add(DragonflyPlus{p, l, s, h, groups, GlobalCabling::Order::relative, {{}, {}, {}}},
                demand.rails);
    }
}

void propose_all_dragonfly_plus(const Proposals& out) {
  propose_dragonfly_plus(out, 1, 1);
  for (u32 taper = 2; taper <= out.demand().taper; ++taper) {
    propose_dragonfly_plus(out, taper, 1);
    propose_dragonfly_plus(out, taper, taper);
  }
}

}  // namespace

Family dragonfly_family() {
  return {
      "Dragonfly",
      "Dragonfly(p,a,h; groups=g)",
      "Dragonfly(2,4,2)",
      "groups of a fully connected switches, each with p hosts and h global ports; a h + 1 groups by default",
      "Kim et al., ISCA 2008",
      [](const Notation& n) -> FamilyResult {
        n.allow_options({"groups", "order", "capacity", "latency"});
        const auto v = n.groups.size() == 1 ? n.numbers(0, "p,a,h") : std::vector<u32>();
        if (v.size() != 3)
          n.fail("expected hosts per switch, switches per group, global ports per switch: Dragonfly(p,a,h)");
        return Dragonfly{
            v[0], v[1], v[2], read_groups(n, u64{v[1]} * v[2]), read_order(n), read_link_classes(n, 3)};
      },
      propose_dragonflies};
}

Family dragonfly_plus_family() {
  return {
      "Dragonfly+",
      "Dragonfly+(p,l,s,h; groups=g)",
      "Dragonfly+(2,4,4,2)",
      "groups of l leaves with p hosts each and s spines with h global ports each; s h + 1 groups by default",
      "Shpiner et al., HiPINEB 2017",
      [](const Notation& n) -> FamilyResult {
        n.allow_options({"groups", "order", "capacity", "latency"});
        const auto v = n.groups.size() == 1 ? n.numbers(0, "p,l,s,h") : std::vector<u32>();
        if (v.size() != 4)
          n.fail("expected hosts per leaf, leaves, spines, global ports per spine: Dragonfly+(p,l,s,h)");
        return DragonflyPlus{
            v[0], v[1], v[2], v[3], read_groups(n, u64{v[2]} * v[3]), read_order(n), read_link_classes(n, 3)};
      },
      propose_all_dragonfly_plus};
}

Family megafly_family() {
  return {
      "Megafly",
      "Megafly(r; groups=g)",
      "Megafly(4)",
      "the Dragonfly+ of switches with r ports of which each kind takes half; r^2/4 + 1 groups by default",
      "Flajslik et al., ISC 2018",
      [](const Notation& n) -> FamilyResult {
        n.allow_options({"groups", "order", "capacity", "latency"});
        const auto v = n.groups.size() == 1 ? n.numbers(0, "r") : std::vector<u32>();
        if (v.size() != 1 || v[0] % 2 != 0) n.fail("expected an even number of ports: Megafly(r)");
        const u32 half = v[0] / 2;
        return DragonflyPlus{
            half, half, half, half, read_groups(n, u64{half} * half), read_order(n), read_link_classes(n, 3)};
      }};
}

}  // namespace banyan::topology
