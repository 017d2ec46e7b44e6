#include "flit/device_replicas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/histogram_slots.hpp"
#include "flit/gpu_refusal.hpp"
#include "flit/lane_dependencies.hpp"
#include "flit/layout.hpp"
#include "flit/open_workload.hpp"
#include "flit/router.hpp"
#include "gpu/port_data.hpp"

namespace banyan::flit {
namespace {

using gpu::ReplicaFabric;

constexpr u32 max_flight = 4096;  // cycles that a ring of what is due can hold
constexpr u64 max_hops = u64{1} << 29;
constexpr u32 max_way = 4096;  // hops

// Every option that is not named here must be what it is by default.
bool are_known(const NetworkOptions& network) {
  NetworkOptions plain;
  plain.flow_control = network.flow_control;
  plain.lanes = network.lanes;
  plain.buffer_flits = network.buffer_flits;
  plain.switch_cycles = network.switch_cycles;
  plain.path_choice = network.path_choice;
  return network == plain;
}
bool are_known(const MessageOptions& messages) {
  MessageOptions plain;
  plain.arrivals = messages.arrivals;
  plain.load = messages.load;
  plain.packet_flits = messages.packet_flits;
  plain.flit_bytes = messages.flit_bytes;
  plain.reaction_cycles = messages.reaction_cycles;
  plain.rounds = messages.rounds;
  return messages == plain;
}

bool moves_flits(const SimulationSetup& setup) { return setup.network.flow_control == FlowControl::wormhole; }

}  // namespace

std::optional<NotApplicable> device_options_refusal(const SimulationSetup& setup) {
  if (auto refused = process_refusal(setup)) return refused;
  if (setup.granularity == Granularity::flits && !moves_flits(setup))
    return gpu_simulates("packets as the unit in virtual cut-through, not flits");
  if (!are_known(setup.network))
    return gpu_simulates(
        "virtual cut-through with packets as the unit, and wormhole: FIFO buffers, no output queues, finite "
        "ejection, and the default of what else a switch can do");
  if (auto refused = path_memory_refusal(setup.network)) return refused;
  if (!setup.messages.burst.empty()) return gpu_simulates("messages without bursts");
  if (!are_known(setup.messages)) return gpu_simulates("messages of one packet, all of the same size");
  return std::nullopt;
}

bool has_different_rates(const Fabric& fabric) {
  std::optional<double> capacity;
  for (const Channel c : fabric.channels())
    if (fabric.cabled(c) && capacity.value_or(fabric.link_class(c).capacity) != fabric.link_class(c).capacity)
      return true;
    else if (fabric.cabled(c))
      capacity = fabric.link_class(c).capacity;
  return false;
}

namespace {

std::optional<NotApplicable> size_refusal(const SimulationSetup& setup, u64 max_cycles) {
  const Fabric& fabric = setup.fabric;
  constexpr u32 most = ReplicaFabric::max_capacity;
  const u32 flits = setup.messages.packet_flits;
  if (moves_flits(setup)) {
    if (setup.network.buffer_flits > most || flits > most)
      return gpu_simulates(fmt::format("wormhole with buffers and packets of up to {} flits", most));
  } else if (const u32 capacity = setup.network.buffer_flits / flits; capacity > most) {
    return gpu_simulates(fmt::format("buffers of up to {} packets, not of {}", most, capacity));
  }
  if (auto reason = hosts_refusal(setup, ReplicaArrays::max_hosts, ReplicaFabric::max_ports)) return reason;
  if (max_cycles >= ~u32{0} - u64{2} * max_flight) return gpu_simulates("less than 2^32 cycles");
  if (has_different_rates(fabric)) return gpu_simulates("channels of one rate");
  return std::nullopt;
}

}  // namespace

void ReplicaArrays::add_ports(const Fabric& fabric, const NetworkOptions& network) {
  const Layout layout(fabric, network, {});
  u32 next = 0, max_ports = 1, flight = 1, latency = 1;
  const auto align = [&](u32 to) { next = (next + to - 1) / to * to; };
  for (const Node v : fabric.nodes()) {
    if (fabric.is_switch(v)) {  // the first one stands behind all NICs
      align(index(v) == fabric.nics() ? gpu::lanes
                                      : std::clamp(std::bit_ceil(fabric.ports(v)), 4u, gpu::lanes));
      max_ports = std::max(max_ports, fabric.ports(v));
    }
    nodes_.push_back({next, fabric.ports(v)});
    for (u32 p = 0; p < fabric.ports(v); ++p) port_of_channel_.push_back(next + p);
    next += fabric.ports(v);
  }
  align(gpu::lanes);
  ports_.resize(next);
  for (const Channel c : fabric.channels()) {
    if (!fabric.cabled(c)) continue;
    const ChannelEnd& exit = layout.exits[index(c)];
    const gpu::ReplicaNode& node = nodes_[index(fabric.from(c))];
    ports_[port_of_channel_[index(c)]] = {
        port_of_channel_[index(fabric.reverse(c))], static_cast<u16>(std::min(exit.flight, max_flight)),
        static_cast<u16>(std::min(exit.latency, max_flight)), node.first_port, node.ports};
    flight = std::max(flight, exit.flight);
    latency = std::max(latency, exit.latency);
  }
  fabric_.nics = fabric_.nic_ports = fabric.nics();
  fabric_.switches = fabric.switches();
  fabric_.ports = next;
  fabric_.lanes = layout.lanes;
  fabric_.shift = layout.shift;
  fabric_.slots = max_ports << layout.shift;
  fabric_.words = (fabric_.slots + 63) / 64;
  fabric_.port_bits = static_cast<u32>(std::bit_width(max_ports - 1));
  fabric_.flights = std::bit_ceil(flight + 1);
  fabric_.credit_flights = std::bit_ceil(latency + (fabric_.moves_flits ? 1 : fabric_.packet_flits));
}

std::optional<NotApplicable> ReplicaArrays::add_way(const SimulationSetup& setup, Nic from, Nic to) {
  const Fabric& fabric = setup.fabric;
  const Routing& routing = setup.routing;
  const u64 bytes = u64{setup.messages.packet_flits} * setup.messages.flit_bytes;
  u32& first = first_hop_[std::size_t{index(from)} * fabric.nics() + index(to)];
  if (first != gpu::no_way) return std::nullopt;
  if (routing.source.count(from, to, bytes) != 1)
    return gpu_simulates("routings with one way for each pair of hosts");
  first = static_cast<u32>(hops_.size());
  Header header = routing.source.way(from, to, bytes, 0);
  Node node = fabric.node(from);
  do {
    const Hop hop = std::visit(
        [&]<class F>(const F& forward) {
          if constexpr (Deterministic<F>) return forward.next(node, header);
          return Hop{none<Port>, 0, 0, 0};
        },
        routing.forward);
    const u16 lanes = permitted_[hop.lanes & (permitted_.size() - 1)];
    if (index(hop.port) >= fabric.ports(node) || lanes == 0)
      return gpu_simulates("routings with a way for each pair of hosts");
    const Channel channel{index(*fabric.channels(node).begin()) + index(hop.port)};
    if (!fabric.cabled(channel) || hops_.size() - first >= max_way)
      return gpu_simulates("routings with a way for each pair of hosts");
    if (hops_.size() >= max_hops) return gpu_simulates("fabrics whose ways have at most 2^29 hops in all");
    const auto set = static_cast<u32>(std::ranges::find(lane_sets_, lanes) - lane_sets_.begin());
    if (set == lane_sets_.size()) lane_sets_.push_back(lanes);
    if (lane_sets_.size() > ReplicaFabric::max_lane_sets)
      return gpu_simulates("routings with few sets of lanes");
    hops_.push_back(gpu::ReplicaHop::of(index(hop.port), set));
    header.state = hop.state;
    node = fabric.to(channel);
  } while (fabric.is_switch(node));
  return std::nullopt;
}

std::optional<NotApplicable> ReplicaArrays::add_ways(const SimulationSetup& setup,
                                                     std::span<const Workload* const> workloads) {
  const Fabric& fabric = setup.fabric;
  if (std::visit([]<class F>(const F&) { return !Deterministic<F>; }, setup.routing.forward))
    return gpu_simulates("routings that are not adaptive");
  permitted_ = permitted_lanes(setup.routing.lanes, setup.network.lanes);
  first_hop_.assign(std::size_t{fabric.nics()} * fabric.nics(), gpu::no_way);
  const Workload::Open* uniform = nullptr;
  for (const Workload* workload : workloads) {
    const Workload::Open& open = *workload->open_state();
    if (uniform && open.everyone == uniform->everyone && open.targets.empty()) continue;  // the same pairs
    if (open.targets.empty()) uniform = &open;
    for (const Seat from : open.everyone)
      for (const Seat to : open.everyone)
        if (from != to)
          if (auto reason = add_way(setup, Nic{index(from)}, Nic{index(to)})) return reason;
    for (u32 seat = 0; seat < open.senders.size(); ++seat)
      for (u32 i = open.senders[seat].first; i < open.senders[seat].last; ++i)
        if (auto reason = add_way(setup, Nic{seat}, Nic{index(open.targets[i].to)})) return reason;
  }
  LaneDependencies dependencies(fabric, setup.network.lanes);
  for (u32 pair = 0; pair < first_hop_.size(); ++pair) {
    if (first_hop_[pair] == gpu::no_way) continue;
    Channel last = *fabric.channels(Node{pair / fabric.nics()}).begin();
    for (u32 i = first_hop_[pair];; ++i) {
      const Node node = fabric.to(last);
      if (!fabric.is_switch(node)) break;
      dependencies.add(last, lane_sets_[hops_[i].set()], hops_[i + 1].port(), lane_sets_[hops_[i + 1].set()]);
      last = Channel{index(*fabric.channels(node).begin()) + hops_[i + 1].port()};
    }
  }
  if (dependencies.have_a_circle())
    return gpu_simulates("routings without deadlocks: here packets can wait for each other in a circle");
  return std::nullopt;
}

// Ways as words, where all of them are short.
void ReplicaArrays::add_routes(u64 max_cycles) {
  using gpu::PortRoute;
  const auto bits_of = [](u64 values) { return static_cast<u32>(std::bit_width(values - 1)); };
  fabric_.sets = static_cast<u32>(lane_sets_.size());
  fabric_.hop_port_bits = std::max(fabric_.port_bits, PortRoute::min_port_bits);
  fabric_.hop_bits = fabric_.hop_port_bits + bits_of(fabric_.sets);
  fabric_.time_bits = bits_of(max_cycles);
  if (fabric_.slots > 64 || fabric_.hop_port_bits > PortRoute::max_port_bits ||
      fabric_.hop_bits > PortRoute::max_hop_bits || fabric_.packet_flits >= 1u << 16)
    return;
  routes_.assign(first_hop_.size(), 0);
  for (u32 pair = 0; pair < first_hop_.size(); ++pair) {
    if (first_hop_[pair] == gpu::no_way) continue;
    u32 port = pair / fabric_.nics, at = 0;  // of the NIC
    do {
      const gpu::ReplicaHop hop = hops_[first_hop_[pair] + at / fabric_.hop_bits];
      if (at + fabric_.hop_bits > 64) return routes_.clear();
      routes_[pair] |= (u64{hop.port()} | u64{hop.set()} << fabric_.hop_port_bits) << at;
      at += fabric_.hop_bits;
      port = ports_[ports_[port].first_port + hop.port()].far;
    } while (port >= fabric_.nic_ports);
    fabric_.route_bits = std::max(fabric_.route_bits, at - fabric_.hop_bits);
  }
}

u32 append_ranks(std::span<const Workload* const> workloads, std::vector<u32>& nic_of_rank) {
  const auto& first = workloads[0]->open_state()->everyone;
  const bool are_alike = std::ranges::all_of(
      workloads, [&](const Workload* workload) { return workload->open_state()->everyone == first; });
  u32 stride = 0;
  if (!are_alike)
    for (const Workload* workload : workloads)
      stride = std::max(stride, static_cast<u32>(workload->open_state()->everyone.size()));
  for (const Workload* workload : workloads.first(are_alike ? 1 : workloads.size())) {
    const std::size_t end = nic_of_rank.size() + stride;
    for (const Seat seat : workload->open_state()->everyone) nic_of_rank.push_back(index(seat));
    if (!are_alike) nic_of_rank.resize(end);
  }
  return stride;
}

void append_nics(const Workload& workload, std::vector<gpu::ReplicaNic>& nics,
                 std::vector<gpu::ReplicaTarget>& targets) {
  const Workload::Open& open = *workload.open_state();
  const u32 first_target = static_cast<u32>(targets.size());
  for (const auto& target : open.targets) targets.push_back({target.until, index(target.to)});
  for (const auto& sender : open.senders) {
    gpu::ReplicaNic& nic = nics.emplace_back();
    if (sender.rate <= 0) continue;
    nic.random = sender.random.state();
    nic.time = sender.time;
    nic.rate = sender.rate;
    nic.scale = sender.scale;
    nic.pending = sender.pending.created;
    nic.pending_to = index(sender.pending.to);
    nic.drawn = 1;
    nic.rank = index(sender.rank);
    nic.ranks = static_cast<u32>(open.everyone.size());
    nic.first_target = first_target + sender.first;
    nic.last_target = first_target + sender.last;
  }
}

void ReplicaArrays::make_image(const NetworkOptions& network, const Fabric& fabric) {
  const gpu::ReplicaLayout layout(fabric_);
  image_.assign(layout.bytes, 0);
  for (u32 port = 0; port < ports_.size(); ++port) {
    if (ports_[port].far == gpu::no_port) continue;
    reinterpret_cast<u16*>(image_.data() + layout.open)[port] = static_cast<u16>((1u << network.lanes) - 1);
    for (u32 lane = 0; lane < network.lanes; ++lane)
      image_[layout.room + (port << fabric_.shift) + lane] = static_cast<u8>(fabric_.capacity);
  }
  std::fill_n(reinterpret_cast<u32*>(image_.data() + layout.finish), fabric.nics(), ~u32{0});
}

void ReplicaArrays::point() {
  fabric_.node = nodes_.data();
  fabric_.port = ports_.data();
  fabric_.first_hop = first_hop_.data();
  fabric_.hop = hops_.data();
  fabric_.route = routes_.empty() ? nullptr : routes_.data();
  fabric_.nic_of_rank = nic_of_rank_.data();
  fabric_.logarithms = &logarithm_table;
  std::ranges::copy(lane_sets_, fabric_.lane_set);
}

std::optional<NotApplicable> ReplicaArrays::refusal(const SimulationSetup& setup, u64 max_cycles) {
  if (auto reason = device_options_refusal(setup)) return reason;
  return size_refusal(setup, max_cycles);
}

std::variant<ReplicaArrays, NotApplicable> ReplicaArrays::make(const SimulationSetup& setup,
                                                               std::span<const Workload* const> workloads,
                                                               u64 max_cycles) {
  check_setup(setup);
  if (auto reason = refusal(setup, max_cycles)) return *reason;
  for (const Workload* workload : workloads) {
    if (!workload->open_state()) return gpu_simulates("messages at a load, not traffic that is sent once");
    if (moves_flits(setup)) continue;
    if (const std::string why = needs_flits(setup, *workload); !why.empty())
      return gpu_simulates("packets as the unit: " + why);
  }
  ReplicaArrays out;
  out.fabric_.packet_flits = setup.messages.packet_flits;
  out.fabric_.moves_flits = moves_flits(setup);
  out.fabric_.capacity = setup.network.buffer_flits / setup.messages.packet_flits;
  out.fabric_.places = out.fabric_.capacity + out.fabric_.capacity % gpu::kept_packets;
  if (moves_flits(setup)) {  // of one packet the head has left the buffer, and of one the tail has not come
    out.fabric_.places += 2;
    if (out.fabric_.places > 256) return gpu_simulates("wormhole with buffers of up to 254 packets");
    out.fabric_.capacity = setup.network.buffer_flits;
    out.fabric_.packet_room = setup.messages.packet_flits;
  }
  out.fabric_.arrivals = static_cast<u32>(setup.messages.arrivals);
  out.fabric_.latencies = histogram_slot(max_cycles) + 1;
  out.add_ports(setup.fabric, setup.network);
  if (out.fabric_.flights > max_flight || out.fabric_.credit_flights > max_flight)
    return gpu_simulates(fmt::format("latencies below {} cycles", max_flight));
  if (auto reason = out.add_ways(setup, workloads)) return *reason;
  out.add_routes(max_cycles);
  if (moves_flits(setup) && out.routes_.empty())
    return gpu_simulates("wormhole with switches of up to 64 input lanes and 32 ports, and short ways");
  out.fabric_.rank_stride = append_ranks(workloads, out.nic_of_rank_);
  for (const Workload* workload : workloads) append_nics(*workload, out.nics_, out.targets_);
  out.replicas_ = static_cast<u32>(workloads.size());
  out.make_image(setup.network, setup.fabric);
  out.point();
  return out;
}

gpu::ReplicaFabric ReplicaArrays::fabric(u32 first) const {
  gpu::ReplicaFabric out = fabric_;
  out.nic_of_rank += std::size_t{first} * fabric_.rank_stride;
  return out;
}
gpu::ReplicaStart ReplicaArrays::start(u32 first, u32 count) const {
  return {.replicas = count,
          .image = image_.data(),
          .nic = nics_.data() + std::size_t{first} * fabric_.nics,
          .target = targets_.data(),
          .targets = targets_.size(),
          .nodes = static_cast<u32>(nodes_.size()),
          .hops = hops_.size(),
          .ranks = nic_of_rank_.size() - std::size_t{first} * fabric_.rank_stride};
}

u64 ReplicaArrays::bytes_of_replica() const {
  const u64 packets = (u64{fabric_.ports} << fabric_.shift) * fabric_.places;
  const u64 state = std::max<u64>(image_.size(), gpu::PortLayout(fabric_, gpu::kept_bytes).bytes);
  return state + fabric_.nics * sizeof(gpu::ReplicaNic) + packets * sizeof(gpu::ReplicaPacket) +
         sizeof(gpu::ReplicaTally) + 4 * u64{fabric_.nics} + 4 * (u64{fabric_.ports} + fabric_.latencies);
}
u64 ReplicaArrays::bytes_of_fabric() const {
  return 4 * (first_hop_.size() + hops_.size()) + targets_.size() * sizeof(gpu::ReplicaTarget) +
         routes_.size() * sizeof(routes_.front());
}

DeviceReplicas::DeviceReplicas(const gpu::Device& device, const SimulationSetup& setup,
                               const ReplicaArrays& arrays, u32 first, u32 count)
    : DeviceRuns(count),
      arrays_(arrays),
      topology_(setup.fabric),
      replicas_(device, arrays.fabric(first), arrays.start(first, count)),
      tallies_(count),
      channel_flits_(std::size_t{count} * arrays.fabric().ports),
      latencies_(std::size_t{count} * arrays.fabric().latencies),
      waits_since_(std::size_t{count} * arrays.fabric().nics) {}

void DeviceRuns::begin(std::span<const u64> cycles) {
  std::vector<gpu::ReplicaRun> runs;
  for (u32 i = 0; i < now_.size(); ++i)
    runs.push_back({static_cast<u32>(now_[i]), static_cast<u32>(cycles[i])});
  begin_runs(runs);
  for (u32 i = 0; i < now_.size(); ++i) now_[i] += advanced_[i] = cycles[i];
}

void DeviceRuns::finish() {
  finish_runs();
  for (u32 i = 0; i < now_.size(); ++i) {
    if (advanced_[i] == 0) continue;
    const u64 before = presence_[i].packet_cycles(now_[i] - advanced_[i]);
    presence_[i] += change(i);
    packet_cycles_[i] = presence_[i].packet_cycles(now_[i]) - before;
  }
}

std::optional<u64> DeviceRuns::since(u32 word) {
  return word == gpu::no_message ? std::nullopt : std::optional<u64>(word);
}

std::optional<u64> DeviceReplicas::waits_since(u32 replica, Nic nic) const {
  return since(waits_since_[std::size_t{replica} * arrays_.fabric().nics + index(nic)]);
}

Presence DeviceReplicas::change(u32 replica) const {
  const gpu::ReplicaTally& counted = tallies_[replica];
  return {counted.entered - counted.packets, counted.times};
}

void DeviceReplicas::finish_runs() {
  replicas_.finish({tallies_.data(), channel_flits_.data(), latencies_.data(), waits_since_.data()});
}

void add_channels(const Fabric& fabric, const std::function<u32(Channel)>& flits_of, Tally& out) {
  for (const Channel c : fabric.channels()) {
    const u32 entered = flits_of(c);
    out.channel_flits.push_back(entered);
    if (fabric.is_switch(fabric.from(c))) out.flit_hops += entered;
  }
}

Tally tally_of(const Fabric& fabric, u64 cycles, const gpu::ReplicaTally& counted,
               std::span<const u32> latencies, const std::function<u32(Channel)>& flits_of) {
  Tally out;
  out.cycles = cycles;
  out.packets = out.messages = counted.packets;
  out.flits = counted.flits;
  out.network_cycles = counted.network_cycles;
  out.last_message = counted.last_message;
  out.packet_latency = out.message_latency = Histogram::of(latencies, counted.latencies);
  add_channels(fabric, flits_of, out);
  return out;
}

Tally DeviceReplicas::tally(u32 replica) const {
  const gpu::ReplicaFabric& fabric = arrays_.fabric();
  const u32* flits = channel_flits_.data() + std::size_t{replica} * fabric.ports;
  Tally out =
      tally_of(topology_, advanced(replica), tallies_[replica],
               std::span(latencies_).subspan(std::size_t{replica} * fabric.latencies, fabric.latencies),
               [&](Channel c) { return flits[arrays_.port_of_channel()[index(c)]]; });
  out.packet_cycles = packet_cycles(replica);
  return out;
}

}  // namespace banyan::flit
