// Fabrics whose planes have different shapes: `HyperX(4x4) + RLFT(8 ports, 16 hosts)`. Every host has a NIC
// on each plane. Such a fabric has a notation and no shape of its own: its planes have.
#pragma once
#include <string_view>
#include <vector>

#include "topology/topology.hpp"

namespace banyan::topology {

// The summands of a notation, one if it is no sum. The '+' of a family's name stands before a parenthesis.
std::vector<std::string_view> split_sum(std::string_view notation);

// Why a tree with rails= or nics= is no plane among others.
inline constexpr std::string_view has_all_nics =
    "rails= and nics= give a tree all NICs of its hosts; it cannot have several planes";

// Planes of one shape are `N x SHAPE` even if they were written as a sum. Throws InputError.
Topology make_sum(std::string_view notation);

bool is_plane_sum(const Topology& topology);

// Some planes of a sum that have the same shape, with numbers of their own.
struct PlaneGroup {
  Topology topology;            // without the cables that the sum lacks
  u32 first_nic, first_switch;  // as node numbers of the sum

  u32 end_nic() const { return first_nic + topology.fabric.nics(); }
  u32 end_switch() const { return first_switch + topology.fabric.switches(); }
};

// The summands of a topology that is_plane_sum(). They are built anew: O(ports).
std::vector<PlaneGroup> plane_groups(const Topology& sum);

}  // namespace banyan::topology
