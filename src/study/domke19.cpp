// Domke et al.: HyperX against fat-tree. What it is about: the machines, their routings, and what holds of
// them.
#include "study/domke19.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engines/engine.hpp"
#include "fabric/faults.hpp"
#include "flow/load.hpp"
#include "study/domke19_simulated.hpp"
#include "topology/properties.hpp"
#include "verify/choice_report.hpp"
#include "verify/judge.hpp"

namespace banyan::domke19 {
namespace {

constexpr std::array<Combination, combinations> all = {{
    {"fat-tree, ftree, linear", "ftree", "linear", false},
    {"fat-tree, SSSP, clustered", "sssp", "clustered:0.8", false},
    {"HyperX, DFSSSP, linear", "dfsssp", "linear", true},
    {"HyperX, DFSSSP, random", "dfsssp", "random", true},
    {"HyperX, PARX, clustered", "parx", "clustered:0.8", true},
}};

Topology without_cables(std::string_view notation, const std::string& faults) {
  Topology out = make_topology(notation);
  out.fabric = without(out.fabric, choose_cables(out.fabric, faults));
  return out;
}

}  // namespace

const Combination& combination(u32 i) { return all[i]; }

Routing routed(const Topology& topology, std::string_view engine) {
  RouteResult result = route(topology, engine);
  if (const auto* reason = std::get_if<NotApplicable>(&result)) throw std::logic_error(reason->why);
  return std::get<Routing>(std::move(result));
}

Machines::Machines(u64 seed)
    : tree(without_cables("Directors(48; hosts=14, up=18, directors=12, lines=4, spines=9, parallel=2)",
                          fmt::format("share=0.074,seed={}", seed))),
      hyperx(without_cables("HyperX(12x8; hosts=7)", fmt::format("links=15,seed={}", seed))),
      ftree(routed(tree, "ftree")),
      sssp(routed(tree, "sssp")),
      dfsssp(routed(hyperx, "dfsssp")),
      parx(routed(hyperx, "parx")) {}

const Routing& Machines::routing(u32 i) const {
  return i == tree_ftree ? ftree : i == tree_sssp ? sssp : i == domke19::parx ? parx : dfsssp;
}

Placement Machines::placement(u32 i, u32 ranks, u64 seed) const {
  return place(topology(i).fabric, ranks, seed, combination(i).placement);
}

TimeOptions time_options(u32 i) {
  return {.rates = {.model = RateModel::max_min, .link = link_rate},
          .overhead = i == parx ? parx_overhead * overhead : overhead,
          .latency = per_channel};
}

// Events closer together than 5 % of the time that the busiest host needs alone are taken as one.
double round_time(const Fabric& fabric, const Routing& routing, const std::vector<Demand>& messages,
                  const Placement& placement, const TimeOptions& options) {
  if (messages.empty()) return 0;
  std::vector<Flow> flows;
  append_flows(messages, placement, flows);
  std::vector<double> sent(fabric.nics(), 0), received(fabric.nics(), 0);
  double busiest = 0;
  for (const Flow& flow : flows) {
    busiest = std::max(busiest, sent[index(flow.from)] += flow.demand);
    busiest = std::max(busiest, received[index(flow.to)] += flow.demand);
  }
  TimeOptions timed = options;
  timed.resolution = 0.05 * busiest / link_rate;
  const auto ends = finish_times(fabric, routing, flows, timed);
  return *std::max_element(ends.begin(), ends.end());
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

std::string number(double value) { return fmt::format("{:.3g}", value); }

void facts(Reproduction& out, const Machines& machines) {
  const Topology whole = make_topology("HyperX(12x8; hosts=7)");
  out.number("hyperx.hosts", whole.fabric.hosts());
  const auto bisection = std::get<HyperX>(whole.shape).bisection();
  out.number("hyperx.bisection",
             bisection ? 100.0 * static_cast<double>(bisection->links) / (whole.fabric.hosts() / 2.0) : 0);
  out.number("tree.switches", machines.tree.fabric.switches());
  out.number("dfsssp.lanes", machines.dfsssp.lanes,
             "our layering brings paths back to a lane that closes no cycle with them, and saves one");
  out.ordering("parx.lanes", machines.parx.lanes >= 5 && machines.parx.lanes <= 8);
  const Routing parx_whole = routed(whole, "parx");
  const ChoiceCriteria criteria = report_choice(whole.fabric, parx_whole).all();
  const std::string diagonal =
      fmt::format("of {} pairs {} are in diagonal quadrants, where all four addresses have shortest paths",
                  criteria.pairs, criteria.pairs - criteria.large_around);
  out.ordering("parx.small", criteria.small_shortest == criteria.pairs);
  out.ordering("parx.large", criteria.large_around == criteria.pairs, diagonal);
  out.ordering("parx.both", criteria.both == criteria.pairs, diagonal);
  out.ordering("parx.free",
               judge(machines.hyperx.fabric, machines.parx).yes() &&
                   judge(machines.hyperx.fabric, routed(machines.hyperx, "parx:choice=all")).yes());
  std::vector<Flow> uniform;
  const u32 hosts = whole.fabric.hosts();
  for (u32 a = 0; a < hosts; ++a)
    for (u32 b = 0; b < hosts; ++b)
      if (a != b) uniform.push_back({Nic{a}, Nic{b}, 1.0 / (hosts - 1)});
  const auto heaviest = [&](std::string_view engine) {
    const auto load = loads(whole.fabric, routed(whole, engine), uniform);
    return *std::max_element(load.begin(), load.end());
  };
  out.assume(fmt::format(
      "uniform traffic is carried in dimension order, the heaviest channel {:.3g} of its capacity; the "
      "single paths of DFSSSP would put {:.3g} on one",
      heaviest("dor"), heaviest("dfsssp")));
  out.ordering("uniform", heaviest("dor") <= 1.001);
}

namespace {

void run(Reproduction& out, const PaperOptions& options) {
  out.assume(
      "fat-tree: edge e of a part goes to line l of director (e + u) mod 12; 7.4 % of its switch cables "
      "gone");
  out.assume("both machines draw the missing cables by the seed; the paper does not say which they were");
  out.assume("Tables 1a and 1b: rows are the source; quadrants as in Figure 3; large from 512 bytes on");
  out.assume(
      "flow level: links of 4 GB/s, hosts as fast as their link, max-min fair shares; ratios are what "
      "counts");
  out.assume(fmt::format(
      "a message costs {} us, and {} ns for each channel; under PARX {} times the former, the parameter "
      "for the message layer (from the barrier of 7 hosts, 2.8 to 6.9)",
      1e6 * overhead, 1e9 * per_channel, parx_overhead));
  out.assume("no packets, no noise, no threads: run-to-run spread is that of cables and placements drawn");
  const Machines machines(options.seed);
  facts(out, machines);
  bandwidths(out, machines, options);
  collectives(out, machines, options);
  applications(out, options);
  simulated(out, options);
}

}  // namespace
}  // namespace banyan::domke19

namespace banyan {

Paper domke19_paper() {
  return {"domke19",
          "Domke et al.: HyperX Topology: First At-Scale Implementation and Comparison to the Fat-Tree",
          domke19::run};
}

}  // namespace banyan
