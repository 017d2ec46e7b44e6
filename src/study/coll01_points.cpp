#include "study/coll01_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "engines/engine.hpp"
#include "traffic/pattern.hpp"

namespace banyan {
namespace {

constexpr u32 processes = 4;
constexpr u32 paper_flit = 2;  // bytes; one crosses a channel in a cycle

std::string_view plane(u32 hosts) {
  switch (hosts) {
    case 32:
      return "XGFT(2; 4,8; 1,4)";
    case 64:
      return "4-ary 3-tree";
    case 128:
      return "XGFT(3; 4,4,8; 1,4,4)";
    default:
      throw std::logic_error("coll01 has 32, 64 and 128 hosts");
  }
}

u32 in_flits(double cycles, u32 flit_bytes) {
  return static_cast<u32>(std::max(1L, std::lround(cycles * paper_flit / flit_bytes)));
}

NetworkOptions network_of(u32 flit_bytes) {
  NetworkOptions out{.flow_control = FlowControl::wormhole, .lanes = 2};
  out.buffer_flits = in_flits(128, flit_bytes);
  out.switch_cycles = in_flits(7, flit_bytes) - 1;  // six cycles, and one on the channel
  return out;
}

RailOptions rails_of(const RailPoint& point, u32 flit_bytes) {
  RailOptions out;
  out.policy = point.policy;
  out.stripe = point.stripe;
  out.processes = processes;
  out.bus_burst = in_flits(32, flit_bytes);
  out.control_flits = in_flits(16, flit_bytes);
  out.nic_cycles = in_flits(300, flit_bytes);
  out.timeout_cycles = in_flits(4000, flit_bytes);
  return out;
}

}  // namespace

RailResult simulate_point(const RailPoint& point, const RailModel& model, u64 seed) {
  const Topology topology = make_topology(fmt::format("{} x {}", point.rails, plane(point.hosts)));
  const Routing routing = std::get<Routing>(route(topology, "adaptive"));
  const u32 packet = in_flits(128, model.flit_bytes);
  MessageOptions messages{.sizes = Sizes::exponential, .load = point.load, .packet_flits = packet};
  messages.message_packets = std::max(1u, point.kilobytes * 1024 / model.flit_bytes / packet);
  messages.flit_bytes = model.flit_bytes;
  const SimulationSetup setup{topology.fabric,
                              routing,
                              network_of(model.flit_bytes),
                              messages,
                              seed,
                              1,
                              Granularity::automatic,
                              rails_of(point, model.flit_bytes)};
  Placement placement;
  for (u32 rank = 0; rank < point.hosts * processes; ++rank) placement.push_back(Host{rank / processes});
  Workload workload =
      Workload::open(topology.fabric, make_traffic({topology, point.hosts * processes}, "uniform"), placement,
                     messages, seed, processes);
  // So many flits as the model wants, at a rate that is not above what can be accepted, but no more than
  // 20,000 messages.
  const double mean = static_cast<double>(packet) * messages.message_packets;
  const double wanted = std::min(model.flits * 16 / model.flit_bytes, 20000 * mean);
  const double rate = std::min(point.load, 0.3) * point.rails * point.hosts;
  const Measurement m = measure(setup, std::move(workload), {.cycles = static_cast<u64>(wanted / rate)});
  return {m.offered, m.accepted.mean, m.accepted.half_width,
          m.counted.message_latency.mean() * model.flit_bytes / paper_flit, m.saturated};
}

const RailResult& RailPoints::at(const RailPoint& point) { return results_[point]; }

void RailPoints::run() {
  std::vector<std::pair<const RailPoint*, RailResult*>> work;
  for (auto& [point, result] : results_) work.emplace_back(&point, &result);
  // The longest first, so that none is left alone at the end.
  std::stable_sort(work.begin(), work.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first->kilobytes, a.first->hosts) > std::tie(b.first->kilobytes, b.first->hosts);
  });
  Progress progress("points", work.size());
  parallel_for(
      work.size(), options_.threads,
      [&](u64 i) { *work[i].second = simulate_point(*work[i].first, model_, options_.seed); }, &progress);
}

}  // namespace banyan
