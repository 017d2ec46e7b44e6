// Labels of Kubernetes nodes that say where a host stands: a document for each, to be applied with
// `kubectl apply --server-side`. The keys are those that topology-aware schedulers read: the switch that a
// host hangs on, then the switches of the logical tree above it. Written only.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/print.hpp"
#include "formats/lines.hpp"
#include "formats/slurm_tree.hpp"

namespace banyan::formats {
namespace {

// Names of nodes are DNS names; values of labels are shorter, and take capitals and underscores too.
bool is_allowed(std::string_view text, std::size_t longest, std::string_view inside) {
  constexpr std::string_view ends = "abcdefghijklmnopqrstuvwxyz0123456789";
  const auto plain = [&](char c) { return ends.find(c) != ends.npos; };
  const auto capital = [&](char c) { return c >= 'A' && c <= 'Z' && inside.find('_') != inside.npos; };
  return !text.empty() && text.size() <= longest && (plain(text.front()) || capital(text.front())) &&
         (plain(text.back()) || capital(text.back())) && std::all_of(text.begin(), text.end(), [&](char c) {
           return plain(c) || capital(c) || inside.find(c) != inside.npos;
         });
}

void check_allowed(const std::string& name, bool is_node) {
  if (!is_allowed(name, is_node ? 253 : 63, is_node ? "-." : "-._"))
    throw InputError(fmt::format("Kubernetes does not allow {} named '{}'",
                                 is_node ? "a node" : "a label with a switch", name));
}

void write_kubernetes(const FabricFile& file, std::ostream& out) {
  static constexpr std::array<std::string_view, 3> keys = {"leaf", "spine", "core"};
  const auto tree = logical_tree(file.topology);
  std::map<std::string, std::string> above;
  for (const LogicalSwitch& s : tree)
    for (const std::string& below : s.switches) above[below] = s.name;
  for (const LogicalSwitch& leaf : tree)
    for (const std::string& host : leaf.hosts) {
      check_allowed(host, true);
      base::print(out, "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: \"{}\"\n  labels:\n", host);
      std::string at = leaf.name;
      for (const std::string_view key : keys) {
        check_allowed(at, false);
        base::print(out, "    network.topology.nvidia.com/{}: \"{}\"\n", key, at);
        const auto next = above.find(at);
        if (next == above.end()) break;
        at = next->second;
      }
    }
}

}  // namespace

Format kubernetes_format() {
  return {"kubernetes",
          {},
          "labels of Kubernetes nodes",
          [](std::string_view head) { return head.find("apiVersion: v1\nkind: Node\n") != head.npos; },
          nullptr,
          write_kubernetes};
}

}  // namespace banyan::formats
