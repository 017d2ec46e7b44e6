// Judges shifts in a complete fat-tree where the way up depends only on the destination: everything follows
// from arithmetic on host numbers.
//
// Up from a switch of level l: its sources are the M_l hosts below it, its destinations those that have the
// same digits up to this level, wherever the switch is. Down into a subtree: the sources are all hosts
// outside, so in some shift all its destinations meet; there must be only one (zahavi10, theorem 2).
#pragma once
#include <optional>

#include "routing/routing.hpp"
#include "verify/shift_certificate.hpp"
#include "verify/shift_count.hpp"

namespace banyan::verify {

// None if this is not such a routing. With spans, there is one for each channel.
struct TreeShifts {
  WorstShift worst;
  IdVector<Channel, ChannelSpan> spans;
};
std::optional<TreeShifts> tree_shifts(const Fabric& fabric, const TreeForm& form, const Source& source,
                                      u64 bytes, bool with_spans);

}  // namespace banyan::verify
