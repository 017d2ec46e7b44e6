// Topology: a fabric and its shape. A discovered fabric is Irregular until its shape is recognised.
#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "fabric/fabric.hpp"
#include "topology/dragonfly.hpp"
#include "topology/hyperx.hpp"
#include "topology/pgft.hpp"
#include "topology/torus.hpp"

namespace banyan::topology {

struct Irregular {
  bool operator==(const Irregular&) const = default;
};

using Shape = std::variant<Irregular, Pgft, HyperX, Torus, Dragonfly, DragonflyPlus>;

struct Topology {
  Fabric fabric;
  Shape shape;             // of each plane
  u32 planes = 1;          // copies of the shape that share only hosts; other rails are part of the shape
  std::string notation{};  // for a fabric that has a notation but no shape
  std::string remark{};    // a note for the user, such as a count that was rounded up

  bool is_intact() const { return fabric.taken().empty(); }
};

Topology build(Shape shape, u32 planes = 1);               // not for Irregular
Topology make_topology(std::string_view notation);         // throws InputError
std::string canonical_notation(const Topology& topology);  // empty for a discovered fabric without a shape

}  // namespace banyan::topology
