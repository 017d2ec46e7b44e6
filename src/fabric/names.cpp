#include "fabric/names.hpp"

#include <fmt/format.h>

namespace banyan {

NameIndex::NameIndex(const Fabric& fabric) {
  nodes_.reserve(fabric.nodes().size());
  for (Node v : fabric.nodes()) nodes_.emplace(fabric.name(v), v);
}

std::optional<Node> NameIndex::find(std::string_view name) const {
  const auto found = nodes_.find(std::string(name));
  if (found == nodes_.end()) return std::nullopt;
  return found->second;
}

std::string port_name(const Fabric& fabric, Channel c) {
  return fmt::format("{}:{}", fabric.name(fabric.from(c)), fabric.port_label(c));
}

std::string cable_name(const Fabric& fabric, const Link& link) {
  return port_name(fabric, link.a) + " - " + port_name(fabric, link.b);
}

}  // namespace banyan
