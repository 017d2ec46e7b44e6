#include "engines/planes.hpp"

#include <algorithm>
#include <memory>

#include "base/text.hpp"
#include "routing/table_form.hpp"
#include "topology/plane_sum.hpp"

namespace banyan::engines {
namespace {

using topology::PlaneGroup;

struct RoutedPlanes {
  PlaneNumbers numbers;
  Routing routing;
};
using PlaneList = std::vector<RoutedPlanes>;

// Asks the source of the pair's plane; its addresses become those of the whole fabric. No message goes from
// one plane to another.
struct PlaneWays {
  std::shared_ptr<const std::vector<Source>> sources;
  std::vector<PlaneNumbers> planes;
  u32 lmc;
  Reads most;
  std::vector<u64> all_sizes;

  std::size_t plane(Nic nic) const {
    std::size_t i = 0;
    while (i + 1 < planes.size() && index(nic) >= planes[i + 1].first_nic) ++i;
    return i;
  }
  bool meet(Nic from, Nic to) const { return plane(from) == plane(to); }
  Nic own(Nic nic, std::size_t i) const { return Nic{index(nic) - planes[i].first_nic}; }

  u32 count(Nic from, Nic to, u64 bytes) const {
    const std::size_t i = plane(from);
    return meet(from, to) ? (*sources)[i].count(own(from, i), own(to, i), bytes) : 1;
  }
  Header way(Nic from, Nic to, u64 bytes, u32 number) const {
    const std::size_t i = plane(from);
    if (!meet(from, to)) return {.to = address_of(to, lmc)};
    Header out = (*sources)[i].way(own(from, i), own(to, i), bytes, number);
    const u32 nic = index(out.to) >> planes[i].lmc, which = index(out.to) & ((1u << planes[i].lmc) - 1);
    out.to = address_of(Nic{nic + planes[i].first_nic}, lmc, which);
    return out;
  }
  u8 lane(Nic from, Address to) const {
    const std::size_t i = plane(from);
    const Nic nic = nic_of(to, lmc);
    if (!meet(from, nic)) return 0;
    const u32 which = index(to) & ((1u << planes[i].lmc) - 1);
    return (*sources)[i].lane(own(from, i), address_of(own(nic, i), planes[i].lmc, which), planes[i].lmc);
  }
  Reads reads() const { return most; }
  std::vector<u64> sizes() const { return all_sizes; }
};

u32 addresses_of(const PlaneList& planes) {
  u32 lmc = 0;
  for (const RoutedPlanes& each : planes) lmc = std::max(lmc, each.numbers.lmc);
  return lmc;
}

Source source_of(const PlaneList& planes) {
  auto sources = std::make_shared<std::vector<Source>>();
  PlaneWays out{nullptr, {}, addresses_of(planes), Reads::nothing, {}};
  for (const auto& [numbers, routing] : planes) {
    sources->push_back(routing.source);
    out.planes.push_back(numbers);
    out.most = std::max(out.most, routing.source.reads());
    const auto& sizes = routing.source.sizes();
    out.all_sizes.insert(out.all_sizes.end(), sizes.begin(), sizes.end());
  }
  std::sort(out.all_sizes.begin(), out.all_sizes.end());
  out.all_sizes.erase(std::unique(out.all_sizes.begin(), out.all_sizes.end()), out.all_sizes.end());
  out.sources = std::move(sources);
  return Source(std::move(out));
}

u32 lanes_of(const PlaneList& planes) {
  u32 out = 1;
  for (const RoutedPlanes& each : planes) out = std::max(out, each.routing.lanes);
  return out;
}

// The same routing by tables, where they say it exactly.
void use_tables(const Topology& plane, RoutedPlanes& routed) {
  Routing& routing = routed.routing;
  if (std::holds_alternative<Tables>(routing.forward) || routing.source.reads() != Reads::nothing) return;
  RouteResult by_table = tables_of(plane, routing);
  if (auto* tables = std::get_if<Routing>(&by_table)) {
    routing = std::move(*tables);
    routed.numbers.lmc = routing.lmc;
  }
}

Tables tables_of_all(const Fabric& fabric, const PlaneList& planes) {
  const u32 lmc = addresses_of(planes);
  Tables out(fabric, lmc);
  for (const auto& [numbers, routing] : planes) {
    const Tables& own = std::get<Tables>(routing.forward);
    for (const Address to : IdRange<Address>(numbers.nics << lmc)) {
      const u32 nic = index(to) >> lmc, which = index(to) & ((1u << numbers.lmc) - 1);
      const Address local = address_of(Nic{nic}, numbers.lmc, which);
      const Address all{index(to) + (numbers.first_nic << lmc)};
      for (u32 v = out.first_node() == 0 ? 0 : numbers.nics; v < numbers.nics + numbers.switches; ++v) {
        const Node node{v < numbers.nics ? v + numbers.first_nic : v - numbers.nics + numbers.first_switch};
        out(node, all) = own.has(Node{v}) ? own(Node{v}, local) : u8{0};
      }
    }
  }
  return out;
}

// Beside an engine with an escape another may be of the same kind and have one, too, or keep the state of its
// packets.
bool stands_beside(const Routing& escape, const Routing& other) {
  if (escape.forward.index() == other.forward.index() && has_escape(other)) return true;
  return std::visit([]<class F>(const F&) { return KeepsHeader<F>; }, other.forward);
}

RouteResult combine(const Fabric& fabric, PlaneList planes) {
  const auto is_table = [](const RoutedPlanes& each) {
    return std::holds_alternative<Tables>(each.routing.forward);
  };
  Source source = source_of(planes);
  const u32 lanes = lanes_of(planes), lmc = addresses_of(planes);
  if (std::all_of(planes.begin(), planes.end(), is_table))
    return Routing{tables_of_all(fabric, planes), std::move(source), lanes, lmc};
  for (const RoutedPlanes& escape : planes)
    for (const RoutedPlanes& other : planes)
      if (has_escape(escape.routing) && !stands_beside(escape.routing, other.routing))
        return NotApplicable{
            "planes: where an engine has an escape on one plane, those on the others need one of the same "
            "kind, or "
            "tables"};
  PlaneHops forward(fabric.nics(), lmc);
  for (auto& [numbers, routing] : planes)
    std::visit([&](auto& each) { forward.add(numbers, std::move(each)); }, routing.forward);
  return Routing{std::move(forward), std::move(source), lanes, lmc};
}

struct PlanesOptions {
  std::string engines = "auto";
  u64 seed = 1;
  static void fields(auto& self, auto&& f) {
    f("engines", self.engines,
      "of each summand, as in dor + dmodk, or one for all; auto: the best static one");
    f("seed", self.seed, "of engines that draw and have none of their own");
  }
};

PluginText bound(std::string_view text, const Topology& plane, u64 seed) {
  PluginText out = engines().bind(text == "auto" ? best_static(plane) : text);
  const auto& known = engines().at(out.name).options;
  const auto draws = [](const OptionInfo& option) { return option.key == "seed"; };
  const auto has_seed = [](const auto& option) { return option.first == "seed"; };
  if (std::any_of(known.begin(), known.end(), draws) &&
      std::none_of(out.options.begin(), out.options.end(), has_seed))
    out.set("seed", std::to_string(seed));
  return out;
}

RouteResult route_planes(const Topology& sum, const PlanesOptions& options) {
  if (!topology::is_plane_sum(sum)) return NotApplicable{"planes needs planes of different shapes: A + B"};
  const auto texts = split_engines(options.engines);
  const std::size_t summands = topology::split_sum(sum.notation).size();
  if (texts.size() != 1 && texts.size() != summands)
    return NotApplicable{fmt::format("{} engines for {} summands: {}", texts.size(), summands, sum.notation)};
  std::size_t i = 0;
  return route_each_plane(sum, [&](const Topology& plane) {
    const std::string_view text = texts[texts.size() == 1 ? 0 : i++];
    return route(plane, bound(text, plane, options.seed));
  });
}

}  // namespace

std::vector<std::string_view> split_engines(std::string_view text) {
  constexpr std::string_view between = " + ";
  std::vector<std::string_view> out;
  for (std::size_t plus; (plus = text.find(between)) != text.npos; text.remove_prefix(plus + between.size()))
    out.push_back(base::trim(text.substr(0, plus)));
  out.push_back(base::trim(text));
  return out;
}

std::string best_of_each_plane(const Topology& sum) {
  std::string out;
  for (const PlaneGroup& group : topology::plane_groups(sum))
    out += (out.empty() ? "" : " + ") + best_static(group.topology);
  return out;
}

RouteResult route_each_plane(const Topology& sum, const std::function<RouteResult(const Topology&)>& route) {
  PlaneList planes;
  for (const PlaneGroup& group : topology::plane_groups(sum)) {
    RouteResult result = route(group.topology);
    if (const auto* refused = std::get_if<NotApplicable>(&result))
      return NotApplicable{fmt::format("{}: {}", canonical_notation(group.topology), refused->why)};
    Routing& routing = std::get<Routing>(result);
    if (routing.source.choice())
      return NotApplicable{"planes: a table that chooses among addresses is for one shape"};
    const Fabric& own = group.topology.fabric;
    const u32 lmc = routing.lmc;
    planes.push_back(
        {{group.first_nic, own.nics(), group.first_switch, own.switches(), lmc}, std::move(routing)});
    use_tables(group.topology, planes.back());
  }
  return combine(sum.fabric, std::move(planes));
}

Engine planes_engine() {
  return make_engine<route_planes>(
      planes_name, "Banyan",
      "planes of different shapes, A + B: each by an engine of its own; lanes are theirs");
}

}  // namespace banyan::engines
