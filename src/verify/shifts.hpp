// Judges all shifts at once: whether any channel carries more than one flow in any of the shifts s = 1 ..
// N-1, where every host i sends to host i + s mod N, on every rail at once; otherwise a worst shift and its
// load. Shifts are not tried one by one.
//
// A channel whose sources lie in an interval of M host numbers is free of contention in all shifts if its
// destinations are at least M apart on the ring of host numbers (zahavi10, theorems 1 and 2, for any
// routing). Other channels are counted exactly.
#pragma once
#include <optional>
#include <variant>
#include <vector>

#include "routing/routing.hpp"
#include "verify/shift_certificate.hpp"

namespace banyan::verify {

struct ShiftFlow {
  Nic from, to;
  u64 units;  // its contribution to the load of the channel
};

struct ShiftVerdict {
  u32 worst_shift = 0;              // one with the maximum load; 0 when nothing arrives in any
  u64 units = 0, per = 1;           // that load is units / per
  u64 bytes = 0;                    // size of the messages, where it matters
  Channel channel = none<Channel>;  // a channel with that load
  std::vector<ShiftFlow> flows;     // on this channel in this shift, by rail and source
  u64 pairs = 0;                    // ordered pairs of different NICs on a rail
  u64 left_out = 0;  // of these, those with a way that does not arrive; such a way loads nothing

  std::optional<ShiftCertificate> certificate;  // if requested and free of contention

  double load() const { return static_cast<double>(units) / static_cast<double>(per); }
  bool contention_free() const { return units <= per; }
};

struct ShiftOptions {
  bool certificate = false;  // whether to make one
};

// The ways of a pair share its flow evenly. Not applicable to adaptive routings.
std::variant<ShiftVerdict, NotApplicable> judge_shifts(const Fabric& fabric, const Routing& routing,
                                                       const ShiftOptions& options = {});

}  // namespace banyan::verify
