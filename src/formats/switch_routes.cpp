#include "formats/switch_routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "formats/tree_text.hpp"

namespace banyan::formats {

void SwitchRoutes::add(const IpPrefix& prefix, IpRoute route) {
  routes[prefix] = std::move(route);
  lengths.insert(prefix.length);
}

const IpRoute* SwitchRoutes::find(const IpAddress& address) const {
  for (const u32 length : lengths) {
    if (length > address.bits()) continue;
    if (const auto found = routes.find(prefix_of(address, length)); found != routes.end())
      return &found->second;
  }
  return nullptr;
}

namespace {

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
  static constexpr std::string_view wanted =
      "what show ip route json or show bgp ipv4 unicast json says, or a dump of SONiC's ROUTE_TABLE";

  void read_document(const Tree& document) {
    if (document.is_list()) {  // SONiC: a list of objects, each with a key and OP
      for (const Tree& item : document.items) read_sonic(ask_.map(item, "an object with ROUTE_TABLE"));
      return;
    }
    ask_.map(document, wanted);
    const bool is_sonic = std::any_of(document.keys.begin(), document.keys.end(),
                                      [](const std::string& key) { return key.find("_TABLE:") != key.npos; });
    const Tree* routes = document.find("routes");
    if (routes && routes->is_map())
      read_bgp(*routes);
    else
      is_sonic ? read_sonic(document) : read_frr(document);
  }

  // show bgp ipv4 unicast json: of each prefix, the paths in use. A path names the neighbour that it leads
  // to, not the port; its weight is a preference, and divides nothing.
  void read_bgp(const Tree& routes) {
    for (std::size_t i = 0; i < routes.keys.size(); ++i) {
      const auto prefix = parse_prefix(routes.keys[i]);
      if (!prefix)
        ask_.fail(routes.items[i],
                  fmt::format("found {}, expected a prefix such as 10.0.1.0/24", shown(routes.keys[i])));
      IpRoute route;
      route.line = routes.items[i].line;
      bool is_used = false;
      for (const Tree& path : ask_.list(routes.items[i], "a list of paths").items) {
        ask_.map(path, "a path");
        if (!is_true(path, "bestpath") && !is_true(path, "multipath")) continue;
        is_used = true;
        read_path(path, route);
      }
      if (is_used) out_.add(*prefix, std::move(route));
    }
  }

  void read_path(const Tree& path, IpRoute& route) {
    const Tree* chosen = nullptr;  // of an address for all and one of the link, that in use
    for (const Tree& hop : ask_.list(ask_.at(path, "nexthops"), "a list of next hops").items)
      if (ask_.map(hop, "a next hop"); !chosen || is_true(hop, "used")) chosen = &hop;
    if (!chosen) return;  // dropped
    const std::string address = ask_.text(ask_.at(*chosen, "ip"), "an address");
    if (address == "0.0.0.0" || address == "::") {  // its own network
      route.is_connected = true;
      route.hops.push_back({});
      return;
    }
    const Tree* name = chosen->find("hostname");
    if (!name)
      ask_.fail(*chosen,
                fmt::format("found the next hop {} without the hostname of the neighbour, expected one, "
                            "or what show ip route json says",
                            address));
    route.hops.push_back({ask_.text(*name, "a hostname"), 1, true});
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
    if (const Tree* hops = entry.find("nexthops"))
      for (const Tree& hop : ask_.list(*hops, "a list of next hops").items) {
        ask_.map(hop, "a next hop");
        if (!is_true(hop, "fib") || is_true(hop, "recursive") || is_true(hop, "duplicate")) continue;
        if (is_true(hop, "blackhole") || is_true(hop, "reject")) continue;
        route.hops.push_back({ask_.text(ask_.at(hop, "interfaceName"), "an interface"), weight_of(hop)});
      }
    out_.add(prefix, std::move(route));
  }

  u64 weight_of(const Tree& hop) const {
    const Tree* found = hop.find("weight");
    return found ? weight_in(hop, ask_.text(*found, "a weight")) : 1;
  }
  u64 weight_in(const Tree& tree, std::string_view text) const {
    constexpr u64 max_weight = 1 << 16;
    const auto out = parse_unsigned(text);
    if (!out || *out == 0 || *out > max_weight)
      ask_.fail(tree,
                fmt::format("found the weight {}, expected 1 to {}", shown(std::string(text)), max_weight));
    return *out;
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
    const auto interfaces =
        blackhole.empty() || blackhole[0] != "true" ? texts(*fields, "ifname") : std::vector<std::string>{};
    const auto expect_as_many = [&](const std::vector<std::string>& others, std::string_view what) {
      if (!others.empty() && !interfaces.empty() && others.size() != interfaces.size())
        ask_.fail(tree, fmt::format("found {} {} and {} interfaces, expected as many", others.size(), what,
                                    interfaces.size()));
    };
    expect_as_many(hops, "next hops");
    expect_as_many(weights, "weights");
    for (std::size_t i = 0; i < interfaces.size(); ++i)
      route.hops.push_back({interfaces[i], weights.empty() ? 1 : weight_in(tree, weights[i])});
    route.is_connected = std::all_of(hops.begin(), hops.end(), [](const std::string& hop) {
      return hop.empty() || hop == "0.0.0.0" || hop == "::";
    });
    out_.add(prefix, std::move(route));
  }

  TreeReader ask_;
  SwitchRoutes& out_;
};

}  // namespace

SwitchRoutes read_switch_routes(std::istream& in, const std::string& file) {
  SwitchRoutes out;
  RouteFileReader(file, out).read(in, file);
  return out;
}

}  // namespace banyan::formats
