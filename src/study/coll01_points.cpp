#include "study/coll01_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "engines/engine.hpp"
#include "traffic/pattern.hpp"

namespace banyan::study {
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

MessageOptions messages_of(const RailPoint& point, u32 flit_bytes) {
  const u32 message = point.kilobytes * 1024 / flit_bytes;
  const u32 packet =
      point.variant == RailVariant::whole_packets ? message : std::min(message, in_flits(128, flit_bytes));
  MessageOptions out{.sizes = Sizes::exponential, .load = point.load, .packet_flits = packet};
  out.message_packets = message / packet;
  out.flit_bytes = flit_bytes;
  return out;
}

RailOptions rails_of(const RailPoint& point, u32 flit_bytes) {
  const auto either = [&](RailVariant variant, double other, double usual) {
    return in_flits(point.variant == variant ? other : usual, flit_bytes);
  };
  RailOptions out;
  out.policy = point.policy;
  out.stripe = point.stripe;
  out.processes = processes;
  out.sends = point.variant == RailVariant::queued_sends ? Sends::queued : Sends::awaited;
  out.bus = point.variant == RailVariant::full_bus ? Bus::full : Bus::half;
  out.bus_burst = either(RailVariant::long_bursts, 512, 32);
  out.control_flits = in_flits(16, flit_bytes);
  out.nic_cycles = point.variant == RailVariant::fast_processor
                       ? in_flits(200, flit_bytes)
                       : either(RailVariant::slow_processor, 800, 400);
  out.timeout_cycles = either(RailVariant::long_wait, 40000, 4000);
  return out;
}

// Of a point: the most it may run.
u64 max_cycles(const RailPoint& point, const RailModel& model) {
  const double rate = std::min(point.load, 0.3) * point.rails * point.hosts;  // that may be accepted
  return static_cast<u64>(model.max_flits * 16 / model.flit_bytes / rate);
}

}  // namespace

std::string_view name(RailVariant variant) {
  switch (variant) {
    case RailVariant::none:
      return "as assumed";
    case RailVariant::queued_sends:
      return "a process goes on when NICs have its message";
    case RailVariant::whole_packets:
      return "packets as long as a mean message";
    case RailVariant::full_bus:
      return "a bus that moves both ways at once";
    case RailVariant::long_bursts:
      return "a bus that turns after 1 KB";
    case RailVariant::fast_processor:
      return "a NIC that answers in 200 cycles";
    case RailVariant::slow_processor:
      return "a NIC that answers in 800 cycles";
    case RailVariant::long_wait:
      return "replies awaited for 40,000 cycles";
  }
  throw std::logic_error("no such variant");
}

RailResult simulate_point(const RailPoint& point, const RailModel& model, u64 seed, const Watch& watch) {
  const Topology topology = make_topology(fmt::format("{} x {}", point.rails, plane(point.hosts)));
  const Routing routing = std::get<Routing>(route(topology, "adaptive"));
  const MessageOptions messages = messages_of(point, model.flit_bytes);
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
  const MeasureOptions measuring{.precision = model.precision, .max_cycles = max_cycles(point, model)};
  const Measurement m = measure(setup, std::move(workload), measuring, nullptr, watch);
  return {m.offered, m.accepted.mean, m.accepted.half_width,
          m.counted.message_latency.mean() * model.flit_bytes / paper_flit, m.saturated};
}

void RailPoints::run() {
  std::vector<std::pair<const RailPoint*, RailResult*>> work;
  for (auto& [point, result] : results_) work.emplace_back(&point, &result);
  // The longest first, so that none is left alone at the end.
  std::stable_sort(work.begin(), work.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first->kilobytes, a.first->hosts) > std::tie(b.first->kilobytes, b.first->hosts);
  });
  constexpr u64 parts = 100;  // of a point, for the eye
  Progress progress("points, in %", work.size() * parts);
  parallel_for(work.size(), options_.threads, [&](u64 i) {
    const double maximum = static_cast<double>(max_cycles(*work[i].first, model_));
    u64 shown = 0;
    const auto show = [&](u64 now) {
      progress.advance(now - shown);
      shown = now;
    };
    *work[i].second = simulate_point(*work[i].first, model_, options_.seed, [&](const Batch& batch) {
      show(std::min(parts, static_cast<u64>(static_cast<double>(batch.now) / maximum * parts)));
    });
    show(parts);
  });
}

}  // namespace banyan::study
