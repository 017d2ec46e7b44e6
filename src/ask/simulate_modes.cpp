#include "ask/simulate_modes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "flit/allocator.hpp"

namespace banyan::ask {
namespace {

void refuse_beside_nic(const SimulateModes& modes, const WasGiven& given) {
  const std::vector<OptionInfo> others = option_infos<SimulateOptions>();
  if (modes.complete || modes.saturation || modes.follow || !modes.curve.empty() ||
      std::any_of(others.begin(), others.end(), [&](const OptionInfo& info) { return given(info.key); }))
    throw InputError(
        "--nic runs a benchmark in one process: it takes --engine, --tables, --traffic, --without and "
        "--json");
}

// Whether any host has several ways to another on the first rail, which flows use where no policy spreads
// them. Not only the first host: it may be the one that has lost its cables.
bool has_several_ways(const Fabric& fabric, const Routing& routing) {
  for (u32 from = 0; from < fabric.hosts(); ++from)
    for (u32 to = 0; to < fabric.hosts(); ++to)
      for (const u64 bytes : routing.source.sizes())
        if (from != to && routing.source.count(Nic{from}, Nic{to}, bytes) > 1) return true;
  return fabric.hosts() < 2;
}

// Whether at most one packet crosses to an output at a time, however many may: with one lane, where a lane's
// queue has one owner. Wavefront numbers places, so that their number decides which output a port with
// virtual output queues serves.
bool has_one_writer(const NetworkOptions& network) {
  const flit::AllocatorKind kind = flit::allocator_of(network.allocator).kind;
  const bool has_owners = network.flow_control == FlowControl::wormhole || kind != flit::AllocatorKind::joint;
  const bool is_ordered = kind == flit::AllocatorKind::wavefront && network.queueing == Queueing::voq;
  return network.lanes == 1 && has_owners && !is_ordered;
}

}  // namespace

void refuse_unused(const SimulateOptions& options, const Topology& topology, const Routing& routing,
                   const WasGiven& given) {
  const NetworkOptions& network = options.network;
  const bool ends = options.ends(), is_trace = !options.trace.empty();
  const char* const once = is_trace ? "with trace" : "with complete";
  struct Unused {
    std::string_view key;
    bool is_unused;
    std::string_view where;
  };
  const Unused rules[] = {
      {"writers", network.output_flits == 0, "without output-flits"},
      {"writers", has_one_writer(network), "with one lane, whose queue has one owner at a time"},
      {"input-speedup", network.lanes == 1, "with one lane"},
      {"switch-hold", network.flow_control == FlowControl::vct, "with flow-control vct"},
      {"speculation", network.lane_cycles == 0, "with lane-cycles 0"},
      {"hop-bias", !is_adaptive(routing), "with a routing that is not adaptive"},
      {"hop-credits", !is_adaptive(routing), "with a routing that is not adaptive"},
      {"hop-view", !is_adaptive(routing), "with a routing that is not adaptive"},
      {"path-choice",
       network.path_choice == PathChoice::recycled && !has_several_ways(topology.fabric, routing),
       "with one path for each pair: recycled chooses among several, as ecmp:paths=64 has them"},
      {"path-choice",
       network.path_choice == PathChoice::flowlet && !has_several_ways(topology.fabric, routing),
       "with one path for each pair: flowlets are drawn among several, as ecmp:paths=64 has them"},
      {"rounds", !options.complete, "without complete"},
      {"reaction-cycles", !options.complete, "without complete"},
      {"flit-bytes",
       !ends && options.wire.link.value == 0 && !options.with_rails && routing.source.sizes().size() < 2,
       "at a load without link"},
      {"precision", options.measure.cycles > 0, "with cycles"},
      {"max-cycles", options.measure.cycles > 0, "with cycles"},
      {"precision", ends, once},
      {"warm-up", ends, once},
      {"arrivals", ends, once},
      {"sizes", ends, once},
      {"message-packets", is_trace, once},
      {"packet-flits", !options.messages.packet_lengths.empty(), "with packet-lengths"},
      {"reply-cycles", options.messages.reply_flits == 0, "without reply-flits"},
      {"max-requests", options.messages.reply_flits == 0, "without reply-flits"},
  };
  for (const auto& [key, is_unused, where] : rules)
    if (is_unused && given(key)) throw InputError(fmt::format("--{} changes nothing {}", key, where));
}

void refuse_contradictions(const SimulateModes& modes, const SimulateOptions& options,
                           const WasGiven& given) {
  if (!modes.nic.empty()) return refuse_beside_nic(modes, given);
  const bool several = modes.saturation || !modes.curve.empty();
  const bool ends = modes.complete || !options.trace.empty();
  if (ends && (several || given("cycles") || given("load")))
    throw InputError(
        fmt::format("--{} runs to the end: it takes no --load, --saturation, --curve or --cycles",
                    modes.complete ? "complete" : "trace"));
  if (!options.trace.empty() && (given("traffic") || given("job")))
    throw InputError("--trace says who sends to whom: it takes no --traffic and no --job");
  if (options.messages.arrivals == Arrivals::back_to_back && (several || given("load")))
    throw InputError(
        "--arrivals back-to-back offers all that hosts can send: it takes no --load, "
        "--saturation or --curve");
  if (modes.saturation && !modes.curve.empty())
    throw InputError("--saturation and --curve: expected one of them");
  if (modes.follow && options.measure.replicas > 1 && modes.curve.empty())
    throw InputError("--follow watches one run, or a --curve: without one it takes no --replicas");
  if (modes.follow && modes.saturation)
    throw InputError("--follow watches a measurement or a --curve: it takes no --saturation");
  if (given("switch-delay") && given("switch-cycles"))
    throw InputError("--switch-delay and --switch-cycles are both the time through a switch: expected one");
  if (given("load") && several) throw InputError("--load says one load: it takes no --saturation or --curve");
}

}  // namespace banyan::ask
