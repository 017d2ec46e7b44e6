// banyan fail: takes cables away, routes again, and says what that cost.
#include "ask/fail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/parallel.hpp"
#include "base/version.hpp"
#include "cli/engine_argument.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/traffic_argument.hpp"
#include "fabric/faults.hpp"

namespace banyan::cli {
namespace {

class Fail {
 public:
  using Answers = std::tuple<ask::FailAnswer, ask::SweepAnswer>;

  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    engine_.declare(arguments);
    traffic_.declare(arguments);
    arguments.value("--samples", samples_, "N", "of a random traffic (default 1000)");
    arguments.value("--sweep", sweep_, "WHAT",
                    "take every cable away in turn, the dearest first: links (between switches) or all; or "
                    "every one of the switches");
    arguments.value("--top", top_, "N", "how many of a sweep are printed (default 10)");
    arguments.value("--threads", threads_, "N", "threads (default: all cores)");
    arguments.flag("--json", as_json_, "for machines");
  }

  Exit run() const {
    ask::Sweep which{};
    if (!sweep_.empty()) read_option_value("--sweep", sweep_, which);
    if (!sweep_.empty() && (traffic_.is_given() || samples_ > 0))
      throw InputError(
          "--sweep counts destinations per channel and lays no traffic: expected no --traffic, --ranks, "
          "--placement, --job or --samples");
    if (sweep_.empty() && fabric_.without.empty())
      throw InputError("nothing fails: give --without, --sweep links or --sweep switches");
    FabricArgument whole = fabric_;
    whole.without.clear();
    const Topology before = load(whole).topology;
    tell_remark(before);
    Topology after = before;
    after.fabric = fabric::without(before.fabric, fabric_.without);
    const PluginText engine = engine_.text();
    if (!sweep_.empty()) return show(ask::sweep(situation(after), engine, which));
    return show(ask::fail(situation(before), after, {engine, samples_ ? samples_ : 1000}));
  }

 private:
  ask::Situation situation(const Topology& topology) const {
    ask::Situation out = traffic_.situation(topology, nullptr, engine_.drawing_seed());
    out.threads = threads_ ? threads_ : default_threads();
    return out;
  }

  template <class Answer>
  Exit show(const ask::Result<Answer>& result) const {
    if (const auto* reason = std::get_if<NotApplicable>(&result)) return refuse(*reason);
    const auto& answer = std::get<Answer>(result);
    as_json_ ? write(answer) : print(answer);
    return is_yes(answer) ? Exit::done : Exit::verdict_no;
  }

  static bool is_yes(const ask::FailAnswer& answer) { return answer.after.verdict.yes(); }
  static bool is_yes(const ask::SweepAnswer& answer) { return answer.all_yes(); }

  void write(const auto& answer) const {
    JsonWriter json(std::cout);
    json.begin_object().field("version", version()).field("seed", engine_.drawing_seed());
    json.field("engine", engine_.engine);
    if (sweep_.empty()) json.field("traffic", traffic_.text());
    ask::write_fields(json, answer);
    json.end_object();
  }

  void print(const ask::FailAnswer& answer) const {
    const u64 taken = answer.links_taken;
    std::cout << fmt::format("{} without {} cable{}\n", engine_.engine, taken, taken == 1 ? "" : "s");
    if (answer.entries_changed)
      std::cout << fmt::format("  entries changed  {} of {}, {:.3f} %\n", *answer.entries_changed,
                               *answer.entries,
                               100 * static_cast<double>(*answer.entries_changed) /
                                   static_cast<double>(std::max<u64>(*answer.entries, 1)));
    const ask::FailAnswer::Side &x = answer.before, &y = answer.after;
    const Verdict &a = x.verdict, &b = y.verdict;
    std::cout << fmt::format("  pairs lost       {} of {}\n\n", answer.pairs_lost, a.pairs - a.failing_pairs);
    const auto row = [](std::string_view what, const auto& before, const auto& after) {
      std::cout << fmt::format("{:<34}{:>12}{:>12}\n", what, before, after);
    };
    const auto text = [](const Verdict& v) { return v.yes() ? "yes" : "no"; };
    row("", "before", "after");
    row("all well", text(a), text(b));
    row("average path", fmt::format("{:.4f}", a.average_path), fmt::format("{:.4f}", b.average_path));
    row("longest path", a.longest_path, b.longest_path);
    row("destinations per channel, most", a.max_destinations_per_channel, b.max_destinations_per_channel);
    row("  on a channel down", a.max_destinations_per_down_channel, b.max_destinations_per_down_channel);
    row("idle channels between switches", a.idle_channels, b.idle_channels);
    if (y.undelivered > 0) row(fmt::format("flows lost, of {}", y.flows), x.undelivered, y.undelivered);
    row(fmt::format("maximum load, {}", traffic_.text()), fmt::format("{:.4g}", x.max_load.mean),
        fmt::format("{:.4g}", y.max_load.mean));
    if (!b.counterexample.empty()) std::cout << fmt::format("\n{}\n", b.counterexample);
  }

  void print(const ask::SweepAnswer& answer) const {
    const std::string what = sweep_ == "switches" ? "switch" : "cable";
    std::cout << fmt::format(
        "{} without each of {} {}, the dearest first; with all of them {} destinations per channel\n\n",
        engine_.engine, answer.cables.size(), what == "switch" ? "switches" : "cables",
        answer.before.max_destinations_per_channel);
    std::cout << fmt::format("{:>12}{:>14}{:>8}{:>18}  {}\n", "pairs lost", "per channel", "down",
                             "entries changed", what);
    for (std::size_t i = 0; i < std::min<std::size_t>(top_, answer.cables.size()); ++i) {
      const auto& [name, cost, refused] = answer.cables[i];
      if (cost)
        std::cout << fmt::format("{:>12}{:>14}{:>8}{:>18}  {}{}\n", cost->pairs_lost,
                                 cost->max_destinations_per_channel, cost->max_destinations_per_down_channel,
                                 cost->entries_changed, name, cost->yes ? "" : "; the verdict is no");
      else
        std::cout << fmt::format("{:>52}  {}: {}\n", "not applicable", name, *refused);
    }
  }

  FabricArgument fabric_;
  EngineArgument engine_;
  TrafficArgument traffic_{"permutation"};
  std::string sweep_;
  u32 samples_ = 0, top_ = 10, threads_ = 0;
  bool as_json_ = false;
};

}  // namespace

Verb fail_verb() {
  return make_verb<Fail>(
      "fail", "Takes cables or switches away, routes again, and says what changed",
      "banyan fail 'PGFT(3; 18,18,6; 1,18,3; 1,1,6)' --without links=30,seed=7 --engine dmodc");
}

}  // namespace banyan::cli
