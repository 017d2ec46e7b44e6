#include "flow/path_assignment.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "base/progress.hpp"
#include "base/random.hpp"

namespace banyan::flow {
namespace {

class PathAssigner {
 public:
  PathAssigner(const Fabric& fabric, const PortSets& shortest, std::span<const FlowConnection> connections,
               u32 rounds, const AssignmentOptions& options, const PathChoices& choices)
      : fabric_(fabric),
        shortest_(shortest),
        connections_(connections),
        rounds_(rounds),
        options_(options),
        load_(std::size_t{rounds} * fabric.channels().size()),
        unit_(rounds),
        cost_(fabric.nodes().size()),
        by_(fabric.nodes().size()),
        seen_(fabric.nodes().size()) {
    for (const FlowConnection& connection : connections) {
      if (choices) choices_.push_back(choices(connection));
      for (const auto& [round, demand] : connection.sent) unit_[round] = std::max(unit_[round], demand);
    }
    for (u32 r = 0; r < rounds && r < options.least.size(); ++r)
      if (options.least[r] > 0) unit_[r] = options.least[r];
  }

  Assignment run() {
    now_.paths.assign(connections_.size(), std::vector<AssignedPath>(options_.ways));
    Assignment best;
    std::vector<u32> order(connections_.size());
    std::iota(order.begin(), order.end(), 0);
    for (u32 pass = 0; pass < options_.passes; ++pass) {
      if (interrupted()) throw Interrupted();
      base_ = std::min(32.0, 4.0 * std::pow(1.2, pass));
      Random(options_.seed, pass).shuffle(std::span(order));
      bool has_moved = false;
      for (const u32 i : order)
        for (u32 way = 0; way < options_.ways; ++way) has_moved |= move(i, way);
      measure();
      if (pass == 0 || now_.mean_max_load < best.mean_max_load) best = now_;
      if (is_least() || (!has_moved && base_ >= 32)) break;
    }
    return best;
  }

 private:
  double part(double demand) const { return demand / options_.ways; }
  double* loads(u32 round) { return &load_[std::size_t{round} * fabric_.channels().size()]; }

  void add(const FlowConnection& connection, const AssignedPath& path, double sign) {
    for (const auto& [round, demand] : connection.sent)
      for (const Channel c : path.channels)
        loads(round)[index(c)] += sign * part(demand) / capacity(fabric_, c, options_.measure);
  }

  // Whether another path was taken.
  bool move(u32 i, u32 way) {
    const FlowConnection& connection = connections_[i];
    AssignedPath& path = now_.paths[i][way];
    add(connection, path, -1);
    AssignedPath cheapest =
        choices_.empty() ? cheapest_shortest(connection) : cheapest_choice(connection, choices_[i]);
    const bool is_new = cheapest.channels != path.channels;
    path = std::move(cheapest);
    add(connection, path, 1);
    return is_new;
  }

  double cost(const FlowConnection& connection, Channel c) {
    double out = 0;
    for (const auto& [round, demand] : connection.sent) {
      const double more = part(demand) / capacity(fabric_, c, options_.measure);
      const double load = loads(round)[index(c)] / unit_[round];
      out += std::pow(base_, load + more / unit_[round]) - std::pow(base_, load);
    }
    return out;
  }

  AssignedPath cheapest_choice(const FlowConnection& connection, const std::vector<AssignedPath>& choices) {
    const AssignedPath* best = nullptr;
    double least = 0;
    for (const AssignedPath& choice : choices) {
      double sum = 0;
      for (const Channel c : choice.channels) sum += cost(connection, c);
      if (!best || sum < least) best = &choice, least = sum;
    }
    return *best;
  }

  // Level by level through the next hops on shortest paths: all paths to a node are equally long.
  AssignedPath cheapest_shortest(const FlowConnection& connection) {
    const Node from = fabric_.node(connection.from), to = fabric_.node(connection.to);
    ++stamp_;
    here_.assign(1, from);
    cost_[from] = 0;
    for (bool arrived = false; !arrived && !here_.empty(); std::swap(here_, there_)) {
      there_.clear();
      for (const Node node : here_)
        each_exit(node, connection.to, [&](Channel c) {
          const Node next = fabric_.to(c);
          const double sum = cost_[node] + cost(connection, c);
          arrived |= next == to;
          if (seen_[next] != stamp_) {
            seen_[next] = stamp_;
            there_.push_back(next);
          } else if (sum >= cost_[next]) {
            return;
          }
          cost_[next] = sum;
          by_[next] = c;
        });
    }
    AssignedPath out;
    for (Node node = to; node != from; node = fabric_.from(by_[node])) out.channels.push_back(by_[node]);
    std::reverse(out.channels.begin(), out.channels.end());
    return out;
  }

  void each_exit(Node node, Nic to, auto&& f) const {
    const PortSets::Exits exits = shortest_.exits(node, to);
    if (!exits.words) {
      if (exits.only != none<Port>) f(fabric_.channel(node, exits.only));
      return;
    }
    for (u32 port = 0; port < fabric_.ports(node); ++port)
      if (exits.words[port / 64] >> (port % 64) & 1) f(fabric_.channel(node, Port{port}));
  }

  // Sums are taken anew: moving back and forth rounds.
  void measure() {
    std::fill(load_.begin(), load_.end(), 0);
    for (std::size_t i = 0; i < connections_.size(); ++i)
      for (const AssignedPath& path : now_.paths[i])
        for (const auto& [round, demand] : connections_[i].sent)
          for (const Channel c : path.channels) loads(round)[index(c)] += demand;
    now_.max_load.assign(rounds_, 0);
    for (u32 r = 0; r < rounds_; ++r)
      for (const Channel c : fabric_.channels()) {
        double& load = loads(r)[index(c)];
        load = load / options_.ways / capacity(fabric_, c, options_.measure);
        now_.max_load[r] = std::max(now_.max_load[r], load);
      }
    double sum = 0, count = 0;
    for (u32 r = 0; r < rounds_; ++r) {
      const double times = options_.times.empty() ? 1 : options_.times[r];
      sum += times * now_.max_load[r];
      count += times;
    }
    now_.mean_max_load = count > 0 ? sum / count : 0;
  }

  bool is_least() const {
    if (options_.least.size() != rounds_) return false;
    for (u32 r = 0; r < rounds_; ++r)
      if (now_.max_load[r] > options_.least[r] * (1 + 1e-9)) return false;
    return true;
  }

  const Fabric& fabric_;
  const PortSets& shortest_;
  std::span<const FlowConnection> connections_;
  u32 rounds_;
  const AssignmentOptions& options_;
  std::vector<std::vector<AssignedPath>> choices_;  // by connection; empty: all shortest paths
  std::vector<double> load_;                        // by round and channel
  std::vector<double> unit_;                        // by round: what loads are counted in
  double base_ = 4;
  Assignment now_;
  IdVector<Node, double> cost_;
  IdVector<Node, Channel> by_;
  IdVector<Node, u64> seen_;
  u64 stamp_ = 0;
  std::vector<Node> here_, there_;
};

}  // namespace

std::vector<FlowConnection> connections(std::span<const std::vector<Flow>> rounds) {
  std::vector<FlowConnection> out;
  std::unordered_map<u64, std::size_t> known;
  for (u32 r = 0; r < rounds.size(); ++r)
    for (const Flow& flow : rounds[r]) {
      if (flow.from == flow.to || flow.demand <= 0) continue;
      const auto [at, is_new] = known.emplace(u64{index(flow.from)} << 32 | index(flow.to), out.size());
      if (is_new) out.push_back({flow.from, flow.to, {}});
      auto& sent = out[at->second].sent;
      if (!sent.empty() && sent.back().round == r)
        sent.back().demand += flow.demand;
      else
        sent.push_back({r, flow.demand});
    }
  return out;
}

Assignment assign_paths(const Fabric& fabric, const PortSets& shortest,
                        std::span<const FlowConnection> connections, u32 rounds,
                        const AssignmentOptions& options, const PathChoices& choices) {
  return PathAssigner(fabric, shortest, connections, rounds, options, choices).run();
}

}  // namespace banyan::flow
