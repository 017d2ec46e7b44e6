#include "flit/state.hpp"

#include <algorithm>

namespace banyan::flit {
namespace {

constexpr u32 plenty = ~u32{0} / 2;  // room in a queue without limit

}  // namespace

State::State(const Fabric& fabric, const NetworkOptions& network, u32 largest_packet, Mode the_mode,
             const Share& share)
    : layout(fabric, network, share), options(network), mode(the_mode), packet_flits(largest_packet) {
  const std::size_t exits = layout.exits.size(), lane_count = layout.lane_count();
  const bool has_queues = options.output_flits > 0 || options.ejection == Ejection::unlimited;
  inputs.resize(lane_count);
  lanes.resize(lane_count);
  outputs.resize(exits);
  if (layout.words > 1) {
    heads.resize(exits * layout.words);
    if (mode == Mode::wormhole) bodies.resize(exits * layout.words);
  }
  if (mode == Mode::vct) crossings.resize(exits);
  if (mode == Mode::packets) trickle_end.resize(lane_count), consuming.resize(exits);
  if (has_queues) queues.resize(lane_count);
  idle.resize(std::size_t{layout.nodes} * layout.words);
  for (auto* masks : {&ready, &crossing, &sends})
    masks->resize(std::size_t{layout.nodes} * layout.port_words);
  nics.resize(layout.nics);
  if (options.queueing == Queueing::voq) {
    u64 places = 0;
    for (u32 v = 0; v < layout.nodes; ++v) {
      first_voq.push_back(places);
      if (v >= layout.nics) places += u64{layout.ports(v) << layout.shift} * layout.ports(v);
    }
    voq.resize(places);
  }
  for (u32 v = 0; v < layout.nodes; ++v)
    if (layout.is_own(v)) begin_node(v);
}

void State::begin_node(u32 v) {
  const u16 all = static_cast<u16>((1u << options.lanes) - 1);
  std::fill_n(idle.begin() + static_cast<std::ptrdiff_t>(std::size_t{v} * layout.words), layout.words,
              ~u64{0});
  if (v < layout.nics) nics[v] = NicState{};
  if (!voq.empty() && v >= layout.nics) {
    const u64 places = u64{layout.ports(v) << layout.shift} * layout.ports(v);
    std::fill_n(voq.begin() + static_cast<std::ptrdiff_t>(first_voq[v]), places, Queue{});
  }
  for (u32 lane = layout.first_lane(v); lane < layout.first_lane(v + 1); ++lane) {
    inputs[lane] = Input{};
    lanes[lane] = OutLane{};
    if (!queues.empty()) queues[lane] = Queue{};
  }
  for (std::size_t i = layout.first_exit[v]; i < layout.first_exit[v + 1]; ++i) {
    const Exit& exit = layout.exits[i];
    Output& out = outputs[i] = Output{};
    out.node = exit.node;
    out.port = static_cast<u8>(i - layout.first_exit[exit.node]);
    out.first_lane = static_cast<u32>(i) << layout.shift;
    if (exit.far == absent) continue;
    for (u32 l = 0; l < options.lanes; ++l) {
      Input& input = inputs[out.first_lane + l];
      input.slot = static_cast<u16>((u32{out.port} << layout.shift) + l);
      input.others = ~(((u64{2} << ((1u << layout.shift) - 1)) - 1) << (input.slot - l) % 64);
      input.near = exit.far + l;
      input.latency = exit.latency;
      input.first_exit = layout.first_exit[exit.node];
      input.near_part = exit.far_part;
    }
    out.far = exit.far;
    out.flight = exit.flight;
    out.step = exit.step;
    out.far_part = exit.far_part;
    out.is_slow = exit.step != 65536;
    out.leaves_part = exit.far_part != layout.part_of[exit.node];
    out.is_plain = !out.is_slow && !out.leaves_part;
    out.is_endless = exit.node >= layout.nics && exit.to_nic && options.ejection == Ejection::unlimited;
    out.has_queue = exit.node >= layout.nics && (out.is_endless || options.output_flits > 0);
    out.free_lanes = out.open_lanes = all;
    for (u32 l = 0; l < options.lanes; ++l) {
      OutLane& lane = lanes[(i << layout.shift) + l];
      lane.credits = out.is_endless ? plenty : options.buffer_flits;
      lane.room = out.is_endless ? plenty : out.has_queue ? options.output_flits : options.buffer_flits;
    }
  }
}

}  // namespace banyan::flit
