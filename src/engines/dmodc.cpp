// Dmodc: the port for destination j is floor(j / W_l) mod n over the ways of a switch in a fixed order, as
// d-mod-k has it. Where that way is missing, or does not lead to an ancestor of j any more, the same
// arithmetic goes on over the ways that do (Gliksberg et al., arXiv 2211.11817). An entry is a function of
// the alternatives of its switch, and changes only with them.
#include "engines/dmodc.hpp"

#include <algorithm>

#include "engines/alternatives.hpp"
#include "engines/ranked_engine.hpp"
#include "engines/tree_paths.hpp"

namespace banyan::engines {
namespace {

// floor(j / W_l), with the digit in which an address parts from the first one.
class Indices {
 public:
  Indices(const RankedTree& tree, bool shift1)
      : tree_(tree), paths_(digits(tree)), path_(shift1 ? shift1_path : disjoint_path) {
    divisor_.assign(tree.top() + 1, 1);
    for (u32 l = 1; l <= tree.top(); ++l) divisor_[l] = divisor_[l - 1] * tree.w(l - 1);
  }

  u32 up(u32 rank, u32 turn, u32 j, u32 address) const {
    const u32 q = static_cast<u32>(j / divisor_[rank]);
    if (address == 0) return q;
    const TreePaths::Pair pair{j, j, turn, paths_.paths_behind(0, turn)};
    const u32 digit = TreeForm::up_port(paths_.tag(path_(paths_, pair, address), turn), rank);
    return q - q % paths_.choices(rank + 1) + digit;
  }
  // The way down takes the cable of the way up between the same levels.
  u32 down(u32 rank, u32 j, u32 address) const {
    return address == 0 ? static_cast<u32>(j / divisor_[rank])
                        : up(rank - 1, tree_.top(), j, address) / tree_.w(rank - 1);
  }

 private:
  static TreePaths digits(const RankedTree& tree) {
    Pgft shape;
    for (u32 rank = 0; rank < tree.top(); ++rank) {
      shape.m.push_back(1);
      shape.w.push_back(tree.w(rank));
      shape.p.push_back(tree.p(rank));
    }
    return TreePaths(shape);
  }

  const RankedTree& tree_;
  TreePaths paths_;
  u64 (*path_)(const TreePaths&, const TreePaths::Pair&, u64);
  std::vector<u64> divisor_;  // W_l
};

class Dmodc {
 public:
  Dmodc(const Topology& topology, const DmodcOptions& options)
      : tree_(topology),
        indices_(tree_, options.spread == "shift1"),
        lmc_(options.lmc),
        alternatives_(tree_) {}

  const RankedTree& tree() const { return tree_; }
  const Alternatives& towards(const RankedTree::Group& group) {
    alternatives_.explore(group.start);
    return alternatives_;
  }

  // All entries for the group explored last.
  void write(const RankedTree::Group& group, Tables& tables) {
    each_address(group, tables, [&](u32 j, u32 address, std::span<u8> row) {
      for (u32 k = 1; k < port_.size(); ++k) port_[k] = choose(k, j, address);
      const auto& kinds = alternatives_.kind_of();
      for (u32 v = 0; v < row.size(); ++v) row[v] = port_[kinds[TreeNode{v}]];
    });
  }

  // Only those of some nodes.
  void write(const RankedTree::Group& group, Tables& tables, const std::vector<TreeNode>& nodes) {
    each_address(group, tables, [&](u32 j, u32 address, std::span<u8> row) {
      for (TreeNode v : nodes)
        if (const u32 k = alternatives_.kind_of()[v]; k != 0) {
          const u32 whole = alternatives_.kinds()[k].whole;
          port_[whole] = choose(whole, j, address);
          row[index(v)] = choose(k, j, address);
        } else {
          row[index(v)] = Tables::no_port;
        }
    });
  }

 private:
  template <class F>
  void each_address(const RankedTree::Group& group, Tables& tables, F&& f) {
    port_.assign(alternatives_.kinds().size(), Tables::no_port);
    index_.resize(port_.size());
    for (Nic nic : group.nics)
      for (u32 i = 0; i < 1u << lmc_; ++i) {
        const std::span<u8> row = tables.towards(address_of(nic, lmc_, i));
        f(tree_.number(nic), i, row);
        if (tree_.first_node() > 0) row[index(group.start)] = tree_.host_port(nic);
      }
  }

  // The port of a kind; that of its whole is known.
  u8 choose(u32 k, u32 j, u32 address) {
    const auto& kind = alternatives_.kinds()[k];
    if (kind.useful) {
      const u8 named = port_[kind.whole];
      return kind.useful->ports[named] ? named : other_port(*kind.layout, *kind.useful, index_[kind.whole]);
    }
    const u32 rank = kind.layout->rank;
    index_[k] = kind.down ? indices_.down(rank, j, address) : indices_.up(rank, kind.turn, j, address);
    return named_port(*kind.layout, index_[k]);
  }

  RankedTree tree_;
  Indices indices_;
  u32 lmc_;
  Alternatives alternatives_;
  std::vector<u8> port_;    // by kind, for one address
  std::vector<u32> index_;  // likewise; of whole kinds
};

std::optional<NotApplicable> refuse(const Topology& topology, const DmodcOptions& options) {
  if (options.spread != "disjoint" && options.spread != "shift1")
    throw InputError(fmt::format("dmodc: spread must be disjoint or shift1, not '{}'", options.spread));
  return refuse_ranked(topology, options.lmc, "dmodc");
}

// What cables that one fabric has and the other has not can concern.
struct Changes {
  std::vector<TreeNode> heads;  // lower ends of changed cables
  std::vector<TreeNode> nodes;  // these and all below them
  bool hosts = false;           // a host cable changed

  Changes(const RankedTree& tree, const Fabric& before, const Fabric& after) {
    IdVector<TreeNode, bool> marked(tree.nodes().size());
    for (Channel c : after.channels()) {
      if (before.cabled(c) == after.cabled(c)) continue;
      if (!after.is_switch(after.from(c))) hosts = true;
      mark_lower_end(tree, after, c, marked);
    }
    for (TreeNode v : tree.by_rank())
      if (marked[v]) heads.push_back(v);
    for (auto v = tree.by_rank().rbegin(); v != tree.by_rank().rend(); ++v) {
      for (const auto& u : tree.up(*v))
        if (marked[u.parent]) marked[*v] = true;
      if (marked[*v]) nodes.push_back(*v);
    }
  }

 private:
  static void mark_lower_end(const RankedTree& tree, const Fabric& fabric, Channel c,
                             IdVector<TreeNode, bool>& marked) {
    if (index(fabric.from(c)) < tree.first_node()) return;
    const TreeNode v = tree.number(fabric.from(c));
    for (const auto& u : tree.up(v))
      for (const auto& cable : tree.cables(u))
        if (cable.up == index(fabric.port(c))) marked[v] = true;
  }
};

}  // namespace

RouteResult route_dmodc(const Topology& topology, const DmodcOptions& options) {
  if (auto refused = refuse(topology, options)) return *refused;
  Dmodc dmodc(topology, options);
  const Gaps gaps(topology.fabric, dmodc.tree());
  Tables tables(topology.fabric, options.lmc);
  const auto& groups = dmodc.tree().groups();
  for (u32 g = 0; g < groups.size(); ++g) {
    const Alternatives& towards = dmodc.towards(groups[g]);
    if (auto gap = gaps.find(g, [&](TreeNode v) { return towards.cost(v) != Alternatives::no_way; }))
      return *gap;
    dmodc.write(groups[g], tables);
  }
  return one_lane(std::move(tables), options.lmc);
}

// Where no changed cable has its lower end above the group, all that is above it goes down as before, and
// what goes up can have changed only below a changed cable.
RouteResult reroute_dmodc(Tables tables, const Topology& before, const Topology& after,
                          const DmodcOptions& options) {
  if (auto refused = refuse(after, options)) return *refused;
  Dmodc dmodc(after, options);
  const Changes changes(dmodc.tree(), before.fabric, after.fabric);
  if (changes.hosts) return route_dmodc(after, options);
  const Gaps gaps(after.fabric, dmodc.tree());
  const auto& groups = dmodc.tree().groups();
  for (u32 g = 0; g < groups.size(); ++g) {
    const Alternatives& towards = dmodc.towards(groups[g]);
    if (auto gap = gaps.find(g, [&](TreeNode v) { return towards.cost(v) != Alternatives::no_way; }))
      return *gap;
    const bool above = std::any_of(changes.heads.begin(), changes.heads.end(),
                                   [&](TreeNode v) { return towards.is_above(v); });
    if (above)
      dmodc.write(groups[g], tables);
    else
      dmodc.write(groups[g], tables, changes.nodes);
  }
  return one_lane(std::move(tables), options.lmc);
}

Engine dmodc_engine() {
  Engine out = make_engine<route_dmodc>(
      "dmodc", "Gliksberg et al., arXiv 2211.11817",
      "fat-trees with cables and switches missing: d-mod-k over what is alive; one lane");
  out.reroute = [](Tables tables, const Topology& before, const Topology& after, const PluginText& text) {
    return reroute_dmodc(std::move(tables), before, after, read_options<DmodcOptions>(text));
  };
  return out;
}

}  // namespace banyan::engines
