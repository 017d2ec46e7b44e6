// domke19: the two machines, the five combinations of machine, routing and placement, and the parts of the
// paper.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "flow/message_time.hpp"
#include "papers/domke19/tasks.hpp"
#include "papers/paper.hpp"
#include "routing/node_demands.hpp"
#include "routing/routing.hpp"
#include "topology/topology.hpp"
#include "traffic/placement.hpp"

namespace banyan::papers::domke19 {

struct Combination {
  std::string_view name, engine, placement;
  bool hyperx;
};
constexpr u32 combinations = 5;
const Combination& combination(u32 i);  // in the order of section 4.4.3; the first is the baseline
enum Which : u32 { tree_ftree = 0, tree_sssp = 1, minimal = 2, minimal_random = 3, parx = 4 };

// A machine with cables missing as a seed draws them. `host` is what a host sends and receives, as a share of
// a link.
Topology machine(bool hyperx, u64 seed, double host = 1);

// Both machines, and the routings that do not depend on demands.
struct Machines {
  Topology tree, hyperx;
  Routing ftree, sssp, dfsssp, parx;
  explicit Machines(u64 seed);

  const Topology& topology(u32 i) const { return combination(i).hyperx ? hyperx : tree; }
  const Routing& routing(u32 i) const;
  Placement placement(u32 i, u32 ranks, u64 seed) const;
};

Routing taken(RouteResult result);  // of a routing that applies
Routing routed(const Topology& topology, std::string_view engine);

constexpr double link_rate = 4e9;  // bytes a second of a QDR link
// Hosts of that generation get 3250 of the 4000 MB/s of their link (zahavi10, section III).
constexpr double host_share = 3250.0 / 4000;
constexpr double overhead = 1.5e-6;     // that a message costs its two ends
constexpr double per_channel = 0.1e-6;  // latency of a channel and the switch behind it
// What Open MPI's layer for several addresses costs over the usual one, taken from the barrier of 7 hosts on
// one switch, where no network is between them: 2.8 to 6.9 times; the geometric mean.
constexpr double parx_overhead = 4.4;
TimeOptions time_options(u32 combination);

// How long a round of messages takes, in seconds.
double round_time(const Fabric& fabric, const Routing& routing, const std::vector<Demand>& messages,
                  const Placement& placement, const TimeOptions& options);

constexpr u32 on_switch = 7, in_rack = 28;  // hosts of the HyperX
constexpr u64 parx_threshold = 512;         // bytes of a large message

constexpr std::array<std::string_view, 6> operations = {"broadcast", "gather",    "scatter",
                                                        "reduce",    "allreduce", "alltoall"};

// The numbers of hosts of section 4.4.1: 7, 14 ... 448, 672, and 4, 8 ... 512 for what wants powers of two.
std::vector<u32> sevens();
std::vector<u32> powers_of_two();

double median(std::vector<double> values);
Interval interval_of(const std::vector<double>& values);                        // of their mean
Interval ratio_of(const std::vector<double>& a, const std::vector<double>& b);  // of pairs
std::string number(double value);
std::vector<std::string> combination_names();  // of the combinations
std::vector<std::string> as_texts(const std::vector<u32>& numbers);

// Effective bisection bandwidth as Netgauge counts it, with hosts of 3250 MB/s: as a share of a link.
double exchanged_bandwidth(const Topology& topology, const Routing& routing, const Placement& placement,
                           u64 samples, u64 seed);

// Every machine is a draw of cables; hosts are drawn anew with each.
using DrawnMachines = std::vector<Machines>;
void facts(Reproduction& out, const Machines& machines);

// What both levels say of collectives: gains over the baseline by box.
void judge_par(Reproduction& out, std::string_view id, const std::vector<double>& plain,
               const std::vector<double>& random, bool quick);
void judge_rooted(Reproduction& out, std::string_view id, double gain);

// --- the parts at flow level: each adds its tasks, and reports when their results are there

class FlowBandwidths {
 public:
  FlowBandwidths(const DrawnMachines& machines, const PaperOptions& options, Tasks& tasks);
  void report(Reproduction& out) const;

 private:
  void plan_readings(Tasks& tasks);
  void show_readings(Reproduction& out) const;

  const DrawnMachines& machines_;
  PaperOptions options_;
  std::vector<Figure::Panel> bisections_;
  std::vector<std::vector<double>> readings_;  // by number of hosts and way to count, of each combination
};

class FlowCollectives {
 public:
  FlowCollectives(const DrawnMachines& machines, const PaperOptions& options, Tasks& tasks);
  void report(Reproduction& out) const;

 private:
  // All sizes of an operation on so many hosts.
  struct Work {
    std::string_view operation;
    u32 hosts, combination;
    std::size_t draw;
    std::vector<double> seconds;  // by size; 0: not measured
  };
  void plan_operations(const std::vector<u32>& counts, Tasks& tasks);
  void plan_barriers(std::string title, const std::vector<u32>& counts, Tasks& tasks);
  void plan_rings(Tasks& tasks);
  void report_rings(Reproduction& out) const;
  void report_barriers(Reproduction& out) const;

  const DrawnMachines& machines_;
  PaperOptions options_;
  std::vector<std::vector<u32>> counts_;  // of hosts
  std::vector<std::vector<Work>> work_;   // for each of these
  std::vector<Figure::Panel> barriers_;
  std::vector<double> rings_;  // seconds by size, hosts and combination
};

}  // namespace banyan::papers::domke19
