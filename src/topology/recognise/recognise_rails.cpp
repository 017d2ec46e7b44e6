// Rail-optimised trees: NIC r of a host hangs on leaf r of a group of leaves, and all leaves share the
// spines.
//
// With every NIC taken for a host of its own such a fabric is an ordinary fat-tree, which is fitted first.
// Then leaves that share hosts form groups, and every host stands in the group where most of its NICs are.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
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

class RailFolder {
 public:
  // `flat` places the nodes of `raw` in a tree without rails, whose leaves are numbered by its subtrees.
  RailFolder(const Fabric& raw, const Candidate& flat)
      : raw_(raw), flat_(flat), shape_(std::get<Pgft>(flat.shape)), rails_(raw.columns()) {}

  std::variant<Candidate, Unrecognised> run() {
    if (shape_.h() < 2 || shape_.m[1] % rails_ != 0)
      return Unrecognised{fmt::format("its leaves do not form groups of {}, one for each rail", rails_)};
    find_nics();
    if (!join_leaves() || !number_groups())
      return Unrecognised{fmt::format("its leaves do not form groups of {} that share hosts", rails_)};
    Candidate out{folded_shape(), 1, IdVector<Node, Node>(raw_.nodes().size(), none<Node>), flat_.doubts};
    place_switches(out);
    place_hosts(out);
    if (may_be_planes(out))
      return Unrecognised{
          "cables are missing or wrong, and it is not certain whether the rails share their spines"};
    return out;
  }

 private:
  static constexpr u32 no_leaf = ~u32{0};

  u32 leaves() const { return shape_.endpoints() / shape_.m[0]; }
  u32 above(u32 leaf) const { return leaf / shape_.m[1]; }  // its subtree of level 2
  u32 leaf_of(Node nic) const {
    const Node at = flat_.place[nic];
    return at == none<Node> || raw_.cabled_ports(nic) == 0 ? no_leaf : index(at) / shape_.m[0];
  }
  u32 leaf_of(u32 host, u32 rail) const {
    const Nic nic = raw_.in_column(Host{host}, rail);
    return nic == none<Nic> ? no_leaf : leaf_of(raw_.node(nic));
  }
  Pgft folded_shape() const {
    Pgft out = shape_;
    out.rails = rails_;
    return out;
  }

  void find_nics();
  bool join_leaves();
  bool number_groups();
  bool number_group(const std::vector<u32>& members, u32 first);
  void place_switches(Candidate& out) const;
  void place_hosts(Candidate& out) const;
  u64 cables_between_rails(const Candidate& out) const;
  bool may_be_planes(const Candidate& out) const;
  // The NICs of a host in its group: by the rail of their leaf, and those elsewhere.
  struct Standing {
    std::vector<std::vector<Node>> on{};
    std::vector<Node> left{};
    bool has_twins = false;  // two on one leaf
  };
  Standing standing(u32 host, u32 group) const;
  void place_host(Candidate& out, const Standing& at, u32 number) const;

  const Fabric& raw_;
  const Candidate& flat_;
  Pgft shape_;
  u32 rails_;
  std::vector<std::vector<Node>> nics_;  // by leaf
  std::vector<u32> group_;               // by leaf: the first leaf of its group
  std::vector<u32> number_;              // by leaf: its leaf in the folded tree
};

void RailFolder::find_nics() {
  nics_.resize(leaves());
  for (Node v : raw_.nic_nodes())
    if (const u32 leaf = leaf_of(v); leaf != no_leaf) nics_[leaf].push_back(v);
}

// Leaves that share most of their hosts are of one group.
bool RailFolder::join_leaves() {
  group_.resize(leaves());
  std::iota(group_.begin(), group_.end(), 0u);
  const auto root = [&](u32 leaf) {
    while (group_[leaf] != leaf) leaf = group_[leaf];
    return leaf;
  };
  std::vector<std::map<u32, u32>> shared(leaves());  // by leaf: other leaves, and how many hosts are on both
  for (u32 leaf = 0; leaf < leaves(); ++leaf)
    for (Node nic : nics_[leaf])
      for (u32 rail = 0; rail < rails_; ++rail)
        if (const u32 other = leaf_of(index(raw_.host(raw_.nic(nic))), rail);
            other != no_leaf && other != leaf)
          ++shared[leaf][other];
  for (u32 leaf = 0; leaf < leaves(); ++leaf)
    for (const auto& [other, count] : shared[leaf]) {
      const bool mostly = 2 * count > nics_[leaf].size(), mutual = 2 * count > nics_[other].size();
      if (mostly != mutual || (mostly && above(other) != above(leaf))) return false;
      if (mostly) group_[std::max(root(leaf), root(other))] = std::min(root(leaf), root(other));
    }
  for (u32 leaf = 0; leaf < leaves(); ++leaf) group_[leaf] = root(leaf);
  return true;
}

// The leaves of a group in the order of the rails that most of their NICs are on.
bool RailFolder::number_group(const std::vector<u32>& members, u32 first) {
  if (members.size() > rails_) return false;
  std::vector<std::tuple<u32, u32, u32>> votes;  // most votes first
  for (u32 leaf : members) {
    std::vector<u32> by_rail(rails_, 0);
    for (Node nic : nics_[leaf]) ++by_rail[raw_.column(raw_.nic(nic))];
    for (u32 rail = 0; rail < rails_; ++rail) votes.emplace_back(~by_rail[rail], rail, leaf);
  }
  std::sort(votes.begin(), votes.end());
  std::vector<bool> taken(rails_, false);
  for (const auto& [count, rail, leaf] : votes)
    if (number_[leaf] == no_leaf && !taken[rail]) taken[rail] = true, number_[leaf] = first + rail;
  return true;
}

// Groups take their places below their subtree in the order of their first leaves. A leaf that is alone
// stands where there is only one place left; without hosts it may stay without a place.
bool RailFolder::number_groups() {
  number_.assign(leaves(), no_leaf);
  const u32 width = shape_.m[1];
  for (u32 tree = 0; tree < leaves() / width; ++tree) {
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
      next += rails_;
    }
    if (lone.size() == 1 && std::count(taken.begin(), taken.end(), false) == 1)
      number_[lone[0]] =
          tree * width + static_cast<u32>(std::find(taken.begin(), taken.end(), false) - taken.begin());
    else if (std::any_of(lone.begin(), lone.end(), [&](u32 leaf) { return !nics_[leaf].empty(); }))
      return false;
  }
  return true;
}

void RailFolder::place_switches(Candidate& out) const {
  const u32 tops = static_cast<u32>(shape_.W(1)), first = shape_.first_switch(1),
            end = first + leaves() * tops;
  const u32 flat_nics = shape_.endpoints();  // as many as the folded tree has
  for (Node v : raw_.switch_nodes()) {
    const Node at = flat_.place[v];
    if (at == none<Node>) continue;
    const u32 number = index(at) - flat_nics;
    if (number < first || number >= end) {
      out.place[v] = at;
      continue;
    }
    const u32 leaf = (number - first) / tops, moved = number_[leaf];
    if (moved != no_leaf) out.place[v] = Node{flat_nics + first + moved * tops + (number - first) % tops};
  }
}

RailFolder::Standing RailFolder::standing(u32 host, u32 group) const {
  Standing out;
  out.on.resize(rails_);
  for (u32 slot = 0; slot < raw_.nics(Host{host}); ++slot) {
    const Node nic = raw_.node(raw_.nic(Host{host}, slot));
    const u32 leaf = leaf_of(nic), at = leaf == no_leaf ? no_leaf : number_[leaf];
    if (at == no_leaf || at / rails_ != group)
      out.left.push_back(nic);
    else
      out.on[at % rails_].push_back(nic);
  }
  out.has_twins = std::any_of(out.on.begin(), out.on.end(), [](const auto& nics) { return nics.size() > 1; });
  return out;
}

// NICs stand on the rails of their leaves. Of two on one leaf nothing tells which is wrong. One that is left,
// without a cable or with a wrong one, stands on the rail that is left.
void RailFolder::place_host(Candidate& out, const Standing& at, u32 number) const {
  const u32 hosts = leaves() / rails_ * shape_.m[0];
  const auto place = [&](u32 rail, Node nic) { out.place[nic] = Node{rail * hosts + number}; };
  for (u32 rail = 0; rail < rails_; ++rail) {
    if (at.on[rail].size() == 1) place(rail, at.on[rail][0]);
    if (at.on[rail].empty() && at.left.size() == 1 && !at.has_twins) place(rail, at.left[0]);
  }
}

// A host stands in the group where most of its NICs are. Where a host has two NICs on one leaf, another may
// have got a cable of its: then those that lack one have no certain place.
void RailFolder::place_hosts(Candidate& out) const {
  std::vector<std::vector<Standing>> members(leaves() / rails_);
  for (u32 host = 0; host < raw_.hosts(); ++host) {
    std::map<u32, u32> votes;
    for (u32 rail = 0; rail < rails_; ++rail)
      if (const u32 leaf = leaf_of(host, rail); leaf != no_leaf && number_[leaf] != no_leaf)
        ++votes[number_[leaf] / rails_];
    for (const auto& [group, count] : votes)
      if (2 * count > rails_) members[group].push_back(standing(host, group));
  }
  for (u32 group = 0; group < members.size(); ++group) {
    const bool has_twins = std::any_of(members[group].begin(), members[group].end(),
                                       [](const Standing& s) { return s.has_twins; });
    u32 used = 0;
    for (const Standing& host : members[group])
      if (used < shape_.m[0] && (host.left.empty() || host.has_twins || !has_twins))
        place_host(out, host, group * shape_.m[0] + used++);
  }
}

// How many cables at least would be wrong if every rail were a plane of its own: then a leaf has all its
// cables to an equal share of the spines above it.
u64 RailFolder::cables_between_rails(const Candidate& out) const {
  const Planes planes = planes_of(shape_, 1);
  u64 between = 0;
  for (Node v : raw_.switch_nodes()) {
    if (out.place[v] == none<Node> || shape_.level(planes.switch_number(out.place[v])) != 1) continue;
    std::map<Node, u64> cables;
    for (Channel c : raw_.channels(v))
      if (raw_.cabled(c) && raw_.is_switch(raw_.to(c))) ++cables[raw_.to(c)];
    std::vector<u64> counts;
    for (const auto& [spine, count] : cables) counts.push_back(count);
    std::sort(counts.begin(), counts.end(), std::greater<>());
    for (std::size_t i = shape_.w[1] / rails_; i < counts.size(); ++i) between += counts[i];
  }
  return between;
}

// A small fabric of planes with two cables swapped between them looks like rails that share their spines and
// have two cables swapped.
bool RailFolder::may_be_planes(const Candidate& out) const {
  if (shape_.w[1] % rails_ != 0) return false;
  const u64 between = cables_between_rails(out);
  if (between > std::max<u64>(2, raw_.links() / 50)) return false;
  const Recognition found = compare(raw_, out);
  const bool is_intact = found.wrong.empty() && found.missing.empty() && found.undecided.empty();
  return !is_intact && between <= std::max<u64>(2, found.wrong.size());
}

}  // namespace

std::variant<Candidate, Unrecognised> guess_rails(const Fabric& raw) {
  if (raw.columns() < 2) return Unrecognised{"it has one rail"};
  auto flat = guess_pgft(unfolded(raw));
  if (auto* reason = std::get_if<Unrecognised>(&flat)) return *reason;
  return RailFolder(raw, std::get<Candidate>(flat)).run();
}

}  // namespace banyan::topology
