#include "formats/infiniband_ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/text.hpp"
#include "fabric/names.hpp"

namespace banyan::formats {
namespace {

constexpr u64 first_switch_guid = 0x0002c90200000000, first_nic_guid = 0x0002c90300000000;
constexpr u32 max_lids = 0xbfff;  // unicast
constexpr u64 room = 256;         // GUIDs from one NIC to the next: its own and one for each port

class GuidMaker {
 public:
  explicit GuidMaker(const InfinibandIds& ids) {
    for (const auto& node : ids.nodes) used_.insert({node.guid, node.port0.guid});
    for (const auto& port : ids.nic_channels) used_.insert(port.guid);
  }
  void fill(u64& guid, u64 wanted) {
    if (guid != 0) return;
    while (!used_.insert(wanted).second) wanted += u64{1} << 48;
    guid = wanted;
  }

 private:
  std::unordered_set<u64> used_;
};

void number_lids(const Fabric& fabric, InfinibandIds& ids) {
  if (ids.nodes.size() + ids.nic_channels.size() > max_lids) return;
  u16 lid = 1;
  for (auto& port : ids.nic_channels) port.lid = lid++;
  for (Node v : fabric.switch_nodes()) ids.nodes[v].port0.lid = lid++;
}

}  // namespace

InfinibandIds complete_ids(const Fabric& fabric, InfinibandIds ids) {
  const bool unknown = ids.empty();
  std::size_t nic_channels = 0;
  for (Node v : fabric.nic_nodes()) nic_channels += fabric.ports(v);
  ids.nodes.resize(fabric.nodes().size());
  ids.nic_channels.resize(nic_channels);
  GuidMaker maker(ids);
  for (Node v : fabric.switch_nodes()) {
    auto& node = ids.nodes[v];
    maker.fill(node.guid, first_switch_guid + (index(v) - fabric.nics()));
    if (node.port0.guid == 0) node.port0.guid = node.guid;
  }
  for (Node v : fabric.nic_nodes()) {
    maker.fill(ids.nodes[v].guid, first_nic_guid + room * index(v));
    for (Channel c : fabric.channels(v))
      maker.fill(ids.nic_channels[c].guid, first_nic_guid + room * index(v) + 1 + index(fabric.port(c)));
  }
  for (auto& node : ids.nodes)
    if (node.system_guid == 0) node.system_guid = node.guid;
  if (unknown) number_lids(fabric, ids);
  return ids;
}

std::string infiniband_description(const Fabric& fabric, Node node) {
  if (fabric.is_switch(node)) return fabric.name(node);
  const Nic nic = fabric.nic(node);
  return fmt::format("{} HCA-{}", fabric.host_name(fabric.host(nic)), fabric.column(nic) + 1);
}

InfinibandIds renumbered(const InfinibandIds& ids, const Fabric& from, const Fabric& to) {
  InfinibandIds out;
  if (ids.empty()) return out;
  const NameIndex by_name(from);
  std::size_t nic_channels = 0;
  for (Node v : to.nic_nodes()) nic_channels += to.ports(v);
  out.nodes.resize(to.nodes().size());
  out.nic_channels.resize(nic_channels);
  const auto at_label = [&](Node node, u32 label) {
    for (Channel c : from.channels(node))
      if (from.cabled(c) && from.port_number(c) == label) return c;
    return none<Channel>;
  };
  for (Node v : to.switch_nodes()) {
    const auto old = by_name.find(to.name(v));
    if (!old || !from.is_switch(*old)) continue;
    out.nodes[v] = ids.nodes[*old];
    for (Channel c : to.channels(v)) {
      if (!to.cabled(c) || to.is_switch(to.to(c))) continue;
      const Channel down = at_label(*old, to.port_number(c));
      if (down == none<Channel> || from.is_switch(from.to(down))) continue;
      out.nodes[to.to(c)] = ids.nodes[from.to(down)];
      out.nic_channels[to.reverse(c)] = ids.nic_channels[from.reverse(down)];
    }
  }
  return out;
}

namespace {

// A stem, numbers, and between numbers what the names of PCI devices have there: mlx5_0, ibp24s0f1, mlx5_ib2.
bool is_adapter_name(std::string_view text) {
  static constexpr std::array<std::string_view, 14> stems = {"hca", "mlx",   "mthca", "ehca", "hfi",
                                                             "qib", "ipath", "ib",    "ibp",  "ibs",
                                                             "opa", "roce",  "rocep", "rail"};
  static constexpr std::array<std::string_view, 5> inner = {"s", "f", "np", "ib", "bond"};
  constexpr std::string_view numbers = "0123456789-_";
  const std::string word = lower(text);
  auto at = word.find_first_of(numbers);
  if (at == word.npos || word.find_first_of("0123456789") == word.npos) return false;
  if (std::find(stems.begin(), stems.end(), word.substr(0, at)) == stems.end()) return false;
  while ((at = word.find_first_not_of(numbers, at)) != word.npos) {
    const auto end = std::min(word.find_first_of(numbers, at), word.size());
    if (std::find(inner.begin(), inner.end(), word.substr(at, end - at)) == inner.end()) return false;
    at = end;
  }
  return true;
}

}  // namespace

AdapterName split_description(std::string_view description) {
  std::string_view names = description;
  if (const auto product = names.find(" ("); names.ends_with(')') && product != names.npos)
    names = names.substr(0, product);
  const auto space = names.rfind(' ');
  if (space == names.npos || space == 0) return {description, ""};
  if (!is_adapter_name(names.substr(space + 1))) return {description, ""};
  return {names.substr(0, space), names.substr(space + 1)};
}

}  // namespace banyan::formats
