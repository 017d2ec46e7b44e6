#include "flit/device_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/histogram_slots.hpp"
#include "flit/device_replicas.hpp"
#include "flit/gpu_refusal.hpp"
#include "flit/layout.hpp"
#include "flit/open_workload.hpp"
#include "flit/router.hpp"

namespace banyan::flit {
namespace {

using gpu::NetworkData;

constexpr u64 max_network_routes = u64{1} << 28;  // of a table

u32 bits_below(u64 values) { return static_cast<u32>(std::bit_width(std::max<u64>(values, 2) - 1)); }

std::optional<NotApplicable> network_options_refusal(const SimulationSetup& setup, u64 max_cycles) {
  const NetworkOptions& network = setup.network;
  const u32 flits = setup.messages.packet_flits;
  if (network.flow_control == FlowControl::wormhole)
    return gpu_simulates("one large network with virtual cut-through, not wormhole");
  if (network.lanes > NetworkData::max_lanes)
    return gpu_simulates(fmt::format("one large network with up to {} lanes", NetworkData::max_lanes));
  if (setup.routing.lanes != 1) return gpu_simulates("one large network under routings that need one lane");
  if (setup.routing.source.reads() != Reads::nothing)
    return gpu_simulates("one large network under routings that depend on the destination only");
  if (std::visit([]<class F>(const F&) { return !Deterministic<F>; }, setup.routing.forward))
    return gpu_simulates("routings that are not adaptive");
  if (flits > NetworkData::max_packet_flits)
    return gpu_simulates(fmt::format("packets of up to {} flits", NetworkData::max_packet_flits));
  if (network.buffer_flits / flits > gpu::ReplicaFabric::max_capacity)
    return gpu_simulates(fmt::format("buffers of up to {} packets", gpu::ReplicaFabric::max_capacity));
  if (!gpu::NetworkWord::fits(bits_below(setup.fabric.nics()), bits_below(max_cycles)))
    return gpu_simulates(
        fmt::format("a network of {} hosts for fewer than {} cycles", setup.fabric.nics(), max_cycles));
  return std::nullopt;
}

std::optional<NotApplicable> network_fabric_refusal(const SimulationSetup& setup) {
  const Fabric& fabric = setup.fabric;
  for (const Node nic : fabric.nic_nodes())
    if (fabric.ports(nic) != 1) return gpu_simulates("NICs of one port");
  if (has_different_rates(fabric)) return gpu_simulates("channels of one rate");
  for (const Node v : fabric.switch_nodes())
    if (fabric.ports(v) > NetworkData::max_ports)
      return gpu_simulates(fmt::format("switches of up to {} ports", NetworkData::max_ports));
  return std::nullopt;
}

// The way of a table's destination from any switch, and which channel follows which.
class FollowedChannels {
 public:
  explicit FollowedChannels(const Fabric& fabric)
      : fabric_(fabric), seen_(fabric.nodes().size(), none<Nic>), follows_(fabric.channels().size()) {
    for (const Node v : fabric.nodes()) words_ = std::max(words_, (fabric.ports(v) + 63) / 64);
    for (auto& mask : follows_) mask.resize(words_);
  }
  // Whether all packets for `to` that are at `from` arrive. port_of(switch) is the way.
  template <class F>
  bool follow(Node from, Nic to, F&& port_of) {
    std::optional<Channel> last;
    Node node = from;
    for (u32 hops = 0; fabric_.is_switch(node); ++hops) {
      const u32 port = port_of(node);
      if (port >= fabric_.ports(node) || hops > fabric_.switches()) return false;
      const Channel next{index(*fabric_.channels(node).begin()) + port};
      if (!fabric_.cabled(next)) return false;
      if (last) follows_[index(*last)][port / 64] |= u64{1} << port % 64;
      if (seen_[index(node)] == to) return true;
      seen_[index(node)] = to;
      last = next;
      node = fabric_.to(next);
    }
    return fabric_.nic(node) == to;
  }
  bool have_a_circle() const {
    std::vector<u32> before(follows_.size());
    for (const Channel c : fabric_.channels()) each_behind(c, [&](Channel next) { ++before[index(next)]; });
    std::vector<Channel> free;
    for (const Channel c : fabric_.channels())
      if (before[index(c)] == 0) free.push_back(c);
    for (std::size_t done = 0; done < free.size(); ++done)
      each_behind(free[done], [&](Channel next) {
        if (--before[index(next)] == 0) free.push_back(next);
      });
    return free.size() < follows_.size();
  }

 private:
  template <class F>
  void each_behind(Channel c, F&& f) const {
    if (!fabric_.cabled(c)) return;
    const u32 first = index(*fabric_.channels(fabric_.to(c)).begin());
    for (u32 w = 0; w < words_; ++w)
      for (u64 bits = follows_[index(c)][w]; bits != 0; bits &= bits - 1)
        f(Channel{first + w * 64 + static_cast<u32>(std::countr_zero(bits))});
  }

  const Fabric& fabric_;
  std::vector<Nic> seen_;  // by switch: the last destination whose way passes it
  u32 words_ = 1;
  std::vector<std::vector<u64>> follows_;  // by channel: ports of the node where it ends
};

Header header_to(const Source& source, Nic to) { return source.way(Nic{index(to) == 0 ? 1u : 0u}, to, 0, 0); }

}  // namespace

void NetworkArrays::add_ends(const SimulationSetup& setup) {
  const Fabric& fabric = setup.fabric;
  const Layout layout(fabric, setup.network, {});
  u32 longest = 1;
  ends_.resize(fabric.channels().size());
  for (const Channel c : fabric.channels()) {
    if (!fabric.cabled(c)) continue;
    const ChannelEnd& from = layout.exits[index(fabric.reverse(c))];  // what comes from there
    const u32 credit = from.latency + setup.messages.packet_flits - 1;
    const u32 wait = std::min({from.flight, credit, gpu::NetworkEnd::max_wait}), rest = from.flight - wait;
    longest = std::max(longest, wait);
    data_.has_rests |= rest > 0;
    is_late_ |= rest > gpu::NetworkEnd::max_packet_rest || credit - wait > gpu::NetworkEnd::max_credit_rest;
    ends_[index(c)] = {index(fabric.reverse(c)),
                       is_late_ ? 0 : gpu::NetworkEnd::times_of(wait, rest, credit - wait)};
  }
  for (const Node v : fabric.switch_nodes()) {
    switches_.push_back({index(*fabric.channels(v).begin()), static_cast<u16>(fabric.ports(v))});
    max_ports_ = std::max(max_ports_, fabric.ports(v));
  }
  data_.ends = static_cast<u32>(ends_.size());
  data_.ring_bits = static_cast<u32>(std::bit_width(2 * longest - 1));
}

// Two switches of each level say what all of them do: one above the destination, and one that is not.
void NetworkArrays::add_tree_routes(const TreeForm& form, const Source& source) {
  const Pgft& tree = form.tree();
  const u32 nics = data_.fabric.nics;
  for (u32 l = 1; l <= tree.h(); ++l) {
    const u32 first = tree.first_switch(l), of_subtree = static_cast<u32>(tree.W(l));
    const u32 hosts = static_cast<u32>(tree.M(l)), subtrees = nics / hosts;
    for (u32 i = 0; i < tree.switches(l); ++i) {
      switches_[first + i].row = l - 1;
      switches_[first + i].subtree = static_cast<u16>(i / of_subtree);
    }
    for (u32 nic = 0; nic < nics; ++nic) {
      const Header header = header_to(source, Nic{nic});
      const u32 inside = nic / hosts, outside = inside == 0 ? 1 : 0;
      const auto port = [&](u32 subtree) {
        return index(form.next(Node{nics + first + subtree * of_subtree}, header).port);
      };
      routes_.push_back(gpu::NetworkRoute::of(inside, port(inside), subtrees > 1 ? port(outside) : 0));
    }
  }
}

std::optional<NotApplicable> NetworkArrays::add_table(const SimulationSetup& setup,
                                                      const Workload& workload) {
  const Fabric& fabric = setup.fabric;
  const u32 nics = fabric.nics();
  const u64 size = u64{fabric.switches()} * nics;
  if (size > max_network_routes)
    return gpu_simulates(
        "one large network under the closed form of a tree, or with up to 2^28 entries of tables");
  for (u32 i = 0; i < switches_.size(); ++i) switches_[i].row = i;
  routes_.assign(size, gpu::NetworkRoute::of(0, NetworkData::max_ports + 1, NetworkData::max_ports + 1));
  const Workload::Open& open = *workload.open_state();
  std::vector<bool> sends(nics), receives(nics);
  for (u32 i = 0; i < nics; ++i) sends[i] = open.senders[i].rate > 0;
  for (const Seat seat : open.everyone) receives[index(seat)] = true;
  for (const auto& target : open.targets) receives[index(target.to)] = true;
  std::vector<Node> doors;  // where packets enter
  for (u32 i = 0; i < nics; ++i)
    if (const Channel c = *fabric.channels(Node{i}).begin(); sends[i] && fabric.cabled(c))
      if (const Node v = fabric.to(c); doors.empty() || doors.back() != v) doors.push_back(v);
  FollowedChannels followed(fabric);
  for (u32 nic = 0; nic < nics; ++nic) {
    if (!receives[nic]) continue;
    const Header header = header_to(setup.routing.source, Nic{nic});
    const auto port_of = [&](Node node) {
      const Hop hop = std::visit(
          [&]<class F>(const F& forward) {
            if constexpr (Deterministic<F>) return forward.next(node, header);
            return Hop{none<Port>, 0, 0, 0};
          },
          setup.routing.forward);
      const bool is_known =
          (hop.lanes & 1) != 0 && hop.state == header.state && index(hop.port) < NetworkData::max_ports;
      const u32 port = is_known ? index(hop.port) : NetworkData::max_ports + 1;
      routes_[std::size_t{index(node) - nics} * nics + nic] = gpu::NetworkRoute::of(0, port, port);
      return port;
    };
    for (const Node door : doors)
      if (!followed.follow(door, Nic{nic}, port_of))
        return gpu_simulates(
            "one large network under routings with a way for each pair of hosts, on any lane");
  }
  if (followed.have_a_circle())
    return gpu_simulates("routings without deadlocks: here packets can wait for each other in a circle");
  return std::nullopt;
}

std::optional<NotApplicable> NetworkArrays::add_routes(const SimulationSetup& setup,
                                                       const Workload& workload) {
  const Fabric& fabric = setup.fabric;
  if (setup.routing.source.count(Nic{0}, Nic{1}, 0) != 1)
    return gpu_simulates("routings with one way for each pair of hosts");
  if (const TreeForm* form = std::get_if<TreeForm>(&setup.routing.forward)) {
    const Pgft& tree = form->tree();
    if (tree.nics_are_endpoints() && tree.endpoints() == fabric.nics() && tree.M(0) == 1 &&
        fabric.nics() / tree.M(1) < gpu::NetworkRoute::max_subtree) {
      add_tree_routes(*form, setup.routing.source);
      return std::nullopt;
    }
  }
  return add_table(setup, workload);
}

void NetworkArrays::add_workload(const Workload& workload) {
  const auto& everyone = workload.open_state()->everyone;
  for (const Seat seat : everyone) nic_of_rank_.push_back(index(seat));
  append_nics(workload, nics_, targets_);
}

void NetworkArrays::point() {
  data_.end = ends_.data();
  data_.at = switches_.data();
  data_.route = routes_.data();
  data_.fabric.nic_of_rank = nic_of_rank_.data();
  data_.fabric.logarithms = &logarithm_table;
}

std::optional<NotApplicable> NetworkArrays::refusal(const SimulationSetup& setup, u64 max_cycles) {
  if (auto reason = device_options_refusal(setup)) return reason;
  if (auto reason = network_options_refusal(setup, max_cycles)) return reason;
  return network_fabric_refusal(setup);
}

std::variant<NetworkArrays, NotApplicable> NetworkArrays::make(const SimulationSetup& setup,
                                                               const Workload& workload, u64 max_cycles) {
  check_setup(setup);
  if (auto reason = refusal(setup, max_cycles)) return *reason;
  if (!workload.open_state()) return gpu_simulates("messages at a load, not traffic that is sent once");
  if (const std::string why = needs_flits(setup, workload); !why.empty())
    return gpu_simulates("packets as the unit: " + why);
  NetworkArrays out;
  gpu::ReplicaFabric& fabric = out.data_.fabric;
  fabric.nics = setup.fabric.nics();
  fabric.switches = setup.fabric.switches();
  fabric.lanes = setup.network.lanes;
  fabric.packet_flits = setup.messages.packet_flits;
  fabric.capacity = setup.network.buffer_flits / setup.messages.packet_flits;
  fabric.arrivals = static_cast<u32>(setup.messages.arrivals);
  fabric.latencies = histogram_slot(max_cycles) + 1;
  out.data_.nic_bits = bits_below(fabric.nics);
  out.data_.time_bits = bits_below(max_cycles);
  out.add_ends(setup);
  if (out.is_late_)
    return gpu_simulates("one large network with latencies and times of switches of a few cycles");
  if (auto reason = out.add_routes(setup, workload)) return *reason;
  out.add_workload(workload);
  out.point();
  return out;
}

gpu::NetworkStart NetworkArrays::start() const {
  return {.nic = nics_.data(),
          .target = targets_.data(),
          .targets = targets_.size(),
          .routes = routes_.size(),
          .ranks = nic_of_rank_.size(),
          .max_ports = max_ports_};
}

DeviceNetwork::DeviceNetwork(const gpu::Device& device, const SimulationSetup& setup,
                             const NetworkArrays& arrays)
    : fabric_(setup.fabric),
      network_(device, arrays.data(), arrays.start()),
      channel_flits_(arrays.data().ends),
      latencies_(arrays.data().fabric.latencies),
      waits_since_(arrays.data().fabric.nics) {}

void DeviceNetwork::advance(u64 cycles) {
  network_.run({static_cast<u32>(now_), static_cast<u32>(cycles)},
               {&tally_, channel_flits_.data(), latencies_.data(), waits_since_.data()});
  const u64 before = presence_.packet_cycles(now_);
  now_ += advanced_ = cycles;
  presence_ += {tally_.entered - tally_.packets, tally_.times};
  packet_cycles_ = presence_.packet_cycles(now_) - before;
}

Tally DeviceNetwork::tally() const {
  Tally out =
      tally_of(fabric_, advanced_, tally_, latencies_, [&](Channel c) { return channel_flits_[index(c)]; });
  out.packet_cycles = packet_cycles_;
  return out;
}

std::optional<u64> DeviceNetwork::waits_since(Nic nic) const {
  const u32 since = waits_since_[index(nic)];
  return since == gpu::no_message ? std::nullopt : std::optional<u64>(since);
}

}  // namespace banyan::flit
