// banyan fail: takes cables away, routes again, and says what that cost.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <tuple>

#include "base/error.hpp"
#include "base/version.hpp"
#include "cli/engine_argument.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/traffic_argument.hpp"
#include "cli/verdict_output.hpp"
#include "fabric/faults.hpp"
#include "fabric/names.hpp"
#include "flow/load_study.hpp"
#include "routing/table_form.hpp"
#include "verify/change_judge.hpp"
#include "verify/levels.hpp"

namespace banyan::cli {
namespace {

// A routing, what the judge says of it, and its tables if it can have any.
struct Routed {
  std::optional<Routing> routing;
  Verdict verdict;
  std::optional<Tables> tables;
  std::optional<NotApplicable> refused;  // then the rest means nothing
  LoadStudy load = {};                   // of the traffic that was asked about

  u64 arriving() const { return verdict.pairs - verdict.failing_pairs; }
};

Routed judged(const Topology& topology, RouteResult result, unsigned threads) {
  if (const auto* reason = std::get_if<NotApplicable>(&result)) return {{}, {}, {}, *reason};
  Routed out{std::move(std::get<Routing>(result)), {}, {}, {}};
  out.verdict = judge(topology.fabric, *out.routing, {threads, levels(topology)});
  out.verdict.certificate.reset();
  const RouteResult form = tables_of(topology, *out.routing, {~u64{0}, AddressLimits{}.lmc});
  if (const auto* tabled = std::get_if<Routing>(&form)) out.tables = std::get<Tables>(tabled->forward);
  return out;
}

// Entries that differ; none when one of the two has no tables, or they are for other addresses.
std::optional<u64> entries_changed(const std::optional<Tables>& before, const std::optional<Tables>& after) {
  if (!before || !after || before->addresses() != after->addresses()) return std::nullopt;
  u64 changed = 0;
  for (u32 a = 0; a < before->addresses(); ++a) {
    const auto x = before->towards(Address{a}), y = after->towards(Address{a});
    for (std::size_t v = 0; v < x.size(); ++v) changed += x[v] != y[v];
  }
  return changed;
}

u64 entries(const Tables& tables) {
  return tables.addresses() == 0 ? 0 : tables.addresses() * tables.towards(Address{0}).size();
}

u64 pairs_lost(const Routed& before, u64 arriving) {
  return before.arriving() - std::min(before.arriving(), arriving);
}

// What one cable costs.
struct Cost {
  Link cable;
  std::string refused;  // why it cannot be routed without it; empty: it can
  bool yes = false;
  u64 pairs_lost = 0, entries_changed = 0;
  u32 maximum = 0, max_down = 0;  // destinations per channel

  auto rank() const { return std::tuple(!refused.empty(), !yes, pairs_lost, maximum, entries_changed); }
};

class Fail {
 public:
  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    engine_.declare(arguments);
    traffic_.declare(arguments);
    arguments.value("--samples", samples_, "N", "of a random traffic (default 1000)");
    arguments.value("--sweep", sweep_, "WHAT",
                    "take every cable away in turn, the dearest first: links (between switches) or all");
    arguments.value("--top", top_, "N", "how many cables of a sweep are printed (default 10)");
    arguments.value("--threads", threads_, "N", "threads (default: all cores)");
    arguments.flag("--json", as_json_, "for machines");
  }

  Exit run() const {
    if (!sweep_.empty() && sweep_ != "links" && sweep_ != "all")
      throw InputError(fmt::format("--sweep must be links or all, not '{}'", sweep_));
    if (!sweep_.empty() && (traffic_.is_given() || samples_ > 0))
      throw InputError(
          "--sweep counts destinations per channel and lays no traffic: expected no --traffic, --ranks, "
          "--placement, --job or --samples");
    if (sweep_.empty() && fabric_.without.empty())
      throw InputError("nothing fails: give --without, or --sweep links");
    FabricArgument whole = fabric_;
    whole.without.clear();
    const Topology before = load(whole).topology;
    tell_remark(before);
    Topology after = before;
    after.fabric = fabric::without(before.fabric, fabric_.without);
    return sweep_.empty() ? compare(before, after) : sweep(after);
  }

 private:
  unsigned threads() const { return threads_ ? threads_ : default_threads(); }

  Exit compare(const Topology& before, const Topology& after) const {
    Routed x = judged(before, engine_.route(before), threads());
    if (x.refused) return refuse(*x.refused);
    Routed y = judged(after, engine_.route(after), threads());
    if (y.refused) return refuse(*y.refused);
    x.load = load_of(before, *x.routing);
    y.load = load_of(after, *y.routing);
    const u64 taken = before.fabric.links() - after.fabric.links();
    if (as_json_)
      write(taken, x, y);
    else
      print(taken, x, y);
    return y.verdict.yes() ? Exit::done : Exit::verdict_no;
  }

  LoadStudy load_of(const Topology& topology, const Routing& routing) const {
    const Job job = traffic_.job(topology, engine_.drawing_seed());
    const LoadSampler sampler(topology, routing, job.traffic, job.placement);
    return study_loads(
        sampler,
        {.samples = samples_ ? samples_ : 1000, .seed = engine_.drawing_seed(), .threads = threads()});
  }

  void begin(JsonWriter& json) const {
    json.begin_object().field("version", version()).field("seed", engine_.drawing_seed());
    json.field("engine", engine_.engine);
  }

  void write(u64 taken, const Routed& x, const Routed& y) const {
    JsonWriter json(std::cout);
    begin(json);
    json.field("traffic", traffic_.text());
    json.field("links_taken", taken).field("pairs_lost", pairs_lost(x, y.arriving()));
    if (const auto changed = entries_changed(x.tables, y.tables))
      json.field("entries", entries(*x.tables)).field("entries_changed", *changed);
    for (const auto& [key, routed] : {std::pair("before", &x), std::pair("after", &y)}) {
      json.key(key).begin_object();
      write_verdict(json, routed->verdict);
      json.field("mean_max_load", routed->load.max_load.mean).field("worst_max_load", routed->load.worst);
      json.field("flows", routed->load.flows).field("undelivered", routed->load.undelivered).end_object();
    }
    json.end_object();
  }

  void print(u64 taken, const Routed& x, const Routed& y) const {
    std::cout << fmt::format("{} without {} cable{}\n", engine_.engine, taken, taken == 1 ? "" : "s");
    if (const auto changed = entries_changed(x.tables, y.tables)) {
      const u64 all = entries(*x.tables);
      std::cout << fmt::format(
          "  entries changed  {} of {}, {:.3f} %\n", *changed, all,
          100 * static_cast<double>(*changed) / static_cast<double>(std::max<u64>(all, 1)));
    }
    std::cout << fmt::format("  pairs lost       {} of {}\n\n", pairs_lost(x, y.arriving()), x.arriving());
    const auto row = [](std::string_view what, const auto& a, const auto& b) {
      std::cout << fmt::format("{:<34}{:>12}{:>12}\n", what, a, b);
    };
    const auto text = [](const Verdict& v) { return v.yes() ? "yes" : "no"; };
    const Verdict &a = x.verdict, &b = y.verdict;
    row("", "before", "after");
    row("all well", text(a), text(b));
    row("average path", fmt::format("{:.4f}", a.average_path), fmt::format("{:.4f}", b.average_path));
    row("longest path", a.longest_path, b.longest_path);
    row("destinations per channel, most", a.max_destinations_per_channel, b.max_destinations_per_channel);
    row("  on a channel down", a.max_destinations_per_down_channel, b.max_destinations_per_down_channel);
    row("idle channels between switches", a.idle_channels, b.idle_channels);
    if (y.load.undelivered > 0)
      row(fmt::format("flows lost, of {}", y.load.flows), x.load.undelivered, y.load.undelivered);
    row(fmt::format("maximum load, {}", traffic_.text()), fmt::format("{:.4g}", x.load.max_load.mean),
        fmt::format("{:.4g}", y.load.max_load.mean));
    if (!b.counterexample.empty()) std::cout << fmt::format("\n{}\n", b.counterexample);
  }

  // --- every cable in turn ---

  Exit sweep(const Topology& whole) const {
    const Routed before = judged(whole, engine_.route(whole), threads());
    if (before.refused) return refuse(*before.refused);
    const ChangeJudge change(whole.fabric, *before.routing, {threads(), levels(whole)});
    std::vector<Cost> costs;
    whole.fabric.each_link([&](const Link& cable) {
      const bool at_host = !whole.fabric.is_switch(whole.fabric.from(cable.a)) ||
                           !whole.fabric.is_switch(whole.fabric.from(cable.b));
      if (sweep_ == "all" || !at_host) costs.push_back({cable, {}});
    });
    Progress progress("cables", costs.size());
    parallel_for(
        costs.size(), threads(), [&](u64 i) { costs[i] = cost(whole, before, change, costs[i].cable); },
        &progress);
    std::stable_sort(costs.begin(), costs.end(),
                     [](const Cost& a, const Cost& b) { return a.rank() > b.rank(); });
    if (as_json_)
      write(whole.fabric, before, costs);
    else
      print(whole.fabric, before, costs);
    return std::all_of(costs.begin(), costs.end(), [](const Cost& c) { return c.refused.empty() && c.yes; })
               ? Exit::done
               : Exit::verdict_no;
  }

  // By less work than routing and judging anew, where that says the same.
  Cost cost(const Topology& whole, const Routed& before, const ChangeJudge& change, const Link& cable) const {
    Topology rest = whole;
    rest.fabric = fabric::without(whole.fabric, std::vector<Link>{cable});
    RouteResult result = engine_.reroute(*before.routing, whole, rest);
    if (const auto* reason = std::get_if<NotApplicable>(&result)) return {cable, reason->why};
    if (const auto quick = change.after(rest.fabric, std::get<Routing>(result), levels(rest))) {
      const u64 changed =
          entries_changed(before.tables, std::get<Tables>(std::get<Routing>(result).forward)).value_or(0);
      return {cable,
              {},
              quick->yes,
              pairs_lost(before, quick->arriving),
              changed,
              quick->max_destinations_per_channel,
              quick->max_destinations_per_down_channel};
    }
    const Routed after = judged(rest, std::move(result), 1);
    return {cable,
            {},
            after.verdict.yes(),
            pairs_lost(before, after.arriving()),
            entries_changed(before.tables, after.tables).value_or(0),
            after.verdict.max_destinations_per_channel,
            after.verdict.max_destinations_per_down_channel};
  }

  void write(const Fabric& fabric, const Routed& before, const std::vector<Cost>& costs) const {
    JsonWriter json(std::cout);
    begin(json);
    json.key("before").begin_object();
    write_verdict(json, before.verdict);
    json.end_object().key("cables").begin_array();
    for (const Cost& c : costs) {
      json.begin_object().field("cable", cable_name(fabric, c.cable));
      if (c.refused.empty())
        json.field("verdict", c.yes)
            .field("pairs_lost", c.pairs_lost)
            .field("max_destinations_per_channel", c.maximum)
            .field("max_destinations_per_down_channel", c.max_down)
            .field("entries_changed", c.entries_changed);
      else
        json.field("not_applicable", c.refused);
      json.end_object();
    }
    json.end_array().end_object();
  }

  void print(const Fabric& fabric, const Routed& before, const std::vector<Cost>& costs) const {
    std::cout << fmt::format(
        "{} without each of {} cables, the dearest first; with all of them {} destinations per channel\n\n",
        engine_.engine, costs.size(), before.verdict.max_destinations_per_channel);
    std::cout << fmt::format("{:>12}{:>14}{:>8}{:>18}  cable\n", "pairs lost", "per channel", "down",
                             "entries changed");
    for (std::size_t i = 0; i < std::min<std::size_t>(top_, costs.size()); ++i) {
      const Cost& c = costs[i];
      const std::string name = cable_name(fabric, c.cable);
      if (c.refused.empty())
        std::cout << fmt::format("{:>12}{:>14}{:>8}{:>18}  {}{}\n", c.pairs_lost, c.maximum, c.max_down,
                                 c.entries_changed, name, c.yes ? "" : "; the verdict is no");
      else
        std::cout << fmt::format("{:>52}  {}: {}\n", "not applicable", name, c.refused);
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
