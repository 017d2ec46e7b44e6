// How long rounds of messages take: the terms of LogGP (Alexandrov et al. 1995) for a message, and for its
// bytes the rate of its flow among the others. ask::time() calls it.
//
// A message enters the fabric `overhead` after its round begins, further ones of the same sender a `gap`
// later each; its bytes flow at the rates of rates.hpp; the last of them needs `latency` for every channel of
// the longest way. A message over several rails has arrived when all its parts have.
#pragma once
#include "flow/rates.hpp"
#include "traffic/rail_split.hpp"
#include "traffic/rounds.hpp"

namespace banyan::flow {

// fluid: rates are computed again whenever a message begins or ends. fixed: each message keeps the rate that
// it has while all messages of the round are active; of equal messages the slowest rate decides.
enum class Sharing : u8 { fluid, fixed };
constexpr std::array<std::string_view, 2> option_names(Sharing) { return {"fluid", "fixed"}; }

struct TimeOptions {
  RateOptions rates = {};     // bytes per unit of time, the unit of the other options and of the result
  double overhead = 0;        // cost of a message for sender and receiver together
  double gap = 0;             // between the starts of two messages of one sender in a round
  double latency = 0;         // of each channel of the way
  double switch_latency = 0;  // of each switch of the way
  Sharing sharing = Sharing::fluid;
  Rounds rounds = Rounds::barrier;  // the other values imply fluid sharing
  double resolution = 0;            // events closer together than this count as one
  RailSplit rails = {};             // none: the first rail carries all

  double latency_of(u32 hops) const { return hops == 0 ? 0 : hops * latency + (hops - 1) * switch_latency; }
};

// By flow, the time when it has arrived; its demand is in bytes, and the round begins at 0. A host that sends
// to itself needs only the overhead.
std::vector<double> finish_times(const Fabric& fabric, const Routing& routing, std::span<const Flow> flows,
                                 const TimeOptions& options);

struct CollectiveTime {
  double total = 0;                // when the last message has arrived
  std::vector<double> round_ends;  // when the last message of each round has arrived
  IdVector<Rank, double> sent;     // when the last message of each rank has arrived; 0 if it sends nothing
};

void require_bytes(const Traffic& traffic);  // throws InputError unless it is in bytes

// Throws InputError, also for traffic that is not in bytes.
CollectiveTime collective_time(const Fabric& fabric, const Routing& routing, const Traffic& traffic,
                               const Placement& placement, const TimeOptions& options, u64 seed = 1,
                               u64 sample = 0);

}  // namespace banyan::flow
