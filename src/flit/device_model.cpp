#include "flit/device_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/histogram_slots.hpp"
#include "flit/gpu_refusal.hpp"
#include "flit/layout.hpp"
#include "flit/open_workload.hpp"

namespace banyan::flit {
namespace {

using gpu::ModelData;

constexpr u32 max_model_flight = 4096;  // cycles that a ring of what is due can hold
constexpr u32 endless_packets = 512;    // in the endless queues of a host, in the mean

// Every option that is not named here must be what it is by default: those of switches in stages, and those
// of NICs that remember paths.
bool is_known_model(const NetworkOptions& network) {
  NetworkOptions plain = network;
  const NetworkOptions standard;
  plain.allocator = standard.allocator;
  plain.input_speedup = standard.input_speedup;
  plain.switch_speedup = standard.switch_speedup;
  plain.head_cycles = standard.head_cycles;
  plain.lane_cycles = standard.lane_cycles;
  plain.speculation = standard.speculation;
  plain.switch_hold = standard.switch_hold;
  plain.priority = standard.priority;
  return network == plain;
}

// The shortest packet there can be.
u32 least_flits(const MessageOptions& messages) {
  if (messages.sizes == Sizes::exponential) return 1;
  u32 out = messages.packet_flits;
  if (!messages.packet_lengths.empty())
    for (const PacketLength& length : read_packet_lengths(messages.packet_lengths))
      out = std::min(out, length.flits);
  return out;
}

bool is_cut_through(const SimulationSetup& setup) { return setup.network.flow_control == FlowControl::vct; }

}  // namespace

std::optional<NotApplicable> ModelArrays::refusal(const SimulationSetup& setup, u64 max_cycles) {
  if (auto refused = process_refusal(setup)) return refused;
  if (!is_known_model(setup.network))
    return gpu_simulates("switches that give lane and output at once: allocator joint");
  if (auto refused = path_memory_refusal(setup.network)) return refused;
  if (setup.network.hop_view == HopView::global)
    return gpu_simulates("packets that look at the queues of their switch: hop-view local");
  if (setup.messages.reply_flits > 0) return gpu_simulates("messages without replies");
  if (has_escape(setup.routing)) return gpu_simulates("routings in which packets choose once at each switch");
  if (setup.messages.packet_flits > ModelData::max_flits ||
      setup.network.buffer_flits > ModelData::max_flits ||
      setup.network.output_flits > ModelData::max_flits || setup.network.writers > ModelData::max_flits)
    return gpu_simulates(fmt::format("packets, buffers and queues of up to {} flits", ModelData::max_flits));
  if (setup.routing.source.sizes().size() > 1 && least_flits(setup.messages) != setup.messages.packet_flits)
    return gpu_simulates("routings that do not depend on the size of a message, where sizes differ");
  if (auto reason = hosts_refusal(setup, max_hosts, ModelData::max_ports)) return reason;
  if (max_cycles * setup.fabric.nics() >= ~u32{0} - u64{2} * max_model_flight)
    return gpu_simulates("less than 2^32 cycles of all hosts together");
  return std::nullopt;
}

void ModelArrays::add_ports(const SimulationSetup& setup) {
  const Fabric& fabric = setup.fabric;
  const NetworkOptions& network = setup.network;
  const Layout layout(fabric, network, {});
  u32 max_ports = 1, flight = 1, latency = 1;
  for (const Node v : fabric.nodes()) {
    nodes_.push_back({static_cast<u32>(ports_.size()), fabric.ports(v)});
    if (fabric.is_switch(v)) max_ports = std::max(max_ports, fabric.ports(v));
    for (const Channel c : fabric.channels(v)) {
      gpu::ModelPort& port = ports_.emplace_back();
      if (!fabric.cabled(c)) continue;
      const ChannelEnd& exit = layout.exits[index(c)];
      port.far = index(fabric.reverse(c));
      port.flight = exit.flight;
      port.latency = exit.latency;
      port.step = exit.step;
      if (network.hop_credits == HopCredits::late)
        port.on_the_way = static_cast<u32>(layout.round_trip_flits(c));
      port.is_endless = fabric.is_switch(v) && exit.to_nic && network.ejection == Ejection::unlimited;
      port.has_queue = port.is_endless || (fabric.is_switch(v) && network.output_flits > 0);
      data_.has_queues |= port.has_queue;
      flight = std::max(flight, exit.flight);
      latency = std::max(latency, exit.latency);
    }
  }
  data_.fabric.nics = fabric.nics();
  data_.fabric.switches = fabric.switches();
  data_.fabric.lanes = network.lanes;
  data_.ports = static_cast<u32>(ports_.size());
  data_.words = (max_ports * network.lanes + 63) / 64;
  data_.queues = network.queueing == Queueing::voq ? max_ports : 1;
  data_.flights = std::bit_ceil(flight + 1);
  data_.credit_flights = std::bit_ceil(latency + 1);
  data_.has_slow = layout.has_slow;
  data_.is_finite = network.ejection == Ejection::finite;
}

// How many packets there can be at a time, and where.
void ModelArrays::add_sizes(const SimulationSetup& setup) {
  const NetworkOptions& network = setup.network;
  const u32 least = least_flits(setup.messages);
  const bool is_vct = is_cut_through(setup);
  // In wormhole a packet of which the head has left, and one of which the tail has not come, may have no flit
  // here; with virtual output queues several have begun to leave.
  const auto places = [&](u32 flits, bool is_voq) {
    if (is_vct) return (flits - 1) / least + 1;
    return is_voq ? flits + 1 : std::min(flits + 1, flits / least + 3);
  };
  data_.places = places(network.buffer_flits, network.queueing == Queueing::voq);
  data_.queue_places = network.output_flits > 0 ? places(network.output_flits, false) : 1;
  const u64 lanes = u64{data_.ports} * network.lanes, nics = data_.fabric.nics;
  u64 packets = lanes * data_.places + nics;
  if (network.output_flits > 0) packets += lanes * data_.queue_places;
  if (!data_.is_finite) packets += nics * endless_packets;
  if (setup.messages.message_packets > 1 || setup.messages.sizes != Sizes::fixed)
    packets = 2 * packets + nics;  // the first one of a message is kept until the last was consumed
  data_.packets = static_cast<u32>(std::min<u64>(packets, ModelData::max_packets - 1));
}

void ModelArrays::add_messages(const Workload& workload) {
  const Workload::Open& open = *workload.open_state();
  data_.message_flits = open.fixed_flits;
  data_.mean_flits = open.mean_flits;
  data_.size_scale = open.size_scale;
  for (const PacketLength& length : open.lengths) lengths_.push_back({length.until, length.flits});
  data_.lengths = static_cast<u32>(lengths_.size());
  if (open.periods.size() == 0) return;
  data_.burst_on = open.burst.on;
  data_.burst_off = open.burst.off;
  data_.on_share = open.on_share;
}

void ModelArrays::add_nics(const Workload& workload, u64 seed) {
  const Workload::Open& open = *workload.open_state();
  std::vector<gpu::ReplicaNic> known;
  append_nics(workload, known, targets_);
  for (u32 i = 0; i < known.size(); ++i) {
    gpu::ModelNic& nic = nics_.emplace_back();
    nic.random = known[i];
    nic.random.drawn = open.senders[i].drawn;
    nic.pending_flits = open.senders[i].pending.flits;
    nic.seed = seed;
    if (open.periods.size() == 0) continue;
    nic.on_until = open.periods[i].on_until;
    nic.off = open.periods[i].off;
  }
}

std::optional<NotApplicable> ModelArrays::add_ways(const SimulationSetup& setup,
                                                   std::span<const Workload* const> workloads) {
  const u32 nics = setup.fabric.nics();
  std::vector<bool> pairs(std::size_t{nics} * nics);
  const Workload::Open* uniform = nullptr;
  for (const Workload* workload : workloads) {
    const Workload::Open& open = *workload->open_state();
    if (uniform && open.everyone == uniform->everyone && open.targets.empty()) continue;  // the same pairs
    if (open.targets.empty()) uniform = &open;
    for (const Seat from : open.everyone)
      for (const Seat to : open.everyone)
        if (from != to) pairs[std::size_t{index(from)} * nics + index(to)] = true;
    for (u32 seat = 0; seat < open.senders.size(); ++seat)
      for (u32 i = open.senders[seat].first; i < open.senders[seat].last; ++i)
        pairs[std::size_t{seat} * nics + index(open.targets[i].to)] = true;
  }
  const u64 bytes =
      u64{setup.messages.packet_flits} * setup.messages.message_packets * setup.messages.flit_bytes;
  auto made = RouteGraph::make(setup, pairs, bytes);
  if (auto* reason = std::get_if<NotApplicable>(&made)) return std::move(*reason);
  graph_ = std::get<RouteGraph>(std::move(made));
  return std::nullopt;
}

void ModelArrays::point() {
  data_.node = nodes_.data();
  data_.port = ports_.data();
  data_.first_hop = graph_->first_hop.data();
  data_.hop = graph_->hop.data();
  data_.first_way = graph_->first_way.data();
  data_.way = graph_->way.data();
  data_.vertices = graph_->first_hop.size() - 1;
  data_.hops = graph_->hop.size();
  data_.ways = graph_->way.size();
  data_.length = lengths_.data();
  data_.fabric.nic_of_rank = nic_of_rank_.data();
  data_.fabric.logarithms = &logarithm_table;
}

std::variant<ModelArrays, NotApplicable> ModelArrays::make(const SimulationSetup& setup,
                                                           std::span<const Workload* const> workloads,
                                                           std::span<const u64> seeds, u64 max_cycles) {
  check_setup(setup);
  if (auto reason = refusal(setup, max_cycles)) return *reason;
  for (const Workload* workload : workloads)
    if (!workload->open_state()) return gpu_simulates("messages at a load, not traffic that is sent once");
  ModelArrays out;
  const std::string why = needs_flits(setup, *workloads[0]);
  if (setup.granularity == Granularity::packets && !why.empty())
    return gpu_simulates("packets as the unit where they can be: " + why);
  ModelData& data = out.data_;
  data.counts_packets = setup.granularity != Granularity::flits && why.empty();
  data.moves_packets = is_cut_through(setup);
  data.is_adaptive = is_adaptive(setup.routing);
  data.output_flits = setup.network.output_flits;
  data.writers = setup.network.writers;
  data.hop_bias = setup.network.hop_bias;
  data.path_choice = static_cast<u32>(setup.network.path_choice);
  data.fabric.packet_flits = setup.messages.packet_flits;
  data.fabric.capacity = setup.network.buffer_flits;
  data.fabric.arrivals = static_cast<u32>(setup.messages.arrivals);
  data.fabric.latencies = histogram_slot(max_cycles) + 1;
  out.add_ports(setup);
  if (data.flights > max_model_flight || data.credit_flights > max_model_flight)
    return gpu_simulates(fmt::format("latencies below {} cycles", max_model_flight));
  out.add_sizes(setup);
  if (gpu::ModelLayout(data).wanted > ~u32{0})
    return gpu_simulates("networks whose buffers take less than 4 GiB");
  if (auto reason = out.add_ways(setup, workloads)) return *reason;
  out.add_messages(*workloads[0]);
  data.fabric.rank_stride = append_ranks(workloads, out.nic_of_rank_);
  for (std::size_t i = 0; i < workloads.size(); ++i) out.add_nics(*workloads[i], seeds[i]);
  out.replicas_ = static_cast<u32>(workloads.size());
  out.point();
  return out;
}

gpu::ModelData ModelArrays::data(u32 first) const {
  ModelData out = data_;
  const std::size_t before = std::size_t{first} * data_.fabric.rank_stride;
  out.fabric.nic_of_rank += before;
  out.ranks = nic_of_rank_.size() - before;
  return out;
}
gpu::ModelStart ModelArrays::start(u32 first, u32 count) const {
  return {.replicas = count,
          .nic = nics_.data() + std::size_t{first} * data_.fabric.nics,
          .target = targets_.data(),
          .targets = targets_.size()};
}

u64 ModelArrays::bytes_of_replica() const {
  return gpu::ModelLayout(data_).bytes + data_.fabric.nics * (sizeof(gpu::ModelNic) + 4) +
         u64{data_.packets} * (sizeof(gpu::ModelPacket) + 4) + sizeof(gpu::ModelTally) +
         4 * (u64{data_.ports} + 2 * data_.fabric.latencies);
}
u64 ModelArrays::bytes_of_fabric() const {
  return 4 * (graph_->first_way.size() + graph_->way.size() + graph_->first_hop.size()) +
         graph_->hop.size() * sizeof(gpu::ModelHop) + targets_.size() * sizeof(gpu::ReplicaTarget);
}

DeviceModel::DeviceModel(const gpu::Device& device, const SimulationSetup& setup, const ModelArrays& arrays,
                         u32 first, u32 count)
    : DeviceRuns(count),
      arrays_(arrays),
      topology_(setup.fabric),
      models_(device, arrays.data(first), arrays.start(first, count)),
      tallies_(count),
      channel_flits_(std::size_t{count} * arrays.data().ports),
      latencies_(std::size_t{count} * 2 * arrays.data().fabric.latencies),
      waits_since_(std::size_t{count} * arrays.data().fabric.nics) {}

Presence DeviceModel::change(u32 replica) const {
  const gpu::ModelTally& counted = tallies_[replica];
  return {counted.entered - counted.packets, counted.times};
}

void DeviceModel::finish_runs() {
  models_.finish({tallies_.data(), channel_flits_.data(), latencies_.data(), waits_since_.data()});
}

std::optional<NotApplicable> DeviceModel::refusal() const {
  if (std::ranges::none_of(tallies_, [](const gpu::ModelTally& t) { return t.lacks_packets > 0; }))
    return std::nullopt;
  return gpu_simulates(
      fmt::format("up to {} packets at a time on this fabric, and the queues before hosts hold more",
                  arrays_.data().packets));
}

std::optional<u64> DeviceModel::waits_since(u32 replica, Nic nic) const {
  return since(waits_since_[std::size_t{replica} * arrays_.data().fabric.nics + index(nic)]);
}

Tally DeviceModel::tally(u32 replica) const {
  const gpu::ModelTally& counted = tallies_[replica];
  const u32 slots = arrays_.data().fabric.latencies;
  const auto latencies = std::span(latencies_).subspan(std::size_t{replica} * 2 * slots, 2 * slots);
  const u32* flits = channel_flits_.data() + std::size_t{replica} * arrays_.data().ports;
  Tally out;
  out.cycles = advanced(replica);
  out.packets = counted.packets;
  out.messages = counted.messages;
  out.flits = counted.flits;
  out.network_cycles = counted.network_cycles;
  out.packet_cycles = packet_cycles(replica);
  out.last_message = counted.last_message;
  out.message_latency = Histogram::of(latencies.last(slots), counted.message_cycles);
  out.packet_latency = Histogram::of(latencies.first(slots), counted.packet_cycles);
  out.packet_latency.add(out.message_latency);
  add_channels(
      topology_, [&](Channel c) { return flits[index(c)]; }, out);
  return out;
}

}  // namespace banyan::flit
