// Barriers of hosts 0 .. n-1: the root hears of everyone and tells all by one broadcast.
//
// linear: every host sets an event of host 0, as petrini01 measured. tree: of four hosts the first collects
// for all of them, card by card without the hosts, as it proposes.
#pragma once
#include "qsnet/machine.hpp"

namespace banyan::qsnet {

enum class BarrierShape : u8 { linear, tree };

class Barrier {
 public:
  Barrier(Machine& machine, u32 hosts, BarrierShape shape);

  void enter(u32 host);                // its software begins
  bool advance(const Notice& notice);  // what follows from it; whether a host left the barrier by it

  static constexpr u32 first_tag = 0xfffffff0;  // tags of notices from here on belong to it

 private:
  enum Tag : u32 { entered = first_tag, gathered, told, release };
  static constexpr u32 arity = 4;
  u32 collector(u32 host) const;  // the event that hears of a host
  void broadcast();

  Machine& machine_;
  u32 hosts_;
  u32 leave_ = 0;                         // the first of as many events as hosts
  std::vector<std::vector<u32>> events_;  // tree: by stage and leader; linear: one
};

// From everyone's entry until the last has left.
Time barrier_time(const Routes& routes, const Parameters& parameters, u32 hosts, BarrierShape shape);

}  // namespace banyan::qsnet
