// Rail-optimised trees: NIC r of a host hangs on leaf r of a group of leaves, and all leaves share the
// spines.
//
// With every NIC taken for a host of its own such a fabric is an ordinary fat-tree, which is fitted first.
// Then leaves that share hosts form groups, and every host stands in the group where most of its NICs are.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "topology/pgft.hpp"
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
      : raw_(raw), flat_(flat), shape_(std::get<Pgft>(flat.shape)), rails_(raw.rails()) {}

  std::variant<Candidate, Unrecognised> run() {
    if (shape_.h() < 2 || shape_.m[1] % rails_ != 0)
      return Unrecognised{fmt::format("its leaves do not form groups of {}, one for each rail", rails_)};
    if (!find_rails() || !join_leaves() || !number_groups())
      return Unrecognised{fmt::format("its leaves do not form groups of {} that share hosts", rails_)};
    Candidate out{folded_shape(), 1, IdVector<Node, Node>(raw_.nodes().size(), none<Node>), flat_.doubts};
    place_switches(out);
    place_hosts(out);
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
  u32 leaf_of(u32 host, u32 rail) const { return leaf_of(raw_.node(raw_.nic(Host{host}, rail))); }
  Pgft folded_shape() const {
    Pgft out = shape_;
    out.rails = rails_;
    return out;
  }

  bool find_rails();
  bool join_leaves();
  bool number_groups();
  void place_switches(Candidate& out) const;
  void place_hosts(Candidate& out) const;
  u32 partner(u32 leaf, u32 rail) const;

  const Fabric& raw_;
  const Candidate& flat_;
  Pgft shape_;
  u32 rails_;
  std::vector<u32> rail_;                // by leaf; no_leaf: it has no hosts
  std::vector<std::vector<u32>> hosts_;  // by leaf
  std::vector<u32> group_;               // by leaf, with the number of its first leaf as a name
  std::vector<u32> number_;              // by leaf: its leaf in the folded tree
};

// A leaf serves the rail of most of its NICs; two with as many would be no answer.
bool RailFolder::find_rails() {
  std::vector<std::vector<u32>> votes(leaves(), std::vector<u32>(rails_, 0));
  hosts_.resize(leaves());
  for (Node v : raw_.nic_nodes())
    if (const u32 leaf = leaf_of(v); leaf != no_leaf) {
      ++votes[leaf][raw_.rail(raw_.nic(v))];
      hosts_[leaf].push_back(index(raw_.host(raw_.nic(v))));
    }
  for (u32 leaf = 0; leaf < leaves(); ++leaf) {
    const auto best = std::max_element(votes[leaf].begin(), votes[leaf].end());
    rail_.push_back(*best == 0 ? no_leaf : static_cast<u32>(best - votes[leaf].begin()));
    if (*best > 0 && 2 * u64{*best} <= hosts_[leaf].size()) return false;
  }
  return true;
}

// The leaf of another rail on which most hosts of this leaf are.
u32 RailFolder::partner(u32 leaf, u32 rail) const {
  std::map<u32, u32> votes;
  u32 all = 0;
  for (u32 host : hosts_[leaf])
    if (const u32 other = leaf_of(host, rail); other != no_leaf) ++votes[other], ++all;
  for (const auto& [other, count] : votes)
    if (2 * count > all && rail_[other] == rail) return other;
  return no_leaf;
}

bool RailFolder::join_leaves() {
  group_.resize(leaves());
  std::iota(group_.begin(), group_.end(), 0u);
  const auto root = [&](u32 leaf) {
    while (group_[leaf] != leaf) leaf = group_[leaf];
    return leaf;
  };
  for (u32 leaf = 0; leaf < leaves(); ++leaf) {
    if (rail_[leaf] == no_leaf) continue;
    for (u32 rail = 0; rail < rails_; ++rail) {
      if (rail == rail_[leaf]) continue;
      const u32 other = partner(leaf, rail);
      if (other == no_leaf) continue;
      if (partner(other, rail_[leaf]) != leaf || above(other) != above(leaf)) return false;
      group_[std::max(root(leaf), root(other))] = std::min(root(leaf), root(other));
    }
  }
  for (u32 leaf = 0; leaf < leaves(); ++leaf) group_[leaf] = root(leaf);
  return true;
}

// Groups take their places below their subtree in the order of their first leaves. A leaf without hosts, or
// one that is alone, stands where there is only one place left.
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
      if (next == width / rails_) return false;
      for (u32 leaf : members) {
        const u32 at = next * rails_ + rail_[leaf];
        if (taken[at]) return false;
        taken[at] = true;
        number_[leaf] = tree * width + at;
      }
      ++next;
    }
    const auto left = static_cast<std::size_t>(std::count(taken.begin(), taken.end(), false));
    const bool is_certain = lone.size() == 1 && left == 1;
    if (!is_certain) {
      const bool has_hosts =
          std::any_of(lone.begin(), lone.end(), [&](u32 leaf) { return rail_[leaf] != no_leaf; });
      if (has_hosts) return false;
      continue;
    }
    number_[lone[0]] =
        tree * width + static_cast<u32>(std::find(taken.begin(), taken.end(), false) - taken.begin());
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

// A host of which most NICs are in one group stands there with all of them.
void RailFolder::place_hosts(Candidate& out) const {
  const u32 groups = leaves() / rails_, hosts = groups * shape_.m[0];
  std::vector<u32> used(groups, 0);
  for (u32 host = 0; host < raw_.hosts(); ++host) {
    std::map<u32, u32> votes;
    for (u32 rail = 0; rail < rails_; ++rail)
      if (const u32 leaf = leaf_of(host, rail);
          leaf != no_leaf && number_[leaf] != no_leaf && number_[leaf] % rails_ == rail)
        ++votes[number_[leaf] / rails_];
    for (const auto& [group, count] : votes) {
      if (2 * count <= rails_ || used[group] == shape_.m[0]) continue;
      const u32 number = group * shape_.m[0] + used[group]++;
      for (u32 rail = 0; rail < rails_; ++rail)
        out.place[raw_.node(raw_.nic(Host{host}, rail))] = Node{rail * hosts + number};
    }
  }
}

}  // namespace

std::variant<Candidate, Unrecognised> guess_rails(const Fabric& raw) {
  if (raw.rails() < 2) return Unrecognised{"it has one rail"};
  auto flat = guess_pgft(unfolded(raw));
  if (auto* reason = std::get_if<Unrecognised>(&flat)) return *reason;
  return RailFolder(raw, std::get<Candidate>(flat)).run();
}

}  // namespace banyan::topology
