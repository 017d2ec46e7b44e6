// banyan diff: planned against observed cabling, and the shortest repair.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "ask/diff.hpp"
#include "base/parallel.hpp"
#include "cli/answer_output.hpp"
#include "cli/counted.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/ticket_argument.hpp"
#include "fabric/faults.hpp"
#include "fabric/names.hpp"

namespace banyan::cli {
namespace {

struct Diff {
  static std::vector<AnswerInfo> answers() { return {answer<ask::DiffAnswer>()}; }

  std::string plan;
  FabricArgument observed;
  TicketArgument ticket;
  u32 threads = default_threads();
  bool as_json = false;

  void declare(Arguments& arguments) {
    arguments.positional("PLAN", plan, "the fabric as planned: a notation or a file");
    observed.declare(arguments, "OBSERVED", "the fabric as it is: a notation or a file");
    ticket.declare(arguments);
    arguments.json(as_json);
  }
  Exit run() const {
    const FabricFile planned = open_fabric(plan), found = observed.open();
    for (const FabricFile* file : {&planned, &found}) tell_remark(file->topology);
    const ask::DiffAnswer diff = ask::diff(planned.topology.fabric, found.topology.fabric);
    if (diff.shares_nothing())
      std::cerr << "banyan: the two have no cable in common; do they use the same names of nodes and labels "
                   "of ports?\n";
    as_json ? print_json({}, diff) : print_text(diff);
    if (ticket.is_given()) report(diff);
    if (ticket.is_given() && !as_json) std::cout << "The report is " << ticket.file << '\n';
    return diff.is_empty() ? Exit::done : Exit::verdict_no;
  }

  // The plan without what is missing is drawn, and what that costs is told.
  void report(const CablingDiff& diff) const {
    report::Ticket out;
    out.title = fmt::format("{} against {}", plan, observed.fabric);
    out.command = ticket.command("diff", {plan, observed.fabric}, observed);
    out.answer = fmt::format("{} as planned, {} missing, {} extra, {} swapped.", counted(diff.same, "cable"),
                             diff.missing.size(), diff.extra.size(), counted(diff.swapped.size(), "pair"));
    std::set<std::string> dead;
    for (const DeadSwitch& node : diff.dead_switches) {
      dead.insert(node.name);
      out.broken.push_back(
          fmt::format("{} is dead or unplugged: all its {} cables are missing", node.name, node.cables));
    }
    for (const NamedCable& cable : diff.missing)
      if (!dead.contains(cable.a.node) && !dead.contains(cable.b.node))
        out.broken.push_back(cable.str() + " is missing");
    for (const NamedCable& cable : diff.extra) out.broken.push_back(cable.str() + " is not planned");
    for (const auto& swap : diff.swapped)
      out.broken.push_back(
          fmt::format("{} and {} are swapped", swap.observed_1.str(), swap.observed_2.str()));
    out.steps = steps_of(diff);
    const Topology whole = load_fabric(plan, {}).topology;
    Topology after = whole;
    after.fabric = fabric::without(whole.fabric, missing_links(whole.fabric, diff));
    out.costs = ticket_costs(whole, after, threads);
    ticket.write(std::move(out), after, threads);
  }

  // Cables of the plan that are not there, swapped ones too.
  static std::vector<Link> missing_links(const Fabric& fabric, const CablingDiff& diff) {
    std::set<std::string> names;
    for (const NamedCable& cable : diff.missing) names.insert(cable.str());
    for (const auto& swap : diff.swapped) names.insert({swap.planned_1.str(), swap.planned_2.str()});
    std::vector<Link> out;
    fabric.each_link([&](const Link& link) {
      const std::string a = port_name(fabric, link.a), b = port_name(fabric, link.b);
      if (names.contains(a + " - " + b) || names.contains(b + " - " + a)) out.push_back(link);
    });
    return out;
  }

  static void print_cables(std::string_view title, const std::vector<NamedCable>& cables) {
    if (cables.empty()) return;
    std::cout << fmt::format("{} ({}):\n", title, cables.size());
    for (const NamedCable& cable : cables) std::cout << fmt::format("  {}\n", cable.str());
  }

  static void print_nodes(std::string_view title, const std::vector<std::string>& nodes) {
    if (nodes.empty()) return;
    std::cout << fmt::format("{} ({}):\n", title, nodes.size());
    for (const std::string& node : nodes) std::cout << fmt::format("  {}\n", node);
  }

  // A dead switch is one step, and comes last: it may only lack power. One that was not seen at all is dead
  // too, although no cable can be laid to it.
  static std::vector<std::string> steps_of(const CablingDiff& diff) {
    std::set<std::string> dead;
    for (const DeadSwitch& node : diff.dead_switches) dead.insert(node.name);
    std::vector<std::string> steps;
    for (const Move& move :
         diff.moves)  // a cable that is laid is the last of its chain: it may be laid later
      if (move.kind != Move::Kind::lay || (!dead.contains(move.fixed.node) && !dead.contains(move.to.node)))
        steps.push_back(move.str());
    for (const DeadSwitch& node : diff.dead_switches) steps.push_back(revival(node, diff.missing));
    return steps;
  }

  static void print_moves(const CablingDiff& diff) {
    const std::vector<std::string> steps = steps_of(diff);
    if (!steps.empty()) std::cout << fmt::format("Repair in {}:\n", counted(steps.size(), "move"));
    for (std::size_t i = 0; i < steps.size(); ++i) std::cout << fmt::format("  {:3}. {}\n", i + 1, steps[i]);
  }

  // "s2-14 is dead, 36 cables: give it power, or else plug in s1-0:4 - s2-14:1, ... and 33 more"
  static std::string revival(const DeadSwitch& node, const std::vector<NamedCable>& missing) {
    constexpr std::size_t few = 3;
    std::vector<std::string> cables;
    for (const NamedCable& cable : missing)
      if (cable.a.node == node.name || cable.b.node == node.name) cables.push_back(cable.str());
    const std::size_t left = cables.size() - std::min(few, cables.size());
    cables.resize(cables.size() - left);
    return fmt::format("{} is dead, {}: give it power, or else plug in {}{}", node.name,
                       counted(node.cables, "cable"), fmt::join(cables, ", "),
                       left > 0 ? fmt::format(" and {} more (--json)", left) : "");
  }

  static void print_text(const CablingDiff& diff) {
    std::cout << fmt::format("{} as planned.\n",
                             diff.same == 1 ? "1 cable is" : fmt::format("{} cables are", diff.same));
    std::set<std::string> dead;
    for (const DeadSwitch& node : diff.dead_switches) {
      dead.insert(node.name);
      std::cout << fmt::format("{} is dead or unplugged: all its {} cables are missing.\n", node.name,
                               node.cables);
    }
    print_nodes("Planned but not there", diff.absent_nodes);
    print_nodes("There but not planned", diff.unknown_nodes);
    std::vector<NamedCable> others = diff.missing;
    std::erase_if(others,
                  [&](const NamedCable& c) { return dead.contains(c.a.node) || dead.contains(c.b.node); });
    print_cables(dead.empty() ? "Missing cables" : "Other missing cables", others);
    print_cables("Extra cables", diff.extra);
    if (!diff.swapped.empty())
      std::cout << fmt::format("Swapped pairs of cables ({}):\n", diff.swapped.size());
    for (const auto& swap : diff.swapped)
      std::cout << fmt::format("  {}  and  {}\n", swap.observed_1.str(), swap.observed_2.str());
    print_moves(diff);
    if (diff.unrepairable > 0)
      std::cout << fmt::format("{} of the missing cables wait for switches that are not there.\n",
                               diff.unrepairable);
  }
};

}  // namespace

Verb diff_verb() {
  return make_verb<Diff>("diff", "Planned against observed cabling, and the shortest repair",
                         "banyan diff plan.csv ibnetdiscover.out");
}

}  // namespace banyan::cli
