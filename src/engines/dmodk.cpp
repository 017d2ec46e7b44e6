// D-Mod-K: the up port at level l is floor(j / W_l) mod (w_{l+1} p_{l+1}) for destination j (zahavi10,
// equation 3).
#include "engines/tree_paths.hpp"

namespace banyan::engines {
namespace {

// The digits of lower levels do not depend on where a pair meets: one header serves all sources.
struct DModK {
  std::vector<u64> tags;  // by NIC of a plane

  u32 count(Nic, Nic, u64) const { return 1; }
  Header way(Nic, Nic to, u64, u32) const {
    const u32 nic = index(to), size = static_cast<u32>(tags.size());
    return {.to = address_of(to), .tag = tags[nic < size ? nic : nic % size]};
  }
  Reads reads() const { return Reads::nothing; }
};

DModK dmodk_ways(const Pgft& tree) {
  const TreePaths paths(tree);
  DModK out{std::vector<u64>(tree.endpoints())};
  for (u32 nic = 0; nic < out.tags.size(); ++nic)
    out.tags[nic] = paths.tag(paths.mod_k(paths.pair(Nic{nic}, Nic{nic}).to, tree.h()), tree.h());
  return out;
}

RouteResult route_dmodk(const Topology& topology, const PathsOption&) {  // one path, whatever the limit
  if (auto refused = refuse_tree(topology, "dmodk")) return *refused;
  const Pgft& tree = std::get<Pgft>(topology.shape);
  return Routing{TreeForm(tree, topology.planes), Source(dmodk_ways(tree))};
}

}  // namespace

Engine dmodk_engine() {
  return make_engine<route_dmodk>(
      "dmodk", "zahavi10", "fat-trees: up ports by the destination's digits; shifts without contention",
      {.deadlock_free = true, .minimal = true});
}

}  // namespace banyan::engines
