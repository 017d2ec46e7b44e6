#include "fabric/names.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace banyan::fabric {

NameIndex::NameIndex(const Fabric& fabric) {
  nodes_.reserve(fabric.nodes().size());
  for (Node v : fabric.nodes()) nodes_.emplace(fabric.name(v), v);
}

std::optional<Node> NameIndex::find(std::string_view name) const {
  const auto found = nodes_.find(std::string(name));
  if (found == nodes_.end()) return std::nullopt;
  return found->second;
}

Host find_host(const Fabric& fabric, const std::string& text) {
  for (u32 h = 0; h < fabric.hosts(); ++h)
    if (fabric.host_name(Host{h}) == text) return Host{h};
  const auto number = parse_unsigned(text);
  if (!number) throw InputError(fmt::format("there is no host called '{}'", text));
  if (*number >= fabric.hosts())
    throw InputError(fmt::format("there is no host {}: they are 0 to {}", text, fabric.hosts() - 1));
  return Host{static_cast<u32>(*number)};
}

u32 find_column(const Fabric& fabric, u32 column) {
  if (column < fabric.columns()) return column;
  throw InputError(fmt::format("there is no rail {}: they are 0 to {}", column, fabric.columns() - 1));
}

std::string port_name(const Fabric& fabric, Channel c) {
  return fmt::format("{}:{}", fabric.name(fabric.from(c)), fabric.port_label(c));
}

std::string cable_name(const Fabric& fabric, const Link& link) {
  return port_name(fabric, link.a) + " - " + port_name(fabric, link.b);
}

}  // namespace banyan::fabric
