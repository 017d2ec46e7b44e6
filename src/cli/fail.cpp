// banyan fail: takes cables away, routes again, and says what that cost.
#include "ask/damage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "base/parallel.hpp"
#include "cli/answer_output.hpp"
#include "cli/routed_argument.hpp"
#include "cli/ticket_argument.hpp"
#include "cli/traffic_argument.hpp"
#include "formats/lines.hpp"

namespace banyan::cli {
namespace {

class Fail {
 public:
  static std::vector<AnswerInfo> answers() {
    return {answer<ask::FailAnswer>(), answer<ask::SweepAnswer>("sweep"),
            answer<ask::CountersAnswer>("counters")};
  }

  void declare(Arguments& arguments) {
    routed_.declare(arguments);
    traffic_.declare(arguments);
    options_.declare(arguments);
    arguments.file("--against", against_, "TABLES",
                   "compare with these tables, or with this engine, on the fabric as it is: nothing fails");
    arguments.file(
        "--counters", counters_, "FILE",
        "counters of ports, from perfquery, ibqueryerrors or as CSV, or a folder of them: rank the "
        "cables with errors by what the others pay without each");
    ticket_.declare(arguments);
    arguments.threads(threads_);
    arguments.json(as_json_);
  }

  Exit run() const {
    const ask::FailOptions options = options_.read();
    const std::vector<std::string>& without = routed_.fabric.without;
    refuse_contradictions(options, !without.empty() || !against_.empty() || !counters_.empty(),
                          [&](std::string_view key) { return traffic_.has(key) || options_.has(key); });
    if (!counters_.empty()) return rank_cables(options);
    if (!against_.empty()) return compare(options);
    RoutedArgument whole = routed_;
    whole.fabric.without.clear();
    const ask::RoutedFabric made = whole.open();
    const Topology& before = made.loaded.topology;
    const ask::Damage done = ask::damage(before, made.router, without, routed_.options(), options);
    if (options.sweep != ask::Sweep::none)
      return show(done.after, done.router, ask::sweep(situation(done.after), done.router, options), options);
    return show(done.after, done.router, ask::fail(situation(before), done.after, done.router, options),
                options);
  }

 private:
  // The others are tables, if there is such a file, or an engine.
  ask::RoutingOptions others() const {
    ask::RoutingOptions out;
    out.seed = routed_.seed();
    std::error_code ignored;
    if (!std::filesystem::exists(against_, ignored)) {
      if (!engines::engines().find(parse_plugin(against_).name))
        throw InputError(fmt::format("--against: found {}, expected tables, a folder of them, or an engine",
                                     shown(against_)));
      out.engine = against_;
      return out;
    }
    out.tables = {against_};
    out.lids = routed_.options().lids;
    out.addresses = routed_.options().addresses;
    out.paths = routed_.options().paths;
    return out;
  }

  Exit compare(const ask::FailOptions& options) const {
    if (options.sweep != ask::Sweep::none) throw InputError("--against and --sweep: expected one of them");
    const ask::RoutedFabric made = routed_.open();
    if (const auto status = refused(made.result)) return *status;
    const ask::RoutingOptions against = others();
    const Topology& topology = made.loaded.topology;
    RouteResult other = NotApplicable{};
    std::optional<Routing> any_hash;
    if (against.tables.empty()) {
      other = ask::router(against, topology).route(topology);
    } else {
      ask::RoutedFabric opened = routed_.open(against);
      other = std::move(opened.result);
      any_hash = std::move(opened.router.any_hash);
    }
    if (const auto status = refused(other)) return *status;
    const auto compared = [](const Routing& routing, const std::optional<Routing>& any) {
      return ask::ComparedRouting{routing, any ? &*any : nullptr};
    };
    const ask::Result<ask::FailAnswer> found =
        ask::compare(situation(topology), compared(std::get<Routing>(made.result), made.router.any_hash),
                     compared(std::get<Routing>(other), any_hash), options);
    return show(topology, made.router, found, options);
  }

  Exit rank_cables(const ask::FailOptions& options) const {
    if (options.sweep != ask::Sweep::none || !against_.empty() || options_.has("samples") ||
        options_.has("hashes") || options_.has("pairs"))
      throw InputError("--counters takes no --sweep, --against, --samples, --hashes or --pairs");
    ask::RoutedFabric made = routed_.open();
    const Topology& topology = made.loaded.topology;
    if (made.router.is_chosen) made.router = router(routed_.options(), ask::damaged(topology));
    ask::Situation at = situation(topology);
    if (!traffic_.is_given()) at.traffic = "uniform";
    const PortCounters counters = open_counters(counters_, topology.fabric, made.loaded.ids);
    const auto result = ask::bad_cables(at, made.router, counters, options);
    if (const auto status = refused(result)) return *status;
    const auto& found = std::get<ask::CountersAnswer>(result);
    ask::AnswerHead head = made.router.head();
    head.seed = routed_.seed();
    head.traffic = at.traffic;
    as_json_ ? print_json(head, found) : print(made.router, found, options, at.traffic);
    report(topology, made.router, ticket_of(found));
    return Exit::done;
  }

  static void print(const ask::FabricRouter& router, const ask::CountersAnswer& answer,
                    const ask::FailOptions& options, const std::string& traffic) {
    std::cout << fmt::format(
        "{} cables with errors, of {} ports with counters; maximum load of {} under {}: {:.4g}\n",
        answer.cables.size(), answer.ports, traffic, router.name, answer.max_load);
    if (answer.cables.empty()) return;
    std::cout << fmt::format("\n{:>12}{:>12}{:>12}{:>12}  {}\n", "pairs lost", "max load", "load now",
                             "errors", "without this cable");
    for (std::size_t i = 0; i < std::min<std::size_t>(options.top, answer.cables.size()); ++i) {
      const auto& cable = answer.cables[i];
      const std::string max_load = cable.max_load ? fmt::format("{:.4g}", *cable.max_load) : "no routing";
      std::cout << fmt::format("{:>12}{:>12}{:>12.4g}{:>12}  {}\n", cable.pairs_lost, max_load, cable.load,
                               cable.errors, cable.cable);
      for (const auto& counter : cable.counters)
        std::cout << fmt::format("{:>50}{} {} {}\n", "", counter.port, counter.counter, counter.value);
    }
  }

  ask::Situation situation(const Topology& topology) const {
    ask::Situation out = traffic_.situation(topology, nullptr, routed_.seed());
    out.threads = threads_;
    return out;
  }

  void report(const Topology& topology, const ask::FabricRouter& router, report::Ticket ticket) const {
    if (!ticket_.is_given()) return;
    ticket.title = routed_.fabric.fabric;
    std::string more = routed_.routing.typed() + options_.typed();
    if (!against_.empty()) more += " --against " + quoted_for_shell(against_);
    if (!counters_.empty()) more += " --counters " + quoted_for_shell(counters_);
    more += traffic_.typed();
    ticket.command = ticket_.command("fail", {routed_.fabric.fabric}, routed_.fabric, more);
    ticket_.write(std::move(ticket), topology, threads_, &router);
    if (!as_json_) std::cout << "The report is " << ticket_.file << '\n';
  }

  report::Ticket ticket_of(const ask::FailAnswer& answer) const {
    report::Ticket out;
    const Verdict& after = answer.after.verdict;
    out.answer =
        answer.comparison ? fmt::format("The other tables are {}.", option_text(answer.comparison->worth))
        : answer.host_pairs_lost ? fmt::format("{} cables fail; {} pairs of hosts have no rail left.",
                                               answer.links_taken, *answer.host_pairs_lost)
                                 : fmt::format("{} cables fail; {} pairs of hosts are lost.",
                                               answer.links_taken, answer.pairs_lost);
    if (answer.comparison)
      out.answer += fmt::format(" {} pairs gained, {} lost, {} moved.", answer.comparison->pairs_gained,
                                answer.pairs_lost, answer.comparison->pairs_moved);
    for (const std::string& fault : routed_.fabric.without) out.broken.push_back("without " + fault);
    if (!after.counterexample.empty()) out.broken.push_back(after.counterexample);
    out.costs = ticket_costs(answer, traffic_.text());
    if (answer.comparison && answer.comparison->worth == ask::Worth::better)
      out.steps.push_back(fmt::format("load {}", against_));
    if (!answer.comparison && after.failing_pairs > 0)
      out.steps.push_back("route again: with these tables packets are lost");
    if (!answer.comparison) out.steps.push_back("replace what failed");
    return out;
  }

  report::Ticket ticket_of(const ask::SweepAnswer& answer) const {
    report::Ticket out;
    const std::size_t bad = static_cast<std::size_t>(
        std::count_if(answer.cables.begin(), answer.cables.end(),
                      [](const auto& cable) { return !cable.cost || !cable.cost->yes; }));
    out.answer = fmt::format("{} were taken away in turn; without {} of them the verdict is no.",
                             answer.cables.size(), bad);
    const auto number = [](u64 value) { return fmt::format("{}", value); };
    const std::string before = number(answer.before.max_destinations_per_channel);
    for (std::size_t i = 0; i < std::min<std::size_t>(options_.read().top, answer.cables.size()); ++i) {
      const auto& [name, cost, why] = answer.cables[i];
      out.costs.push_back(
          {fmt::format("destinations on a channel, at most, without {}", name), before,
           cost ? fmt::format("{}{}", cost->max_destinations_per_channel,
                              cost->pairs_lost ? fmt::format("; {} pairs lost", cost->pairs_lost) : "")
                : *why});
      out.steps.push_back("have a spare for " + name);
    }
    return out;
  }

  // What costs the others nothing is taken out first.
  static report::Ticket ticket_of(const ask::CountersAnswer& answer) {
    report::Ticket out;
    out.answer =
        fmt::format("{} cables have errors; {} ports were counted.", answer.cables.size(), answer.ports);
    const auto load = [](double value) { return fmt::format("{:.4g}", value); };
    for (const auto& cable : answer.cables) {
      for (const auto& counter : cable.counters)
        out.broken.push_back(fmt::format("{}: {} {}", counter.port, counter.counter, counter.value));
      const std::string after = cable.max_load ? load(*cable.max_load) : *cable.not_applicable;
      out.costs.push_back({"maximum load without " + cable.cable, load(answer.max_load), after});
      if (cable.pairs_lost > 0)
        out.costs.push_back({"pairs lost without " + cable.cable, "0", fmt::format("{}", cable.pairs_lost)});
    }
    for (auto cable = answer.cables.rbegin(); cable != answer.cables.rend(); ++cable)
      out.steps.push_back(fmt::format(
          "take out {} and replace it{}", cable->cable,
          cable->pairs_lost > 0 ? fmt::format(", when nobody needs the {} pairs", cable->pairs_lost)
          : cable->max_load && *cable->max_load <= answer.max_load
              ? ": it costs the others nothing"
              : fmt::format(": meanwhile the maximum load is {}",
                            cable->max_load ? load(*cable->max_load) : "unknown")));
    return out;
  }

  template <class Answer>
  Exit show(const Topology& topology, const ask::FabricRouter& router, const ask::Result<Answer>& result,
            const ask::FailOptions& options) const {
    if (const auto status = refused(result)) return *status;
    const auto& found = std::get<Answer>(result);
    ask::AnswerHead head = router.head();
    head.seed = routed_.seed();
    if (options.sweep == ask::Sweep::none) head.traffic = traffic_.text();
    as_json_ ? print_json(head, found) : print(router, found, options);
    report(topology, router, ticket_of(found));
    return is_yes(found) ? Exit::done : Exit::verdict_no;
  }

  static std::string of_hosts(u64 cables, u64 host_cables) {
    if (host_cables == 0) return cables == 0 ? "" : ", between switches";
    return host_cables == cables ? ", of hosts" : fmt::format(", {} of them of hosts", host_cables);
  }

  static bool is_yes(const ask::FailAnswer& answer) { return answer.after.verdict.yes(); }
  static bool is_yes(const ask::SweepAnswer& answer) { return answer.all_yes(); }

  void print(const ask::FabricRouter& router, const ask::FailAnswer& answer, const ask::FailOptions&) const {
    const u64 taken = answer.links_taken;
    if (answer.comparison)
      std::cout << fmt::format("{} against {}: {}\n", router.name, against_,
                               option_text(answer.comparison->worth));
    else
      std::cout << fmt::format("{} without {} cable{}{}\n", router.name, taken, taken == 1 ? "" : "s",
                               of_hosts(taken, answer.host_links_taken));
    if (answer.entries_changed)
      std::cout << fmt::format("  entries changed  {} of {}, {:.3f} %\n", *answer.entries_changed,
                               *answer.entries,
                               100 * static_cast<double>(*answer.entries_changed) /
                                   static_cast<double>(std::max<u64>(*answer.entries, 1)));
    const ask::FailAnswer::Side &x = answer.before, &y = answer.after;
    const Verdict &a = x.verdict, &b = y.verdict;
    std::cout << fmt::format("  pairs lost       {} of {}\n", answer.pairs_lost, a.pairs - a.failing_pairs);
    if (answer.host_pairs_lost)
      std::cout << fmt::format("  pairs of hosts   {} have no rail left\n", *answer.host_pairs_lost);
    if (answer.comparison)
      std::cout << fmt::format("  pairs gained     {}\n  pairs moved      {}\n",
                               answer.comparison->pairs_gained, answer.comparison->pairs_moved);
    std::cout << '\n';
    const auto row = [](std::string_view what, const auto& before, const auto& after) {
      std::cout << fmt::format("{:<34}{:>12}{:>12}\n", what, before, after);
    };
    const auto text = [](bool yes) { return yes ? "yes" : "no"; };
    const bool are_parted = a.disconnected_pairs + b.disconnected_pairs > 0;
    answer.comparison ? row("", "these", "others") : row("", "before", "after");
    row("all well", text(x.is_well()), text(y.is_well()));
    if (are_parted) {
      row("  where cables still connect", text(a.yes()), text(b.yes()));
      row("  pairs that no cables connect", a.disconnected_pairs, b.disconnected_pairs);
    }
    row("average path", fmt::format("{:.4f}", a.average_path), fmt::format("{:.4f}", b.average_path));
    row("longest path", a.longest_path, b.longest_path);
    row("destinations per channel, most", a.max_destinations_per_channel, b.max_destinations_per_channel);
    row("  on a channel down", a.max_destinations_per_down_channel, b.max_destinations_per_down_channel);
    row("idle channels between switches", a.idle_channels, b.idle_channels);
    if (y.undelivered > 0) row(fmt::format("flows lost, of {}", y.flows), x.undelivered, y.undelivered);
    row(fmt::format("maximum load, {}{}", traffic_.text(),
                    answer.rails_policy ? " by " + *answer.rails_policy : ""),
        fmt::format("{:.4g}", x.max_load.mean), fmt::format("{:.4g}", y.max_load.mean));
    if (answer.hashes) std::cout << fmt::format("  mean over {} hashes of the switches\n", *answer.hashes);
    if (!b.counterexample.empty()) std::cout << fmt::format("\n{}\n", b.counterexample);
  }

  static void print(const ask::FabricRouter& router, const ask::SweepAnswer& answer,
                    const ask::FailOptions& options) {
    const auto what = [&](std::string_view cable, std::string_view node, std::string_view pair) {
      return options.sweep == ask::Sweep::switches ? node : options.sweep == ask::Sweep::pairs ? pair : cable;
    };
    std::cout << fmt::format(
        "{} without each of {} {}, the most expensive first; with all of them {} destinations per "
        "channel\n\n",
        router.name, answer.cables.size(), what("cables", "switches", "pairs of cables"),
        answer.before.max_destinations_per_channel);
    std::cout << fmt::format("{:>12}{:>14}{:>8}{:>18}  {}\n", "pairs lost", "per channel", "down",
                             "entries changed", what("cable", "switch", "cables"));
    for (std::size_t i = 0; i < std::min<std::size_t>(options.top, answer.cables.size()); ++i) {
      const auto& [name, cost, refused] = answer.cables[i];
      if (cost)
        std::cout << fmt::format("{:>12}{:>14}{:>8}{:>18}  {}{}\n", cost->pairs_lost,
                                 cost->max_destinations_per_channel, cost->max_destinations_per_down_channel,
                                 cost->entries_changed, name, cost->yes ? "" : "; the verdict is no");
      else
        std::cout << fmt::format("{:>52}  {}: {}\n", "not applicable", name, *refused);
    }
  }

  RoutedArgument routed_;
  TrafficArgument traffic_{"permutation"};
  OptionsArgument<ask::FailOptions> options_;
  std::string against_, counters_;
  TicketArgument ticket_;
  u32 threads_ = default_threads();
  bool as_json_ = false;
};

}  // namespace

Verb fail_verb() {
  return make_verb<Fail>(
      "fail", "Takes cables or switches away, routes again, and says what changed",
      "banyan fail 'PGFT(3; 18,18,6; 1,18,3; 1,1,6)' --without links=30,seed=7 --engine dmodc");
}

}  // namespace banyan::cli
