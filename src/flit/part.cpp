#include "flit/part.hpp"

namespace banyan {

Machine::Machine(const SimulationSetup& setup, Workload load, Mode mode, u32 parts, bool equal)
    : state(setup.fabric, setup.network, setup.messages.packet_flits, mode, parts),
      workload(std::move(load)),
      setting{setup.fabric, state, setup.seed, permitted_lanes(setup.routing.lanes, setup.network.lanes)},
      source(setup.routing.source),
      flit_bytes(setup.messages.flit_bytes),
      even(equal) {
  std::visit(
      [&]<class F>(const F& f) {
        route = &Router<F>::route;
        forward = &f;
        is_adaptive = !Deterministic<F>;
      },
      setup.routing.forward);
}

Part::Part(Machine& machine, u16 number)
    : machine_(machine),
      state_(machine.state),
      layout_(machine.state.layout),
      number_(number),
      wheel_(machine.state.layout.largest_flight + machine.state.packet_flits + 32),
      active_(machine.state.layout.nodes / 64 + 1) {
  for (auto& set : mail) set.resize(layout_.parts);
}

void Part::start(u64 first) {
  for (u32 nic = 0; nic < layout_.nics; ++nic)
    if (layout_.part_of[nic] == number_) wheel_.at(first).wakes.push_back(nic);
}

void Part::more_entries() {
  const std::size_t old = entries_.size(), count = std::max<std::size_t>(1024, old / 2);
  entries_.resize(old + count);
  for (std::size_t i = old + count; i-- > old;) free_entry(static_cast<u32>(i));
}

void Part::free_packet(u32 i) {
  const u16 owner = state_.packets.owner(i);
  (owner == number_ ? packets_.free : mail[writing][owner].packets).push_back(i);
}

void Part::free_message(u32 i) {
  const u16 owner = state_.messages.owner(i);
  (owner == number_ ? messages_.free : mail[writing][owner].messages).push_back(i);
}

void Part::receive(Mail& from) {
  for (const Mail::Late& late : from.arrivals) wheel_.at(late.due).arrivals.push_back(late.arrival);
  for (const Mail::Late& late : from.credits) wheel_.at(late.due).credits.push_back(late.arrival.lane);
  for (const Mail::Late& late : from.trickles) wheel_.at(late.due).trickles.push_back(late.arrival.lane);
  packets_.free.insert(packets_.free.end(), from.packets.begin(), from.packets.end());
  messages_.free.insert(messages_.free.end(), from.messages.begin(), from.messages.end());
  from.clear();
}

}  // namespace banyan
