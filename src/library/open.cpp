// Fabrics and routings: opened from notations and files, or made from arrays.
#include <fmt/format.h>

#include <algorithm>

#include "fabric/faults.hpp"
#include "formats/with_shape.hpp"
#include "library/given.hpp"
#include "library/questions.hpp"
#include "routing/table_form.hpp"

namespace banyan::library {
namespace {

std::vector<u32> ports_of(const Cabling& cabling) {
  const u64 nodes = u64{cabling.hosts} + cabling.switches;
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

FabricBuilder builder_of(const Cabling& cabling, const std::vector<u32>& ports) {
  FabricBuilder out(cabling.hosts);
  for (u32 h = 0; h < cabling.hosts; ++h) out.nic_ports(Nic{h}, std::max(1u, ports[h]));
  for (u32 s = 0; s < cabling.switches; ++s) out.add_switch(ports[cabling.hosts + s]);
  if (cabling.names.empty()) return out;
  if (cabling.names.size() != ports.size())
    throw InputError(fmt::format("there are {} names for {} nodes", cabling.names.size(), ports.size()));
  for (u32 i = 0; i < ports.size(); ++i)
    i < cabling.hosts ? out.name_host(Host{i}, cabling.names[i]) : out.name_switch(Node{i}, cabling.names[i]);
  return out;
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
  return std::make_shared<const OpenFabric>(OpenFabric{text, without, load_fabric(text, without)});
}

FabricPtr open(const Cabling& cabling) {
  if (cabling.hosts == 0) throw InputError("a fabric without hosts: expected at least one");
  const std::vector<u32> ports = ports_of(cabling);
  FabricBuilder builder = builder_of(cabling, ports);
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
    const Port a = port_of(cable.a), b = port_of(cable.b);
    builder.connect(Node{cable.a.node}, a, Node{cable.b.node}, b, builder.add_class(cable.link));
  }
  FabricFile file{{std::move(builder).build(), Irregular{}}, {}};
  return std::make_shared<const OpenFabric>(OpenFabric{"", {}, with_shape(std::move(file))});
}

FabricPtr without(const OpenFabric& fabric, const std::vector<std::string>& faults) {
  OpenFabric out = fabric;
  out.loaded.topology.fabric = fabric::without(fabric.loaded.topology.fabric, faults);
  out.without.insert(out.without.end(), faults.begin(), faults.end());
  return std::make_shared<const OpenFabric>(std::move(out));
}

RoutingPtr route(const FabricPtr& fabric, const Texts& options) {
  Given given(options);
  const auto by = given.take<RoutingOptions>();
  given.finish(option_infos<RoutingOptions>);
  const auto found = [](RouteResult result) {
    if (const auto* reason = std::get_if<NotApplicable>(&result)) throw Refused(reason->why);
    return std::get<Routing>(std::move(result));
  };
  if (by.tables.empty()) {
    FabricRouter router = ask::router(by, fabric->loaded.topology);
    Routing routing = found(router.route(fabric->loaded.topology));
    return std::make_shared<const OpenRouting>(OpenRouting{fabric, std::move(router), std::move(routing)});
  }
  if (fabric->text.empty()) throw InputError("tables from a file need a fabric from a file");
  RoutedFabric made = open_routed(fabric->text, fabric->without, by);
  FabricPtr as_read =
      std::make_shared<const OpenFabric>(OpenFabric{fabric->text, fabric->without, std::move(made.loaded)});
  return std::make_shared<const OpenRouting>(
      OpenRouting{std::move(as_read), std::move(made.router), found(std::move(made.result))});
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
