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

#define SHAPE(type) , type
using Shape = std::variant<Irregular
#include "topology/families.def"
                           >;

struct Topology {
  Fabric fabric;
  Shape shape;             // of each plane
  u32 planes = 1;          // copies of the shape that share only hosts; other rails are part of the shape
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

Topology build(Shape shape, u32 planes = 1);               // not for Irregular
Topology make_topology(std::string_view notation);         // throws InputError
std::string canonical_notation(const Topology& topology);  // empty for a discovered fabric without a shape

}  // namespace banyan::topology
