// Splits what one host sends another over the rails of hosts with several NICs. The flow level does not know
// which NIC is busy: a rail policy is represented by its expected shares of many messages, or by the rails
// that it gives to one message after another.
#pragma once
#include <functional>
#include <vector>

#include "traffic/placement.hpp"

namespace banyan::traffic {

// A share of what is sent, and the columns of the NICs that send and receive it: a rail in most cases, and
// often one and the same.
struct RailShare {
  u32 rail;
  double share;
  u32 to_rail = rail;
};

// Who sends and who receives: processes of two different hosts. Ranks on one host are its processes, in
// order.
struct RankPair {
  Host from;
  u32 process;
  Host to;
  u32 to_process;
};

// The shares of what one process sends another. They add up to 1; there are none if no rail connects the two
// hosts. `turn` is the rail at which the sending host goes on, where it takes rails in turn: the split of a
// message moves it, the split of what many messages have leaves it.
using RailSplit = std::function<std::vector<RailShare>(const RankPair& ranks, u32& turn)>;
using RailTurns = IdVector<Host, u32>;  // all 0 at first

// Turns demands into flows over several rails.
class RailFlows {
 public:
  RailFlows(const Fabric& fabric, const Placement& placement, RailSplit split);  // no split: the first rail

  Host host(Rank rank) const { return placement_[rank]; }
  u32 process(Rank rank) const { return process_[rank]; }

  RailTurns turns() const { return RailTurns(endpoints_.hosts(), 0); }

  // What stays inside a host is left out. Where no rail connects two hosts, the flow is between their first
  // NICs.
  void append(const std::vector<Demand>& demands, RailTurns& turns, std::vector<Flow>& out) const;
  void append(const Demand& demand, RailTurns& turns, std::vector<Flow>& out) const;  // of different hosts

 private:
  Endpoints endpoints_;
  Placement placement_;
  IdVector<Rank, u32> process_;
  RailSplit split_;
};

}  // namespace banyan::traffic
