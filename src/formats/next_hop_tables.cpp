#include "formats/next_hop_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "base/file.hpp"
#include "base/text.hpp"
#include "fabric/attachments.hpp"
#include "fabric/names.hpp"
#include "formats/host_addresses.hpp"
#include "formats/lines.hpp"
#include "formats/switch_routes.hpp"

namespace banyan::formats {
namespace {

bool is_vlan_interface(std::string_view name) {
  const std::string text = lower(name);
  return text.starts_with("vlan") || text.starts_with("br") || text.starts_with("irb") ||
         text.starts_with("bvi");
}

}  // namespace

// The ports of a group and their weights, in ascending order.
using Exits = std::vector<std::pair<Port, u32>>;

struct NextHopReader::Data {
  explicit Data(const Fabric& whole)
      : fabric(whole), names(whole), tables(whole.switches()), address(whole.nics()) {}

  const Fabric& fabric;
  const NameIndex names;
  std::vector<std::optional<SwitchRoutes>> tables;  // by switch
  HostAddresses address;
  std::set<std::string> unknown{};  // interfaces that are no ports

  std::optional<Node> node_of(std::string_view name) const {
    if (auto found = names.find(name)) return found;
    if (auto found = names.find(without_domain(name))) return found;
    for (const Node node : fabric.switch_nodes())
      if (without_domain(fabric.name(node)) == without_domain(name)) return node;
    return std::nullopt;
  }
  const SwitchRoutes* table(Node node) const {
    const auto& found = tables[index(node) - fabric.nics()];
    return found ? &*found : nullptr;
  }
  std::optional<Port> port_of(Node node, std::string_view interface) const {
    for (const Channel c : fabric.channels(node))
      if (fabric.port_label(c) == interface) return fabric.port(c);
    const auto dot = interface.find('.');  // a VLAN on a port
    return dot == interface.npos ? std::nullopt : port_of(node, interface.substr(0, dot));
  }
  Channel to_nic(Nic nic) const {
    const Channel c = channel_to_switch(fabric, nic);
    return c == none<Channel> ? c : fabric.reverse(c);
  }

  void find_address(Nic nic);
  // The ports of a next hop: one, or the members of a port channel, or the cables to a neighbour.
  std::vector<Port> ports_of(Node node, const SwitchRoutes& routes, const NextHop& hop) const;
  Exits exits(Node node, Nic nic);
};

// Of the prefixes that the leaf sends out at this port alone, its own network, else the longest.
void NextHopReader::Data::find_address(Nic nic) {
  const Channel c = to_nic(nic);
  if (address[index(nic)] || c == none<Channel>) return;
  const Node leaf = fabric.from(c);
  const SwitchRoutes* routes = table(leaf);
  if (!routes) return;  // refused before
  const std::pair<const IpPrefix, IpRoute>* best = nullptr;
  std::vector<const std::pair<const IpPrefix, IpRoute>*> of_vlans;
  for (const auto& entry : routes->routes) {
    const auto& [prefix, route] = entry;
    if (is_special(prefix) || route.hops.empty()) continue;
    if (route.is_connected && prefix.length < prefix.base.bits() &&
        is_vlan_interface(route.hops[0].interface))
      of_vlans.push_back(&entry);
    const bool is_here = std::all_of(route.hops.begin(), route.hops.end(), [&](const NextHop& hop) {
      return !hop.is_neighbour && port_of(leaf, hop.interface) == fabric.port(c);
    });
    const auto rank = [](const auto& e) { return std::pair(e.second.is_connected, e.first.length); };
    if (is_here && (!best || rank(entry) > rank(*best))) best = &entry;
  }
  if (!best && of_vlans.size() == 1) best = of_vlans[0];
  if (!best)
    throw InputError(
        Place{routes->file},
        fmt::format(
            "no route says which address {} has: expected --addresses, a file with lines ADDRESS NAME",
            fabric.name(fabric.node(nic))));
  address[index(nic)] = best->first.base;
}

std::vector<Port> NextHopReader::Data::ports_of(Node node, const SwitchRoutes& routes,
                                                const NextHop& hop) const {
  std::vector<Port> out;
  if (hop.is_neighbour) {
    for (const Channel c : fabric.channels(node))
      if (fabric.cabled(c) && without_domain(fabric.name(fabric.to(c))) == without_domain(hop.interface))
        out.push_back(fabric.port(c));
    return out;
  }
  const auto channel = routes.channels.find(hop.interface);
  const std::vector<std::string> itself = {hop.interface};
  for (const std::string& member : channel == routes.channels.end() ? itself : channel->second)
    out.push_back(port_of(node, member).value_or(none<Port>));
  return out;
}

// A next hop over several ports divides its weight among them.
Exits NextHopReader::Data::exits(Node node, Nic nic) {
  const SwitchRoutes* routes = table(node);
  const IpRoute* route = routes ? routes->find(*address[index(nic)]) : nullptr;
  if (!route) return {};
  const Channel last = to_nic(nic);
  const bool ends_here = fabric.from(last) == node && route->is_connected;
  std::vector<std::pair<const NextHop*, std::vector<Port>>> hops;
  u64 common = 1;  // a multiple of the ports of each next hop
  for (const NextHop& hop : route->hops) {
    hops.emplace_back(&hop, ports_of(node, *routes, hop));
    if (hops.back().second.empty()) hops.back().second.push_back(none<Port>);
    common = std::lcm(common, hops.back().second.size());
  }
  std::map<Port, u64> weights;
  u64 lost = 0;
  for (auto& [hop, ports] : hops)
    for (Port& port : ports) {
      if (port == none<Port> && ends_here) port = fabric.port(last);
      if (port == none<Port>) unknown.insert(fmt::format("{} of {}", hop->interface, fabric.name(node)));
      (port == none<Port> ? lost : weights[port]) += hop->weight * (common / ports.size());
    }
  if (lost > 0) {  // by a port without a cable; where there is none, all of the group counts as lost
    const auto ports = fabric.channels(node);
    const auto empty = std::find_if(ports.begin(), ports.end(), [&](Channel c) { return !fabric.cabled(c); });
    if (empty == ports.end()) return {};
    weights[fabric.port(*empty)] += lost;
  }
  constexpr u64 max_sum = ~u32{0};
  u64 sum = 0;
  Exits out;
  for (const auto& [port, weight] : weights) {
    sum += weight;
    out.emplace_back(port, static_cast<u32>(weight));
  }
  if (sum > max_sum)
    throw InputError(Place{routes->file, route->line},
                     "found weights that are too fine, expected smaller ones");
  return out;
}

NextHopReader::NextHopReader(const Fabric& fabric) : data_(std::make_unique<Data>(fabric)) {}
NextHopReader::~NextHopReader() = default;

void NextHopReader::read(std::istream& in, const std::string& file) {
  std::string name = std::filesystem::path(file).filename().string();
  for (const std::string_view ending : {".json", ".txt"})
    if (name.size() > ending.size() && name.ends_with(ending)) name.resize(name.size() - ending.size());
  const auto node = data_->node_of(name);
  if (!node || !data_->fabric.is_switch(*node))
    throw InputError(Place{file},
                     fmt::format("found tables of {}, which is no switch of the fabric", shown(name)));
  auto& routes = data_->tables[index(*node) - data_->fabric.nics()];
  if (routes)
    throw InputError(Place{file},
                     fmt::format("found a second file of {}, after {}", shown(name), routes->file));
  routes = read_switch_routes(in, file);
}

void NextHopReader::read_addresses(std::istream& in, const std::string& file) {
  data_->address = read_host_addresses(in, file, data_->fabric);
}

namespace {

// Sets of next hops in which every NIC is a destination of its own, not every leaf: those of a fabric in
// which a NIC could choose between two ports.
PortSets sets_by_nic(const Fabric& fabric) {
  FabricBuilder builder(fabric.endpoints());
  builder.nic_ports(Nic{0}, 2);
  for (const Node node : fabric.switch_nodes()) builder.add_switch(fabric.ports(node));
  const u8 any = builder.add_class({});
  for (u32 nic = 0; nic < fabric.nics(); ++nic)
    if (const Channel c = channel_to_switch(fabric, Nic{nic}); c != none<Channel>)
      builder.connect(fabric.from(c), Port{0}, fabric.to(c), fabric.port(fabric.reverse(c)), any);
  return PortSets(std::move(builder).build());
}

}  // namespace

// Throws InputError where a fabric and its tables do not go together.
void NextHopReader::check(const std::string& folder) const {
  const Data& data = *data_;
  const Fabric& fabric = data.fabric;
  if (!nics_have_one_port(fabric))
    throw InputError(Place{folder},
                     "found NICs with several ports, expected NICs with one each for these tables");
  for (const Node node : fabric.switch_nodes())
    if (!data.table(node) && fabric.cabled_ports(node) > 0)
      throw InputError(Place{folder}, fmt::format("found no tables of {}, expected a file for each switch",
                                                  fabric.name(node)));
  constexpr u64 max_entries = u64{1} << 28;
  if (u64{fabric.nics()} * fabric.nodes().size() > max_entries)
    throw InputError(Place{folder}, fmt::format("found {} NICs on {} switches, expected at most {} entries",
                                                fabric.nics(), fabric.switches(), max_entries));
}

NextHopsRead NextHopReader::run(const std::string& folder) {
  check(folder);
  Data& data = *data_;
  const Fabric& fabric = data.fabric;
  for (u32 nic = 0; nic < fabric.nics(); ++nic) data.find_address(Nic{nic});

  // By NIC and switch. NICs of one leaf usually have the same next hops everywhere else.
  std::vector<std::vector<Exits>> exits(fabric.nics());
  PortSets by_leaf(fabric);
  std::vector<u32> first(by_leaf.groups(), PortSets::nobody);  // by leaf: a NIC
  bool are_alike = true;
  for (u32 i = 0; i < fabric.nics(); ++i) {
    const Nic nic{i};
    const Channel last = data.to_nic(nic);
    if (last == none<Channel>) continue;
    const Node leaf = fabric.from(last);
    for (const Node node : fabric.switch_nodes()) exits[i].push_back(data.exits(node, nic));
    const auto& at_leaf = exits[i][index(leaf) - fabric.nics()];
    are_alike &= at_leaf.size() == 1 && at_leaf[0].first == fabric.port(last);
    u32& other = first[by_leaf.group(nic)];
    if (other == PortSets::nobody) other = i;
    for (u32 s = 0; s < fabric.switches() && are_alike; ++s)
      are_alike = s == index(leaf) - fabric.nics() || exits[i][s] == exits[other][s];
  }

  PortSets sets = are_alike ? std::move(by_leaf) : sets_by_nic(fabric);
  std::vector<u8> done(sets.groups());
  for (u32 i = 0; i < fabric.nics(); ++i) {
    const u32 group = sets.group(Nic{i});
    if (group == PortSets::nobody || std::exchange(done[group], u8{1})) continue;
    for (u32 other = 0; other < fabric.nics() && sets.first_node() == 0; ++other)
      if (other != i) {
        sets.reach(group, other, 1);
        sets.add(group, other, Port{0});
      }
    for (u32 s = 0; s < fabric.switches(); ++s) {
      const u32 v = fabric.nics() + s - sets.first_node();
      if (exits[i][s].empty()) continue;
      sets.reach(group, v, 1);
      std::vector<u32> weights;
      for (const auto& [port, weight] : exits[i][s]) {
        sets.add(group, v, port);
        weights.push_back(weight);
      }
      sets.weigh(group, v, weights);
    }
    sets.reach(group, sets.start(group), 0);
  }
  NextHopsRead out{std::move(sets)};
  if (!data.unknown.empty())
    out.remarks.push_back(
        fmt::format("{} next hop{} lead{} over no port of the fabric, such as {}: what goes there is lost",
                    data.unknown.size(), data.unknown.size() == 1 ? "" : "s",
                    data.unknown.size() == 1 ? "s" : "", *data.unknown.begin()));
  return out;
}

namespace {

std::vector<std::string> table_files(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    const bool is_table = name.ends_with(".json") || name.ends_with(".txt");
    if (entry.is_regular_file() && !name.starts_with('.') && is_table) out.push_back(entry.path().string());
  }
  std::sort(out.begin(), out.end(), natural_less);
  return out;
}

}  // namespace

bool is_next_hop_folder(const std::string& folder) {
  if (!input_exists(folder)) return false;
  std::error_code failed;
  for (const char* name : {"lfts", "opensm-lfts.dump"})  // of InfiniBand
    if (std::filesystem::is_regular_file(std::filesystem::path(folder) / name, failed)) return false;
  const auto files = table_files(folder);
  return std::any_of(files.begin(), files.end(),
                     [](const std::string& file) { return file.ends_with(".json"); });
}

NextHopsRead read_next_hops(const std::string& folder, const Fabric& fabric, const std::string& addresses) {
  NextHopReader reader(fabric);
  const std::string beside = (std::filesystem::path(folder) / "addresses").string();
  std::error_code failed;
  if (!addresses.empty() || std::filesystem::is_regular_file(beside, failed)) {
    const std::string& file = addresses.empty() ? beside : addresses;
    std::ifstream in = open_input(file);
    reader.read_addresses(in, file);
  }
  for (const std::string& file : table_files(folder)) {
    std::ifstream in = open_input(file);
    reader.read(in, file);
  }
  return reader.run(folder);
}

}  // namespace banyan::formats
