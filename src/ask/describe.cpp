#include "ask/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fabric/names.hpp"
#include "fabric/slow_links.hpp"
#include "formats/link_speed.hpp"

namespace banyan::ask {
namespace {

// A node of the raw fabric; where none is known to stand at a place of the shape, what it would be.
std::string name_or_kind(const Fabric& raw, Node node, bool is_switch) {
  if (node != none<Node>) return raw.name(node);
  return is_switch ? "(a switch not seen there)" : "(a host not seen there)";
}

// Switches of the shape that lack all their cables, of which they have several.
std::map<Node, DeadSwitchAnswer> dead_switches(const std::vector<MissingCable>& missing, const Fabric& shape,
                                               const Fabric& raw) {
  std::map<Node, DeadSwitchAnswer> out;
  const auto add = [&](Node ideal, Node found, Node beside) {
    if (!shape.is_switch(ideal)) return;
    DeadSwitchAnswer& node = out[ideal];
    node.name = name_or_kind(raw, found, true);
    ++node.cables;
    if (beside == none<Node>) return;
    const std::string& name = raw.name(beside);
    if (std::find(node.beside.begin(), node.beside.end(), name) == node.beside.end())
      node.beside.push_back(name);
  };
  for (const MissingCable& c : missing) {
    add(c.ideal_a, c.raw_a, c.raw_b);
    add(c.ideal_b, c.raw_b, c.raw_a);
  }
  std::erase_if(out, [&](const auto& node) {
    return node.second.cables < 2 || node.second.cables < shape.cabled_ports(node.first);
  });
  return out;
}

RecognisedAnswer recognised(const Recognition& found, const Fabric& raw) {
  RecognisedAnswer out;
  auto missing = found.missing;
  const auto unnamed = [](const MissingCable& c) { return (c.raw_a == none<Node>)+(c.raw_b == none<Node>); };
  std::stable_sort(missing.begin(), missing.end(),
                   [&](const MissingCable& a, const MissingCable& b) { return unnamed(a) < unnamed(b); });
  const Fabric shape = build(found.candidate.shape, found.candidate.planes).fabric;
  const auto dead = dead_switches(missing, shape, raw);
  for (const auto& [node, answer] : dead) out.dead_switches.push_back(answer);
  for (const MissingCable& c : missing) {
    out.missing_cables.push_back({name_or_kind(raw, c.raw_a, shape.is_switch(c.ideal_a)),
                                  name_or_kind(raw, c.raw_b, shape.is_switch(c.ideal_b))});
    if (!dead.contains(c.ideal_a) && !dead.contains(c.ideal_b))
      out.other_missing.push_back(out.missing_cables.back());
  }
  for (const Link& link : found.wrong)
    out.wrong_cables.push_back({port_name(raw, link.a), port_name(raw, link.b)});
  for (const Node v : found.undecided) out.undecided.push_back(raw.name(v));
  out.doubts = found.doubts;
  return out;
}

}  // namespace

namespace {

DescribeAnswer counted(Properties properties, const Fabric& fabric) {
  DescribeAnswer out{std::move(properties)};
  for (const Node node : fabric.switch_nodes()) out.switches_without_cables += fabric.cabled_ports(node) == 0;
  return out;
}

}  // namespace

DescribeAnswer describe(const Situation& at, const NoOptions&) {
  return counted(properties(at.topology, at.threads), at.topology.fabric);
}

namespace {

std::vector<SlowLinkAnswer> slow_link_answers(const Fabric& fabric, Speed unit) {
  std::vector<SlowLinkAnswer> out;
  for (const SlowLink& slow : slow_links(fabric))
    out.push_back({{port_name(fabric, slow.link.a), port_name(fabric, slow.link.b)},
                   slow.capacity,
                   slow.usual,
                   fmt::format("{} runs at {}, {} is usual there", cable_name(fabric, slow.link),
                               capacity_text(slow.capacity, unit), capacity_text(slow.usual, unit))});
  return out;
}

}  // namespace

DescribeAnswer describe_loaded(const Loaded& loaded, unsigned threads) {
  const Fabric* raw = loaded.raw ? &*loaded.raw : nullptr;
  DescribeAnswer out =
      counted(properties(loaded.topology, threads, raw), raw ? *raw : loaded.topology.fabric);
  out.skipped_lines = loaded.notes.skipped_lines;
  if (raw) out.slow_links = slow_link_answers(*raw, loaded.unit);
  out.unnamed_adapters = loaded.notes.unnamed_adapters;
  out.rails_guessed = loaded.notes.rails_guessed;
  out.rails_how = loaded.notes.rails_how;
  if (!loaded.recognition) return out;
  const auto* found = std::get_if<Recognition>(&*loaded.recognition);
  out.recognised = found != nullptr;
  if (found)
    out.found = recognised(*found, *loaded.raw);
  else
    out.unrecognised_because = std::get<Unrecognised>(*loaded.recognition).why;
  return out;
}

PairAnswer describe_pair(const Loaded& loaded, const PairOptions& options) {
  const Topology& t = loaded.topology;
  const Host a = find_host(t.fabric, options.a), b = find_host(t.fabric, options.b);
  const u32 rail = find_column(t.fabric, options.rail);
  PairAnswer out{t.fabric.host_name(a), t.fabric.host_name(b), rail};
  const PairProperties p = pair_properties(t, a, b, rail);
  if (p.distance > 0 || a == b) out.distance = p.distance;
  out.shortest_paths = p.shortest_paths;
  if (loaded.is_undecided(out.a) || loaded.is_undecided(out.b)) return out;  // its digits are not known
  out.minimal_different_index = p.minimal_different_index;
  for (const Node v : p.nearest_common_ancestors) out.nearest_common_ancestors.push_back(t.fabric.name(v));
  return out;
}

}  // namespace banyan::ask
