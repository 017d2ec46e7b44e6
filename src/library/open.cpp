// Fabrics and routings: opened from notations and files, or made from arrays.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include "fabric/faults.hpp"
#include "formats/raw_fabric.hpp"
#include "formats/with_shape.hpp"
#include "library/given.hpp"
#include "library/questions.hpp"
#include "routing/table_form.hpp"

namespace banyan::library {
namespace {

void refuse_labels(const Cabling& cabling) {
  if (cabling.labels.size() != cabling.hosts)
    throw InputError(
        fmt::format("NICs of {} hosts: expected those of {}", cabling.labels.size(), cabling.hosts));
  for (u32 h = 0; h < cabling.hosts; ++h) {
    const std::vector<NicLabel>& nics = cabling.labels[h].nics;
    if (nics.empty() || nics.size() > max_nics_of_a_host)
      throw InputError(
          fmt::format("host {} has {} NICs: expected 1 to {}", h, nics.size(), max_nics_of_a_host));
    std::unordered_set<u32> seen;
    for (const NicLabel& nic : nics) {
      if (!nic.rail) continue;
      if (*nic.rail >= max_rails)
        throw InputError(fmt::format("rail {} of host {}: expected 0 to {}", *nic.rail, h, max_rails - 1));
      if (!seen.insert(*nic.rail).second)
        throw InputError(fmt::format("host {} has two NICs on rail {}", h, *nic.rail));
    }
  }
}

Endpoints endpoints_of(const Cabling& cabling) {
  if (cabling.rails == 0 || cabling.rails > max_rails)
    throw InputError(fmt::format("{} rails: expected 1 to {}", cabling.rails, max_rails));
  if (!cabling.labels.empty()) return refuse_labels(cabling), Endpoints(cabling.labels);
  const u64 nics = u64{cabling.hosts} * cabling.rails;
  if (nics > topology::max_ports)
    throw InputError(fmt::format("{} NICs: expected at most {}", nics, topology::max_ports));
  return Endpoints(cabling.hosts, cabling.rails);
}

// By node.
std::vector<u32> ports_of(const Cabling& cabling, u32 nics) {
  const u64 nodes = u64{nics} + cabling.switches;
  if (nodes > topology::max_ports)
    throw InputError(fmt::format("{} nodes: expected at most {}", nodes, topology::max_ports));
  std::vector<u32> next(nodes), named(nodes);
  for (const Cable& cable : cabling.cables)
    for (const CableEnd& end : {cable.a, cable.b}) {
      if (end.node >= next.size())
        throw InputError(fmt::format("a cable ends at node {}: there are {} nodes", end.node, next.size()));
      if (end.port == CableEnd::any_port)
        ++next[end.node];
      else if (end.port >= Tables::max_ports)
        throw InputError(
            fmt::format("port {} of node {}: expected 0 to {}", end.port, end.node, Tables::max_ports - 1));
      else
        named[end.node] = std::max(named[end.node], end.port + 1);
    }
  for (std::size_t i = 0; i < next.size(); ++i)
    if (next[i] > 0 && named[i] > 0)
      throw InputError(fmt::format("node {}: some of its cables name a port and some do not", i));
    else
      next[i] = std::max(next[i], named[i]);
  return next;
}

FabricBuilder builder_of(const Cabling& cabling, const Endpoints& endpoints, const std::vector<u32>& ports) {
  const u32 nics = endpoints.nics();
  FabricBuilder out(endpoints);
  for (u32 nic = 0; nic < nics; ++nic) out.nic_ports(Nic{nic}, std::max(1u, ports[nic]));
  for (u32 s = 0; s < cabling.switches; ++s) out.add_switch(ports[nics + s]);
  const std::vector<std::string>& names = cabling.names;
  if (names.empty()) return out;
  if (names.size() != std::size_t{cabling.hosts} + cabling.switches)
    throw InputError(fmt::format("there are {} names for {} hosts and {} switches", names.size(),
                                 cabling.hosts, cabling.switches));
  std::unordered_set<std::string_view> known;
  for (const std::string& name : names)
    if (!known.insert(name).second) throw InputError(fmt::format("two nodes are called '{}'", name));
  for (u32 h = 0; h < cabling.hosts; ++h) out.name_host(Host{h}, names[h]);
  for (u32 s = 0; s < cabling.switches; ++s) out.name_switch(Node{nics + s}, names[cabling.hosts + s]);
  return out;
}

// As readers of files refuse it.
void refuse_link(const LinkClass& link) {
  if (!(link.capacity > 0 && std::isfinite(link.capacity)))
    throw InputError(fmt::format("a cable of capacity {}: expected one above 0", link.capacity));
  if (!(link.latency >= 0 && std::isfinite(link.latency)))
    throw InputError(fmt::format("a cable of latency {}: expected 0 or more", link.latency));
}

FabricPtr opened(std::string text, std::vector<std::string> without, FabricFile file) {
  InfinibandIds ids = file.ids;
  return std::make_shared<const OpenFabric>(
      OpenFabric{std::move(text), std::move(without), with_shape(std::move(file)), std::move(ids)});
}

void refuse_port_value(const Fabric& fabric, Node node, u8 port) {
  if (port != Tables::no_port && port >= fabric.ports(node))
    throw InputError(fmt::format("the table of {} names port {}: it has ports 0 to {}", fabric.name(node),
                                 port, static_cast<int>(fabric.ports(node)) - 1));
}

Source source_of(u32 nics, std::span<const u8> lanes) {
  if (lanes.empty()) return Source(TableWays{.lmc = 0, .addresses = nics, .lane_row = {}, .lanes = {}});
  TableWays ways{.lmc = 0, .addresses = nics, .lane_row = {}, .lanes = {lanes.begin(), lanes.end()}};
  for (u32 nic = 0; nic < nics; ++nic) ways.lane_row.push_back(nic);
  return Source(std::move(ways));
}

}  // namespace

FabricPtr open(const std::string& text, const std::vector<std::string>& without) {
  FabricFile file = open_fabric(text);
  file.topology.fabric = fabric::without(file.topology.fabric, without);
  return opened(text, without, std::move(file));
}

FabricPtr open(const Cabling& cabling) {
  if (cabling.hosts == 0) throw InputError("a fabric without hosts: expected at least one");
  const Endpoints endpoints = endpoints_of(cabling);
  const std::vector<u32> ports = ports_of(cabling, endpoints.nics());
  FabricBuilder builder = builder_of(cabling, endpoints, ports);
  std::vector<u32> next(ports.size());
  for (const Cable& cable : cabling.cables) {
    const auto port_of = [&](const CableEnd& end) {
      const Port port{end.port == CableEnd::any_port ? next[end.node]++ : end.port};
      if (!builder.is_free(Node{end.node}, port))
        throw InputError(fmt::format("port {} of node {} has two cables", index(port), end.node));
      return port;
    };
    if (cable.a.node == cable.b.node)
      throw InputError(fmt::format("a cable leads from node {} to itself", cable.a.node));
    refuse_link(cable.link);
    const Port a = port_of(cable.a), b = port_of(cable.b);
    builder.connect(Node{cable.a.node}, a, Node{cable.b.node}, b, builder.add_class(cable.link));
  }
  return opened("", {}, {{std::move(builder).build(), Irregular{}}, {}});
}

FabricPtr without(const OpenFabric& fabric, const std::vector<std::string>& faults) {
  std::vector<std::string> all = fabric.without;
  all.insert(all.end(), faults.begin(), faults.end());
  const Loaded& loaded = fabric.loaded;
  if (loaded.raw) {  // a shape was looked for: it is again, in what is left
    const Fabric& read = *loaded.raw;
    return opened(fabric.text, std::move(all),
                  {{fabric::without(read, faults), Irregular{}, 1, "", loaded.topology.remark},
                   fabric.ids,
                   true,
                   loaded.unit});
  }
  OpenFabric out = fabric;
  out.loaded.topology.fabric = fabric::without(loaded.topology.fabric, faults);
  out.without = std::move(all);
  return std::make_shared<const OpenFabric>(std::move(out));
}

std::pair<FabricPtr, FabricRouter> router_of(const FabricPtr& fabric, const RoutingOptions& by) {
  if (by.tables.empty()) return {fabric, ask::router(by, fabric->loaded.topology)};
  if (fabric->text.empty()) throw InputError("tables from a file need a fabric from a file");
  RoutedFabric made = open_routed(fabric->text, fabric->without, by);
  InfinibandIds ids = made.loaded.ids;
  return {std::make_shared<const OpenFabric>(
              OpenFabric{fabric->text, fabric->without, std::move(made.loaded), std::move(ids)}),
          std::move(made.router)};
}

namespace {

bool knows(const std::vector<OptionInfo>& infos, const std::string& key) {
  return std::any_of(infos.begin(), infos.end(),
                     [&](const OptionInfo& info) { return is_same_key(info.key, key); });
}

// Options of a routing and of the engine that is named among them; the latter become part of its name.
class RouteTexts {
 public:
  explicit RouteTexts(const Texts& given) {
    std::string name = RoutingOptions{}.engine;
    for (const auto& [key, value] : given)
      if (is_same_key(key, "engine")) name = value;
    if (name != RoutingOptions{}.engine)
      of_engine_ = engines::engines().at(engines::bind_engine(name).name).options;
    PluginText own;
    for (const auto& [key, value] : given) {
      const bool is_own = !knows(of_routing_, key) && knows(of_engine_, key);
      if (is_own)
        own.set(key, value);
      else
        texts_.emplace_back(key, value);
    }
    if (own.options.empty()) return;
    PluginText whole = engines::bind_engine(name);
    for (auto& [key, value] : own.options) {
      std::replace(key.begin(), key.end(), '_', '-');
      whole.set(std::move(key), std::move(value));
    }
    for (auto& [key, value] : texts_)
      if (is_same_key(key, "engine")) value = plugin_text(whole);
  }

  const Texts& texts() const { return texts_; }
  std::vector<OptionInfo> known() const {
    std::vector<OptionInfo> out = of_routing_;
    out.insert(out.end(), of_engine_.begin(), of_engine_.end());
    return out;
  }

 private:
  std::vector<OptionInfo> of_routing_ = option_infos<RoutingOptions>(), of_engine_;
  Texts texts_;
};

}  // namespace

RoutingPtr route(const FabricPtr& fabric, const Texts& options) {
  const RouteTexts all(options);
  Given given(all.texts());
  const auto by = given.take<RoutingOptions>();
  given.finish([&] { return all.known(); });
  auto [routed, router] = router_of(fabric, by);
  RouteResult result = router.route(routed->loaded.topology);
  if (const auto* reason = std::get_if<NotApplicable>(&result)) throw Refused(reason->why);
  return std::make_shared<const OpenRouting>(
      OpenRouting{std::move(routed), std::move(router), std::get<Routing>(std::move(result)), by});
}

RoutingPtr route(const FabricPtr& at, const std::string& name, std::span<const u8> ports,
                 std::span<const u8> lanes) {
  const Fabric& fabric = at->loaded.topology.fabric;
  const u32 nics = fabric.nics();
  if (ports.size() != std::size_t{fabric.switches()} * nics)
    throw InputError(fmt::format("tables have {} entries: expected {} switches times {} NICs", ports.size(),
                                 fabric.switches(), nics));
  if (!lanes.empty() && lanes.size() != std::size_t{nics} * nics)
    throw InputError(
        fmt::format("lanes have {} entries: expected {} NICs times {}", lanes.size(), nics, nics));
  const u8 last_lane = lanes.empty() ? u8{0} : *std::max_element(lanes.begin(), lanes.end());
  if (last_lane > 15) throw InputError(fmt::format("lane {}: expected 0 to 15", last_lane));
  Tables tables(fabric);
  if (tables.first_node() < nics)
    throw InputError("tables of switches do not say which port a NIC with several ports takes");
  std::size_t next = 0;
  for (const Node node : fabric.switch_nodes())
    for (u32 nic = 0; nic < nics; ++nic) {
      refuse_port_value(fabric, node, ports[next]);
      tables(node, address_of(Nic{nic})) = ports[next++];
    }
  Routing routing{std::move(tables), source_of(nics, lanes), last_lane + 1u, 0};
  FabricRouter router{.engine = {}, .tables = routing, .name = name};
  return std::make_shared<const OpenRouting>(OpenRouting{at, std::move(router), std::move(routing)});
}

Routing tables(const OpenRouting& routing) {
  if (std::holds_alternative<Tables>(routing.routing.forward)) return routing.routing;
  RouteResult out = tables_of(routing.fabric->loaded.topology, routing.routing);
  if (const auto* reason = std::get_if<NotApplicable>(&out)) throw Refused(reason->why);
  return std::get<Routing>(std::move(out));
}

}  // namespace banyan::library
