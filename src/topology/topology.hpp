// A topology is a fabric and the shape it has. A discovered fabric is Irregular until its shape is
// recognised.
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
  std::string notation{};  // of a fabric that has one but no shape
  std::string remark{};    // something the user should hear, such as a count that was rounded up

  bool is_intact() const { return fabric.taken().empty(); }
};

Topology build(Shape shape, u32 planes = 1);               // not for Irregular
Topology make_topology(std::string_view notation);         // throws InputError
std::string canonical_notation(const Topology& topology);  // empty for a fabric that was only found

}  // namespace banyan::topology
