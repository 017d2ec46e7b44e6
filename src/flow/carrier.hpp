// How messages between ranks travel: by which rails, over which channels, and what they need inside their
// hosts. The times of collectives and of programs are made from it.
#pragma once
#include <functional>

#include "flow/incidence.hpp"
#include "flow/inside.hpp"
#include "traffic/nic_positions.hpp"
#include "traffic/rail_split.hpp"

namespace banyan::flow {

// Messages as the flows that carry them, one for each rail that takes a part.
struct Carried {
  std::vector<Flow> flows;
  std::vector<u32> message;  // by flow: its message's number, in the order in which they were listed
  Incidence listed;          // with the channels inside hosts

  void clear();
};

class Carrier {
 public:
  // Without `split` the first rail carries all. All must outlive it. Ranks that share a host are its
  // accelerators, in order. Throws InputError where there are more of them than accelerators.
  Carrier(const Fabric& fabric, const Routing& routing, const Placement& placement, const RailSplit& split,
          const Inside& inside);

  RailTurns turns() const { return rails_.turns(); }

  // Messages take rails in their order. One that stays where it is needs no channel. Throws InputError for
  // one that cannot arrive.
  void carry(std::span<const Demand> messages, RailTurns& turns, Carried& out,
             Demands kind = Demands::bytes) const;

  // A message whose flows have rails: they keep them where they can arrive, and take the next that leads
  // there otherwise, or any two NICs. False: there are none; then the flows stay.
  // `is_there`: whether the cable of a channel is not lost.
  bool carry_again(const Demand& message, const std::function<bool(Channel)>& is_there, std::span<Flow> flows,
                   Carried& out) const;

 private:
  void add_inside(std::span<const Demand> messages, Carried& out) const;

  const Fabric& fabric_;
  const Routing& routing_;
  RailFlows rails_;
  Inside inside_;
  NicPositions nics_{};  // where the inside of hosts limits
};

}  // namespace banyan::flow
