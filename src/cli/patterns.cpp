// banyan patterns: the traffic patterns, collectives and placements there are, and what one of them sends.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <optional>

#include "base/json_writer.hpp"
#include "base/version.hpp"
#include "cli/counted.hpp"
#include "cli/fabric_argument.hpp"
#include "cli/plugin_list.hpp"
#include "cli/verb.hpp"
#include "traffic/jobs.hpp"
#include "traffic/pattern.hpp"
#include "traffic/placement.hpp"

namespace banyan::cli {
namespace {

constexpr int name_width = 20;

void list_all_json() {
  JsonWriter json(std::cout);
  json.begin_object().field("version", version()).field("seed", 0);
  for (const bool collective : {false, true}) {
    json.key(collective ? "collectives" : "patterns").begin_array();
    for (const Pattern& pattern : patterns())
      if (pattern.is_collective == collective)
        write_plugin(json, pattern, [&] { json.field("aliases", pattern.aliases); });
    json.end_array();
  }
  json.key("placements").begin_array();
  for (const PlacementRule& rule : placement_rules()) write_plugin(json, rule);
  json.end_array().end_object();
}

void print_pattern(const Pattern& pattern) {
  print_plugin(std::cout, pattern, name_width);
  if (!pattern.aliases.empty())
    std::cout << fmt::format("{:<{}}  also called {}\n", "", name_width, fmt::join(pattern.aliases, ", "));
}

void list_all_text() {
  std::cout << "Patterns\n\n";
  for (const Pattern& pattern : patterns())
    if (!pattern.is_collective) print_pattern(pattern);
  std::cout << "\nCollectives, in bytes\n\n";
  for (const Pattern& pattern : patterns())
    if (pattern.is_collective) print_pattern(pattern);
  std::cout << "\nPlacements of ranks on hosts\n\n";
  for (const PlacementRule& rule : placement_rules()) print_plugin(std::cout, rule, name_width);
  std::cout << "\nOptions are written behind the name: allreduce:bytes=4096,algorithm=ring, or shift:3 for "
               "the first "
               "one.\n'banyan patterns allreduce --ranks 8' shows what is sent.\n";
}

std::vector<Flow> flows_of(const Job& job, u64 seed, u64 sample, u64 round) {
  std::vector<Demand> demands;
  job.traffic.list(seed, sample, round, demands);
  std::vector<Flow> out;
  append_flows(demands, job.placement, out);
  return out;
}

// Several jobs at once, on hosts.
void jobs_json(const std::vector<Job>& jobs, const Fabric& fabric, u64 seed, u64 sample) {
  JsonWriter json(std::cout);
  json.begin_object().field("version", version()).field("seed", seed).field("sample", sample);
  json.key("jobs").begin_array();
  for (const Job& job : jobs) {
    std::vector<std::string> names;
    for (const Host host : job.placement) names.push_back(fabric.host_name(host));
    json.begin_object().field("ranks", job.traffic.ranks).field("in_bytes", job.traffic.in_bytes);
    json.field("hosts", names).end_object();
  }
  json.end_array().key("rounds").begin_array();
  const Job all = together(jobs, ShorterJobs::repeat);
  for (u64 round = 0; round < all.traffic.rounds; ++round) {
    json.begin_array();
    for (const Flow& flow : flows_of(all, seed, sample, round))
      json.begin_array().value(index(flow.from)).value(index(flow.to)).value(flow.demand).end_array();
    json.end_array();
  }
  json.end_array().end_object();
}

void jobs_text(const std::vector<Job>& jobs, const Fabric& fabric, u64 seed, u64 sample) {
  const auto name = [&](Nic nic) { return fabric.host_name(fabric.host(nic)); };
  const Job all = together(jobs, ShorterJobs::repeat);
  for (u64 round = 0; round < all.traffic.rounds; ++round) {
    const std::vector<Flow> flows = flows_of(all, seed, sample, round);
    std::cout << fmt::format("round {}: {}\n", round, counted(flows.size(), "flow"));
    for (const Flow& flow : flows)
      std::cout << fmt::format("  {} -> {}  {}\n", name(flow.from), name(flow.to), flow.demand);
  }
}

struct Patterns {
  std::string pattern, fabric, placement;
  std::vector<std::string> jobs;
  u32 ranks = 0, seed = 1, sample = 0;
  bool as_json = false;

  void declare(Arguments& arguments) {
    arguments.optional("PATTERN", pattern, "show what this one sends, round by round");
    arguments.value("--ranks", ranks, "N", "how many; as many as hosts if there is a fabric");
    arguments.value("--fabric", fabric, "FABRIC", "which adversarial patterns and placements need");
    arguments.value("--placement", placement, "P", "name hosts instead of ranks");
    arguments.values("--job", jobs, "JOB",
                     "instead of PATTERN, jobs at once: 'ranks=14; traffic=ring; placement=clustered:0.8'");
    arguments.value("--seed", seed, "S", "of random patterns and placements (default 1)");
    arguments.value("--sample", sample, "I", "of a random pattern (default 0)");
    arguments.json(as_json);
  }

  Exit run() const {
    if (!jobs.empty()) return run_jobs();
    if (pattern.empty()) {
      as_json ? list_all_json() : list_all_text();
      return Exit::done;
    }
    if (ranks == 0 && fabric.empty())
      throw InputError(
          fmt::format("{}: how many ranks? give --ranks N, such as --ranks 8, or --fabric FABRIC", pattern));
    if (!placement.empty() && fabric.empty()) throw InputError("--placement needs --fabric FABRIC");
    const Topology topology =
        fabric.empty() ? make_topology(fmt::format("XGFT(1; {}; 1)", ranks)) : load({fabric, {}}).topology;
    const u32 n = ranks == 0 ? static_cast<u32>(traffic_hosts(topology.fabric).size()) : ranks;
    const Traffic traffic = make_traffic({topology, n}, pattern);
    std::optional<Placement> hosts;
    if (!placement.empty()) hosts = place(topology.fabric, n, seed, placement);
    as_json ? print_json(traffic, hosts, topology.fabric) : print_text(traffic, hosts, topology.fabric);
    return Exit::done;
  }

  Exit run_jobs() const {
    if (fabric.empty()) throw InputError("--job needs --fabric FABRIC");
    if (!pattern.empty()) throw InputError("expected PATTERN or --job, not both");
    const Topology topology = load({fabric, {}}).topology;
    (as_json ? jobs_json : jobs_text)(make_jobs(topology, jobs, seed), topology.fabric, seed, sample);
    return Exit::done;
  }

  void print_json(const Traffic& traffic, const std::optional<Placement>& hosts, const Fabric& nodes) const;
  void print_text(const Traffic& traffic, const std::optional<Placement>& hosts, const Fabric& nodes) const;
};

void Patterns::print_json(const Traffic& traffic, const std::optional<Placement>& hosts,
                          const Fabric& nodes) const {
  JsonWriter json(std::cout);
  json.begin_object().field("version", version()).field("seed", seed);
  json.field("pattern", with_own_name(pattern))
      .field("ranks", traffic.ranks)
      .field("in_bytes", traffic.in_bytes);
  json.field("random", traffic.is_random).field("sample", sample);
  if (!traffic.algorithm.empty()) json.field("algorithm", traffic.algorithm);
  if (hosts) {
    std::vector<std::string> names;
    for (const Host host : *hosts) names.push_back(nodes.host_name(host));
    json.field("hosts", names);
  }
  json.key("rounds").begin_array();
  std::vector<Demand> demands;
  for (u64 round = 0; round < traffic.rounds; ++round) {
    demands.clear();
    traffic.list(seed, sample, round, demands);
    json.begin_array();
    for (const Demand& demand : demands)
      json.begin_array().value(index(demand.from)).value(index(demand.to)).value(demand.amount).end_array();
    json.end_array();
  }
  json.end_array().end_object();
}

void Patterns::print_text(const Traffic& traffic, const std::optional<Placement>& hosts,
                          const Fabric& nodes) const {
  const auto name = [&](Rank rank) {
    return hosts ? nodes.host_name((*hosts)[rank]) : std::to_string(index(rank));
  };
  std::cout << fmt::format("{}: {}, {}", with_own_name(pattern), counted(traffic.ranks, "rank"),
                           counted(traffic.rounds, "round"));
  if (!traffic.algorithm.empty()) std::cout << fmt::format(", algorithm {}", traffic.algorithm);
  std::cout << (traffic.in_bytes ? ", amounts in bytes\n" : "\n");
  std::vector<Demand> demands;
  for (u64 round = 0; round < traffic.rounds; ++round) {
    demands.clear();
    traffic.list(seed, sample, round, demands);
    std::cout << fmt::format("round {}: {}\n", round, counted(demands.size(), "demand"));
    for (const Demand& demand : demands)
      std::cout << fmt::format("  {} -> {}  {}\n", name(demand.from), name(demand.to), demand.amount);
  }
}

}  // namespace

Verb patterns_verb() {
  return make_verb<Patterns>("patterns", "Traffic patterns, collectives and placements; what one sends",
                             "banyan patterns allreduce:bytes=4096,algorithm=ring --ranks 4");
}

}  // namespace banyan::cli
