#include "flit/part.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "flit/rail_machine.hpp"

namespace banyan::flit {
namespace {

// With hop-view global packets look behind the next hop: nothing is listed.
HopLists listed_hops(const SimulationSetup& setup, const Layout& layout) {
  if (setup.network.hop_view == HopView::global) return {};
  return {layout, setup.fabric, setup.routing, permitted_lanes(setup.routing.lanes, setup.network.lanes)};
}

}  // namespace

Machine::Machine(const SimulationSetup& setup, Workload load, Mode mode, const Share& share, bool equal)
    : state(setup.fabric, setup.network, setup.messages.packet_flits, mode, share),
      workload(std::move(load)),
      setting{setup.fabric,
              state,
              setup.routing.lmc,
              setup.seed,
              permitted_lanes(setup.routing.lanes, setup.network.lanes),
              HopTable(state.layout, setup.routing),
              listed_hops(setup, state.layout)},
      route(route_function(setup.routing.forward, setup.network.path_choice == PathChoice::recycled)),
      source(setup.routing.source),
      flit_bytes(setup.messages.flit_bytes),
      recycles(setup.network.path_choice == PathChoice::recycled),
      has_flowlets(setup.network.path_choice == PathChoice::flowlet),
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
        orders_lanes =
            in_order && !chooses_again && !setup.rails && state.layout.lane_count() <= LaneOrder::max_lanes;
        follows_lists = is_adaptive && orders_lanes && !setting.lists.is_empty();
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
      clock(layout, layout.largest_flight + (state.mode == Mode::packets ? state.packet_flits : 0),
            layout.largest_flight + state.packet_flits + 32),
      active_(layout.nodes / 64 + 1),
      lane_order_(machine.orders_lanes ? layout.lane_count() : 0) {
  BANYAN_ASSERT(layout.blocks == 1 || state.mode != Mode::packets, "packets as the unit have one block");
}

void Part::add_entries() {
  const u32 old = static_cast<u32>(entries.size()), count = std::max(1024u, old / 2);
  entries.resize(old + count);
  for (u32 i = old + count; i-- > old;) free_entry(EntryId{i});
}

void Part::sort_jobs(bool has_control_packets) {
  std::sort(jobs_.data(), jobs_.data() + jobs_.size(), [&](const RouteJob& a, const RouteJob& b) {
    if (a.lane != b.lane) return a.lane < b.lane;
    if (a.again != b.again) return a.again;
    return has_control_packets && state.packets[a.packet].is_control && !state.packets[b.packet].is_control;
  });
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
