// banyan fail: takes cables away, routes again, and says what that cost.
#include "ask/fail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/parallel.hpp"
#include "cli/answer_output.hpp"
#include "cli/routed_argument.hpp"
#include "cli/traffic_argument.hpp"
#include "fabric/faults.hpp"
#include "formats/lines.hpp"

namespace banyan::cli {
namespace {

class Fail {
 public:
  static std::vector<AnswerInfo> answers() {
    return {answer<ask::FailAnswer>(), answer<ask::SweepAnswer>("sweep")};
  }

  void declare(Arguments& arguments) {
    routed_.declare(arguments);
    traffic_.declare(arguments);
    options_.declare(arguments);
    arguments.file("--against", against_, "TABLES",
                   "compare with these tables, or with this engine, on the fabric as it is: nothing fails");
    arguments.threads(threads_);
    arguments.json(as_json_);
  }

  Exit run() const {
    const ask::FailOptions options = options_.read();
    const bool sweeps = options.sweep != ask::Sweep::none;
    if (sweeps && (traffic_.is_given() || options_.has("samples") || options_.has("rails-policy") ||
                   options_.has("stripe") || options_.has("processes")))
      throw InputError(
          "--sweep counts destinations per channel and lays no traffic: expected no --traffic, --ranks, "
          "--placement, --job, --samples, --rails-policy, --stripe or --processes");
    if (!against_.empty()) return compare(options);
    if (!sweeps && routed_.fabric.without.empty())
      throw InputError("nothing fails: give --without, --sweep links, switches or pairs, or --against");
    RoutedArgument whole = routed_;
    whole.fabric.without.clear();
    ask::RoutedFabric made = whole.open();
    const Topology& before = made.loaded.topology;
    Topology after = before;
    after.fabric = fabric::without(before.fabric, routed_.fabric.without);
    if (made.router.is_chosen) made.router = router(routed_.options(), sweeps ? ask::damaged(after) : after);
    if (sweeps) return show(made.router, ask::sweep(situation(after), made.router, options), options);
    return show(made.router, ask::fail(situation(before), after, made.router, options), options);
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
    return out;
  }

  Exit compare(const ask::FailOptions& options) const {
    if (options.sweep != ask::Sweep::none) throw InputError("--against and --sweep: expected one of them");
    const ask::RoutedFabric made = routed_.open();
    if (const auto status = refused(made.result)) return *status;
    const ask::RoutingOptions against = others();
    const Topology& topology = made.loaded.topology;
    RouteResult other = NotApplicable{};
    if (against.tables.empty())
      other = ask::router(against, topology).route(topology);
    else
      other = routed_.open(against).result;
    if (const auto status = refused(other)) return *status;
    const ask::Result<ask::FailAnswer> found =
        ask::compare(situation(topology), std::get<Routing>(made.result), std::get<Routing>(other), options);
    return show(made.router, found, options);
  }

  ask::Situation situation(const Topology& topology) const {
    ask::Situation out = traffic_.situation(topology, nullptr, routed_.seed());
    out.threads = threads_;
    return out;
  }

  template <class Answer>
  Exit show(const ask::FabricRouter& router, const ask::Result<Answer>& result,
            const ask::FailOptions& options) const {
    if (const auto status = refused(result)) return *status;
    const auto& found = std::get<Answer>(result);
    ask::AnswerHead head = router.head();
    head.seed = routed_.seed();
    if (options.sweep == ask::Sweep::none) head.traffic = traffic_.text();
    as_json_ ? print_json(head, found) : print(router, found, options);
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
    row("all well", text(a.yes() && a.disconnected_pairs == 0), text(b.yes() && b.disconnected_pairs == 0));
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
  std::string against_;
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
