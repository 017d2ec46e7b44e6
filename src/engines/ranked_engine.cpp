#include "engines/ranked_engine.hpp"

#include "engines/components.hpp"

namespace banyan::engines {

std::optional<NotApplicable> refuse_ranked(const Topology& topology, u32 lmc, std::string_view engine) {
  if (!topology.is<Pgft>() && topology.has_shape())
    return NotApplicable{fmt::format("{} needs a fat-tree, complete or not", engine)};
  return refuse_tables(topology.fabric, lmc, engine);
}

Gaps::Gaps(const Fabric& fabric, const RankedTree& tree) : fabric_(fabric), tree_(tree) {
  const auto component = components(fabric);
  for (const auto& group : tree.groups()) {
    const Node node = tree.node(group.start);
    auto& at = at_.emplace_back();
    const auto add = [&](Node v) {
      if (fabric.is_switch(v)) at.push_back(component[Switch{index(v) - fabric.nics()}]);
    };
    add(node);
    for (Channel c : fabric.channels(node))
      if (!fabric.is_switch(node) && fabric.cabled(c)) add(fabric.to(c));
  }
}

NotApplicable Gaps::refusal(u32 from, u32 to) const {
  const auto name = [&](u32 group) { return fabric_.name(fabric_.node(tree_.groups()[group].nics[0])); };
  return {
      fmt::format("{} and {} are connected, but not by a way up and then down; nue or updn can route this",
                  name(from), name(to))};
}

}  // namespace banyan::engines
