#include "topology/dragonfly.hpp"

#include <fmt/format.h>

#include "topology/family.hpp"
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

namespace {

// `slots` is how many global cables a group can have; by default as many groups as can all meet once.
u32 read_groups(const Notation& n, u64 slots) {
  const u32 groups = n.number("groups", static_cast<u32>(std::min<u64>(slots + 1, largest_number)));
  if (groups > slots + 1)
    n.fail(fmt::format("{} groups cannot all be connected: a group has {} global ports", groups, slots));
  return groups;
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
      }};
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
      }};
}

}  // namespace banyan::topology
