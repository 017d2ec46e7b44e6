// Topology: a fabric and its shape. A discovered fabric is Irregular until its shape is recognised.
#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "fabric/fabric.hpp"
#include "topology/plane.hpp"
#define SHAPE_HEADERS
#include "topology/families.def"

namespace banyan::topology {

struct Irregular {
  bool operator==(const Irregular&) const = default;
};

// The shape of a plane: the parameters of a graph that is made by a rule. It has
//   u32 hosts() const
//   std::vector<u32> switches_per_level() const     the leaves first, as their numbers are
//   u64 switch_ports() const                        of all switches; known before anything is built
//   void add_switches(FabricBuilder&, const std::string& prefix) const
//   void connect(FabricBuilder&, const Plane&) const
//   std::string notation() const                    canonical
// and may have
//   std::string family() const                      default: the notation up to its parenthesis
//   u32 nic_ports() const                           default: 1
//   HostNics nics                                   NICs of a host within the plane; default: 1
//   std::optional<Distances> distances() const      where a formula gives them; default: by search
//   std::optional<Bisection> bisection() const      of one plane; default: by search
// and the members that Places lists (place.hpp).
#define FAMILY(name, ...) __VA_OPT__(, ) __VA_ARGS__
using Shape = std::variant<Irregular
#include "topology/families.def"
                           >;

struct Topology {
  Fabric fabric;
  Shape shape;             // of each plane
  u32 planes = 1;          // copies of the shape that share only hosts; other NICs are part of the shape
  std::string notation{};  // for a fabric that has a notation but no shape
  std::string remark{};    // a note for the user, such as a count that was rounded up

  bool is_intact() const { return fabric.taken().empty(); }
  bool has_shape() const { return !is<Irregular>(); }
  Planes numbering() const;  // of its planes as the shape has them; without a shape one plane with everything

  // The shape if it is an S: for closed forms, which need its parameters. Where something stands is said by
  // Places.
  template <class S>
  const S* as() const {
    return std::get_if<S>(&shape);
  }
  template <class S>
  bool is() const {
    return std::holds_alternative<S>(shape);
  }
};

// Of all nodes: some gigabytes of memory. What has more is more likely a slip of the pen.
constexpr u64 max_ports = u64{1} << 28;

// Asserts that the fabric has the NICs of the shape's planes and at least their switches.
void assert_whole(const Topology& topology);

Topology build(Shape shape, u32 planes = 1);               // not for Irregular
Topology make_topology(std::string_view notation);         // throws InputError
std::string canonical_notation(const Topology& topology);  // empty for a discovered fabric without a shape

}  // namespace banyan::topology
