// banyan describe: what a fabric is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "base/error.hpp"
#include "base/json_writer.hpp"
#include "base/parallel.hpp"
#include "base/version.hpp"
#include "cli/recognition_report.hpp"
#include "fabric/names.hpp"
#include "topology/properties.hpp"

namespace banyan::cli {
namespace {

std::string yes_no(const std::optional<bool>& value) {
  return value ? (*value ? "yes" : "no") : "does not apply";
}

void line(std::string_view key, const std::string& value, int width = 20) {
  std::cout << fmt::format("  {:<{}}{}\n", key, width, value);
}

class Describe {
 public:
  void declare(Arguments& arguments) {
    fabric_.declare(arguments);
    arguments.pair("--pair", pair_, "A B",
                   "two hosts, by number or name: where they meet and how far apart they are");
    arguments.value("--rail", rail_, "R", "the rail for --pair (default 0)");
    arguments.value("--threads", threads_, "N", "threads for searches (default: all cores)");
    arguments.flag("--json", as_json_, "for machines");
  }

  Exit run() const {
    const Loaded loaded = load(fabric_);
    tell_remark(loaded.topology);
    if (!pair_.empty())
      describe_pair(loaded);
    else
      describe_fabric(loaded, properties(loaded.topology, threads_, loaded.raw ? &*loaded.raw : nullptr));
    return Exit::done;
  }

 private:
  void describe_fabric(const Loaded& loaded, const Properties& p) const {
    if (as_json_) {
      JsonWriter json(std::cout);
      json.begin_object().field("version", version()).field("seed", 0);
      write(json, p);
      json.field("without", fabric_.without);
      if (loaded.recognition) RecognitionReport(loaded).write(json);
      json.end_object();
      return;
    }
    print(p);
    if (loaded.recognition) RecognitionReport(loaded).print();
  }

  static void print(const Properties& p) {
    std::cout << (p.notation.empty() ? "an irregular fabric" : p.notation) << '\n';
    line("family", p.family);
    line("hosts", fmt::format("{}{}", p.hosts,
                              p.rails > 1 ? fmt::format(" on {} rails, {} NICs", p.rails, p.nics) : ""));
    line("switches", p.switches_per_level.size() > 1
                         ? fmt::format("{} ({} by level, from the leaves)", p.switches,
                                       fmt::join(p.switches_per_level, " + "))
                         : fmt::format("{}", p.switches));
    line("switch ports", p.switch_ports_min == p.switch_ports_max
                             ? fmt::format("{}", p.switch_ports_max)
                             : fmt::format("{} to {}", p.switch_ports_min, p.switch_ports_max));
    line("links", fmt::format("{} ({} channels){}", p.links, p.channels,
                              p.missing_links ? fmt::format(", {} missing", p.missing_links) : ""));
    line("diameter",
         fmt::format("{} channels, {:.4g} on average", p.distances.diameter, p.distances.average));
    line("shortest paths", fmt::format("up to {} between two hosts", p.distances.shortest_paths_max));
    line("bisection", fmt::format("{} links{}, {:.1f} % of full", p.bisection.links,
                                  p.bisection.exact ? "" : " (best cut found)", 100 * p.bisection_ratio));
    if (p.distances.unreachable_pairs)
      line("unreachable",
           fmt::format("{} pairs of hosts cannot reach each other", p.distances.unreachable_pairs));
    if (!p.rlft) return;
    line("constant bisection", yes_no(p.constant_bisection));
    line("RLFT", yes_no(p.rlft));
    for (const std::string& why : p.rlft_failed) line("", why);
  }

  static void write(JsonWriter& json, const Properties& p) {
    json.field("notation", p.notation)
        .field("family", p.family)
        .field("rails", p.rails)
        .field("hosts", p.hosts);
    json.field("nics", p.nics)
        .field("switches", p.switches)
        .field("switches_per_level", p.switches_per_level);
    json.field("links", p.links).field("channels", p.channels);
    json.field("switch_ports_min", p.switch_ports_min).field("switch_ports_max", p.switch_ports_max);
    json.field("diameter", p.distances.diameter).field("average_distance", p.distances.average);
    json.field("bisection_links", p.bisection.links).field("bisection_ratio", p.bisection_ratio);
    json.field("bisection_exact", p.bisection.exact);
    json.key("constant_bisection");
    p.constant_bisection ? json.value(*p.constant_bisection) : json.null();
    json.key("rlft");
    p.rlft ? json.value(*p.rlft) : json.null();
    json.field("rlft_failed", p.rlft_failed).field("shortest_paths_max", p.distances.shortest_paths_max);
    json.field("missing_links", p.missing_links).field("unreachable_pairs", p.distances.unreachable_pairs);
  }

  void describe_pair(const Loaded& loaded) const {
    const Topology& t = loaded.topology;
    const Host a = find_host(t.fabric, pair_[0]), b = find_host(t.fabric, pair_[1]);
    if (rail_ >= t.fabric.rails())
      throw InputError(fmt::format("there is no rail {}: they are 0 to {}", rail_, t.fabric.rails() - 1));
    PairProperties p = pair_properties(t, a, b, rail_);
    if (loaded.is_undecided(t.fabric.host_name(a)) || loaded.is_undecided(t.fabric.host_name(b)))
      p.minimal_different_index.reset(), p.nearest_common_ancestors.clear();  // its digits are not known
    const bool reached = p.distance > 0 || a == b;
    std::vector<std::string> ancestors;
    for (Node v : p.nearest_common_ancestors) ancestors.push_back(t.fabric.name(v));
    if (!as_json_) {
      std::cout << fmt::format("{} and {}\n", t.fabric.host_name(a), t.fabric.host_name(b));
      constexpr int width = 25;
      line("distance", reached ? fmt::format("{} channels", p.distance) : "they cannot reach each other",
           width);
      line("shortest paths", fmt::format("{}", p.shortest_paths), width);
      if (p.minimal_different_index)
        line("minimal different index", fmt::format("{}", *p.minimal_different_index), width);
      if (!ancestors.empty())
        line("common ancestors", fmt::format("{}: {}", ancestors.size(), fmt::join(ancestors, " ")), width);
      return;
    }
    JsonWriter json(std::cout);
    json.begin_object().field("version", version()).field("seed", 0);
    json.field("a", t.fabric.host_name(a)).field("b", t.fabric.host_name(b)).field("rail", rail_);
    json.key("distance");
    reached ? json.value(p.distance) : json.null();
    json.field("shortest_paths", p.shortest_paths).key("minimal_different_index");
    p.minimal_different_index ? json.value(*p.minimal_different_index) : json.null();
    json.field("nearest_common_ancestors", ancestors).end_object();
  }

  FabricArgument fabric_;
  std::vector<std::string> pair_;
  u32 rail_ = 0, threads_ = default_threads();
  bool as_json_ = false;
};

}  // namespace

Verb describe_verb() {
  return make_verb<Describe>("describe",
                             "What a fabric is: counts, distances, bisection, family, missing cables",
                             "banyan describe 'PGFT(3; 18,18,6; 1,18,3; 1,1,6)'");
}

}  // namespace banyan::cli
