// Which NIC is a rank's own, and the choices that are made of it: rail-local, own and same-slot.
#pragma once
#include "flit/rails/policy.hpp"

namespace banyan::flit {

// The rails between the two hosts from `first` on, around the end, as many as the striping ratio says.
std::vector<RailPair> rails_from(const RailRules& rules, const RankPair& ranks, u32 first, u32 flits);

// From the own NIC of the sender to that of the receiver; with striping, also from the NICs after the one to
// those after the other. Empty where the two do not reach each other.
std::vector<RailPair> own_to_own(const RailRules& rules, const RankPair& ranks, u32 flits);

// By the rail of the receiver's own NIC, if both have it. Empty where not.
std::vector<RailPair> by_rail_of_receiver(const RailRules& rules, const RankPair& ranks, u32 flits);

}  // namespace banyan::flit
