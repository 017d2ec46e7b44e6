#include "ask/assign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ask/hash_forecast.hpp"
#include "engines/engine.hpp"
#include "fabric/names.hpp"
#include "flow/bound.hpp"
#include "flow/host_cuts.hpp"
#include "flow/load_meter.hpp"
#include "flow/path_assignment.hpp"
#include "formats/host_addresses.hpp"
#include "routing/walk.hpp"
#include "traffic/placement.hpp"

namespace banyan::ask {
namespace {

constexpr u64 max_assigned_flows = 2'000'000;
constexpr u64 max_assigned_loads = u64{1} << 26;  // by round and channel
constexpr std::size_t max_assign_programs = 64;

class AssignQuestion {
 public:
  AssignQuestion(const Situation& at, const AssignOptions& options)
      : at_(at),
        options_(options),
        fabric_(at.topology.fabric),
        measure_(options.per_capacity ? Measure::per_capacity : Measure::demand),
        shortest_(shortest_port_sets(fabric_)),
        addresses_(options.addresses.empty() ? std::vector<u32>{}
                                             : open_ipv4_addresses(options.addresses, fabric_)) {}

  Result<AssignAnswer> answer() {
    if (auto reason = list_rounds()) return std::move(*reason);
    if (auto reason = find_unreachable()) return std::move(*reason);
    bound();
    if (auto reason = list_choices()) return std::move(*reason);
    u32 ways = 1;
    for (assign_with(ways); !out_.within_one && ways < options_.ways;)
      assign_with(ways = std::min(2 * ways, options_.ways));
    out_.optimal = is_least();
    compare();
    tell_paths();
    return std::move(out_);
  }

 private:
  // Rounds that are alike once.
  std::optional<NotApplicable> list_rounds() {
    const Job job = at_.job();
    std::vector<Demand> demands;
    u64 all = 0;
    for (u64 round = 0; round < job.traffic.rounds; ++round) {
      demands.clear();
      job.traffic.list(at_.seed, 0, round, demands);
      all += demands.size();
      if (all > max_assigned_flows)
        return NotApplicable{fmt::format(
            "assign lists every flow of every round, at most {}: expected fewer ranks", max_assigned_flows)};
      std::vector<Flow> flows;
      append_flows(demands, job.placement, flows);
      std::erase_if(flows, [](const Flow& flow) { return flow.from == flow.to || flow.demand <= 0; });
      if (rounds_.empty() || !are_alike(rounds_.back(), flows)) {
        rounds_.push_back(std::move(flows));
        times_.push_back(0);
      }
      ++times_.back();
    }
    out_.rounds = job.traffic.rounds;
    out_.in_bytes = job.traffic.in_bytes;
    connections_ = connections(rounds_);
    out_.connections = connections_.size();
    if (u64{rounds_.size()} * fabric_.channels().size() > max_assigned_loads)
      return NotApplicable{"assign keeps the loads of all rounds: expected fewer rounds or a smaller fabric"};
    return std::nullopt;
  }

  static bool are_alike(const std::vector<Flow>& a, const std::vector<Flow>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Flow& x, const Flow& y) {
      return x.from == y.from && x.to == y.to && x.demand == y.demand;
    });
  }

  std::optional<NotApplicable> find_unreachable() const {
    for (const FlowConnection& connection : connections_) {
      const u32 group = shortest_.group(connection.to);
      const auto distance = [&](Node node) {
        return index(node) < shortest_.first_node()
                   ? PortSets::far
                   : shortest_.distance(group, index(node) - shortest_.first_node());
      };
      bool reaches = false;
      if (group != PortSets::nobody)
        for (const Channel c : fabric_.channels(fabric_.node(connection.from)))
          reaches |= fabric_.cabled(c) && distance(fabric_.to(c)) != PortSets::far;
      if (!reaches)
        return NotApplicable{fmt::format("no cables lead from {} to {}",
                                         fabric_.name(fabric_.node(connection.from)),
                                         fabric_.name(fabric_.node(connection.to)))};
    }
    return std::nullopt;
  }

  double mean(const std::vector<double>& by_round) const {
    double sum = 0;
    for (std::size_t r = 0; r < by_round.size(); ++r) sum += times_[r] * by_round[r];
    return sum / static_cast<double>(std::max<u64>(1, out_.rounds));
  }

  void bound() {
    const std::vector<Host> hosts = traffic_hosts(fabric_);
    const HostCuts cuts(at_.topology, hosts, measure_);
    std::vector<u32> seats(hosts.size());
    for (u32 i = 0; i < seats.size(); ++i) seats[i] = i;
    bool has_optimum = optimum_has_formula(at_.topology) || rounds_.size() <= max_assign_programs;
    std::vector<double> least;
    for (const auto& flows : rounds_) {
      std::vector<Demand> demands;
      double largest = 0;
      for (const Flow& flow : flows) {
        demands.push_back({Rank{index(flow.from)}, Rank{index(flow.to)}, flow.demand});
        largest = std::max(largest, flow.demand);
      }
      bound_.push_back(cuts.bound(demands, seats));
      largest_.push_back(largest);
      if (!has_optimum) continue;
      const auto found = optimum(at_.topology, flows, {.measure = measure_});
      has_optimum = std::holds_alternative<double>(found);
      if (has_optimum) least.push_back(std::get<double>(found));
    }
    if (has_optimum) {
      bound_ = least;
      out_.optimum = mean(least);
    }
    out_.bound = mean(bound_);
  }

  void assign_with(u32 ways) {
    const AssignmentOptions options{measure_, ways, options_.passes, bound_, at_.seed, times_};
    const PathChoices choices =
        options_.hash == KnownHash::none ? PathChoices{} : [&](const FlowConnection& connection) {
          return choices_[static_cast<std::size_t>(&connection - connections_.data())];
        };
    Assignment found =
        assign_paths(fabric_, shortest_, connections_, static_cast<u32>(rounds_.size()), options, choices);
    const double load = found.mean_max_load;
    if (!assigned_.paths.empty() && load >= out_.max_load) return;
    assigned_ = std::move(found);
    out_.ways = ways;
    out_.max_load = load;
    out_.within_one = true;
    for (std::size_t r = 0; r < bound_.size(); ++r)
      out_.within_one &= assigned_.max_load[r] <= (bound_[r] + narrowest() * largest_[r]) * (1 + 1e-9);
  }

  // What a flow of 1 is at most on a channel.
  double narrowest() const {
    double out = 1;
    for (const LinkClass& link : fabric_.link_classes()) out = std::max(out, 1 / capacity(link, measure_));
    return measure_ == Measure::demand ? 1 : out;
  }

  bool is_least() const { return out_.max_load <= out_.bound * (1 + 1e-9); }

  FlowHash known_hash() const {
    return {static_cast<HashKind>(options_.hash), options_.seeds, options_.hash_seed};
  }

  std::optional<NotApplicable> list_choices() {
    if (options_.hash == KnownHash::none) return std::nullopt;
    for (const FlowConnection& connection : connections_) {
      choices_.push_back(port_choices(connection));
      if (choices_.back().empty())
        return NotApplicable{fmt::format("no source port leads from {} to {}",
                                         fabric_.name(fabric_.node(connection.from)),
                                         fabric_.name(fabric_.node(connection.to)))};
    }
    return std::nullopt;
  }

  // A source port for each path that some port leads along.
  std::vector<AssignedPath> port_choices(const FlowConnection& connection) const {
    const HashedNextHops forward(shortest_, addresses_);
    const FlowHash hash = known_hash();
    std::map<std::vector<Channel>, u32> found;
    constexpr u32 first = 49152, count = 16384;
    for (u32 i = 0; i < std::min(options_.ports, count); ++i) {
      std::vector<Channel> way;
      const Header header = hash.with_port(connection.from, connection.to, static_cast<u16>(first + i));
      const auto end = walk(fabric_, forward, fabric_.node(connection.from), header,
                            fabric_.node(connection.to), [&](Channel c) { way.push_back(c); });
      if (!end.lost()) found.emplace(std::move(way), first + i);
    }
    std::vector<AssignedPath> out;
    for (const auto& [way, port] : found) out.push_back({way, port});
    return out;
  }

  void compare() {
    const FlowHash hash = known_hash();
    auto ecmp = engines::route(at_.topology, fmt::format("ecmp:paths={},hash={},seeds={}", out_.ways,
                                                         option_text(hash.kind), option_text(hash.seeds)));
    if (options_.hashes > 0 && std::holds_alternative<Routing>(ecmp)) {
      std::get<Routing>(ecmp).forward = HashedNextHops(shortest_, addresses_);
      std::vector<std::vector<Flow>> rounds = rounds_;
      const bool is_even = std::equal(times_.begin() + 1, times_.end(), times_.begin());
      for (std::size_t r = 0; r < rounds_.size() && !is_even; ++r)  // as often as they are sent
        for (double time = 1; time < times_[r]; ++time) rounds.push_back(rounds_[r]);
      const std::vector<double> loads = max_loads(hash_loads(
          {at_.topology, std::get<Routing>(ecmp), rounds, measure_, options_.hashes, at_.seed, at_.threads},
          out_.ways));
      double sum = 0;
      for (const double load : loads) sum += load;
      out_.ecmp_max_load_mean = sum / static_cast<double>(loads.size());
      out_.ecmp_max_load_p99 = quantile(loads, 0.99);
    }
    out_.spray_max_load = load_of("spray");
    if (!at_.topology.is<Pgft>()) return;
    out_.umulti_max_load = load_of("umulti");
    out_.disjoint_max_load = load_of(fmt::format("disjoint:paths={}", out_.ways));
  }

  double load_of(const std::string& engine) const {
    const auto routed = engines::route(at_.topology, engine);
    if (!std::holds_alternative<Routing>(routed)) return unknown;
    const WayLister lister(fabric_, std::get<Routing>(routed));
    LoadMeter meter(lister, false, measure_);
    std::vector<double> found;
    for (const auto& flows : rounds_) {
      meter.measure(flows);
      if (meter.undelivered() > 0) return unknown;
      found.push_back(meter.max());
    }
    return mean(found);
  }

  void tell_paths() {
    for (std::size_t i = 0; i < connections_.size(); ++i)
      for (u32 way = 0; way < out_.ways; ++way) {
        const AssignedPath& path = assigned_.paths[i][way];
        AssignAnswer::Path out;
        out.from = fabric_.host_name(fabric_.host(connections_[i].from));
        out.to = fabric_.host_name(fabric_.host(connections_[i].to));
        out.way = way;
        out.share = 1.0 / out_.ways;
        if (options_.hash != KnownHash::none) out.source_port = path.label;
        for (const Channel c : path.channels) {
          out.names.push_back(fabric_.name(fabric_.from(c)));
          out.ports.push_back(index(fabric_.port(c)));
        }
        out.names.push_back(fabric_.name(fabric_.node(connections_[i].to)));
        out_.paths.push_back(std::move(out));
      }
  }

  const Situation& at_;
  const AssignOptions& options_;
  const Fabric& fabric_;
  const Measure measure_;
  const PortSets shortest_;
  const std::vector<u32> addresses_;  // by NIC; empty: as the hash has them
  std::vector<std::vector<Flow>> rounds_{};
  std::vector<double> times_{};  // by round: how often it is sent
  std::vector<double> bound_{}, largest_{};
  std::vector<FlowConnection> connections_{};
  std::vector<std::vector<AssignedPath>> choices_{};  // by connection, with a hash
  Assignment assigned_{};
  AssignAnswer out_{};
};

}  // namespace

Result<AssignAnswer> assign(const Situation& at, const AssignOptions& options) {
  if (options.ways == 0 || options.ways > 1024)
    throw InputError(fmt::format("--ways is {}; expected 1 to 1024", options.ways));
  if (options.passes == 0) throw InputError("--passes is 0; expected at least 1");
  if (options.ports == 0) throw InputError("--ports is 0; expected at least 1");
  if (!options.addresses.empty() && options.hash == KnownHash::none)
    throw InputError("--addresses is about --hash, which is missing");
  return AssignQuestion(at, options).answer();
}

void write_assignment(std::ostream& out, const AssignAnswer& answer) {
  const bool has_ports = !answer.paths.empty() && answer.paths[0].source_port;
  out << (has_ports ? "from,to,queue_pair,source_port\n" : "from,to,way,share,path\n");
  for (const AssignAnswer::Path& path : answer.paths) {
    out << fmt::format("{},{},{},", csv_text(path.from), csv_text(path.to), path.way);
    if (path.source_port) {
      out << *path.source_port << '\n';
      continue;
    }
    std::string way;
    for (std::size_t i = 0; i < path.ports.size(); ++i)
      way += fmt::format("{}:{} ", path.names[i], path.ports[i] + 1);
    out << fmt::format("{},{}\n", path.share, csv_text(way + path.names.back()));
  }
}

}  // namespace banyan::ask
