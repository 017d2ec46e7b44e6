#include "flit/state.hpp"

#include <algorithm>

namespace banyan::flit {
namespace {

constexpr u32 plenty = ~u32{0} / 2;  // room in a queue without limit

}  // namespace

State::State(const Fabric& fabric, const NetworkOptions& network, u32 largest_packet, Mode the_mode,
             const Share& share)
    : layout(fabric, network, share),
      options(network),
      mode(the_mode),
      packet_flits(largest_packet),
      is_staged(!allocator_of(network.allocator).is_joint()) {
  const std::size_t exits = layout.exits.size(), lane_count = layout.lane_count();
  const bool has_queues = options.output_flits > 0 || options.ejection == Ejection::unlimited;
  inputs.resize(lane_count);
  lanes.resize(lane_count);
  outputs.resize(exits);
  if (layout.words > 1 || is_staged) masks.resize(2 * exits * layout.words);
  if (mode == Mode::vct) crossings.resize(exits);
  if (mode == Mode::packets) trickle_end.resize(lane_count), consuming.resize(exits);
  if (has_queues) queues.resize(lane_count);
  idle.resize(std::size_t{layout.nodes} * layout.words);
  for (auto* of_ports : {&ready, &crossing, &sends})
    of_ports->resize(std::size_t{layout.nodes} * layout.port_words);
  if (options.queueing == Queueing::voq) {
    u64 places = 0;
    for (const Node v : IdRange<Node>(layout.nodes)) {
      first_voq.push_back(places);
      if (!layout.is_nic(v)) places += u64{layout.ports(v) << layout.shift} * layout.ports(v);
    }
    voq.resize(places);
  }
  if (share.own == share.parts) {  // else pages that are not its own would come with the large ones
    const auto enlarge = [](auto&... vectors) { (use_large_pages(vectors), ...); };
    enlarge(inputs, lanes, outputs, voq, queues, trickle_end, crossings, masks);
  }
  for (const Node v : IdRange<Node>(layout.nodes))
    if (layout.is_own(v)) begin_node(v);
}

void State::begin_node(Node v) {
  const u16 all = static_cast<u16>((1u << options.lanes) - 1);
  std::fill_n(idle.begin() + static_cast<std::ptrdiff_t>(std::size_t{index(v)} * layout.words), layout.words,
              ~u64{0});
  if (!voq.empty() && !layout.is_nic(v)) {
    const u64 places = u64{layout.ports(v) << layout.shift} * layout.ports(v);
    std::fill_n(voq.begin() + static_cast<std::ptrdiff_t>(first_voq[index(v)]), places, Queue{});
  }
  for (const LaneId lane : layout.lanes_of(v)) {
    inputs[index(lane)] = Input{};
    lanes[index(lane)] = OutLane{};
    if (!queues.empty()) queues[index(lane)] = Queue{};
  }
  for (const Channel c : layout.exits_of(v)) {
    const ChannelEnd& exit = layout.exits[index(c)];
    Output& out = outputs[index(c)] = Output{};
    out.node = v;
    out.port = static_cast<u8>(layout.port(c));
    out.first_lane = layout.lane(c, 0);
    if (exit.far == none<LaneId>) continue;
    for (u32 l = 0; l < options.lanes; ++l) {
      Input& input = inputs[index(layout.lane(c, l))];
      input.slot = static_cast<u16>((u32{out.port} << layout.shift) + l);
      input.others = ~(((u64{2} << ((1u << layout.shift) - 1)) - 1) << (input.slot - l) % 64);
      input.near = layout.far(layout.lane(c, l));
      input.first_exit = layout.first_exit[index(v)];
      input.node = v;
      if (exit.far_part == layout.part(v))
        input.usual = layout.usual_place(layout.usual_latencies, exit.latency, exit.far);
    }
    out.far = exit.far;
    out.flight = exit.flight;
    out.step = exit.step;
    out.far_part = exit.far_part;
    out.is_slow = exit.step != 65536;
    out.leaves_part = exit.far_part != layout.part(v);
    if (!out.is_slow && !out.leaves_part)
      out.usual = layout.usual_place(layout.usual_flights, layout.flight_kind(exit), exit.far);
    out.is_endless = !layout.is_nic(v) && exit.to_nic && options.ejection == Ejection::unlimited;
    out.has_queue = !layout.is_nic(v) && (out.is_endless || options.output_flits > 0);
    out.free_lanes = out.open_lanes = all;
    for (u32 l = 0; l < options.lanes; ++l) {
      OutLane& lane = lanes[index(layout.lane(c, l))];
      lane.credits = out.is_endless ? plenty : options.buffer_flits;
      lane.room = out.is_endless ? plenty : out.has_queue ? options.output_flits : options.buffer_flits;
    }
  }
}

}  // namespace banyan::flit
