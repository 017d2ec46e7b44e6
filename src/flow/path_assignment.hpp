// Assigns each flow one path, or a few that share it evenly, so that the heaviest channel carries little: the
// cure for what equal-cost multi-path leaves to luck. Of shortest paths only, since switches have only these.
//
// Flows are moved one after another to the path that is cheapest while all others stay, where a channel costs
// a power of its load (as the online algorithm of Aspnes et al., JACM 1997, whose loads are within a
// logarithm of the optimum). Passes are repeated; the best assignment of all passes is kept. What is found is
// measured, not guaranteed: lower bounds stand beside it.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "flow/measure.hpp"
#include "routing/port_sets.hpp"
#include "traffic/flow.hpp"

namespace banyan::flow {

// A connection, and what it sends in which rounds.
struct FlowConnection {
  Nic from, to;
  struct Sent {
    u32 round;
    double demand;
  };
  std::vector<Sent> sent{};
};
// Every pair once, in order of first use. Hosts that send to themselves are left out.
std::vector<FlowConnection> connections(std::span<const std::vector<Flow>> rounds);

struct AssignedPath {
  std::vector<Channel> channels;
  u32 label = 0;  // of the choice, where the caller lists them
};

struct Assignment {
  std::vector<std::vector<AssignedPath>> paths;  // by connection: each carries an equal part
  std::vector<double> max_load;                  // by round
  double mean_max_load = 0;                      // over rounds, each as often as it is sent
};

// The paths of one connection that may be chosen, with labels; not none. Without it: all shortest paths.
using PathChoices = std::function<std::vector<AssignedPath>(const FlowConnection&)>;

struct AssignmentOptions {
  Measure measure = Measure::demand;
  u32 ways = 1;                 // paths of each connection
  u32 passes = 40;              // at most
  std::vector<double> least{};  // by round: a lower bound; where all rounds have it, the passes end
  u64 seed = 1;
  std::vector<double> times{};  // by round: how often it is sent; empty: once each
};

// All connections must be able to reach each other. Memory grows with rounds times channels.
Assignment assign_paths(const Fabric& fabric, const PortSets& shortest,
                        std::span<const FlowConnection> connections, u32 rounds,
                        const AssignmentOptions& options, const PathChoices& choices = {});

}  // namespace banyan::flow
