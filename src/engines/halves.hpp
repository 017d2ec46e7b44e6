// A HyperX cut into halves in each dimension, as PARX sees it (domke19, section 3.2.1): rules R1 to R4 are,
// for any number of dimensions, that address 2 k + h is routed without the links that lie in half h of
// dimension k, and the choice of an address follows from the halves that two hosts share.
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "engines/ids.hpp"
#include "routing/address_choice.hpp"
#include "topology/topology.hpp"

namespace banyan::engines {

// Which way Tables 1a and 1b are read where no half is shared: diagonal quadrants are all that depends on it.
enum class RowsAre : u8 { source, destination };
constexpr std::array<std::string_view, 2> option_names(RowsAre) { return {"source", "destination"}; }

class Halves {
 public:
  static constexpr u32 max_dimensions = 7;

  explicit Halves(const HyperX& hyperx);  // all widths even

  u32 dimensions() const { return dimensions_; }
  u32 rules() const { return 2 * dimensions_; }
  u32 lmc() const;  // the least with an address for each rule; further addresses have no rule

  // By switch of a plane; dimension 0 is the highest bit, and set in the second half.
  u32 orthant(Switch s) const { return orthant_[index(s) % orthant_.size()]; }
  // Of an orthant, counted so that neighbours differ in one half: in two dimensions Q0 to Q3 of Figure 3.
  static u32 number_of(u32 orthant);

  // Whether a rule removes the link between two switches of a plane.
  bool removes(u32 rule, Switch s, Switch t) const { return lies_in(rule, s) && lies_in(rule, t); }

  // The addresses for small messages, then for large ones, by orthants, rules of equal rank sharing a cell.
  // Large messages take the rules of the halves that both hosts are in, which bar all shortest paths, small
  // ones those of the other halves, which bar none. Where no half is shared every rule leaves shortest paths:
  // those of the source's halves (or of the destination's) are taken for all sizes.
  AddressChoice choice(const Fabric& fabric, u64 threshold, RowsAre rows) const;

 private:
  bool second_half(u32 orthant, u32 dimension) const { return orthant >> (dimensions_ - 1 - dimension) & 1; }
  bool lies_in(u32 rule, Switch s) const { return second_half(orthant(s), rule / 2) == (rule % 2 == 1); }
  void add_cell(AddressChoice& out, bool large, u32 from, u32 to, RowsAre rows) const;

  u32 dimensions_;
  std::vector<u8> orthant_;  // by switch of a plane
};

}  // namespace banyan::engines
