// Fabrics and routings for Python: counts, names, arrays by channel, tables.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>
#include <tuple>

#include "base/error.hpp"
#include "formats/open.hpp"
#include "python/parts.hpp"
#include "python/unlocked.hpp"
#include "topology/distances.hpp"

namespace banyan::python {
namespace {

const Fabric& cables_of(const OpenFabric& fabric) { return fabric.loaded.topology.fabric; }

// What a member function of Fabric says of each channel.
template <auto Of>
py::array_t<u32> channel_array(const OpenFabric& fabric) {
  need_numpy("arrays by channel");
  const Fabric& at = cables_of(fabric);
  py::array_t<u32> out(static_cast<py::ssize_t>(at.channels().size()));
  u32* next = out.mutable_data();
  for (const Channel c : at.channels()) *next++ = index((at.*Of)(c));
  return out;
}

std::vector<std::string> host_names_of(const OpenFabric& fabric) {
  std::vector<std::string> out;
  for (u32 h = 0; h < cables_of(fabric).hosts(); ++h) out.push_back(cables_of(fabric).host_name(Host{h}));
  return out;
}

std::vector<std::string> names_of(const OpenFabric& fabric) {
  const Fabric& at = cables_of(fabric);
  std::vector<std::string> out;
  for (const Node node : at.nodes()) out.push_back(at.name(node));
  return out;
}

// Of each NIC: its host, its slot there, and its rail, or None.
py::list nics_list(const OpenFabric& fabric) {
  const Fabric& at = cables_of(fabric);
  py::list out;
  for (const Nic nic : IdRange<Nic>(at.nics()))
    out.append(py::make_tuple(index(at.host(nic)), at.slot(nic), at.rail(nic)));
  return out;
}

// Each cable once: node and port of both ends, capacity, latency.
py::list cables_list(const OpenFabric& fabric) {
  const Fabric& at = cables_of(fabric);
  py::list out;
  at.each_link([&](const Link& link) {
    const auto [a, b] = link;
    const LinkClass& made = at.link_class(a);
    out.append(py::make_tuple(index(at.from(a)), index(at.port(a)), index(at.from(b)), index(at.port(b)),
                              made.capacity, made.latency));
  });
  return out;
}

py::array_t<int> distances_of(const OpenFabric& fabric) {
  need_numpy("distances()");
  const Fabric& at = cables_of(fabric);
  const auto nics = static_cast<py::ssize_t>(at.nics());
  py::array_t<int> out({nics, nics});
  const std::span<int> all(out.mutable_data(), at.nics() * std::size_t{at.nics()});
  unlocked([&] { topology::search_nic_distances(at, all); });
  return out;
}

// `rails`: of each host, those of its NICs by slot, None for a NIC that has none.
FabricPtr from_cables(const std::vector<std::vector<std::optional<u32>>>& rails,
                      const std::vector<std::string>& names, const py::list& cables) {
  const auto hosts = static_cast<u32>(rails.size());
  if (names.size() < hosts)
    throw InputError(fmt::format("{} names for {} hosts: expected one for each", names.size(), hosts));
  Cabling cabling{.hosts = hosts,
                  .switches = static_cast<u32>(names.size()) - hosts,
                  .names = names,
                  .cables = {},
                  .labels = {}};
  for (const auto& of_host : rails) {
    HostLabel& label = cabling.labels.emplace_back();
    label.nics.clear();
    for (const auto& rail : of_host) label.nics.push_back({rail, ""});
  }
  for (const py::handle each : cables) {
    const auto [a, pa, b, pb, capacity, latency] =
        py::cast<std::tuple<u32, long, u32, long, double, double>>(each);
    const auto port = [](long given) { return given < 0 ? CableEnd::any_port : static_cast<u32>(given); };
    cabling.cables.push_back({{a, port(pa)}, {b, port(pb)}, {capacity, latency}});
  }
  return library::open(cabling);
}

// The tables as an array by switch and address, without a copy: the routing's own, or those that its closed
// form gives.
py::object tables_of(const RoutingPtr& routing) {
  need_numpy("tables()");
  struct Held {
    RoutingPtr routing;
    std::optional<Routing> made;
  };
  const bool has_tables = std::holds_alternative<Tables>(routing->routing.forward);
  std::optional<Routing> made;
  if (!has_tables) made = unlocked([&] { return library::tables(*routing); });
  auto* held = new Held{routing, std::move(made)};
  py::capsule base(held, [](void* p) { delete static_cast<Held*>(p); });
  const Tables& tables = std::get<Tables>(has_tables ? routing->routing.forward : held->made->forward);
  const Fabric& fabric = cables_of(*routing->fabric);
  const auto row = tables.towards(Address{0});
  const std::size_t skip = fabric.nics() - tables.first_node();  // rows of NICs, where there are any
  py::array_t<u8> out(
      {static_cast<py::ssize_t>(fabric.switches()), static_cast<py::ssize_t>(tables.addresses())},
      {py::ssize_t{1}, static_cast<py::ssize_t>(row.size())}, row.data() + skip, base);
  out.attr("setflags")(py::arg("write") = false);
  return out;
}

using Bytes = py::array_t<u8, py::array::c_style | py::array::forcecast>;
RoutingPtr by_tables(const FabricPtr& fabric, const std::string& name, const Bytes& ports,
                     const std::optional<Bytes>& lanes) {
  const Fabric& at = cables_of(*fabric);
  if (ports.ndim() != 2 || ports.shape(0) != at.switches() || ports.shape(1) != at.nics())
    throw InputError("tables are an array by switch and NIC: expected " + std::to_string(at.switches()) +
                     " times " + std::to_string(at.nics()));
  std::span<const u8> lane;
  if (lanes) lane = {lanes->data(), static_cast<std::size_t>(lanes->size())};
  return library::route(fabric, name, {ports.data(), static_cast<std::size_t>(ports.size())}, lane);
}

}  // namespace

void add_fabrics(py::module_& module) {
  py::class_<OpenFabric, std::shared_ptr<OpenFabric>>(module, "Fabric")
      .def_property_readonly("hosts", [](const OpenFabric& f) { return cables_of(f).hosts(); })
      .def_property_readonly("rails", [](const OpenFabric& f) { return cables_of(f).columns(); })
      .def_property_readonly("nics", [](const OpenFabric& f) { return cables_of(f).nics(); })
      .def_property_readonly("switches", [](const OpenFabric& f) { return cables_of(f).switches(); })
      .def_property_readonly("links", [](const OpenFabric& f) { return cables_of(f).links(); })
      .def_property_readonly("channels", [](const OpenFabric& f) { return cables_of(f).channels().size(); })
      .def_property_readonly("text", [](const OpenFabric& f) { return f.text; })
      .def_property_readonly("faults", [](const OpenFabric& f) { return f.without; })
      .def_property_readonly("notation",
                             [](const OpenFabric& f) { return canonical_notation(f.loaded.topology); })
      .def_property_readonly("names", names_of)
      .def_property_readonly("host_names", host_names_of)
      .def_property_readonly("channel_from", channel_array<&Fabric::from>)
      .def_property_readonly("channel_to", channel_array<&Fabric::to>)
      .def_property_readonly("channel_port", channel_array<&Fabric::port>)
      .def("cables", cables_list)
      .def("nic_places", nics_list)
      .def("distances", distances_of)
      .def("without",
           [](const OpenFabric& f, const std::vector<std::string>& faults) {
             return std::const_pointer_cast<OpenFabric>(library::without(f, faults));
           })
      .def("write", [](const OpenFabric& f, const std::string& path, const std::string& format) {
        formats::write_fabric({f.loaded.topology, f.loaded.ids}, path, format);
      });
  module.def("open", [](const std::string& text, const std::vector<std::string>& without) {
    return std::const_pointer_cast<OpenFabric>(unlocked([&] { return library::open(text, without); }));
  });
  module.def("from_cables", [](const std::vector<std::vector<std::optional<u32>>>& rails,
                               const std::vector<std::string>& names, const py::list& cables) {
    return std::const_pointer_cast<OpenFabric>(from_cables(rails, names, cables));
  });
}

void add_routings(py::module_& module) {
  py::class_<OpenRouting, std::shared_ptr<OpenRouting>>(module, "Routing")
      .def_property_readonly("engine", [](const OpenRouting& r) { return r.router.name; })
      .def_property_readonly("lanes", [](const OpenRouting& r) { return r.routing.lanes; })
      .def_property_readonly(
          "fabric", [](const OpenRouting& r) { return std::const_pointer_cast<OpenFabric>(r.fabric); })
      .def("tables", [](const std::shared_ptr<OpenRouting>& r) { return tables_of(r); });
  module.def("route", [](const std::shared_ptr<OpenFabric>& fabric, const py::dict& options) {
    const Texts texts = texts_of(options);
    return std::const_pointer_cast<OpenRouting>(unlocked([&] { return library::route(fabric, texts); }));
  });
  module.def("route_by_tables", [](const std::shared_ptr<OpenFabric>& fabric, const std::string& name,
                                   const Bytes& ports, const std::optional<Bytes>& lanes) {
    return std::const_pointer_cast<OpenRouting>(by_tables(fabric, name, ports, lanes));
  });
}

}  // namespace banyan::python
