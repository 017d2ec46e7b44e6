#include "ask/order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "ask/any_hash.hpp"
#include "ask/on_gpu.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "flow/host_cuts.hpp"
#include "flow/load_study.hpp"
#include "flow/order_search.hpp"
#include "formats/hostlist.hpp"
#include "formats/lines.hpp"
#include "traffic/pattern.hpp"

namespace banyan::ask {
namespace {

constexpr u64 max_demands = 20'000'000;     // of all rounds together
constexpr u32 max_paired_hosts = 2048;      // a search keeps the paths of all pairs
constexpr u64 max_parts = 100'000'000;      // of all pairs: channels of their paths
constexpr u64 max_kept_loads = 1 << 24;     // of a search, by round and channel
constexpr u64 max_swap_work = 20'000'000;   // channels that the swaps of a start may visit
constexpr u64 max_order_work = 20'000'000;  // flows of all orders
constexpr u32 max_all_orders = 9;           // hosts
constexpr u32 max_starts = 1 << 16;         // of a search

bool is_least(double load, double bound) { return load <= bound + 1e-9 * std::max(1.0, bound); }

struct StartOrder {
  FoundBy by;
  Seats seats;
};

class OrderQuestion {
 public:
  OrderQuestion(const Situation& at, std::span<const Host> hosts, const FabricRouter& router,
                const OrderOptions& options)
      : at_(at),
        hosts_(hosts),
        router_(router),
        options_(options),
        job_hosts_(options.choose ? options.choose : static_cast<u32>(hosts.size())),
        measure_(options.per_capacity ? Measure::per_capacity : Measure::demand),
        traffic_(make_traffic({at.topology, ranks(), options.processes}, at.traffic)),
        cuts_(at.topology, hosts, measure_) {}

  Result<OrderAnswer> answer() {
    if (auto reason = missing_gpu(at_)) return std::move(*reason);
    out_.ranks = traffic_.ranks;
    if (options_.choose) out_.chosen_from = static_cast<u32>(hosts_.size());
    out_.rounds = traffic_.rounds;
    out_.in_bytes = traffic_.in_bytes;
    out_.one_hash = hashes(*at_.routing);
    if (auto reason = find_uncabled()) return std::move(*reason);
    if (auto reason = list_rounds()) return std::move(*reason);
    out_.bound = least();
    for (const StartOrder& start : known_orders())
      if (auto reason = consider(start)) return std::move(*reason);
    if (!is_least(best_.max_load.mean, out_.bound))
      if (auto reason = improve()) return std::move(*reason);
    tell_best();
    return std::move(out_);
  }

 private:
  u32 ranks() const {
    constexpr u64 max_ranks = u64{1} << 28;
    if (hosts_.empty()) throw InputError("--hosts: found no host, expected at least one");
    if (options_.choose > hosts_.size())
      throw InputError(fmt::format("--choose is {}; expected at most {}, the hosts of --hosts",
                                   options_.choose, hosts_.size()));
    if (options_.processes == 0 || u64{options_.processes} * job_hosts_ > max_ranks)
      throw InputError(
          fmt::format("processes is {}; expected 1 to {}", options_.processes, max_ranks / job_hosts_));
    return job_hosts_ * options_.processes;
  }

  std::optional<NotApplicable> find_uncabled() const {
    for (const Host host : hosts_)
      if (switch_of(host) == none<Node> && hosts_.size() > 1)
        return NotApplicable{fmt::format("{} has no cable: expected hosts that reach each other",
                                         at_.topology.fabric.host_name(host))};
    return std::nullopt;
  }

  // The demands between hosts; rounds that are alike once.
  std::optional<NotApplicable> list_rounds() {
    std::vector<Demand> demands;
    u64 all = 0;
    for (u64 round = 0; round < traffic_.rounds; ++round) {
      demands.clear();
      traffic_.list(at_.seed, 0, round, demands);
      all += demands.size();
      if (all > max_demands)
        return NotApplicable{fmt::format(
            "order lists every flow of every round, at most {}: expected fewer hosts", max_demands)};
      OrderRound next;
      for (const Demand& demand : demands) {
        const Rank from{index(demand.from) / options_.processes}, to{index(demand.to) / options_.processes};
        if (from != to && demand.amount > 0) next.demands.push_back({from, to, demand.amount});
      }
      if (!rounds_.empty() && rounds_.back().demands == next.demands)
        ++rounds_.back().times;
      else
        rounds_.push_back(std::move(next));
    }
    return std::nullopt;
  }

  // Of each round by itself, or of all together: one order serves all of them, and a cut that is crossed by
  // much in all rounds is crossed by little in none.
  double least() {
    double each = 0;
    std::vector<Demand> all;
    for (OrderRound& round : rounds_) {
      round.least = cuts_.least(round.demands);
      each += round.times * round.least;
      for (Demand demand : round.demands) {
        demand.amount *= round.times;
        all.push_back(demand);
      }
    }
    return std::max(each, cuts_.least(all)) / static_cast<double>(traffic_.rounds);
  }

  Node switch_of(Host host) const {
    const Fabric& fabric = at_.topology.fabric;
    for (const Channel c : fabric.channels(fabric.node(fabric.nic(host))))
      if (fabric.cabled(c)) return fabric.to(c);
    return none<Node>;
  }

  Seats in_order() const {
    Seats out(hosts_.size());
    std::iota(out.begin(), out.end(), 0);
    return out;
  }
  Seats by_number() const {
    Seats out = in_order();
    std::sort(out.begin(), out.end(), [&](u32 a, u32 b) { return hosts_[a] < hosts_[b]; });
    return out;
  }
  Seats by_switch() const {
    Seats out = by_number();
    std::stable_sort(out.begin(), out.end(),
                     [&](u32 a, u32 b) { return switch_of(hosts_[a]) < switch_of(hosts_[b]); });
    return out;
  }
  // One host of every switch, then the next of every switch.
  Seats in_turn() const {
    Seats out = by_switch();
    std::vector<u32> turn(out.size());
    for (std::size_t i = 1; i < out.size(); ++i)
      if (switch_of(hosts_[out[i]]) == switch_of(hosts_[out[i - 1]])) turn[out[i]] = turn[out[i - 1]] + 1;
    std::stable_sort(out.begin(), out.end(), [&](u32 a, u32 b) { return turn[a] < turn[b]; });
    return out;
  }
  Seats shuffled(u64 number) const {
    constexpr u64 order_stream = ~u64{0} - 1;  // not one that a pattern or a placement draws from
    Seats out = in_order();
    Random(at_.seed, order_stream - number).shuffle(std::span(out));
    return out;
  }

  std::vector<StartOrder> known_orders() const {
    return {{FoundBy::as_given, in_order()},
            {FoundBy::by_number, by_number()},
            {FoundBy::by_switch, by_switch()},
            {FoundBy::in_turn, in_turn()},
            {FoundBy::random, shuffled(0)}};
  }

  Placement placement(const Seats& seats) const {
    Placement out;
    for (u32 rank = 0; rank < traffic_.ranks; ++rank) out.push_back(hosts_[seats[rank / options_.processes]]);
    return out;
  }

  // Measures an order as `load` does, and keeps it if it is better than those before.
  std::optional<NotApplicable> consider(const StartOrder& start) {
    const LoadSampler sampler(at_.topology, *at_.routing, traffic_, placement(start.seats), false, measure_);
    const LoadStudy found =
        study_loads(sampler, {.samples = 1, .seed = at_.seed, .threads = at_.threads, .screen = at_.screen});
    if (found.undelivered > 0)
      return NotApplicable{fmt::format(
          "{} of {} flows do not arrive: 'banyan check' says why; expected hosts that reach each other",
          found.undelivered, found.flows)};
    if (OrderAnswer::Side* side = side_of(start.by))
      *side = {found.max_load.mean, mean_bound(start.seats), is_free(start.seats)};
    if (!seats_.empty() && found.max_load.mean >= best_.max_load.mean) return std::nullopt;
    seats_ = start.seats;
    best_ = found;
    out_.found_by = start.by;
    return std::nullopt;
  }

  OrderAnswer::Side* side_of(FoundBy by) {
    return by == FoundBy::as_given    ? &out_.as_given
           : by == FoundBy::by_switch ? &out_.by_switch
           : by == FoundBy::random    ? &out_.random
                                      : nullptr;
  }

  double mean_bound(const Seats& seats) const {
    double sum = 0;
    for (const OrderRound& round : rounds_) sum += round.times * cuts_.bound(round.demands, seats);
    return sum / static_cast<double>(traffic_.rounds);
  }

  // Whether every channel belongs to one flow at most, in every round, whichever next hops a hash gives.
  bool is_free(const Seats& seats) const {
    const Fabric& fabric = at_.topology.fabric;
    const auto open = any_hash(fabric, *at_.routing);
    const auto* sprayed = open ? std::get_if<Routing>(&*open) : nullptr;
    if (open && !sprayed) return false;
    const WayLister lister(fabric, sprayed ? *sprayed : *at_.routing);
    LoadMeter meter(lister, traffic_.in_bytes);
    IdVector<Channel, u64> owner(fabric.channels().size());
    std::vector<Flow> flows;
    u64 before = 0;  // flows of earlier rounds
    bool is_free = true;
    for (const OrderRound& round : rounds_) {
      flows.clear();
      for (const Demand& demand : round.demands)
        flows.push_back({fabric.nic(hosts_[seats[index(demand.from)]]),
                         fabric.nic(hosts_[seats[index(demand.to)]]), demand.amount});
      meter.each_part(flows, [&](std::size_t i, Channel c, double) {
        const u64 flow = before + i + 1;
        is_free &= owner[c] <= before || owner[c] == flow;
        owner[c] = flow;
      });
      if (!is_free) return false;
      before += flows.size();
    }
    return true;
  }

  // Seats of the job's hosts come first; other hosts have those after them, and no rank.
  bool takes_all() const { return job_hosts_ == hosts_.size(); }

  std::optional<NotApplicable> improve() {
    const u32 hosts = static_cast<u32>(hosts_.size());
    if (takes_all() &&
        (traffic_.draw == Traffic::Draw::uniform || are_all_pairs_alike())) {  // always the same
      out_.bound = std::max(out_.bound, best_.max_load.mean);
      return std::nullopt;
    }
    if (hosts < 2 || options_.swaps == 0 || hosts > max_paired_hosts) return std::nullopt;
    if (at_.routing->source.sizes().size() > 1) return std::nullopt;  // paths depend on the message
    if (u64{hosts} * hosts * ways_of_a_pair() > max_parts) return std::nullopt;
    const WayLister lister(at_.topology.fabric, *at_.routing);
    const PairPaths paths(lister, hosts_, measure_, at_.threads);
    if (const auto& lost = paths.lost())
      return NotApplicable{
          fmt::format("{} does not reach {}: 'banyan path' says why; expected hosts that reach each other",
                      at_.topology.fabric.host_name(hosts_[lost->first]),
                      at_.topology.fabric.host_name(hosts_[lost->second]))};
    return are_few_orders() ? try_all(paths) : search(paths);
  }

  // Whether in every round each host sends the same to each other.
  bool are_all_pairs_alike() const {
    const u64 hosts = hosts_.size();
    return std::all_of(rounds_.begin(), rounds_.end(), [&](const OrderRound& round) {
      if (round.demands.size() < hosts * (hosts - 1)) return round.demands.empty();
      std::unordered_map<u64, double> sent;
      for (const Demand& demand : round.demands)
        sent[index(demand.from) * hosts + index(demand.to)] += demand.amount;
      return sent.size() == hosts * (hosts - 1) &&
             std::all_of(sent.begin(), sent.end(),
                         [&](const auto& pair) { return pair.second == sent.begin()->second; });
    });
  }

  // Channels that the ways of one pair of hosts meet; of others it is about the same.
  u64 ways_of_a_pair() const {
    const Fabric& fabric = at_.topology.fabric;
    const WayLister lister(fabric, *at_.routing);
    const std::array ends = {hosts_.front(), hosts_.back()};
    return static_cast<u64>(PairPaths(lister, ends, measure_, 1).mean_parts()) + 1;
  }

  u64 flows_of_rounds() const {
    u64 out = 0;
    for (const OrderRound& round : rounds_) out += round.demands.size();
    return std::max<u64>(1, out);
  }
  bool are_few_orders() const {
    if (hosts_.size() > max_all_orders) return false;
    u64 orders = 1;
    for (u64 i = 2; i <= hosts_.size(); ++i) orders *= i;
    return orders * flows_of_rounds() <= max_order_work;
  }

  std::optional<NotApplicable> try_all(const PairPaths& paths) {
    auto reason = consider({FoundBy::all_orders, best_of_all_orders(paths, rounds_)});
    out_.bound = std::max(out_.bound, best_.max_load.mean);
    return reason;
  }

  std::optional<NotApplicable> search(const PairPaths& paths) {
    const std::vector<OrderRound> looked_at = some_rounds(paths);
    u64 flows = 0;
    for (const OrderRound& round : looked_at) flows += round.demands.size();
    const double visits =
        8 * paths.mean_parts() * static_cast<double>(flows) / static_cast<double>(hosts_.size());
    const u64 swaps = std::min(options_.swaps,
                               static_cast<u64>(static_cast<double>(max_swap_work) / std::max(1.0, visits)));
    std::vector<Seats> starts = search_starts();
    const OrderSearch search(paths, looked_at, swaps);
    const double all_visits = visits * static_cast<double>(swaps) * static_cast<double>(starts.size());
    if (auto reason = search_on_gpu(search, all_visits, starts)) {
      if (at_.device == DeviceChoice::gpu) return reason;
      parallel_for(starts.size(), at_.threads,
                   [&](u64 i) { starts[i] = search.run(starts[i], at_.seed, search_stream - i); });
    }
    out_.swaps = swaps * starts.size();
    for (const Seats& found : starts)
      if (auto reason = consider({FoundBy::search, found})) return reason;
    return std::nullopt;
  }

  // From all starts at once; why not, if so. `visits` of channels are what it takes.
  std::optional<NotApplicable> search_on_gpu(const OrderSearch& search, double visits,
                                             std::vector<Seats>& starts) {
    constexpr double visits_in_a_second = 100'000'000;
    if (at_.device == DeviceChoice::cpu) return NotApplicable{"processors were chosen"};
    if (at_.device == DeviceChoice::automatic && visits < visits_in_a_second * at_.threads)
      return not_worth_a_gpu();
    return on_gpu(at_, out_, [&](const gpu::Device& device) -> std::optional<NotApplicable> {
      starts = search.run(device, starts, at_.seed, search_stream);
      return std::nullopt;
    });
  }

  // As many as fit, spread evenly.
  std::vector<OrderRound> some_rounds(const PairPaths& paths) const {
    const u64 fit = std::max<u64>(1, max_kept_loads / std::max(1u, paths.channels()));
    if (rounds_.size() <= fit) return rounds_;
    std::vector<OrderRound> out;
    for (u64 i = 0; i < fit; ++i) out.push_back(rounds_[i * rounds_.size() / fit]);
    return out;
  }

  std::vector<Seats> search_starts() const {
    std::vector<Seats> out = {in_order(), by_number(), by_switch(), in_turn()};
    for (u64 i = 0; out.size() < options_.starts; ++i) out.push_back(shuffled(i));
    out.resize(options_.starts);
    return out;
  }

  void tell_best() {
    for (u32 i = 0; i < job_hosts_; ++i) {
      out_.order.push_back(hosts_[seats_[i]]);
      out_.names.push_back(at_.topology.fabric.host_name(out_.order.back()));
    }
    out_.max_load = best_.max_load.mean;
    out_.max_load_worst = best_.worst;
    out_.contention_free = is_free(seats_);
    out_.optimal = is_least(out_.max_load, out_.bound);
    if (out_.contention_free) out_.proof = is_theorem() ? OrderProof::theorem : OrderProof::counted;
  }

  // zahavi10, theorems 1 and 2: shifts of all hosts of a complete RLFT in the order of their numbers, under
  // d-mod-k.
  bool is_theorem() const {
    const Pgft* tree = at_.topology.as<Pgft>();
    if (!tree || !at_.topology.is_intact() || at_.topology.planes > 1 || !tree->nics_are_endpoints())
      return false;
    if (!tree->rlft_failed().empty() || router_.tables || router_.digits() != Digits::of_destination)
      return false;
    if (options_.processes > 1 || job_hosts_ != at_.topology.fabric.hosts()) return false;
    for (u32 rank = 0; rank < seats_.size(); ++rank)
      if (hosts_[seats_[rank]] != Host{rank}) return false;
    return std::all_of(rounds_.begin(), rounds_.end(),
                       [&](const OrderRound& round) { return is_shift(round); });
  }

  bool is_shift(const OrderRound& round) const {
    const u32 ranks = traffic_.ranks;
    const auto by = [&](const Demand& demand) {
      return (index(demand.to) + ranks - index(demand.from)) % ranks;
    };
    std::vector<bool> sends(ranks);
    for (const Demand& demand : round.demands) {
      if (by(demand) != by(round.demands.front()) || sends[index(demand.from)]) return false;
      sends[index(demand.from)] = true;
    }
    return true;
  }

  static constexpr u64 search_stream = ~u64{0} - (u64{1} << 32);

  const Situation& at_;
  const std::span<const Host> hosts_;
  const FabricRouter& router_;
  const OrderOptions& options_;
  const u32 job_hosts_;
  const Measure measure_;
  const Traffic traffic_;
  const HostCuts cuts_;
  std::vector<OrderRound> rounds_{};
  Seats seats_{};  // the best so far
  LoadStudy best_{};
  OrderAnswer out_{};
};

}  // namespace

std::vector<Host> host_list(const Fabric& fabric, std::string_view text) {
  std::vector<Host> out;
  if (text.empty()) return traffic_hosts(fabric);
  std::unordered_map<std::string, u32> by_name;
  for (u32 i = 0; i < fabric.hosts(); ++i) by_name.emplace(fabric.host_name(Host{i}), i);
  std::vector<bool> taken(fabric.hosts());
  const auto add = [&](u64 host) {
    if (taken[host])
      throw InputError(
          fmt::format("--hosts: {} is named twice", fabric.host_name(Host{static_cast<u32>(host)})));
    taken[host] = true;
    out.push_back(Host{static_cast<u32>(host)});
  };
  const auto refuse = [&](std::string_view piece) {
    throw InputError(
        fmt::format("--hosts: found {}, expected the name of a host, a number below {} or a range of them",
                    shown(piece), fabric.hosts()));
  };
  std::vector<std::string> pieces;
  expand_hostlist(text, 0, pieces);
  for (const std::string& piece : pieces) {
    if (const auto named = by_name.find(piece); named != by_name.end()) {
      add(named->second);
      continue;
    }
    const auto dash = piece.find('-');
    const auto first = parse_unsigned(std::string_view(piece).substr(0, dash));
    const auto last = dash == piece.npos ? first : parse_unsigned(std::string_view(piece).substr(dash + 1));
    if (!first || !last || *first > *last || *last >= fabric.hosts()) refuse(piece);
    for (u64 host = *first; host <= *last; ++host) add(host);
  }
  return out;
}

Result<OrderAnswer> order(const Situation& at, std::span<const Host> hosts, const FabricRouter& router,
                          const OrderOptions& options) {
  if (options.starts == 0 || options.starts > max_starts)
    throw InputError(fmt::format("--starts is {}; expected 1 to {}", options.starts, max_starts));
  if (is_jobs(at.traffic)) throw InputError("--traffic: found several jobs, expected one pattern");
  return OrderQuestion(at, hosts, router, options).answer();
}

void write_order(std::ostream& out, const OrderAnswer& answer, u32 processes, OrderFormat format) {
  for (const std::string& name : answer.names)
    if (!is_hostlist_name(name))
      throw InputError(
          fmt::format("the host {} has a name that cannot stand in a {}", shown(name), option_text(format)));
  u64 rank = 0;
  for (const std::string& name : answer.names) {
    if (format == OrderFormat::nccl) {
      out << name << '\n';
      continue;
    }
    for (u32 process = 0; process < processes; ++process, ++rank)
      out << (format == OrderFormat::rankfile ? fmt::format("rank {}={} slot={}\n", rank, name, process)
                                              : name + '\n');
  }
}

}  // namespace banyan::ask
