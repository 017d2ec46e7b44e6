// domke19 in the simulator: the machines, the contenders, how long messages take, and the whole.
#include "papers/domke19/simulated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/statistics.hpp"
#include "flit/measure.hpp"

namespace banyan::papers::domke19 {

std::string_view short_name(u32 i) {
  constexpr std::array<std::string_view, contenders> names = {"ftree", "SSSP",          "DFSSSP", "random",
                                                              "PARX",  "tree adaptive", "DAL",    "UGAL"};
  return names[i];
}

std::vector<std::string> with_contenders(std::vector<std::string> columns) {
  for (u32 i = 0; i < contenders; ++i) columns.emplace_back(short_name(i));
  return columns;
}

double mean_of(const std::vector<double>& values) { return values.empty() ? 0 : estimate(values).mean; }

Arena::Arena(u64 seed)
    : machines(seed),
      adaptive(routed(machines.tree, "adaptive")),
      dal(routed(machines.hyperx, "dal")),
      ugal(routed(machines.hyperx, "ugal")) {}

const Routing& Arena::routing(u32 i) const {
  if (i < combinations) return machines.routing(i);
  return i == tree_adaptive ? adaptive : i == hyperx_dal ? dal : ugal;
}

Placement Arena::placement(u32 i, u32 ranks, u64 seed) const {
  return i < combinations ? machines.placement(i, ranks, seed) : place_linearly(ranks);
}

// --- how a machine is simulated
// ----------------------------------------------------------------------------------

SimulationSetup simulation_of(const Fabric& fabric, const Routing& routing, u64 seed,
                              const MessageOptions& messages, Queueing queueing) {
  return {fabric,
          routing,
          {.lanes = routing.lanes,
           .buffer_flits = port_packets / routing.lanes * packet_flits,
           .switch_cycles = switch_cycles,
           .queueing = queueing,
           .path_choice = PathChoice::random},
          messages,
          seed};
}

double steady_share(const Fabric& fabric, const Routing& routing, const Traffic& traffic,
                    const Placement& placement, const SteadyTraffic& steady, u64 seed) {
  const MessageOptions messages{
      .arrivals = steady.single_packets ? Arrivals::poisson : Arrivals::back_to_back,
      .load = 1,
      .packet_flits = packet_flits,
      .message_packets = steady.single_packets ? 1u : (1u << 20) / packet_bytes,
      .flit_bytes = flit_bytes};
  const SimulationSetup setup = simulation_of(fabric, routing, seed, messages, steady.queueing);
  const Measurement found =
      measure(setup, Workload::open(fabric, traffic, placement, messages, seed), {.cycles = steady.cycles});
  if (found.deadlock) throw std::logic_error(*found.deadlock);
  return found.accepted.mean;
}

namespace {

// Messages that are sent once, until the last has arrived.
Measurement run_to_end(const Fabric& fabric, const Routing& routing, const Traffic& traffic,
                       const Placement& placement, u64 seed) {
  const MessageOptions options{.packet_flits = packet_flits, .flit_bytes = flit_bytes};
  Measurement out =
      measure(simulation_of(fabric, routing, seed, options),
              Workload::closed(fabric, traffic, placement, options, seed), {.max_cycles = 1'000'000'000});
  if (!out.completion_cycles) throw std::logic_error(out.deadlock.value_or("the messages do not all arrive"));
  return out;
}

}  // namespace

double exchange_share(const Fabric& fabric, const Routing& routing, const Traffic& halves,
                      const Placement& placement, u32 packets, u64 seed) {
  const double bytes = double{packet_bytes} * packets;
  const Traffic both{.ranks = halves.ranks,
                     .list =
                         [list = halves.list, bytes](u64 s, u64 sample, u64 round, std::vector<Demand>& out) {
                           const std::size_t first = out.size();
                           list(s, sample, round, out);
                           for (std::size_t i = first, end = out.size(); i < end; ++i) {
                             out[i].amount = bytes;
                             out.push_back({out[i].to, out[i].from, bytes});
                           }
                         },
                     .in_bytes = true};
  const Measurement found = run_to_end(fabric, routing, both, placement, seed);
  return packets * double{packet_flits} / found.counted.message_latency.mean();
}

namespace {

// Messages shortened to a share of themselves; but what PARX takes for large stays large. Where all have a
// packet or more they become whole packets, which are simulated as such. A sender begins with those that come
// after it, as Open MPI does.
std::vector<Demand> shortened(const std::vector<Demand>& messages, double share, u32 ranks) {
  std::vector<Demand> out;
  bool whole = true;
  for (Demand d : messages) {
    if (d.from == d.to) continue;
    if (d.amount >= 512) d.amount = std::max(512.0, d.amount * share);
    whole &= d.amount >= packet_bytes;
    out.push_back(d);
  }
  if (whole)
    for (Demand& d : out) d.amount = std::ceil(d.amount / packet_bytes) * packet_bytes;
  const auto after = [&](const Demand& d) { return (index(d.to) + ranks - index(d.from)) % ranks; };
  std::stable_sort(out.begin(), out.end(), [&](const Demand& a, const Demand& b) {
    return a.from != b.from ? a.from < b.from : after(a) < after(b);
  });
  return out;
}

double cycles_of(const Fabric& fabric, const Routing& routing, std::vector<Demand> messages,
                 const Placement& placement, u64 seed) {
  if (messages.empty()) return 0;
  const Traffic traffic{.ranks = static_cast<u32>(placement.size()),
                        .list =
                            [list = std::move(messages)](u64, u64, u64, std::vector<Demand>& out) {
                              out.insert(out.end(), list.begin(), list.end());
                            },
                        .in_bytes = true};
  const Measurement found = run_to_end(fabric, routing, traffic, placement, seed);
  return static_cast<double>(*found.completion_cycles);
}

}  // namespace

double simulated_round(const Fabric& fabric, const Routing& routing, const std::vector<Demand>& messages,
                       const Placement& placement, double per_message, u32 max_packets, u64 seed) {
  if (messages.empty()) return 0;
  const u32 ranks = static_cast<u32>(placement.size());
  double longest = 0, busiest = 0;  // message, host
  std::vector<double> sent(ranks, 0), received(ranks, 0);
  for (const Demand& d : messages) {
    if (d.from == d.to) continue;
    longest = std::max(longest, d.amount);
    busiest = std::max({busiest, sent[index(d.from)] += d.amount, received[index(d.to)] += d.amount});
  }
  const auto cycles_at = [&](double share) {
    return cycles_of(fabric, routing, shortened(messages, share, ranks), placement, seed);
  };
  const double share = std::min(1.0, max_packets * double{packet_bytes} / std::max(longest, 1.0));
  double cycles = cycles_at(share);
  if (share < 1) cycles += (1 - share) * (cycles - cycles_at(share / 2)) / (share / 2);
  cycles = std::max(cycles, busiest / flit_bytes);
  return per_message + cycles * cycle;
}

RoundTimes::RoundTimes(const Topology& topology, const Routing& routing, const Placement& placement,
                       u32 contender, const Effort& effort, u64 seed)
    : fabric_(topology.fabric),
      routing_(routing),
      placement_(placement),
      contender_(contender),
      max_packets_(effort.max_packets),
      seed_(seed) {}

RoundTimes::Both RoundTimes::of(const std::vector<Demand>& round) {
  for (const auto& [before, both] : known_)
    if (before == round) return both;
  const TimeOptions options = time_options(contender_ < combinations ? contender_ : tree_ftree);
  Both out;
  out.simulated =
      simulated_round(fabric_, routing_, round, placement_, options.overhead, max_packets_, seed_);
  if (contender_ < combinations) out.flow = round_time(fabric_, routing_, round, placement_, options);
  known_.emplace_back(round, out);
  return out;
}

// --- compared with the flow level
// ---------------------------------------------------------------------------------------

u32 pairs_in_order(const Comparison& comparison) {
  const auto sign = [](double a, double b) { return a > 1.01 * b ? 1 : b > 1.01 * a ? -1 : 0; };
  u32 out = 0;
  for (u32 i = 0; i < combinations; ++i)
    for (u32 j = i + 1; j < combinations; ++j)
      out += sign(comparison.simulated[i], comparison.simulated[j]) *
                 sign(comparison.flow[i], comparison.flow[j]) >=
             0;
  return out;
}

double largest_difference(const Comparison& comparison) {
  double out = 0;
  for (u32 i = 0; i < combinations; ++i) {
    const double difference = comparison.simulated[i] / comparison.flow[i] - 1;
    if (std::abs(difference) > std::abs(out)) out = difference;
  }
  return out;
}

void SimulatedFindings::add_gap(const std::string& what, const std::array<double, contenders>& of) {
  std::vector<std::string> row = {what};
  for (double value : of) row.push_back(value > 0 ? number(value) : "");
  const double tree = std::max({of[tree_ftree], of[tree_sssp], of[tree_adaptive]});
  row.push_back(fmt::format("{:.2f}", std::max(of[hyperx_dal], of[hyperx_ugal]) / tree));
  gap.push_back(std::move(row));
}

Effort::Effort(bool is_quick)
    : quick(is_quick),
      draws(quick ? 1 : 3),
      samples(quick ? 2 : 20),
      max_packets(quick ? 8 : 32),
      exchanged(quick ? 64 : 128),
      cycles(quick ? 2000 : 8192),
      bisected(quick ? std::vector<u32>{14, 56, 672} : std::vector<u32>{7, 14, 28, 56, 112, 224, 448, 672}),
      hosts(quick ? std::vector<u32>{14, 56} : std::vector<u32>{7, 14, 28, 56, 112}),
      rings(quick ? std::vector<u32>{28, 112} : std::vector<u32>{28, 112, 448, 672}),
      bytes(quick ? std::vector<u64>{8, 512 << 10} : std::vector<u64>{8, 512, 16 << 10, 512 << 10, 4 << 20}) {
}

namespace {

void assume(Reproduction& out, const Effort& effort) {
  out.assume(fmt::format(
      "simulated: virtual cut-through, flits of {} bytes (a cycle is {:.0f} ns), packets of {} bytes, {} KB "
      "of "
      "buffers for an input port, shared out among the lanes that a routing needs; packets for different "
      "outputs pass each other; {} cycles for a channel and the switch behind it",
      flit_bytes, 1e9 * cycle, packet_bytes, port_packets * packet_bytes / 1024, switch_cycles + 1));
  out.assume(
      "simulated: of two addresses of PARX a packet takes one at random (the paper's layer: a message or a "
      "segment of it); the overhead of messages is that of the flow level");
  out.assume(fmt::format(
      "simulated: mpiGraph has flows that last, {} cycles; {} bisections in which partners exchange {} KiB "
      "(paper: 1000 of 1 MiB), size over mean time; in both hosts send 3250 of 4000 MB/s, in the rest as "
      "much "
      "as their link carries; throughput is what is accepted of single packets at full load, over {} draws "
      "of "
      "cables",
      effort.cycles, effort.samples, effort.exchanged * packet_bytes / 1024, effort.draws));
  out.assume(fmt::format(
      "simulated: collectives and applications go round by round with barriers, as at flow level; rounds of "
      "longer messages are run with {} packets and with half of that, and prolonged; applications with {} "
      "draws of cables and hosts. Fourteen jobs at once: flow level only",
      effort.max_packets, effort.draws));
  out.assume(
      "adaptive: DAL and UGAL on the HyperX, any way up and down in the fat-tree, hosts in order, all with "
      "the same cables missing");
}

void show_comparisons(Reproduction& out, const std::vector<Comparison>& all) {
  std::vector<std::vector<std::string>> rows;
  for (const Comparison& comparison : all) {
    std::vector<std::string> row = {comparison.what};
    for (u32 i = 0; i < combinations; ++i)
      row.push_back(fmt::format("{} | {}", number(comparison.simulated[i]), number(comparison.flow[i])));
    row.push_back(fmt::format("{} of {}", pairs_in_order(comparison), combination_pairs));
    row.push_back(fmt::format("{:+.0f} %", 100 * largest_difference(comparison)));
    rows.push_back(std::move(row));
  }
  out.show("Simulator | flow level; pairs of combinations in the same order on both, largest difference",
           {"", "ftree", "SSSP", "DFSSSP", "random", "PARX", "same order", "differs by"}, std::move(rows));
}

Arenas arenas_of(u64 seed, u32 draws) {
  Arenas out;
  for (u64 s = 0; s < draws; ++s) out.emplace_back(seed + s);
  return out;
}

}  // namespace

Simulated::Simulated(const PaperOptions& options, Tasks& tasks)
    : effort_(options.quick),
      arenas_(arenas_of(options.seed, effort_.draws)),
      throughput_(arenas_, effort_, options.seed, tasks),
      bandwidths_(arenas_, effort_, options.seed, tasks),
      applications_(arenas_, effort_, options.seed, tasks),
      collectives_(arenas_, effort_, options.seed, tasks) {}

void Simulated::report(Reproduction& out) const {
  assume(out, effort_);
  out.measured_by("simulated");
  SimulatedFindings findings;
  bandwidths_.report(out, findings);
  throughput_.report(out, findings);
  collectives_.report(out, findings);
  applications_.report(out, findings);
  std::vector<std::string> columns = with_contenders({""});
  columns.emplace_back("adaptive HyperX over the better tree");
  out.show("Does adaptive routing close the gap to the fat-tree? Simulated, shares of a link", columns,
           findings.gap);
  show_comparisons(out, findings.comparisons);
}

}  // namespace banyan::papers::domke19
