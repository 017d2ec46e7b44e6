#include "engines/ranked_engine.hpp"

namespace banyan::engines {
namespace {

// Which nodes can reach each other by switches, whatever their ranks; hosts do not forward.
std::vector<u32> components(const Fabric& fabric) {
  std::vector<u32> out(fabric.nodes().size(), ~u32{0}), stack;
  for (Node start : fabric.switch_nodes()) {
    if (out[index(start)] != ~u32{0}) continue;
    out[index(start)] = index(start);
    stack.push_back(index(start));
    while (!stack.empty()) {
      const Node at{stack.back()};
      stack.pop_back();
      for (Channel c : fabric.channels(at))
        if (fabric.cabled(c) && fabric.is_switch(fabric.to(c)) && out[index(fabric.to(c))] == ~u32{0}) {
          out[index(fabric.to(c))] = index(start);
          stack.push_back(index(fabric.to(c)));
        }
    }
  }
  return out;
}

}  // namespace

std::optional<NotApplicable> refuse_ranked(const Topology& topology, u32 lmc, std::string_view engine) {
  if (!topology.is<Pgft>() && topology.has_shape())
    return NotApplicable{fmt::format("{} needs a fat-tree, complete or not", engine)};
  return refuse_tables(topology.fabric, lmc, engine);
}

Gaps::Gaps(const Fabric& fabric, const RankedTree& tree) : fabric_(fabric), tree_(tree) {
  const std::vector<u32> component = components(fabric);
  for (const auto& group : tree.groups()) {
    const Node node = tree.node(group.start);
    at_.emplace_back();
    if (fabric.is_switch(node))
      at_.back().push_back(component[index(node)]);
    else
      for (Channel c : fabric.channels(node))
        if (fabric.cabled(c)) at_.back().push_back(component[index(fabric.to(c))]);
  }
}

NotApplicable Gaps::refusal(u32 from, u32 to) const {
  const auto name = [&](u32 group) { return fabric_.name(fabric_.node(tree_.groups()[group].nics[0])); };
  return {
      fmt::format("{} and {} are connected, but not by a way up and then down; nue or updn can route this",
                  name(from), name(to))};
}

}  // namespace banyan::engines
