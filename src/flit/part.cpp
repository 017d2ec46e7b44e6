#include "flit/part.hpp"

namespace banyan::flit {

Machine::Machine(const SimulationSetup& setup, Workload load, Mode mode, const Share& share, bool equal)
    : state(setup.fabric, setup.network, setup.messages.packet_flits, mode, share),
      workload(std::move(load)),
      setting{setup.fabric, state, setup.routing.lmc, setup.seed,
              permitted_lanes(setup.routing.lanes, setup.network.lanes)},
      source(setup.routing.source),
      flit_bytes(setup.messages.flit_bytes),
      even(equal) {
  std::visit(
      [&]<class F>(const F& f) {
        route = &Router<F>::route;
        forward = &f;
        is_adaptive = !Deterministic<F>;
        knows_way = KnowsWay<F>;
      },
      setup.routing.forward);
  if (setup.rails)
    rails =
        std::make_unique<RailMachine>(setup.fabric, *setup.rails, state.layout.first_lane(state.layout.nics));
}

Part::Part(Machine& machine, u16 number)
    : machine_(machine),
      state_(machine.state),
      layout_(machine.state.layout),
      number_(number),
      wheels_(machine.state.layout.largest_flight + machine.state.packet_flits + 32),
      active_(machine.state.layout.nodes / 64 + 1) {
  for (auto& set : mail) set.resize(layout_.parts + 1);
  for (u32 v = layout_.nics; v < layout_.nodes; ++v)
    if (layout_.part_of[v] == number_) switches_.push_back(v);
}

void Part::start(u64 first) {
  if (machine_.rails) return;  // they have events of their own
  for (u32 nic = 0; nic < layout_.nics; ++nic)
    if (layout_.part_of[nic] == number_) wheels_.wakes.push(first, nic);
}

void Part::more_entries() {
  const std::size_t old = entries_.size(), count = std::max<std::size_t>(1024, old / 2);
  entries_.resize(old + count);
  for (std::size_t i = old + count; i-- > old;) free_entry(static_cast<u32>(i));
}

void Part::receive(Mail& from) {
  for (const Mail::Late& late : from.arrivals) wheels_.arrivals.push(late.due, late.arrival);
  for (const Mail::Late& late : from.credits) wheels_.credits.push(late.due, late.arrival.lane);
  for (const Mail::Late& late : from.trickles) wheels_.trickles.push(late.due, late.arrival.lane);
  for (const u32 i : from.packets) packets_.free.push(i);
  for (const u32 i : from.messages) messages_.free.push(i);
  for (const u32 i : from.parcels) parcels_.free.push(i);
  from.clear();
}

}  // namespace banyan::flit
