// Converts names to nodes, hosts and ports, and back.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "fabric/fabric.hpp"

namespace banyan::fabric {

class NameIndex {
 public:
  explicit NameIndex(const Fabric& fabric);
  std::optional<Node> find(std::string_view name) const;

 private:
  std::unordered_map<std::string, Node> nodes_;
};

// The host with this name or, if there is none, with this number. Throws InputError if there is neither.
Host find_host(const Fabric& fabric, const std::string& text);

// The same number; throws InputError where hosts have no such column, which users call a rail.
u32 find_column(const Fabric& fabric, u32 column);

// The name of a port as users see it: the node's name and the label of the port, s1-4:17
// or leaf3:swp49.
std::string port_name(const Fabric& fabric, Channel c);
std::string cable_name(const Fabric& fabric, const Link& link);  // "s1-4:17 - s2-3:5"

}  // namespace banyan::fabric
