#include "flit/part.hpp"

#include <algorithm>
#include <utility>

#include "flit/rail_machine.hpp"

namespace banyan::flit {

Machine::Machine(const SimulationSetup& setup, Workload load, Mode mode, const Share& share, bool equal)
    : state(setup.fabric, setup.network, setup.messages.packet_flits, mode, share),
      workload(std::move(load)),
      setting{setup.fabric,
              state,
              setup.routing.lmc,
              setup.seed,
              permitted_lanes(setup.routing.lanes, setup.network.lanes),
              PortTable(state.layout, setup.routing)},
      route(route_function(setup.routing.forward, setup.network.path_choice == PathChoice::recycled)),
      source(setup.routing.source),
      flit_bytes(setup.messages.flit_bytes),
      recycles(setup.network.path_choice == PathChoice::recycled),
      chooses_again(has_escape(setup.routing)),
      any_forward(setup.routing.forward),
      keeps_messages(workload.reacts() || share.own != share.parts),
      is_large(state.outputs.size() >= setup.large_fabric),
      even(equal) {
  std::visit(
      [&]<class F>(const F& f) {
        forward = &f;
        is_adaptive = !Deterministic<F>;
        in_order = is_adaptive || recycles;
        if constexpr (KnowsWay<F>)
          if (!recycles) tree = &f;
      },
      setup.routing.forward);
  if (setup.rails)
    rails = std::make_unique<RailMachine>(setup.fabric, *setup.rails, state.layout.nic_lanes());
}
Machine::~Machine() = default;

Part::Part(Machine& the_machine, u16 the_number)
    : machine(the_machine),
      state(machine.state),
      layout(state.layout),
      number(the_number),
      clock(layout, layout.largest_flight + state.packet_flits + 32),
      active_(layout.nodes / 64 + 1) {}

void Part::add_entries() {
  const u32 old = static_cast<u32>(entries.size()), count = std::max(1024u, old / 2);
  entries.resize(old + count);
  for (u32 i = old + count; i-- > old;) free_entry(EntryId{i});
}

Tally Part::take_tally() {
  Tally out = std::exchange(tally, Tally{});
  out.packet_latency.add(out.message_latency);
  out.messages = out.message_latency.count();
  return out;
}

void Part::take_mail(const Mail& from) {
  clock.receive(from);
  for (const PacketId id : from.packets) packets_.free.push(id);
  for (const MessageId id : from.messages) messages_.free.push(id);
}

}  // namespace banyan::flit
