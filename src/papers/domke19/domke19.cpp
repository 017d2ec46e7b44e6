// Domke et al.: HyperX against fat-tree. What it is about: the machines, their routings, and what holds of
// them.
#include "papers/domke19/domke19.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <mutex>

#include "base/statistics.hpp"
#include "engines/engine.hpp"
#include "fabric/faults.hpp"
#include "flow/load.hpp"
#include "papers/domke19/applications.hpp"
#include "papers/domke19/simulated.hpp"
#include "study/round_timer.hpp"
#include "topology/properties.hpp"
#include "verify/choice_report.hpp"
#include "verify/judge.hpp"

namespace banyan::papers::domke19 {
namespace {

constexpr std::array<Combination, combinations> all_combinations = {{
    {"fat-tree, ftree, linear", "ftree", "linear", false},
    {"fat-tree, SSSP, clustered", "sssp", "clustered:0.8", false},
    {"HyperX, DFSSSP, linear", "dfsssp", "linear", true},
    {"HyperX, DFSSSP, random", "dfsssp", "random", true},
    {"HyperX, PARX, clustered", "parx", "clustered:0.8", true},
}};

constexpr std::string_view notations[] = {
    "Directors(48; hosts=14, up=18, directors=12, lines=4, spines=9, parallel=2, capacity={}/1/1)",
    "HyperX(12x8; hosts=7, capacity={}/1/1)"};

Topology without_cables(std::string_view notation, const std::string& faults) {
  Topology out = make_topology(notation);
  out.fabric = without(out.fabric, choose_cables(out.fabric, faults));
  return out;
}

}  // namespace

Topology machine(bool hyperx, u64 seed, double host) {
  return without_cables(fmt::format(fmt::runtime(notations[hyperx]), host),
                        fmt::format("{},seed={}", hyperx ? "links=15" : "share=0.074", seed));
}

const Combination& combination(u32 i) { return all_combinations[i]; }

Routing taken(RouteResult result) {
  if (const auto* reason = std::get_if<NotApplicable>(&result)) throw std::logic_error(reason->why);
  return std::get<Routing>(std::move(result));
}

Routing routed(const Topology& topology, std::string_view engine) { return taken(route(topology, engine)); }

Machines::Machines(u64 seed)
    : tree(machine(false, seed)),
      hyperx(machine(true, seed)),
      ftree(routed(tree, "ftree")),
      sssp(routed(tree, "sssp")),
      dfsssp(routed(hyperx, "dfsssp:lanes=16,returns=0")),
      parx(routed(hyperx, "parx:lanes=16,returns=0")) {}

const Routing& Machines::routing(u32 i) const {
  return i == tree_ftree ? ftree : i == tree_sssp ? sssp : i == domke19::parx ? parx : dfsssp;
}

Placement Machines::placement(u32 i, u32 ranks, u64 seed) const {
  return place(topology(i).fabric, ranks, seed, combination(i).placement);
}

TimeOptions time_options(u32 i) {
  return {.rates = {.model = RateModel::max_min, .link = link_rate, .host = host_share * link_rate},
          .overhead = i == parx ? parx_overhead * overhead : overhead,
          .latency = per_channel};
}

double round_time(const Fabric& fabric, const Routing& routing, const std::vector<Demand>& messages,
                  const Placement& placement, const TimeOptions& options) {
  return RoundTimer(fabric, routing, placement, options)(messages);
}

std::vector<u32> sevens() { return {7, 14, 28, 56, 112, 224, 448, 672}; }
std::vector<u32> powers_of_two() { return {4, 8, 16, 32, 64, 128, 256, 512}; }

std::vector<std::string> combination_names() {
  std::vector<std::string> out;
  for (const Combination& c : all_combinations) out.emplace_back(c.name);
  return out;
}

std::vector<std::string> as_texts(const std::vector<u32>& numbers) {
  std::vector<std::string> out;
  for (const u32 n : numbers) out.push_back(std::to_string(n));
  return out;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

Interval interval_of(const std::vector<double>& values) { return estimate(values).interval(); }

Interval ratio_of(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out;
  for (std::size_t i = 0; i < a.size(); ++i) out.push_back(a[i] / b[i]);
  return interval_of(out);
}

std::string number(double value) { return fmt::format("{:.3g}", value); }

namespace {

// Which share of the pairs of two quadrants fulfils each of the paper's criteria (1) to (3).
void add_criteria(Figure& figure, const Topology& topology, const Routing& routing, std::string_view state) {
  const ChoiceReport report = report_choice(topology.fabric, routing);
  std::vector<std::string> quadrants;
  for (u32 q = 0; q < report.groups; ++q) quadrants.push_back(fmt::format("Q{}", q));
  constexpr std::array<std::pair<std::string_view, u64 ChoiceCriteria::*>, 3> criteria = {{
      {"(1) small messages: shortest paths", &ChoiceCriteria::small_shortest},
      {"(2) large messages: longer paths", &ChoiceCriteria::large_around},
      {"(3) both can be chosen", &ChoiceCriteria::both},
  }};
  for (const auto& [title, member] : criteria) {
    Figure::Panel panel = make_panel(fmt::format("{}, {}", title, state), quadrants, quadrants);
    for (std::size_t i = 0; i < report.criteria.size(); ++i)
      panel.cells[i] = {static_cast<double>(report.criteria[i].*member) /
                        static_cast<double>(report.criteria[i].pairs)};
    figure.panels.push_back(std::move(panel));
  }
}

void show_criteria(Reproduction& out, const Topology& whole, const Routing& parx_whole, const Machines& m) {
  Figure figure{.kind = Figure::Kind::heat,
                .title = "Criteria of section 3.2 by quadrants, share of pairs on different switches",
                .down = "from",
                .across = "to",
                .value = "share of pairs",
                .statements = {"parx.small", "parx.large", "parx.both", "parx.free"}};
  figure.note =
      "Of diagonal quadrants (Q0 and Q2, Q1 and Q3) all four addresses are reached along shortest paths, "
      "whatever half a rule leaves out. The other reading of Tables 1a and 1b (rows are the destination) "
      "gives "
      "diagonal pairs the other two addresses, so that the same criteria hold for the same quadrants.";
  add_criteria(figure, whole, parx_whole, "all cables");
  add_criteria(figure, m.hyperx, m.parx, "15 missing");
  out.draw(std::move(figure));
}

}  // namespace

void facts(Reproduction& out, const Machines& machines) {
  const Topology whole = make_topology("HyperX(12x8; hosts=7)");
  out.number("hyperx.hosts", whole.fabric.hosts());
  const auto bisection = std::get<HyperX>(whole.shape).bisection();
  out.number("hyperx.bisection",
             bisection ? 100.0 * static_cast<double>(bisection->links) / (whole.fabric.hosts() / 2.0) : 0);
  out.number("tree.switches", machines.tree.fabric.switches());
  out.number(
      "dfsssp.lanes", machines.dfsssp.lanes,
      tested("our layering brings paths back to a lane that closes no cycle with them, and saves one"));
  const Routing parx_whole = routed(whole, "parx");
  const ChoiceCriteria criteria = report_choice(whole.fabric, parx_whole).all();
  const std::string diagonal = known(
      fmt::format("of {} pairs {} are in diagonal quadrants, where all four addresses have shortest paths",
                  criteria.pairs, criteria.pairs - criteria.large_around));
  show_criteria(out, whole, parx_whole, machines);
  out.ordering("parx.small", criteria.small_shortest == criteria.pairs);
  out.ordering("parx.large", criteria.large_around == criteria.pairs, diagonal);
  out.ordering("parx.both", criteria.both == criteria.pairs, diagonal);
  out.ordering(
      "parx.free",
      judge(machines.hyperx.fabric, machines.parx).yes() &&
          judge(machines.hyperx.fabric, routed(machines.hyperx, "parx:lanes=16,returns=0,choice=all")).yes());
  std::vector<Flow> uniform;
  const u32 hosts = whole.fabric.hosts();
  for (u32 a = 0; a < hosts; ++a)
    for (u32 b = 0; b < hosts; ++b)
      if (a != b) uniform.push_back({Nic{a}, Nic{b}, 1.0 / (hosts - 1)});
  const auto heaviest = [&](std::string_view engine, const std::vector<Flow>& flows) {
    const auto load = loads(whole.fabric, routed(whole, engine), flows);
    return *std::max_element(load.begin(), load.end());
  };
  out.assume(fmt::format(
      "uniform traffic is carried in dimension order, the heaviest channel {:.3g} of its capacity; the "
      "single paths of DFSSSP would put {:.3g} on one",
      heaviest("dor", uniform), heaviest("dfsssp", uniform)));
  out.number("uniform", 100 / std::max(1.0, heaviest("dor", uniform)));
  std::vector<Flow> across;  // everyone four rows further: all traffic crosses the narrowest cut
  for (u32 a = 0; a < hosts; ++a) across.push_back({Nic{a}, Nic{(a + hosts / 2) % hosts}, 1});
  out.number("worst", 100 / heaviest("valiant", across),
             known("two hops instead of one leave what the cut carries, 57 %"));
  out.assume("the statement on the worst traffic at flow level was added when its result was known");
}

namespace {

// Everything that is computed, and what is made of it.
struct Plan {
  explicit Plan(const PaperOptions& options)
      : draws(draws_of(options.seed, options.quick ? 2 : 10)),
        bandwidths(draws, options, tasks),
        collectives(draws, options, tasks),
        applications(draws, options, tasks),
        simulated(options, tasks) {}

  static DrawnMachines draws_of(u64 seed, u32 count) {
    DrawnMachines out;
    for (u64 s = 0; s < count; ++s) out.emplace_back(seed + s);
    return out;
  }

  DrawnMachines draws;
  Tasks tasks{};
  FlowBandwidths bandwidths;
  FlowCollectives collectives;
  FlowApplications applications;
  Simulated simulated;
};

// Made once in a process: its machines take a while to route.
Plan& plan_of(const PaperOptions& options) {
  static std::mutex making;
  static std::map<std::pair<bool, u64>, std::unique_ptr<Plan>> plans;
  const std::scoped_lock lock(making);
  auto& out = plans[{options.quick, options.seed}];
  if (!out) out = std::make_unique<Plan>(options);
  return *out;
}

struct TaskOptions {
  std::string task;
  u32 quick = 0;
  u64 seed = 1;
  static void fields(auto& self, auto&& f) {
    f("task", self.task, "which of the paper's tasks");
    f("quick", self.quick, "1: as reproduce --quick has it");
    f("seed", self.seed, "of cables, hosts and simulations");
  }
};

ask::Rows measure_task(const Situation&, const TaskOptions& options) {
  const Tasks::Task& task = plan_of({options.quick != 0, options.seed}).tasks.named(options.task);
  task.compute();
  ask::Rows out;
  for (std::size_t i = 0; i < task.results.size(); ++i) out.add(fmt::format("{}", i), *task.results[i]);
  return out;
}

double task_seconds(const PointWork&, const TaskOptions&) { return 1; }

std::string study_text(const PaperOptions& options) {
  std::vector<std::string> names;
  for (const Tasks::Task& task : plan_of(options).tasks.all())
    names.push_back(fmt::format("'{}'", task.name));
  return fmt::format(
      "fabrics = 'HyperX(12x8; hosts=7)'\n[[part]]\nname = 'tasks'\n[part.domke19]\nquick = {}\nseed = {}\n"
      "task = [{}]\n",
      options.quick ? 1 : 0, options.seed, fmt::join(names, ",\n"));
}

void judge_domke19(Reproduction& out, const StudyRows& rows, const PaperOptions& options) {
  const Plan& plan = plan_of(options);
  plan.tasks.keep(rows);
  out.assume(
      "fat-tree: edge e of a part goes to line l of director (e + u) mod 12; 7.4 % of its switch cables "
      "gone");
  out.assume("both machines draw the missing cables by the seed; the paper does not say which they were");
  out.assume(
      "lanes of DFSSSP and PARX: paths stay in the lane that they were moved to, as printed (returns=0)");
  out.assume("Tables 1a and 1b: rows are the source; quadrants as in Figure 3; large from 512 bytes on");
  out.assume(
      "flow level: links of 4000 MB/s, hosts that send and receive 3250 (zahavi10, section III: the same "
      "generation), max-min fair shares; ratios are what counts. Bandwidths with hosts as fast as their "
      "link are printed beside it");
  out.assume(fmt::format(
      "a message costs {} us, and {} ns for each channel; under PARX {} times the former, the parameter "
      "for the message layer (from the barrier of 7 hosts, 2.8 to 6.9)",
      1e6 * overhead, 1e9 * per_channel, parx_overhead));
  out.assume(
      "intervals are of the mean over draws of cables and hosts, 99 %; a claim that is measured at flow "
      "level "
      "and in the simulator is undecided where the two disagree");
  out.assume("no packets, no noise, no threads: run-to-run spread is that of cables and placements drawn");
  out.measured_by("flow level");
  facts(out, plan.draws.front());
  plan.bandwidths.report(out);
  plan.collectives.report(out);
  plan.applications.report(out);
  plan.simulated.report(out);
}

}  // namespace
}  // namespace banyan::papers::domke19

namespace banyan::papers {

Paper domke19_paper() {
  return {"domke19",
          "Domke et al.: HyperX Topology: First At-Scale Implementation and Comparison to the Fat-Tree",
          domke19::judge_domke19, domke19::study_text};
}

}  // namespace banyan::papers

namespace banyan::study {

StudyMeasure domke19_measure() {
  return make_measure<papers::domke19::measure_task, papers::domke19::task_seconds>(
      "domke19", "a task of the paper of that name", Needs::plan, "0");
}

}  // namespace banyan::study
