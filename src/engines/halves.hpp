// A HyperX cut into halves in each dimension, for PARX (domke19, section 3.2.1). Rules R1 to R4 generalise to
// any number of dimensions: address 2 k + h is routed without the links in half h of dimension k. The choice
// of an address follows from the halves that two hosts share.
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "engines/ids.hpp"
#include "routing/address_choice.hpp"
#include "topology/topology.hpp"

namespace banyan::engines {

// How to read Tables 1a and 1b where two hosts share no half. Only diagonal quadrants depend on it.
enum class RowsAre : u8 { source, destination };
constexpr std::array<std::string_view, 2> option_names(RowsAre) { return {"source", "destination"}; }

class Halves {
 public:
  static constexpr u32 max_dimensions = 7;

  explicit Halves(const Topology& topology);  // a HyperX, also of several planes, whose widths are even

  u32 dimensions() const { return dimensions_; }
  u32 rules() const { return 2 * dimensions_; }
  u32 lmc() const;  // the minimum with an address for each rule; further addresses have no rule

  // The orthant of a switch of the shape, as bits: dimension 0 is the highest bit, which is set in the second
  // half.
  u32 orthant(Switch s) const { return orthant_[s]; }
  // The number of an orthant, such that neighbours differ in one half: in two dimensions Q0 to Q3 of Figure
  // 3.
  static u32 number_of(u32 orthant);

  // Whether a rule removes the link between two switches. It keeps those of switches besides the shape.
  bool removes(u32 rule, Switch s, Switch t) const { return lies_in(rule, s) && lies_in(rule, t); }

  // The addresses for small messages, then for large ones, by orthants; rules of equal rank share a cell.
  // Large messages take the rules of the halves that both hosts are in, which exclude all shortest paths.
  // Small ones take those of the other halves, which exclude none. Where no half is shared every rule leaves
  // shortest paths: all sizes take those of the source's halves (or of the destination's).
  AddressChoice choice(const Fabric& fabric, u64 threshold, RowsAre rows) const;

 private:
  bool second_half(u32 orthant, u32 dimension) const { return orthant >> (dimensions_ - 1 - dimension) & 1; }
  bool has(Switch s) const { return index(s) < orthant_.size(); }
  bool lies_in(u32 rule, Switch s) const {
    return has(s) && second_half(orthant(s), rule / 2) == (rule % 2 == 1);
  }
  void add_cell(AddressChoice& out, bool large, u32 from, u32 to, RowsAre rows) const;

  u32 dimensions_;
  IdVector<Switch, u8> orthant_;  // of the switches of all planes
};

}  // namespace banyan::engines
