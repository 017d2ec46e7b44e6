// banyan describe: what a fabric is.
#include "ask/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "base/parallel.hpp"
#include "cli/answer_output.hpp"
#include "cli/counted.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/options_argument.hpp"
#include "cli/ticket_argument.hpp"
#include "fabric/names.hpp"

namespace banyan::cli {
namespace {

std::string yes_no(const std::optional<bool>& value) {
  return value ? (*value ? "yes" : "no") : "does not apply";
}

void line(std::string_view key, const std::string& value, int width = 20) {
  std::cout << fmt::format("  {:<{}}{}\n", key, width, value);
}

void print_list(std::string_view title, const std::vector<std::string>& items) {
  if (!items.empty())
    std::cout << fmt::format("{} ({}):\n  {}\n", title, items.size(), fmt::join(items, "\n  "));
}

void print_cables(std::string_view title, const std::vector<std::vector<std::string>>& cables) {
  std::vector<std::string> lines;
  for (const auto& ends : cables) lines.push_back(fmt::format("{}", fmt::join(ends, " - ")));
  print_list(title, lines);
}

// "h0, h1, h2 and 15 more"
std::string first_few(const std::vector<std::string>& names) {
  constexpr std::size_t few = 3;
  if (names.size() <= few + 1) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + few, ", "),
                     names.size() - few);
}

void print_dead(const std::vector<ask::DeadSwitchAnswer>& switches) {
  std::vector<std::string> lines;
  for (const auto& node : switches)
    lines.push_back(fmt::format("{}: all {} cables are missing{}", node.name, node.cables,
                                node.beside.empty() ? "" : ", to " + first_few(node.beside)));
  print_list("Switches that are dead or unplugged", lines);
}

std::string switches_text(const ask::DescribeAnswer& p) {
  const std::string dead =
      p.switches_without_cables ? fmt::format("{} without a cable", p.switches_without_cables) : "";
  if (p.switches_per_level.size() < 2)
    return fmt::format("{}{}", p.switches, dead.empty() ? "" : ", " + dead);
  u64 placed = 0;
  for (const u32 count : p.switches_per_level) placed += count;
  return fmt::format("{} ({} by level, from the leaves{}{})", p.switches,
                     fmt::join(p.switches_per_level, " + "),
                     placed < p.switches ? fmt::format("; {} reach no host", p.switches - placed) : "",
                     dead.empty() ? "" : "; " + dead);
}

// "119 on 4 rails, 466 NICs: 109 with 4, 10 with 3"
std::string hosts_text(const ask::DescribeAnswer& p) {
  std::string out = fmt::format("{}", p.hosts);
  if (p.rails > 1) out += fmt::format(" on {} rails", p.rails);
  if (p.nics == p.hosts) return out;
  out += fmt::format(", {} NICs", p.nics);
  if (p.nics_per_host.size() < 2) return p.rails > 1 ? out : out + fmt::format(", {} each", p.nics / p.hosts);
  std::vector<std::string> parts;
  for (auto at = p.nics_per_host.rbegin(); at != p.nics_per_host.rend(); ++at)
    parts.push_back(fmt::format("{} with {}", (*at)[1], (*at)[0]));
  return out + fmt::format(": {}", fmt::join(parts, ", "));
}

// "40 aggregation, 69 unknown": destinations that tables must reach, and that take no part in traffic.
std::string others_text(const topology::RoleCounts& roles) {
  std::vector<std::string> parts;
  for (std::size_t role = 1; role < roles.of.size(); ++role)
    if (roles.of[role]) parts.push_back(fmt::format("{} {}", roles.of[role], option_names(Role{})[role]));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// "373 of 384, 11 are missing; 2 more are wrong (750 channels)": a wrong cable is none of the shape's.
std::string links_text(const ask::DescribeAnswer& p) {
  const u64 wrong = p.found ? p.found->wrong_cables.size() : 0, right = p.links - wrong;
  std::string out = fmt::format("{}", right);
  if (p.missing_links)
    out += fmt::format(" of {}, {} {} missing", right + p.missing_links, p.missing_links,
                       p.missing_links == 1 ? "is" : "are");
  if (wrong) out += fmt::format("; {} more {} wrong", wrong, wrong == 1 ? "is" : "are");
  return out + fmt::format(" ({} channels)", p.channels);
}

constexpr std::size_t most_listed = 5;

void print_properties(const ask::DescribeAnswer& p) {
  std::cout << (p.notation.empty() ? "an irregular fabric" : p.notation) << '\n';
  line("family", p.family);
  line("hosts", hosts_text(p));
  if (p.rails_guessed) line("", p.rails_how);
  if (const std::string others = others_text(p.roles); !others.empty()) line("no hosts", others);
  if (p.unnamed_adapters) line("", fmt::format("{} adapters have no host's name", p.unnamed_adapters));
  line("switches", switches_text(p));
  line("switch ports", p.switch_ports_min == p.switch_ports_max
                           ? fmt::format("{}", p.switch_ports_max)
                           : fmt::format("{} to {}", p.switch_ports_min, p.switch_ports_max));
  line("links", links_text(p));
  for (std::size_t i = 0; i < std::min(p.slow_links.size(), most_listed); ++i)
    line(i == 0 ? "slow links" : "", p.slow_links[i].text);
  if (p.slow_links.size() > most_listed)
    line("", fmt::format("and {} more; --json lists them", p.slow_links.size() - most_listed));
  line("diameter", fmt::format("{} channels, {:.4g} on average", p.distances.diameter, p.distances.average));
  line("shortest paths", fmt::format("up to {} between two hosts", p.distances.shortest_paths_max));
  line("bisection", fmt::format("{} links{}, {:.1f} % of full", p.bisection.links,
                                p.bisection.exact ? "" : " (best cut found)", 100 * p.bisection_ratio));
  if (p.distances.unreachable_pairs)
    line("unreachable",
         fmt::format("{} pairs of hosts cannot reach each other", p.distances.unreachable_pairs));
  if (p.skipped_lines)
    line("skipped", fmt::format("{} of the tool that wrote the file", counted(p.skipped_lines, "message")));
  if (!p.rlft) return;
  line("constant bisection", yes_no(p.constant_bisection));
  line("RLFT", yes_no(p.rlft));
  for (const std::string& why : p.rlft_failed) line("", why);
}

void print(const ask::DescribeAnswer& answer) {
  print_properties(answer);
  if (answer.unrecognised_because)
    std::cout << "No shape was recognised: " << *answer.unrecognised_because << '\n';
  if (!answer.found) return;
  std::cout << "Recognised from its cables.\n";
  print_dead(answer.found->dead_switches);
  print_cables(answer.found->dead_switches.empty() ? "Missing cables" : "Other missing cables",
               answer.found->other_missing);
  print_cables("Wrong cables", answer.found->wrong_cables);
  print_list("Nodes without a place", answer.found->undecided);
  print_list("Not decided", answer.found->doubts);
}

void print(const ask::PairAnswer& p) {
  constexpr int width = 25;
  const auto& ancestors = p.nearest_common_ancestors;
  std::cout << fmt::format("{} and {}\n", p.a, p.b);
  line("distance", p.distance ? fmt::format("{} channels", *p.distance) : "they cannot reach each other",
       width);
  line("shortest paths", fmt::format("{}", p.shortest_paths), width);
  if (p.minimal_different_index)
    line("minimal different index", fmt::format("{}", *p.minimal_different_index), width);
  if (!ancestors.empty())
    line("common ancestors", fmt::format("{}: {}", ancestors.size(), fmt::join(ancestors, " ")), width);
}

// What a ticket says of a shape with cables missing. A dead switch comes last: it may only lack power.
report::Ticket ticket_of(const ask::DescribeAnswer& answer) {
  report::Ticket out;
  out.answer = fmt::format("{}: {} hosts, {} switches, links {}.",
                           answer.notation.empty() ? "An irregular fabric" : answer.notation, answer.hosts,
                           answer.switches, links_text(answer));
  if (answer.unrecognised_because)
    out.answer += fmt::format(" No shape was recognised: {}.", *answer.unrecognised_because);
  for (const ask::SlowLinkAnswer& slow : answer.slow_links) {
    out.broken.push_back(slow.text);
    out.steps.push_back(fmt::format("reseat or replace {} - {}", slow.ends[0], slow.ends[1]));
  }
  if (!answer.found) return out;
  const auto cable = [](const std::vector<std::string>& ends) {
    return fmt::format("{}", fmt::join(ends, " - "));
  };
  for (const auto& ends : answer.found->wrong_cables) {
    out.broken.push_back(cable(ends) + " is no cable of the shape");
    out.steps.push_back("unplug " + cable(ends));
  }
  for (const auto& ends : answer.found->other_missing) {
    out.broken.push_back(cable(ends) + " is missing");
    out.steps.push_back("plug in " + cable(ends));
  }
  for (const ask::DeadSwitchAnswer& dead : answer.found->dead_switches) {
    out.broken.push_back(fmt::format("{} is dead: {}", dead.name, counted(dead.cables, "cable")));
    out.steps.push_back(fmt::format("give {} power, or else plug in its {} to {}", dead.name,
                                    counted(dead.cables, "cable"), fmt::join(dead.beside, ", ")));
  }
  for (const std::string& node : answer.found->undecided)
    out.broken.push_back(node + " has no certain place");
  for (const std::string& doubt : answer.found->doubts) out.broken.push_back(doubt);
  return out;
}

class Describe {
 public:
  static std::vector<AnswerInfo> answers() {
    return {answer<ask::DescribeAnswer>(), answer<ask::PairAnswer>("pair")};
  }

  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    arguments.pair("--pair", pair_, "A B",
                   "two hosts, by number or name: where they meet and how far apart they are");
    options_.declare(arguments);
    ticket_.declare(arguments);
    arguments.threads(threads_);
    arguments.json(as_json_);
  }

  Exit run() const {
    if (!pair_.empty() && ticket_.is_given()) throw InputError("--pair and --report: expected one of them");
    const Loaded loaded = load(fabric_);
    tell_remark(loaded.topology);
    if (!pair_.empty()) return show(ask::describe_pair(loaded, {pair_[0], pair_[1], options_.read().rail}));
    ask::DescribeAnswer found = ask::describe_loaded(loaded, threads_);
    found.without = fabric_.without;
    show(found);
    if (ticket_.is_given()) report(loaded.topology, found);
    if (ticket_.is_given() && !as_json_) std::cout << "The report is " << ticket_.file << '\n';
    return Exit::done;
  }

 private:
  void report(const Topology& topology, const ask::DescribeAnswer& found) const {
    report::Ticket ticket = ticket_of(found);
    for (const std::string& fault : fabric_.without) ticket.broken.push_back("without " + fault);
    const Fabric& fabric = topology.fabric;
    if (!found.found)
      for (const Link& cable : fabric.taken()) {
        const std::string name = cable_name(fabric, cable);
        ticket.broken.push_back(name + " is gone");
        ticket.steps.push_back("put back " + name);
      }
    for (const Node node : fabric.nodes())
      if (!found.found && fabric.cabled_ports(node) == 0)
        ticket.broken.push_back(fabric.name(node) + " has no cable");
    ticket.title = fabric_.fabric;
    ticket.command = ticket_.command("describe", {fabric_.fabric}, fabric_);
    if (topology.has_shape() && !topology.is_intact())
      ticket.costs = ticket_costs(make_topology(found.notation), topology, threads_);
    ticket_.write(std::move(ticket), topology, threads_);
  }

  Exit show(const auto& answer) const {
    as_json_ ? print_json({}, answer) : print(answer);
    return Exit::done;
  }

  FabricArgument fabric_;
  OptionsArgument<ask::PairOptions> options_;
  std::vector<std::string> pair_;
  TicketArgument ticket_;
  u32 threads_ = default_threads();
  bool as_json_ = false;
};

}  // namespace

Verb describe_verb() {
  return make_verb<Describe>("describe",
                             "What a fabric is: counts, distances, bisection, family, missing cables",
                             "banyan describe 'PGFT(3; 18,18,6; 1,18,3; 1,1,6)'");
}

}  // namespace banyan::cli
