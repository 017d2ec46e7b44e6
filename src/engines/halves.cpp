#include "engines/halves.hpp"

#include <bit>

#include "base/assert.hpp"
#include "fabric/attachments.hpp"
#include "topology/place.hpp"

namespace banyan::engines {

Halves::Halves(const Topology& topology) {
  const Places places(topology);
  const Grid& grid = *places.grid();
  dimensions_ = grid.dimensions();
  BANYAN_ASSERT(dimensions_ <= max_dimensions, "a grid has at most max_dimensions dimensions");
  for (Node v : topology.fabric.switch_nodes()) {
    if (!places.has(v)) break;  // those besides the shape come last
    u32 bits = 0;
    for (u32 k = 0; k < dimensions_; ++k) bits = 2 * bits + (places.coordinate(v, k) >= grid.widths[k] / 2);
    orthant_.push_back(static_cast<u8>(bits));
  }
}

u32 Halves::lmc() const { return static_cast<u32>(std::bit_width(rules() - 1)); }

// The place of the bits in the reflected Gray code.
u32 Halves::number_of(u32 orthant) {
  for (u32 shift = 1; shift < 8; shift *= 2) orthant ^= orthant >> shift;
  return orthant;
}

void Halves::add_cell(AddressChoice& out, bool large, u32 from, u32 to, RowsAre rows) const {
  std::vector<u8> shared, own;
  for (u32 k = 0; k < dimensions_; ++k) {
    const bool half = second_half(from, k);
    if (half == second_half(to, k)) shared.push_back(static_cast<u8>(2 * k + (half == large)));
    own.push_back(static_cast<u8>(2 * k + second_half(rows == RowsAre::source ? from : to, k)));
  }
  out.add_cell(shared.empty() ? own : shared);
}

AddressChoice Halves::choice(const Fabric& fabric, u64 threshold, RowsAre rows) const {
  AddressChoice out;
  out.groups = 1u << dimensions_;
  out.sizes = {0};
  if (threshold > 0) out.sizes.push_back(threshold);
  out.group.resize(fabric.nics());
  for (Nic nic : IdRange<Nic>(fabric.nics()))
    if (const Node v = switch_of(fabric, nic); v != none<Node>)
      if (const Switch s{index(v) - fabric.nics()}; has(s))
        out.group[index(nic)] = static_cast<u8>(number_of(orthant(s)));
  std::vector<u32> orthants(out.groups);  // by number
  for (u32 bits = 0; bits < out.groups; ++bits) orthants[number_of(bits)] = bits;
  for (std::size_t size = 0; size < out.sizes.size(); ++size)
    for (u32 from : orthants)
      for (u32 to : orthants) add_cell(out, size + 1 == out.sizes.size(), from, to, rows);
  return out;
}

}  // namespace banyan::engines
