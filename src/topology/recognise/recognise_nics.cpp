// Trees whose hosts have several NICs: all on one leaf, or spread over the leaves of a group, as in a
// rail-optimised tree; all leaves share the spines.
//
// With every NIC taken for a host of its own such a fabric is an ordinary fat-tree, which is fitted first.
// Then leaves that share hosts form groups, and every host stands in the group where most of its NICs are.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "topology/pgft.hpp"
#include "topology/plane.hpp"
#include "topology/recognise/recognise.hpp"

namespace banyan::topology {
namespace {

// The same graph, in the same numbers, with a host for every NIC.
Fabric unfolded(const Fabric& raw) {
  FabricBuilder builder(raw.nics());
  for (Node v : raw.nodes())
    raw.is_switch(v) ? void(builder.add_switch(raw.ports(v)))
                     : builder.nic_ports(Nic{index(v)}, raw.ports(v));
  for (Node v : raw.nodes())
    raw.is_switch(v) ? builder.name_switch(v, raw.name(v)) : builder.name_host(Host{index(v)}, raw.name(v));
  for (const LinkClass& link : raw.link_classes()) builder.add_class(link);
  raw.each_link([&](const Link& link) {
    builder.connect(raw.from(link.a), raw.port(link.a), raw.from(link.b), raw.port(link.b),
                    raw.link_class_index(link.a));
  });
  return std::move(builder).build();
}

class NicFolder {
 public:
  // `flat` places the nodes of `raw` in a tree of hosts with one NIC, whose leaves are numbered by its
  // subtrees.
  NicFolder(const Fabric& raw, const Candidate& flat)
      : raw_(raw), flat_(flat), shape_(std::get<Pgft>(flat.shape)), count_(raw.columns()) {}

  std::variant<Candidate, Unrecognised> run() {
    const bool is_certain = count_leaves_of_hosts();
    if (leaves_ == 0) return Unrecognised{fmt::format("no host has cables on all of {} NICs", count_)};
    if (count_ % leaves_ != 0)
      return Unrecognised{fmt::format("hosts with {} NICs are on {} leaves", count_, leaves_)};
    if (leaves_ > 1 && (shape_.h() < 2 || shape_.m[1] % leaves_ != 0))
      return Unrecognised{fmt::format("its leaves do not form groups of {}", leaves_)};
    find_nics();
    find_order();
    if (!join_leaves() || !number_groups())
      return Unrecognised{fmt::format("its leaves do not form groups of {} that share hosts", leaves_)};
    Candidate out = fold();
    if (leaves_ > 1 && may_be_planes(out))
      return Unrecognised{
          "cables are missing or wrong, and it is not certain whether the leaves of a host share their "
          "spines"};
    if (!is_certain && !is_intact(compare(raw_, out)))
      return Unrecognised{"cables are missing or wrong, and too few hosts tell on how many leaves a host is"};
    return out;
  }

 private:
  static constexpr u32 no_leaf = ~u32{0};

  u32 leaves() const { return shape_.endpoints() / shape_.m[0]; }
  u32 groups() const { return leaves() / leaves_; }
  u32 on_leaf() const { return count_ / leaves_; }
  u32 above(u32 leaf) const { return leaf / shape_.m[1]; }  // its subtree of level 2
  u32 leaf_of(Node nic) const {
    const Node at = flat_.place[nic];
    return at == none<Node> || raw_.cabled_ports(nic) == 0 ? no_leaf : index(at) / shape_.m[0];
  }
  // Its leaves, in order of its slots; those of NICs without a place are left out.
  std::vector<u32> leaves_of(Host host) const {
    std::vector<u32> out;
    for (u32 slot = 0; slot < raw_.nics(host); ++slot)
      if (const u32 leaf = leaf_of(raw_.node(raw_.nic(host, slot))); leaf != no_leaf) out.push_back(leaf);
    return out;
  }
  static bool is_intact(const Recognition& found) {
    return found.wrong.empty() && found.missing.empty() && found.undecided.empty();
  }
  u32 leaf_for(u32 column) const { return is_blocked_ ? column / on_leaf() : column % leaves_; }
  u32 slot_for(u32 column) const {
    return is_blocked_ ? column % on_leaf() * leaves_ + column / on_leaf() : column;
  }

  bool count_leaves_of_hosts();
  void find_nics();
  void find_order();
  bool join_leaves();
  bool number_groups();
  bool number_group(const std::vector<u32>& members, u32 first);
  Candidate fold() const;
  void place_switches(Candidate& out) const;
  u64 cables_between_leaves(const Candidate& out) const;
  bool may_be_planes(const Candidate& out) const;
  // The NICs of a host in its group: by leaf, and those elsewhere.
  struct Standing {
    Host host{};
    std::vector<std::vector<Node>> on{};
    std::vector<Node> left{};
    bool is_crowded = false;  // more on a leaf than there should be
  };
  using Members = std::vector<std::vector<Standing>>;  // by group
  Standing standing(Host host, u32 group) const;
  Members find_members() const;
  u32 hosts_of_group(const Members& members) const;
  void place_host(Candidate& out, const Standing& at, u32 number) const;
  void place_hosts(Candidate& out, const Members& members) const;

  const Fabric& raw_;
  const Candidate& flat_;
  Pgft shape_;
  u32 count_, leaves_ = 0;               // NICs of a host; leaves that it is on
  bool is_blocked_ = false;              // the first slots are on the first leaf, not on every leaf in turn
  std::vector<std::vector<Node>> nics_;  // by leaf
  std::vector<u32> group_;               // by leaf: the first leaf of its group
  std::vector<u32> number_;              // by leaf: its leaf in the folded tree
};

// The number that most hosts say all of whose NICs have a place. Two swapped cables deceive two hosts: three
// that say the same are right. Whether there are three.
bool NicFolder::count_leaves_of_hosts() {
  std::map<u32, u32> votes;
  for (const Host host : IdRange<Host>(raw_.hosts())) {
    std::vector<u32> on = leaves_of(host);
    if (on.size() != count_) continue;
    std::sort(on.begin(), on.end());
    ++votes[static_cast<u32>(std::unique(on.begin(), on.end()) - on.begin())];
  }
  const auto best =
      std::max_element(votes.begin(), votes.end(), [](auto& a, auto& b) { return a.second < b.second; });
  if (best != votes.end()) leaves_ = best->first;
  return best != votes.end() && best->second >= 3;
}

void NicFolder::find_nics() {
  nics_.resize(leaves());
  for (Node v : raw_.nic_nodes())
    if (const u32 leaf = leaf_of(v); leaf != no_leaf) nics_[leaf].push_back(v);
}

// Whether slots go to the leaves of a group in turn, or as many to the first leaf as it takes.
void NicFolder::find_order() {
  u64 agree[2] = {0, 0};
  for (const bool blocked : {false, true}) {
    is_blocked_ = blocked;
    for (const auto& nics : nics_) {
      std::vector<u32> votes(leaves_, 0);
      for (const Node nic : nics) ++votes[leaf_for(raw_.column(raw_.nic(nic)))];
      agree[blocked] += *std::max_element(votes.begin(), votes.end());
    }
  }
  is_blocked_ = agree[1] > agree[0];
}

// Leaves that share most of their hosts are of one group.
bool NicFolder::join_leaves() {
  group_.resize(leaves());
  std::iota(group_.begin(), group_.end(), 0u);
  if (leaves_ == 1) return true;
  const auto root = [&](u32 leaf) {
    while (group_[leaf] != leaf) leaf = group_[leaf];
    return leaf;
  };
  std::vector<std::map<u32, u32>> shared(
      leaves());  // by leaf: other leaves, and its NICs whose hosts are on both
  for (u32 leaf = 0; leaf < leaves(); ++leaf)
    for (const Node nic : nics_[leaf]) {
      const std::vector<u32> on = leaves_of(raw_.host(raw_.nic(nic)));
      for (const u32 other : std::set<u32>(on.begin(), on.end()))
        if (other != leaf) ++shared[leaf][other];
    }
  for (u32 leaf = 0; leaf < leaves(); ++leaf)
    for (const auto& [other, count] : shared[leaf]) {
      const bool mostly = 2 * count > nics_[leaf].size(), mutual = 2 * count > nics_[other].size();
      if (mostly != mutual || (mostly && above(other) != above(leaf))) return false;
      if (mostly) group_[std::max(root(leaf), root(other))] = std::min(root(leaf), root(other));
    }
  for (u32 leaf = 0; leaf < leaves(); ++leaf) group_[leaf] = root(leaf);
  return true;
}

// The leaves of a group in the order of the slots that most of their NICs have.
bool NicFolder::number_group(const std::vector<u32>& members, u32 first) {
  if (members.size() > leaves_) return false;
  std::vector<std::tuple<u32, u32, u32>> votes;  // most votes first
  for (u32 leaf : members) {
    std::vector<u32> by_place(leaves_, 0);
    for (Node nic : nics_[leaf]) ++by_place[leaf_for(raw_.column(raw_.nic(nic)))];
    for (u32 place = 0; place < leaves_; ++place) votes.emplace_back(~by_place[place], place, leaf);
  }
  std::sort(votes.begin(), votes.end());
  std::vector<bool> taken(leaves_, false);
  for (const auto& [count, place, leaf] : votes)
    if (number_[leaf] == no_leaf && !taken[place]) taken[place] = true, number_[leaf] = first + place;
  return true;
}

// Groups take their places below their subtree in the order of their first leaves. A leaf that is alone
// stands where there is only one place left; without hosts it may stay without a place.
bool NicFolder::number_groups() {
  number_.assign(leaves(), no_leaf);
  if (leaves_ == 1) std::iota(number_.begin(), number_.end(), 0u);
  const u32 width = leaves_ == 1 ? leaves() : shape_.m[1];
  for (u32 tree = 0; leaves_ > 1 && tree < leaves() / width; ++tree) {
    std::map<u32, std::vector<u32>> groups;
    std::vector<u32> lone;
    for (u32 leaf = tree * width; leaf < (tree + 1) * width; ++leaf) groups[group_[leaf]].push_back(leaf);
    std::vector<bool> taken(width, false);
    u32 next = 0;
    for (const auto& [name, members] : groups) {
      if (members.size() == 1) {
        lone.push_back(members[0]);
        continue;
      }
      if (next == width || !number_group(members, tree * width + next)) return false;
      for (u32 leaf : members) taken[number_[leaf] - tree * width] = true;
      next += leaves_;
    }
    if (lone.size() == 1 && std::count(taken.begin(), taken.end(), false) == 1)
      number_[lone[0]] =
          tree * width + static_cast<u32>(std::find(taken.begin(), taken.end(), false) - taken.begin());
    else if (std::any_of(lone.begin(), lone.end(), [&](u32 leaf) { return !nics_[leaf].empty(); }))
      return false;
  }
  return true;
}

Candidate NicFolder::fold() const {
  const Members members = find_members();
  const bool are_rails = leaves_ == count_ && raw_.endpoints().rails() > 0;
  Pgft shape = shape_;
  shape.nics = are_rails ? HostNics::on_rails(count_) : HostNics::plain(count_, leaves_);
  shape.m[0] = shape.host_slots = hosts_of_group(members) * on_leaf();
  Candidate out{std::move(shape), 1, IdVector<Node, Node>(raw_.nodes().size(), none<Node>), flat_.doubts};
  place_switches(out);
  place_hosts(out, members);
  return out;
}

void NicFolder::place_switches(Candidate& out) const {
  const u32 tops = static_cast<u32>(shape_.W(1)), first = shape_.first_switch(1),
            end = first + leaves() * tops;
  const u32 flat_nics = shape_.endpoints(), nics = std::get<Pgft>(out.shape).endpoints();
  const auto folded = [&](Node at) {
    if (at == none<Node>) return at;
    const u32 number = index(at) - flat_nics;
    if (number < first || number >= end) return Node{nics + number};
    const u32 moved = number_[(number - first) / tops];
    return moved == no_leaf ? none<Node> : Node{nics + first + moved * tops + (number - first) % tops};
  };
  if (!flat_.likely.empty()) out.likely = out.place;
  for (Node v : raw_.switch_nodes()) {
    out.place[v] = folded(flat_.place[v]);
    if (!flat_.likely.empty()) out.likely[v] = folded(flat_.likely[v]);
  }
}

NicFolder::Standing NicFolder::standing(Host host, u32 group) const {
  Standing out{host};
  out.on.resize(leaves_);
  for (u32 slot = 0; slot < raw_.nics(host); ++slot) {
    const Node nic = raw_.node(raw_.nic(host, slot));
    const u32 leaf = leaf_of(nic), at = leaf == no_leaf ? no_leaf : number_[leaf];
    if (at == no_leaf || at / leaves_ != group)
      out.left.push_back(nic);
    else
      out.on[at % leaves_].push_back(nic);
  }
  out.is_crowded =
      std::any_of(out.on.begin(), out.on.end(), [&](const auto& nics) { return nics.size() > on_leaf(); });
  return out;
}

// A host stands in the group where most of its NICs are.
NicFolder::Members NicFolder::find_members() const {
  Members out(groups());
  for (const Host host : IdRange<Host>(raw_.hosts())) {
    std::map<u32, u32> votes;
    for (const u32 leaf : leaves_of(host))
      if (number_[leaf] != no_leaf) ++votes[number_[leaf] / leaves_];
    for (const auto& [group, count] : votes)
      if (2 * count > raw_.nics(host)) out[group].push_back(standing(host, group));
  }
  return out;
}

// As many as any group has; hosts with few NICs, as those for logins, do not count. Leaves may have ports for
// more hosts whose places are not certain.
u32 NicFolder::hosts_of_group(const Members& members) const {
  u32 most = std::max(1u, shape_.m[0] / on_leaf());
  for (const auto& group : members)
    most = std::max(most, static_cast<u32>(std::count_if(group.begin(), group.end(), [&](const Standing& at) {
                      return 2 * raw_.nics(at.host) > count_;
                    })));
  return most;
}

// NICs stand on their leaves, in their own slots if these are there. If a leaf has too many of a host,
// nothing tells which is wrong. NICs that are left, without a cable or with a wrong one, stand on the leaf
// that is left.
void NicFolder::place_host(Candidate& out, const Standing& at, u32 number) const {
  const u32 hosts = std::get<Pgft>(out.shape).hosts();
  std::vector<bool> taken(count_, false);
  const auto is_free = [&](u32 slot, u32 leaf) { return !taken[slot] && slot % leaves_ == leaf; };
  const auto place = [&](u32 slot, Node nic) {
    out.place[nic] = Node{slot * hosts + number}, taken[slot] = true;
  };
  const auto place_all = [&](u32 leaf, const std::vector<Node>& nics) {
    std::vector<Node> others;
    for (const Node nic : nics)
      if (const u32 own = slot_for(raw_.column(raw_.nic(nic))); is_free(own, leaf))
        place(own, nic);
      else
        others.push_back(nic);
    u32 slot = leaf;
    for (const Node nic : others) {
      while (taken[slot]) slot += leaves_;
      place(slot, nic);
    }
  };
  std::vector<u32> short_of;  // leaves with fewer than they should have
  for (u32 leaf = 0; leaf < leaves_; ++leaf) {
    if (at.on[leaf].size() <= on_leaf()) place_all(leaf, at.on[leaf]);
    if (at.on[leaf].size() < on_leaf()) short_of.push_back(leaf);
  }
  if (!at.is_crowded && short_of.size() == 1 && at.on[short_of[0]].size() + at.left.size() <= on_leaf())
    place_all(short_of[0], at.left);
}

// Where a leaf has too many NICs of a host, another host may have got a cable of its: then those that lack
// one have no certain place.
void NicFolder::place_hosts(Candidate& out, const Members& members) const {
  const u32 hosts = std::get<Pgft>(out.shape).hosts_of_leaf();
  for (u32 group = 0; group < members.size(); ++group) {
    const bool is_crowded = std::any_of(members[group].begin(), members[group].end(),
                                        [](const Standing& s) { return s.is_crowded; });
    u32 used = 0;
    for (const Standing& host : members[group])
      if (used < hosts && (host.left.empty() || host.is_crowded || !is_crowded))
        place_host(out, host, group * hosts + used++);
  }
}

// How many cables at least would be wrong if every leaf of a group were on a plane of its own: then a leaf
// has all its cables to an equal share of the spines above it.
u64 NicFolder::cables_between_leaves(const Candidate& out) const {
  const Planes planes = planes_of(std::get<Pgft>(out.shape), 1);
  u64 between = 0;
  for (Node v : raw_.switch_nodes()) {
    if (out.place[v] == none<Node> || shape_.level(planes.switch_number(out.place[v])) != 1) continue;
    std::map<Node, u64> cables;
    for (Channel c : raw_.channels(v))
      if (raw_.cabled(c) && raw_.is_switch(raw_.to(c))) ++cables[raw_.to(c)];
    std::vector<u64> counts;
    for (const auto& [spine, count] : cables) counts.push_back(count);
    std::sort(counts.begin(), counts.end(), std::greater<>());
    for (std::size_t i = shape_.w[1] / leaves_; i < counts.size(); ++i) between += counts[i];
  }
  return between;
}

// A small fabric of planes with two cables swapped between them looks like leaves that share their spines and
// have two cables swapped.
bool NicFolder::may_be_planes(const Candidate& out) const {
  if (shape_.w[1] % leaves_ != 0) return false;
  const u64 between = cables_between_leaves(out);
  if (between > std::max<u64>(2, raw_.links() / 50)) return false;
  const Recognition found = compare(raw_, out);
  return !is_intact(found) && between <= std::max<u64>(2, found.wrong.size());
}

}  // namespace

std::variant<Candidate, Unrecognised> guess_nics(const Fabric& raw) {
  if (raw.columns() < 2) return Unrecognised{"its hosts have one NIC"};
  auto flat = guess_pgft(unfolded(raw));
  if (auto* reason = std::get_if<Unrecognised>(&flat)) return *reason;
  return NicFolder(raw, std::get<Candidate>(flat)).run();
}

}  // namespace banyan::topology
