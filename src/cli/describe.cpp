// banyan describe: what a fabric is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "base/error.hpp"
#include "base/json_writer.hpp"
#include "base/parallel.hpp"
#include "base/version.hpp"
#include "cli/fabric_argument.hpp"
#include "fabric/names.hpp"
#include "topology/properties.hpp"

namespace banyan {
namespace {

constexpr std::size_t most_listed = 20;  // cables in the text; the JSON has them all

std::string yes_no(const std::optional<bool>& value) {
  return value ? (*value ? "yes" : "no") : "does not apply";
}

void line(std::string_view key, const std::string& value, int width = 20) {
  std::cout << fmt::format("  {:<{}}{}\n", key, width, value);
}

// A node of the raw fabric; where none stands at a place of the shape, what it would be.
std::string name_or_place(const Fabric& raw, Node node, const Fabric& ideal, Node place) {
  return node == none<Node> ? std::string(ideal.is_switch(place) ? "(a switch that is not there)"
                                                                 : "(a host that is not there)")
                            : raw.name(node);
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
    if (!loaded.topology.remark.empty()) std::cerr << "banyan: " << loaded.topology.remark << '\n';
    if (!pair_.empty())
      describe_pair(loaded.topology);
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
      if (loaded.recognition) write_recognition(json, loaded);
      json.end_object();
      return;
    }
    print(p);
    if (loaded.recognition) print_recognition(loaded);
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

  static void print_recognition(const Loaded& loaded) {
    if (const auto* failed = std::get_if<Unrecognised>(&*loaded.recognition)) {
      std::cout << "No shape was recognised: " << failed->why << '\n';
      return;
    }
    const auto& r = std::get<Recognition>(*loaded.recognition);
    const Fabric& raw = *loaded.raw;
    const Fabric ideal = build(r.candidate.shape, r.candidate.planes).fabric;
    std::cout << "Recognised from its cables.\n";
    list("Missing cables", r.missing.size(), [&](std::size_t i) {
      const MissingCable& cable = r.missing[i];
      return name_or_place(raw, cable.raw_a, ideal, cable.ideal_a) + " - " +
             name_or_place(raw, cable.raw_b, ideal, cable.ideal_b);
    });
    list("Wrong cables", r.wrong.size(), [&](std::size_t i) { return cable_name(raw, r.wrong[i]); });
    list("Nodes without a place", r.undecided.size(),
         [&](std::size_t i) { return raw.name(r.undecided[i]); });
    list("Not decided", r.doubts.size(), [&](std::size_t i) { return r.doubts[i]; });
  }

  static void list(std::string_view title, std::size_t count, auto&& item) {
    if (count == 0) return;
    std::cout << fmt::format("{} ({}):\n", title, count);
    for (std::size_t i = 0; i < std::min(count, most_listed); ++i) std::cout << "  " << item(i) << '\n';
    if (count > most_listed)
      std::cout << fmt::format("  ... and {} more; --json lists them all\n", count - most_listed);
  }

  static void write_recognition(JsonWriter& json, const Loaded& loaded) {
    const auto* r = std::get_if<Recognition>(&*loaded.recognition);
    json.field("recognised", r != nullptr);
    if (!r) {
      json.field("unrecognised_because", std::get<Unrecognised>(*loaded.recognition).why);
      return;
    }
    const Fabric& raw = *loaded.raw;
    const Fabric ideal = build(r->candidate.shape, r->candidate.planes).fabric;
    json.key("missing_cables").begin_array();
    for (const MissingCable& cable : r->missing)
      json.value(std::vector<std::string>{name_or_place(raw, cable.raw_a, ideal, cable.ideal_a),
                                          name_or_place(raw, cable.raw_b, ideal, cable.ideal_b)});
    json.end_array().key("wrong_cables").begin_array();
    for (const Link& link : r->wrong)
      json.value(std::vector<std::string>{port_name(raw, link.a), port_name(raw, link.b)});
    json.end_array().key("undecided").begin_array();
    for (Node v : r->undecided) json.value(raw.name(v));
    json.end_array().field("doubts", r->doubts);
  }

  void describe_pair(const Topology& t) const {
    const Host a = find_host(t.fabric, pair_[0]), b = find_host(t.fabric, pair_[1]);
    if (rail_ >= t.fabric.rails())
      throw InputError(fmt::format("there is no rail {}: they are 0 to {}", rail_, t.fabric.rails() - 1));
    const PairProperties p = pair_properties(t, a, b, rail_);
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

}  // namespace banyan
