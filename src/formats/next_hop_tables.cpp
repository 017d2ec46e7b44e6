#include "formats/next_hop_tables.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "base/file.hpp"
#include "base/text.hpp"
#include "fabric/attachments.hpp"
#include "fabric/names.hpp"
#include "formats/lines.hpp"
#include "formats/tree_text.hpp"

namespace banyan::formats {
namespace {

struct IpAddress {
  bool is_v6 = false;
  std::array<u8, 16> bytes{};  // of IPv4 the first four

  u32 bits() const { return is_v6 ? 128 : 32; }
  auto operator<=>(const IpAddress&) const = default;
};

std::optional<IpAddress> parse_ip(std::string_view text) {
  IpAddress out;
  const std::string copy(text);
  if (inet_pton(AF_INET, copy.c_str(), out.bytes.data()) == 1) return out;
  out.is_v6 = true;
  if (inet_pton(AF_INET6, copy.c_str(), out.bytes.data()) == 1) return out;
  return std::nullopt;
}

struct IpPrefix {
  IpAddress base;  // bits beyond the length are 0
  u32 length = 0;
  auto operator<=>(const IpPrefix&) const = default;
};

IpPrefix prefix_of(IpAddress address, u32 length) {
  for (u32 bit = length; bit < address.bits(); ++bit)
    address.bytes[bit / 8] = static_cast<u8>(address.bytes[bit / 8] & ~(0x80u >> bit % 8));
  return {address, length};
}

// 10.0.1.0/24; without a length the address alone.
std::optional<IpPrefix> parse_prefix(std::string_view text) {
  const auto slash = text.find('/');
  const auto address = parse_ip(text.substr(0, slash));
  if (!address) return std::nullopt;
  const auto length =
      slash == text.npos ? std::optional<u64>(address->bits()) : parse_unsigned(text.substr(slash + 1));
  if (!length || *length > address->bits()) return std::nullopt;
  return prefix_of(*address, static_cast<u32>(*length));
}

// Not of a host in the fabric: link-local, multicast, loopback.
bool is_special(const IpPrefix& prefix) {
  const auto& b = prefix.base.bytes;
  if (prefix.base.is_v6) return b[0] == 0xff || (b[0] == 0xfe && (b[1] & 0xc0) == 0x80) || prefix.length == 0;
  return b[0] == 127 || b[0] >= 224 || (b[0] == 169 && b[1] == 254) || prefix.length == 0;
}

bool is_vlan_interface(std::string_view name) {
  const std::string text = lower(name);
  return text.starts_with("vlan") || text.starts_with("br") || text.starts_with("irb") ||
         text.starts_with("bvi");
}

struct IpRoute {
  std::vector<std::string> interfaces{};  // none: what goes there is dropped
  bool is_connected = false;
  bool has_weights = false;  // that differ
  u64 line = 0;
};

struct SwitchRoutes {
  std::string file{};
  std::map<IpPrefix, IpRoute> routes{};
  std::set<u32, std::greater<>> lengths{};                     // of prefixes
  std::map<std::string, std::vector<std::string>> channels{};  // port channels: their members

  void add(const IpPrefix& prefix, IpRoute route) {
    routes[prefix] = std::move(route);
    lengths.insert(prefix.length);
  }
  // The longest prefix that matches; null: there is none.
  const IpRoute* find(const IpAddress& address) const {
    for (const u32 length : lengths) {
      if (length > address.bits()) continue;
      if (const auto found = routes.find(prefix_of(address, length)); found != routes.end())
        return &found->second;
    }
    return nullptr;
  }
};

std::string_view without_domain(std::string_view name) { return name.substr(0, name.find('.')); }

// --- one file ----------------------------------------------------------------------------------------------

class RouteFileReader {
 public:
  RouteFileReader(const std::string& file, SwitchRoutes& out) : ask_(file), out_(out) { out.file = file; }

  void read(std::istream& in, const std::string& file) {
    const auto documents = read_trees(in, file);
    if (documents.empty()) throw InputError(Place{file}, fmt::format("found nothing, expected {}", wanted));
    for (const Tree& document : documents) read_document(document);
    if (out_.routes.empty())
      throw InputError(Place{file}, fmt::format("found no routes, expected {}", wanted));
  }

 private:
  static constexpr std::string_view wanted = "what show ip route json says, or a dump of SONiC's ROUTE_TABLE";

  void read_document(const Tree& document) {
    if (document.is_list()) {  // SONiC: a list of objects, each with a key and OP
      for (const Tree& item : document.items) read_sonic(ask_.map(item, "an object with ROUTE_TABLE"));
      return;
    }
    ask_.map(document, wanted);
    const bool is_sonic = std::any_of(document.keys.begin(), document.keys.end(),
                                      [](const std::string& key) { return key.find("_TABLE:") != key.npos; });
    is_sonic ? read_sonic(document) : read_frr(document);
  }

  void read_frr(const Tree& map) {
    for (std::size_t i = 0; i < map.keys.size(); ++i) {
      const Tree& item = map.items[i];
      const auto prefix = parse_prefix(map.keys[i]);
      if (!prefix && item.is_map()) {  // by VRF
        if (map.keys[i] == "default") read_frr(item);
        continue;
      }
      if (!prefix)
        ask_.fail(item, fmt::format("found {}, expected a prefix such as 10.0.1.0/24", shown(map.keys[i])));
      for (const Tree& entry : ask_.list(item, "a list of routes").items)
        read_entry(*prefix, ask_.map(entry, "a route"));
    }
  }

  static bool is_true(const Tree& map, std::string_view key) {
    const Tree* found = map.find(key);
    return found && found->is_text() && found->text == "true";
  }

  // Of several protocols, the entry that was selected.
  void read_entry(const IpPrefix& prefix, const Tree& entry) {
    if (!is_true(entry, "selected")) return;
    IpRoute route;
    route.line = entry.line;
    const Tree* protocol = entry.find("protocol");
    const std::string name = protocol ? ask_.text(*protocol, "a protocol") : "";
    route.is_connected = name == "connected" || name == "local";
    std::set<std::string> weights;
    if (const Tree* hops = entry.find("nexthops"))
      for (const Tree& hop : ask_.list(*hops, "a list of next hops").items) {
        ask_.map(hop, "a next hop");
        if (!is_true(hop, "fib") || is_true(hop, "recursive") || is_true(hop, "duplicate")) continue;
        if (is_true(hop, "blackhole") || is_true(hop, "reject")) continue;
        route.interfaces.push_back(ask_.text(ask_.at(hop, "interfaceName"), "an interface"));
        if (const Tree* weight = hop.find("weight")) weights.insert(weight->text);
      }
    route.has_weights = weights.size() > 1;
    out_.add(prefix, std::move(route));
  }

  void read_sonic(const Tree& map) {
    for (std::size_t i = 0; i < map.keys.size(); ++i) {
      const std::string_view key = map.keys[i];
      const auto colon = key.find(':');
      if (colon == key.npos) continue;  // OP
      const std::string_view table = key.substr(0, colon), rest = key.substr(colon + 1);
      if (table == "LAG_MEMBER_TABLE") {
        const auto part = rest.find(':');
        if (part != rest.npos)
          out_.channels[std::string(rest.substr(0, part))].emplace_back(rest.substr(part + 1));
      }
      if (table != "ROUTE_TABLE" || rest.starts_with("Vrf")) continue;  // other VRFs are other networks
      const auto prefix = parse_prefix(rest);
      if (!prefix)
        ask_.fail(map.items[i],
                  fmt::format("found {}, expected a prefix such as ROUTE_TABLE:10.0.1.0/24", shown(key)));
      read_hash(*prefix, map, map.items[i]);
    }
  }

  // {"type": "hash", "value": {...}}, or the fields.
  const Tree& fields_of(const Tree& tree) const {
    const Tree& map = ask_.map(tree, "the fields of a route");
    const Tree* value = map.find("value");
    return value && value->is_map() ? *value : map;
  }
  std::vector<std::string> texts(const Tree& fields, std::string_view key) const {
    const Tree* found = fields.find(key);
    std::vector<std::string> out;
    if (!found || found->kind == Tree::Kind::nothing || (found->is_text() && found->text.empty())) return out;
    for (const std::string_view part : split(ask_.text(*found, fmt::format("a text as {}", key)), ','))
      out.emplace_back(trim(part));
    return out;
  }

  void read_hash(const IpPrefix& prefix, const Tree& map, const Tree& tree) {
    const Tree* fields = &fields_of(tree);
    IpRoute route;
    route.line = tree.line;
    if (const auto group = texts(*fields, "nexthop_group"); !group.empty()) {
      const Tree* found = map.find("NEXTHOP_GROUP_TABLE:" + group[0]);
      if (!found)
        ask_.fail(tree, fmt::format("found next-hop group {}, expected NEXTHOP_GROUP_TABLE:{} in the dump",
                                    shown(group[0]), group[0]));
      fields = &fields_of(*found);
    }
    const auto hops = texts(*fields, "nexthop"), weights = texts(*fields, "weight");
    const auto blackhole = texts(*fields, "blackhole");
    if (blackhole.empty() || blackhole[0] != "true") route.interfaces = texts(*fields, "ifname");
    if (!hops.empty() && !route.interfaces.empty() && hops.size() != route.interfaces.size())
      ask_.fail(tree, fmt::format("found {} next hops and {} interfaces, expected as many", hops.size(),
                                  route.interfaces.size()));
    route.is_connected = std::all_of(hops.begin(), hops.end(), [](const std::string& hop) {
      return hop.empty() || hop == "0.0.0.0" || hop == "::";
    });
    route.has_weights = std::set<std::string>(weights.begin(), weights.end()).size() > 1;
    out_.add(prefix, std::move(route));
  }

  TreeReader ask_;
  SwitchRoutes& out_;
};

}  // namespace

// --- the fabric --------------------------------------------------------------------------------------------

struct NextHopReader::Data {
  explicit Data(const Fabric& whole)
      : fabric(whole), names(whole), tables(whole.switches()), address(whole.nics()) {}

  const Fabric& fabric;
  const NameIndex names;
  std::vector<std::optional<SwitchRoutes>> tables;  // by switch
  std::vector<std::optional<IpAddress>> address;    // by NIC
  std::set<std::string> unknown{};                  // interfaces that are no ports
  bool has_weights = false;

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
  std::vector<Port> exits(Node node, Nic nic);  // in ascending order
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
    if (is_special(prefix) || route.interfaces.empty()) continue;
    if (route.is_connected && prefix.length < prefix.base.bits() && is_vlan_interface(route.interfaces[0]))
      of_vlans.push_back(&entry);
    const bool is_here =
        std::all_of(route.interfaces.begin(), route.interfaces.end(),
                    [&](const std::string& name) { return port_of(leaf, name) == fabric.port(c); });
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

std::vector<Port> NextHopReader::Data::exits(Node node, Nic nic) {
  const SwitchRoutes* routes = table(node);
  const IpRoute* route = routes ? routes->find(*address[index(nic)]) : nullptr;
  if (!route) return {};
  has_weights |= route->has_weights;
  const Channel last = to_nic(nic);
  const bool is_leaf = fabric.from(last) == node;
  std::set<Port> out;
  bool loses = false;  // some of what comes
  for (const std::string& interface : route->interfaces) {
    const auto channel = routes->channels.find(interface);
    const std::vector<std::string> itself = {interface};
    for (const std::string& member : channel == routes->channels.end() ? itself : channel->second) {
      if (const auto port = port_of(node, member))
        out.insert(*port);
      else if (is_leaf && route->is_connected)
        out.insert(fabric.port(last));
      else
        unknown.insert(fmt::format("{} of {}", member, fabric.name(node))), loses = true;
    }
  }
  if (!loses) return {out.begin(), out.end()};
  // By a port without a cable; where there is none, all of the group counts as lost.
  for (const Channel c : fabric.channels(node))
    if (!fabric.cabled(c)) {
      out.insert(fabric.port(c));
      return {out.begin(), out.end()};
    }
  return {};
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
  routes.emplace();
  RouteFileReader(file, *routes).read(in, file);
}

void NextHopReader::read_addresses(std::istream& in, const std::string& file) {
  const Fabric& fabric = data_->fabric;
  std::unordered_map<std::string, u32> hosts, next;
  for (u32 h = 0; h < fabric.hosts(); ++h) hosts.emplace(fabric.host_name(Host{h}), h);
  std::string line;
  for (u64 number = 1; std::getline(in, line); ++number) {
    std::istringstream text(line.substr(0, line.find('#')));
    const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
    if (words.empty()) continue;
    const auto address = parse_ip(words[0]);
    if (!address || words.size() < 2)
      throw InputError(Place{file, number},
                       fmt::format("found {}, expected an address and the name of a host", shown(line)));
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::string& name = words[i];
      const auto host = hosts.find(name);
      const auto node = host == hosts.end() ? data_->names.find(name) : std::nullopt;  // h12.r1
      Nic nic = none<Nic>;
      if (host != hosts.end() && next[name] < fabric.rails())
        nic = fabric.nic(Host{host->second}, next[name]++);
      if (node && !fabric.is_switch(*node)) nic = fabric.nic(*node);
      if (nic != none<Nic>) data_->address[index(nic)] = *address;
    }
  }
}

namespace {

// Sets of next hops in which every NIC is a destination of its own, not every leaf: those of a fabric in
// which a NIC could choose between two ports.
PortSets sets_by_nic(const Fabric& fabric) {
  FabricBuilder builder(fabric.hosts(), fabric.rails());
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
  std::vector<std::vector<std::vector<Port>>> exits(fabric.nics());
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
    are_alike &= at_leaf == std::vector<Port>{fabric.port(last)};
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
      for (const Port port : exits[i][s]) sets.add(group, v, port);
    }
    sets.reach(group, sets.start(group), 0);
  }
  NextHopsRead out{std::move(sets)};
  if (data.has_weights)
    out.remarks.emplace_back("weights of next hops are not used: all of a group are equal");
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
    if (entry.is_regular_file() && !name.starts_with('.') && !name.ends_with('~') && name != "addresses")
      out.push_back(entry.path().string());
  }
  std::sort(out.begin(), out.end(), natural_less);
  return out;
}

}  // namespace

bool is_next_hop_folder(const std::string& folder) {
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
