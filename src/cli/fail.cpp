// banyan fail: takes cables away, routes again, and says what that cost.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "ask/any_hash.hpp"
#include "ask/bad_cables.hpp"
#include "ask/compare.hpp"
#include "ask/damage.hpp"
#include "ask/sweep.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "cli/answer_output.hpp"
#include "cli/counted.hpp"
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
    arguments.input(option_infos<ask::CounterFile>().front(), counters_);
    ticket_.declare(arguments);
    arguments.threads(threads_);
    device_.declare(arguments);
    arguments.json(as_json_);
  }

  Exit run() const {
    const ask::FailOptions options = options_.read();
    const std::vector<std::string>& without = routed_.fabric.without;
    refuse_contradictions(options, !without.empty() || !against_.empty() || !counters_.empty(), given(),
                          ", --counters or --against");
    if (device_.read().device == ask::DeviceChoice::gpu && options.sweep == ask::Sweep::none)
      return *refused(ask::Result<ask::FailAnswer>(NotApplicable{"a GPU counts loads of a --sweep only"}));
    if (!counters_.empty()) return rank_cables(options);
    if (!against_.empty()) return compare(options);
    RoutedArgument whole = routed_;
    whole.fabric.without.clear();
    const ask::RoutedFabric made = whole.open();
    const Topology& before = made.loaded.topology;
    const ask::Damage done = ask::damage(made.loaded, made.router, without, routed_.options(), options);
    if (options.sweep != ask::Sweep::none)
      return show(done.after, done.router,
                  ask::sweep(situation(done.after), done.router, options, options_.has("samples")), options);
    return show(done.after, done.router,
                ask::fail(situation(before), done.after, done.router, options, given()), options);
  }

 private:
  ask::WasGiven given() const {
    return [this](std::string_view key) {
      return key == "against"    ? !against_.empty()
             : key == "counters" ? !counters_.empty()
                                 : traffic_.has(key) || options_.has(key);
    };
  }

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

  // These and the others, in the same numbers. Tables are in those of the file. An engine needs the shape, so
  // tables beside it are read once more, in the numbers of the shape.
  std::pair<ask::RoutedFabric, RouteResult> both() const {
    const ask::RoutingOptions these = routed_.options(), against = others();
    ask::RoutedFabric made = routed_.open();
    if (!these.tables.empty() && !against.tables.empty()) {
      RouteResult other = routed_.open(against).result;
      return {std::move(made), std::move(other)};
    }
    if (!these.tables.empty()) {
      made.loaded = load_fabric(routed_.fabric.text(), routed_.fabric.without);
      made.result = ask::tables_on(made.loaded, these);
      made.router.tables = std::get<Routing>(made.result);
    }
    const Topology& topology = made.loaded.topology;
    if (against.tables.empty()) {
      RouteResult other = ask::router(against, topology).route(topology);
      return {std::move(made), std::move(other)};
    }
    routed_.open(against);  // says what is wrong with them
    RouteResult other = ask::tables_on(made.loaded, against);
    return {std::move(made), std::move(other)};
  }

  Exit compare(const ask::FailOptions& options) const {
    if (options.sweep != ask::Sweep::none) throw InputError("--against and --sweep: expected one of them");
    const auto [made, other] = both();
    for (const RouteResult* result : {&made.result, &other})
      if (const auto status = refused(*result)) return *status;
    const Topology& topology = made.loaded.topology;
    const auto found = ask::compare(situation(topology), std::get<Routing>(made.result),
                                    std::get<Routing>(other), options, given());
    return show(topology, made.router, found, options);
  }

  Exit rank_cables(const ask::FailOptions& options) const {
    ask::refuse_beside_counters(options, given());
    ask::RoutedFabric made = routed_.open();
    const Topology& topology = made.loaded.topology;
    if (made.router.is_chosen) {
      made.router = router(routed_.options(), ask::damaged(topology));
      made.result = made.router.route(topology);
    }
    if (const auto status = refused(made.result)) return *status;
    ask::Situation at = situation(topology);
    if (!traffic_.is_given())
      at.traffic = ask::traffic_for_counters(topology, std::get<Routing>(made.result));
    const PortCounters counters = open_counters(counters_, topology.fabric, made.loaded.ids);
    const auto result = ask::bad_cables(at, made.router, counters, options, given());
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
    std::cout << fmt::format("{} with errors, of {} with counters; maximum load of {} under {}: {:.4g}\n",
                             counted(answer.cables.size(), "cable"), counted(answer.ports, "port"), traffic,
                             router.name, answer.max_load);
    if (answer.hashes)
      std::cout << fmt::format("loads are the mean over {}\n", counted(*answer.hashes, "hash", "hashes"));
    if (!answer.uncabled.empty()) std::cout << "\nports with errors and without a cable\n";
    for (const auto& counter : answer.uncabled)
      std::cout << fmt::format("  {} {} {}\n", counter.port, counter.counter, counter.value);
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
    out.device = device_.read().device;
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
        : answer.host_pairs_lost
            ? fmt::format("Without {}, no rail is left for {} of hosts.",
                          counted(answer.links_taken, "cable"), counted(*answer.host_pairs_lost, "pair"))
            : fmt::format("Without {}, the fabric loses {} of NICs.", counted(answer.links_taken, "cable"),
                          counted(answer.pairs_lost, "pair"));
    if (answer.comparison)
      out.answer +=
          fmt::format(" {} gained, {} lost, {} moved.", counted(answer.comparison->pairs_gained, "pair"),
                      answer.pairs_lost, answer.comparison->pairs_moved);
    for (const std::string& fault : routed_.fabric.without) out.broken.push_back("without " + fault);
    for (const std::string& cable : answer.cables) out.broken.push_back(cable + " is gone");
    if (!after.counterexample.empty()) out.broken.push_back(after.counterexample);
    out.costs = ticket_costs(answer, traffic_.text());
    if (answer.comparison && answer.comparison->worth == ask::Worth::better)
      out.steps.push_back(fmt::format("load {}", against_));
    if (!answer.comparison && after.failing_pairs > 0)
      out.steps.push_back("route again: with these tables packets are lost");
    for (const std::string& cable : answer.cables) out.steps.push_back("put back " + cable);
    return out;
  }

  report::Ticket ticket_of(const ask::SweepAnswer& answer) const {
    report::Ticket out;
    const std::size_t bad = static_cast<std::size_t>(
        std::count_if(answer.cables.begin(), answer.cables.end(),
                      [](const auto& cable) { return !cable.cost || !cable.cost->yes; }));
    const ask::Sweep sweep = options_.read().sweep;
    const std::string all =
        sweep == ask::Sweep::switches ? counted(answer.cables.size(), "switch", "switches")
        : sweep == ask::Sweep::pairs  ? counted(answer.cables.size(), "pair of cables", "pairs of cables")
                                      : counted(answer.cables.size(), "cable");
    out.answer = fmt::format("{} taken away in turn: without {} of them the verdict is no.", all, bad);
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
    out.answer = fmt::format("{} with errors; {} with counters.", counted(answer.cables.size(), "cable"),
                             counted(answer.ports, "port"));
    for (const auto& counter : answer.uncabled) {
      out.broken.push_back(
          fmt::format("{}: {} {}, and no cable", counter.port, counter.counter, counter.value));
      const std::string step = fmt::format("look at {}: it has errors and no cable", counter.port);
      if (out.steps.empty() || out.steps.back() != step) out.steps.push_back(step);
    }
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
      out.steps.push_back(
          fmt::format("take out {} and replace it{}", cable->cable,
                      cable->pairs_lost > 0
                          ? fmt::format(", when nobody needs the {}", counted(cable->pairs_lost, "pair"))
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
    if (options.sweep == ask::Sweep::none || options_.has("samples")) head.traffic = traffic_.text();
    if constexpr (std::is_same_v<Answer, ask::SweepAnswer>) say_where(device_.read().device, found);
    as_json_ ? print_json(head, found) : print(router, found, options);
    report(topology, router, ticket_of(found));
    return is_yes(found) ? Exit::done : Exit::verdict_no;
  }

  // The cables that are gone, unless the fault that was given has named it.
  void print_taken(const ask::FailAnswer& answer) const {
    constexpr std::size_t few = 8;
    const auto is_named = [](const std::string& fault) { return fault.starts_with("link="); };
    const auto& faults = routed_.fabric.without;
    if (answer.cables.empty() || std::all_of(faults.begin(), faults.end(), is_named)) return;
    std::cout << fmt::format(
        "  gone             {}{}\n",
        fmt::join(answer.cables.begin(),
                  answer.cables.begin() + static_cast<std::ptrdiff_t>(std::min(few, answer.cables.size())),
                  ", "),
        answer.cables.size() > few ? fmt::format(" and {} more (--json)", answer.cables.size() - few) : "");
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
    print_taken(answer);
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
    if (y.undelivered > 0)
      row(fmt::format("flows lost, of {}", y.flows), flows_text(x.undelivered), flows_text(y.undelivered));
    row(fmt::format("maximum load, {}{}", traffic_.text(),
                    answer.rails_policy ? " by " + *answer.rails_policy : ""),
        fmt::format("{:.4g}", x.max_load.mean), fmt::format("{:.4g}", y.max_load.mean));
    if (answer.hashes)
      std::cout << fmt::format("  mean over {} of the switches\n", counted(*answer.hashes, "hash", "hashes"));
    if (!b.counterexample.empty()) std::cout << fmt::format("\n{}\n", b.counterexample);
  }

  // Of what was left to the program: which choice it made, unless it is the usual one.
  static void say_where(ask::DeviceChoice choice, const ask::SweepAnswer& found) {
    if (choice == ask::DeviceChoice::automatic && found.device)
      std::cerr << fmt::format("banyan: {} counted loads\n", *found.device);
    if (found.device && found.left_to_processors > 0)
      std::cerr << fmt::format("banyan: processors counted loads of {} that a GPU cannot\n",
                               counted(found.left_to_processors, "case"));
    if (!found.device_failure.empty())
      std::cerr << fmt::format("banyan: processors counted loads, since a GPU failed: {}\n",
                               found.device_failure);
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
    const auto load_text = [&](const std::string& text) {
      return answer.load ? fmt::format("{:>10}", text) : "";
    };
    const bool loses_flows = std::any_of(answer.cables.begin(), answer.cables.end(), [](const auto& cable) {
      return cable.cost && cable.cost->load && cable.cost->load->undelivered > 0;
    });
    const auto lost_text = [&](const std::string& text) {
      return loses_flows ? fmt::format("{:>12}", text) : "";
    };
    if (answer.load)
      std::cout << fmt::format(
          "maximum load over {} of the traffic, with all of them: mean {:.4g}, greatest {:.4g}\n\n",
          counted(*answer.samples, "sample"), answer.load->max_load, answer.load->max_load_worst);
    std::cout << fmt::format("{:>12}{}{}{:>14}{:>8}{:>18}  {}\n", "pairs lost", load_text("max load"),
                             lost_text("flows lost"), "per channel", "down", "entries changed",
                             what("cable", "switch", "cables"));
    for (std::size_t i = 0; i < std::min<std::size_t>(options.top, answer.cables.size()); ++i) {
      const auto& [name, cost, refused] = answer.cables[i];
      if (cost)
        std::cout << fmt::format("{:>12}{}{}{:>14}{:>8}{:>18}  {}{}\n", cost->pairs_lost,
                                 load_text(cost->load ? fmt::format("{:.4g}", cost->load->max_load) : "-"),
                                 lost_text(cost->load ? fmt::to_string(cost->load->undelivered) : "-"),
                                 cost->max_destinations_per_channel, cost->max_destinations_per_down_channel,
                                 cost->entries_changed ? fmt::to_string(*cost->entries_changed) : "-", name,
                                 cost->yes ? "" : "; the verdict is no");
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
  OptionsArgument<ask::DeviceOptions> device_;
  bool as_json_ = false;
};

}  // namespace

Verb fail_verb() {
  return make_verb<Fail>(
      "fail", "Takes cables or switches away, routes again, and says what changed",
      "banyan fail 'PGFT(3; 18,18,6; 1,18,3; 1,1,6)' --without links=30,seed=7 --engine dmodc");
}

}  // namespace banyan::cli
