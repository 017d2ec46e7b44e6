#include "topology/topology.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "topology/family.hpp"
#include "topology/plane_sum.hpp"

namespace banyan::topology {

const Registry<Family>& families() {
  static const Registry<Family> all{
      "family",
#define FAMILY(name, ...) BANYAN_PLUGIN(Family, name##_family),
#include "topology/families.def"
  };
  return all;
}

namespace {

template <class S>
Fabric build_fabric(const S& shape, u32 planes) {
  const Planes numbering = planes_of(shape, planes);
  FabricBuilder builder(Endpoints(shape.hosts(), planes * nics_inside(shape), slots_of(shape)));
  builder.nic_ports(nic_ports_of(shape));
  for (u32 plane = 0; plane < planes; ++plane)
    shape.add_switches(builder, planes == 1 ? "" : fmt::format("r{}", plane));
  for (u32 plane = 0; plane < planes; ++plane) shape.connect(builder, numbering[plane]);
  return std::move(builder).build();
}

template <>
Fabric build_fabric(const Irregular&, u32) {
  return FabricBuilder(0).build();
}

template <class S>
u64 ports_of_plane(const S& shape) {
  const u64 nics = saturating_multiply(shape.hosts(), nics_inside(shape));
  return saturating_add(shape.switch_ports(), saturating_multiply(nics, nic_ports_of(shape)));
}

template <>
u64 ports_of_plane(const Irregular&) {
  return 0;
}

Topology finish(const Notation& notation, FamilyResult made) {
  if (auto* fabric = std::get_if<Fabric>(&made.what)) {
    if (notation.planes > 1) notation.fail("this family cannot have several planes");
    return {std::move(*fabric), Irregular{}, 1, notation.text, std::move(made.remark)};
  }
  Shape& shape = std::get<Shape>(made.what);
  const u64 ports = std::visit([](const auto& s) { return ports_of_plane(s); }, shape);
  if (saturating_multiply(ports, notation.planes) > max_ports)
    notation.fail(fmt::format("more than {} ports; that is too large", max_ports));
  const u32 nics = std::visit([](const auto& s) { return nics_inside(s); }, shape);
  if (notation.planes > 1 && nics > 1) notation.fail(std::string(has_all_nics));
  Topology topology = build(std::move(shape), notation.planes);
  topology.remark = std::move(made.remark);
  return topology;
}

}  // namespace

const Family& family_of(const Notation& notation) {
  const Family& nearest = families().nearest(notation.name);
  if (lower(nearest.name) == lower(notation.name)) return nearest;
  const std::string_view name = nearest.name;
  if (did_you_mean(notation.name, {&name, 1}).empty())
    notation.fail("there is no such family; 'banyan topologies' lists them");
  notation.fail(fmt::format("there is no such family: did you mean '{}'?", nearest.notation));
}

Planes Topology::numbering() const {
  return std::visit(
      [&]<class S>(const S& s) {
        if constexpr (std::same_as<S, Irregular>)
          return Planes(1, fabric.nics(), fabric.switches());
        else
          return planes_of(s, planes);
      },
      shape);
}

void assert_whole(const Topology& topology) {
  const Planes planes = topology.numbering();
  BANYAN_ASSERT(topology.fabric.nics() == planes.all_nics(), "a topology has the NICs of its shape");
  BANYAN_ASSERT(topology.fabric.switches() >= planes.count() * planes.switches(),
                "a topology has the switches of its shape");
}

Topology build(Shape shape, u32 planes) {
  BANYAN_ASSERT(planes >= 1, "a shape has a plane");
  Fabric fabric = std::visit([&](const auto& s) { return build_fabric(s, planes); }, shape);
  Topology out{std::move(fabric), std::move(shape), planes};
  assert_whole(out);
  return out;
}

Topology make_topology(std::string_view text) {
  if (split_sum(text).size() > 1) return make_sum(text);
  const Notation notation = parse_notation(text);
  return finish(notation, family_of(notation).make(notation));
}

std::string canonical_notation(const Topology& topology) {
  return std::visit(
      [&](const auto& shape) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(shape)>, Irregular>)
          return topology.notation;
        else
          return (topology.planes == 1 ? "" : fmt::format("{} x ", topology.planes)) + shape.notation();
      },
      topology.shape);
}

}  // namespace banyan::topology
