#include "topology/topology.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "topology/family.hpp"

namespace banyan::topology {

#define FAMILY(name) Family name##_family();
#include "topology/families.def"
#undef FAMILY

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
#define FAMILY(name) name##_family(),
#include "topology/families.def"
#undef FAMILY
  };
  return all;
}

namespace {

// Some gigabytes of memory; larger ones are more likely a slip of the pen.
constexpr u64 max_ports = u64{1} << 28;

u32 rails_of(const Shape& shape, u32 planes) {
  const auto* tree = std::get_if<Pgft>(&shape);
  return tree && tree->rails > 1 ? tree->rails : planes;
}

template <class S>
Fabric build_fabric(const S& shape, u32 planes, u32 rails) {
  const u32 nics = shape.hosts() * (rails / planes);  // of a plane
  FabricBuilder builder(shape.hosts(), rails);
  builder.nic_ports(shape.nic_ports());
  std::vector<Plane> all;
  u32 first_switch = shape.hosts() * rails, switches = 0;
  for (u32 count : shape.switches_per_level()) switches += count;
  for (u32 plane = 0; plane < planes; ++plane) {
    all.push_back({plane * nics, first_switch + plane * switches});
    shape.add_switches(builder, planes == 1 ? "" : fmt::format("r{}", plane));
  }
  for (const Plane& plane : all) shape.connect(builder, plane);
  return std::move(builder).build();
}

template <>
Fabric build_fabric(const Irregular&, u32, u32) {
  return FabricBuilder(0).build();
}

template <class S>
u64 ports_of_plane(const S& shape) {
  return saturating_add(shape.switch_ports(), saturating_multiply(shape.hosts(), shape.nic_ports()));
}

template <>
u64 ports_of_plane(const Irregular&) {
  return 0;
}

Topology finish(const Notation& notation, FamilyResult made) {
  if (auto* fabric = std::get_if<Fabric>(&made.what)) {
    if (notation.planes > 1) notation.fail("this family cannot be multiplied by planes");
    return {std::move(*fabric), Irregular{}, 1, notation.text, std::move(made.remark)};
  }
  Shape& shape = std::get<Shape>(made.what);
  const u64 ports = std::visit([](const auto& s) { return ports_of_plane(s); }, shape);
  if (saturating_multiply(ports, notation.planes) > max_ports)
    notation.fail(fmt::format("more than {} ports; that is too large", max_ports));
  if (notation.planes > 1 && rails_of(shape, 1) > 1)
    notation.fail("a rail-optimised tree has its rails inside; it cannot be multiplied by planes");
  Topology topology = build(std::move(shape), notation.planes);
  topology.remark = std::move(made.remark);
  return topology;
}

}  // namespace

Topology build(Shape shape, u32 planes) {
  const u32 rails = rails_of(shape, planes);
  Fabric fabric = std::visit([&](const auto& s) { return build_fabric(s, planes, rails); }, shape);
  return {std::move(fabric), std::move(shape), planes};
}

Topology make_topology(std::string_view text) {
  const Notation notation = parse_notation(text);
  std::vector<std::string_view> known;
  for (const Family& family : families()) {
    known.push_back(family.name);
    if (lower(family.name) != lower(notation.name)) continue;
    return finish(notation, family.make(notation));
  }
  const auto guess = std::find(known.begin(), known.end(), nearest(notation.name, known)) - known.begin();
  notation.fail(fmt::format("there is no such family: did you mean '{}'?",
                            families()[static_cast<std::size_t>(guess)].notation));
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
