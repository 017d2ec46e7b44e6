// The simulated part of domke19: who competes, how a machine is simulated, how long messages take on it, and
// what each part of the paper gives.
#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "flit/simulation.hpp"
#include "papers/domke19/domke19.hpp"

namespace banyan::papers::domke19 {

// The five combinations and, behind them, what the paper says one should do: adaptive routing.
constexpr u32 contenders = combinations + 3;
enum Adapting : u32 { tree_adaptive = 5, hyperx_dal = 6, hyperx_ugal = 7 };
std::string_view short_name(u32 i);
std::vector<std::string> with_contenders(std::vector<std::string> columns);  // their names behind others
double mean_of(const std::vector<double>& values);                           // 0 without values

// Both machines as a seed draws them, with the routings of all contenders.
struct Arena {
  Machines machines;
  Routing adaptive, dal, ugal;
  explicit Arena(u64 seed);

  bool is_hyperx(u32 i) const { return i < combinations ? combination(i).hyperx : i != tree_adaptive; }
  const Topology& topology(u32 i) const { return is_hyperx(i) ? machines.hyperx : machines.tree; }
  const Routing& routing(u32 i) const;
  Placement placement(u32 i, u32 ranks, u64 seed) const;  // of those that adapt: in order
};

// Options of the simulated part: how many of everything.
struct Effort {
  bool quick;
  u32 draws, samples, max_packets, exchanged;  // packets
  u64 cycles;
  std::vector<u32> bisected, hosts, rings;
  std::vector<u64> bytes;
  explicit Effort(bool quick);
};

// --- how a machine is simulated

constexpr u32 flit_bytes = 128, packet_flits = 16, port_packets = 32, switch_cycles = 2;
constexpr u32 packet_bytes = flit_bytes * packet_flits;
constexpr double cycle = flit_bytes / link_rate;  // seconds

SimulationSetup simulation_of(const Fabric& fabric, const Routing& routing, u64 seed,
                              const MessageOptions& messages, Queueing queueing = Queueing::voq);

// The share of its link that a sender gets in the mean while all send without a pause, or single packets at
// random moments, as much as their links carry.
struct SteadyTraffic {
  u64 cycles;
  bool single_packets = false;  // else messages of 1 MiB, one after another
  Queueing queueing = Queueing::voq;
};
double steady_share(const Fabric& fabric, const Routing& routing, const Traffic& traffic,
                    const Placement& placement, const SteadyTraffic& steady, u64 seed);

// As Netgauge's ebb: partners send to each other at once, so many packets each. The size over the mean time
// of a message, as a share of a link.
double exchange_share(const Fabric& fabric, const Routing& routing, const Traffic& halves,
                      const Placement& placement, u32 packets, u64 seed);

// How long a round of messages takes, in seconds, `per_message` included: until the last has arrived. Rounds
// with messages longer than `max_packets` are simulated with all of them shortened, to that and to half of
// it; what that says of a further byte is taken for the rest, but no less than the busiest host needs.
double simulated_round(const Fabric& fabric, const Routing& routing, const std::vector<Demand>& messages,
                       const Placement& placement, double per_message, u32 max_packets, u64 seed);

// Both levels of a list of rounds, in seconds; equal rounds are asked for once.
class RoundTimes {
 public:
  RoundTimes(const Topology& topology, const Routing& routing, const Placement& placement, u32 contender,
             const Effort& effort, u64 seed);
  struct Both {
    double simulated = 0, flow = 0;
  };
  Both of(const std::vector<Demand>& round);

 private:
  const Fabric& fabric_;
  const Routing& routing_;
  const Placement& placement_;
  u32 contender_, max_packets_;
  u64 seed_;
  std::vector<std::pair<std::vector<Demand>, Both>> known_;
};

// --- compared with the flow level

struct Comparison {
  std::string what;
  std::array<double, combinations> simulated{}, flow{};
};
// Of the pairs of combinations, how many are in the same order on both levels; a difference of less than 1 %
// is none.
u32 pairs_in_order(const Comparison& comparison);
constexpr u32 combination_pairs = combinations * (combinations - 1) / 2;
double largest_difference(const Comparison& comparison);  // as a share of the flow level

// --- the parts

struct SimulatedFindings {
  std::vector<Comparison> comparisons;             // with the flow level
  std::vector<std::vector<std::string>> gap = {};  // does adaptive routing close it: rows of a table
  void add_gap(const std::string& what, const std::array<double, contenders>& of);
};

using Arenas = std::vector<Arena>;  // by draw of cables

// mpiGraph on a rack, effective bisection bandwidth.
class SimulatedBandwidths {
 public:
  SimulatedBandwidths(const Arenas& arenas, const Effort& effort, u64 seed, Tasks& tasks);
  void report(Reproduction& out, SimulatedFindings& findings) const;

 private:
  using Shares = std::array<std::vector<double>, contenders>;  // by shift or sample
  struct Level {
    Shares simulated;
    std::array<double, contenders> flow{};
    std::array<double, contenders> means() const;
  };
  void plan_mpigraph(const Arena& arena, u32 layout, u64 seed, Tasks& tasks);
  void plan_bisection(const Arena& arena, u32 count, u64 seed, Tasks& tasks);
  void report_mpigraphs(Reproduction& out, SimulatedFindings& findings) const;
  void report_bisections(Reproduction& out, SimulatedFindings& findings) const;

  const Fabric& fabric(const Arena& arena, u32 i) const {
    return arena.is_hyperx(i) ? hyperx_.fabric : tree_.fabric;
  }

  Effort effort_;
  Topology tree_, hyperx_;     // with hosts that send less than their link carries
  std::vector<Level> graphs_;  // by layout of a rack
  std::vector<Level> halves_;  // by number of hosts
  Shares unqueued_;            // mpiGraph of the first layout, packets first in first out
};

// Uniform traffic and the worst case.
class SimulatedThroughput {
 public:
  SimulatedThroughput(const Arenas& arenas, const Effort& effort, u64 seed, Tasks& tasks);
  void report(Reproduction& out, SimulatedFindings& findings) const;

 private:
  static constexpr u32 patterns = 4;
  double mean(u32 pattern, u32 i) const;

  std::array<std::array<std::vector<double>, contenders>, patterns> found_;  // by draw
  std::vector<double> intact_;  // fat-tree with all cables, adaptive: uniform, and both worst cases
};

// Collectives by size and number of hosts, barrier, ring all-reduce.
class SimulatedCollectives {
 public:
  SimulatedCollectives(const Arenas& arenas, const Effort& effort, u64 seed, Tasks& tasks);
  void report(Reproduction& out, SimulatedFindings& findings) const;

 private:
  struct Box {
    std::string operation, pattern;
    u32 hosts;
    u64 bytes;
    double repeats = 1;
    std::array<double, contenders> simulated{}, flow{};  // seconds
    double gain(u32 i) const { return simulated[0] / simulated[i] - 1; }
    Comparison comparison() const;
  };
  void plan(const Arena& arena, const Effort& effort, u64 seed, Box& box, Tasks& tasks);
  template <class Accept>
  std::vector<double> gains(u32 i, Accept accept) const;
  void show_boxes(Reproduction& out) const;
  void judge_boxes(Reproduction& out) const;
  void show_comparisons(Reproduction& out) const;
  void report_barriers(Reproduction& out) const;
  void report_rings(Reproduction& out) const;

  bool quick_;
  std::vector<Box> boxes_, barriers_, rings_;
};

// Applications alone: their computing, and their rounds.
class SimulatedApplications {
 public:
  SimulatedApplications(const Arenas& arenas, const Effort& effort, u64 seed, Tasks& tasks);
  void report(Reproduction& out, SimulatedFindings& findings) const;

 private:
  struct Times {
    std::string name;
    u32 hosts;
    std::array<std::vector<double>, contenders> simulated, flow;  // seconds by draw
    double best(u32 i) const;
  };
  std::vector<Times> found_;
};

class Simulated {
 public:
  Simulated(const PaperOptions& options, Tasks& tasks);
  void report(Reproduction& out) const;

 private:
  Effort effort_;
  Arenas arenas_;
  SimulatedThroughput throughput_;
  SimulatedBandwidths bandwidths_;
  SimulatedApplications applications_;
  SimulatedCollectives collectives_;
};

}  // namespace banyan::papers::domke19
