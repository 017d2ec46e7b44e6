#include "formats/logical_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "fabric/attachments.hpp"
#include "topology/place.hpp"

namespace banyan::formats {
namespace {

// --- a fabric that is a tree
// ---------------------------------------------------------------------------------

// Whether and how the switches form a tree. The parent of a switch is behind its last cable.
class PlainTree {
 public:
  explicit PlainTree(const Fabric& fabric) : fabric_(fabric), up_(fabric.nodes().size(), none<Channel>) {}

  std::optional<std::vector<LogicalSwitch>> run() {
    if (!hosts_hang_on_leaves()) return std::nullopt;
    find_roots();
    std::vector<LogicalSwitch> out;
    for (Node root : roots_) append(root, out);
    if (bad_ || visited_ != switches_) return std::nullopt;
    return out;
  }

 private:
  bool hosts_hang_on_leaves() const {
    if (fabric_.slots() != 1) return false;
    for (Node v : fabric_.nic_nodes()) {
      if (fabric_.cabled_ports(v) != 1) return false;
      for (Channel c : fabric_.channels(v))
        if (fabric_.cabled(c) && !fabric_.is_switch(fabric_.to(c))) return false;
    }
    return true;
  }
  bool is_leaf(Node v) const {
    for (Channel c : fabric_.channels(v))
      if (fabric_.cabled(c) && !fabric_.is_switch(fabric_.to(c))) return true;
    return false;
  }
  // Where two switches are each other's last, the root is the one without hosts, else the first.
  void find_roots() {
    for (Node v : fabric_.switch_nodes()) {
      for (Channel c : fabric_.channels(v))
        if (fabric_.cabled(c)) up_[v] = c;
      switches_ += up_[v] != none<Channel>;
    }
    for (Node v : fabric_.switch_nodes()) {
      if (up_[v] == none<Channel>) continue;
      const Node above = fabric_.to(up_[v]);
      const bool mutual = fabric_.is_switch(above) && up_[above] == fabric_.reverse(up_[v]);
      if (!fabric_.is_switch(above) ||
          (mutual && std::pair(is_leaf(v), v) < std::pair(is_leaf(above), above))) {
        roots_.push_back(v);
        up_[v] = none<Channel>;
      }
    }
  }
  // The subtree of v level by level from below, so that children come before parents, and siblings in the
  // order of ports; stops where it is no tree.
  void append(Node root, std::vector<LogicalSwitch>& out);

  const Fabric& fabric_;
  IdVector<Node, Channel> up_;  // the cable to the parent; none for roots
  std::vector<Node> roots_;
  u32 switches_ = 0, visited_ = 0;  // with cables
  bool bad_ = false;
};

void PlainTree::append(Node root, std::vector<LogicalSwitch>& out) {
  const std::size_t first = out.size();
  std::vector<Node> queue = {root};
  std::vector<std::ptrdiff_t> levels = {0};  // where they start
  for (std::size_t i = 0, last = 1; i < queue.size() && !bad_; ++i, ++visited_) {
    if (i == last) {
      levels.push_back(static_cast<std::ptrdiff_t>(i));
      last = queue.size();
    }
    LogicalSwitch here{fabric_.name(queue[i]), {}, {}, 0};
    bool even = true;
    for (Channel c : fabric_.channels(queue[i])) {
      if (!fabric_.cabled(c) || c == up_[queue[i]]) continue;
      const Node below = fabric_.to(c);
      const double capacity = fabric_.link_class(c).capacity;
      if (here.capacity == 0) here.capacity = capacity;
      even = even && here.capacity == capacity;
      (fabric_.is_switch(below) ? here.switches : here.hosts).push_back(fabric_.name(below));
      if (!fabric_.is_switch(below)) continue;
      if (up_[below] != fabric_.reverse(c) || visited_ >= switches_) bad_ = true;
      queue.push_back(below);
    }
    if (here.hosts.empty() == here.switches.empty()) bad_ = true;
    if (!even) here.capacity = 0;
    out.push_back(std::move(here));
  }
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
  std::reverse(begin, out.end());
  levels.push_back(out.end() - begin);
  for (std::size_t l = 1; l < levels.size(); ++l)
    std::reverse(out.end() - levels[l], out.end() - levels[l - 1]);
}

// --- a fabric that is not
// ------------------------------------------------------------------------------------

// Makes names that no switch has.
class FreshNames {
 public:
  explicit FreshNames(const Fabric& fabric) {
    for (Node v : fabric.nodes()) used_.insert(fabric.name(v));
  }
  std::string operator()(std::string name) {
    while (!used_.insert(name).second) name += "_";
    return name;
  }

 private:
  std::unordered_set<std::string> used_;
};

void add_root(std::vector<LogicalSwitch>& tree, std::size_t first, FreshNames& fresh) {
  if (tree.size() < first + 2) return;
  LogicalSwitch root{fresh("root"), {}, {}, 0};
  for (std::size_t i = first; i < tree.size(); ++i) root.switches.push_back(tree[i].name);
  tree.push_back(std::move(root));
}

// A switch for every subtree of every level.
std::vector<LogicalSwitch> subtrees(const Fabric& fabric, const Pgft& tree, FreshNames fresh) {
  std::vector<LogicalSwitch> out;
  for (u32 level = 1; level <= tree.h(); ++level) {
    const u32 below = level == 1 ? tree.hosts_of_leaf() : tree.m[level - 1],
              count = static_cast<u32>(tree.endpoints() / tree.M(level));
    const std::size_t first = out.size(), children = level == 1 ? 0 : first - count * below;
    for (u32 t = 0; t < count; ++t) {
      LogicalSwitch here{fresh(fmt::format("tree{}-{}", level, t)), {}, {}, 0};
      for (u32 i = t * below; i < (t + 1) * below; ++i) {
        if (level == 1)
          here.hosts.push_back(fabric.host_name(Host{i}));
        else
          here.switches.push_back(out[children + i].name);
      }
      out.push_back(std::move(here));
    }
  }
  return out;
}

// The switch that a host hangs on, by the first of its cables.
Node leaf_of(const Fabric& fabric, Host host) {
  Node leaf = none<Node>;
  for (u32 slot = 0; slot < fabric.nics(host) && leaf == none<Node>; ++slot)
    leaf = switch_of(fabric, fabric.nic(host, slot));
  return leaf;
}

// Leaves with their hosts; `group` says which of them belong together.
template <class Group>
std::vector<LogicalSwitch> leaves(const Fabric& fabric, FreshNames fresh, Group&& group) {
  std::vector<std::vector<std::string>> hosts(fabric.switches() + 1);  // the last: no switch
  for (Host h : IdRange<Host>(fabric.hosts())) {
    const Node leaf = leaf_of(fabric, h);
    hosts[leaf == none<Node> ? fabric.switches() : index(leaf) - fabric.nics()].push_back(
        fabric.host_name(h));
  }
  std::vector<LogicalSwitch> out, groups;
  for (u32 i = 0; i <= fabric.switches(); ++i) {
    if (hosts[i].empty()) continue;
    const bool lost = i == fabric.switches();
    out.push_back(
        {lost ? fresh("unattached") : fabric.name(Node{fabric.nics() + i}), std::move(hosts[i]), {}, 0});
    const std::optional<u32> number = lost ? std::nullopt : group(Node{fabric.nics() + i});
    if (!number) continue;
    if (groups.size() <= *number) groups.resize(*number + 1);
    groups[*number].switches.push_back(out.back().name);
  }
  std::size_t first = groups.empty() ? 0 : out.size();
  for (u32 g = 0; g < groups.size(); ++g)
    if (!groups[g].switches.empty())
      out.push_back({fresh(fmt::format("group{}", g)), {}, std::move(groups[g].switches), 0});
  add_root(out, first, fresh);
  return out;
}

}  // namespace

std::vector<LogicalSwitch> logical_tree(const Topology& topology) {
  const Fabric& fabric = topology.fabric;
  if (auto tree = PlainTree(fabric).run()) return *std::move(tree);
  FreshNames fresh(fabric);
  const Places places(topology);
  const bool is_whole = places.planes().all_nics() == fabric.nics();  // the hosts are those of the shape
  if (const auto* tree = topology.as<Pgft>(); tree && tree->nics.leaves() == 1 && is_whole)
    return subtrees(fabric, *tree, fresh);
  return leaves(fabric, fresh, [&](Node leaf) {
    return is_whole && places.has_groups() ? std::optional(places.group(leaf)) : std::nullopt;
  });
}

}  // namespace banyan::formats
