// Throughput and latency as the field measures them: the warm-up is found by a rule and left out, the rest is
// cut into batches whose means give confidence intervals; runs grow until these are narrow enough.
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/progress.hpp"
#include "flit/batches.hpp"
#include "flit/simulation.hpp"

namespace banyan::flit {

// How the end of the warm-up is found: batches.hpp.
enum class WarmUp : u8 { error, change };
constexpr std::array<std::string_view, 2> option_names(WarmUp) { return {"error", "change"}; }

struct MeasureOptions {
  u64 cycles = 0;
  double precision = 0.02;
  u64 max_cycles = 1'000'000;
  WarmUp warm_up = WarmUp::error;
  u32 replicas = 1;

  static void fields(auto& self, auto&& f) {
    f("cycles", self.cycles, "run just so long; 0: until the confidence intervals are narrow");
    f("precision", self.precision, "half-width of the 95 % intervals, as a share of the mean");
    f("max-cycles", self.max_cycles, "stop there in any case");
    f("warm-up", self.warm_up,
      "what ends it: error (the least standard error of the rest) or change (a batch that differs by less "
      "than 5 % from the one before)");
    f("replicas", self.replicas,
      "runs with the seeds S, S + 1, ...; the intervals are those over all of them");
  }
};

// Figures of which one run gives a value and no interval. What is made of them, such as a mean over several
// runs, a half-width or a time in seconds, is another T.
template <class T>
struct RunFigures {
  std::optional<T> min_host_throughput{}, max_host_throughput{};  // of a workload that does not end
  std::optional<T> starved_hosts{};                               // likewise, of hosts with one NIC
  T packets_in_network{};
  T network_latency{std::numeric_limits<double>::quiet_NaN()};  // where no packet arrived: not known
  T packet_latency_p50{}, packet_latency_p99{};
  T message_latency{std::numeric_limits<double>::quiet_NaN()};
  T message_latency_p50{}, message_latency_p99{};
  T max_channel_utilisation{};
  std::optional<T> completion{};  // of a workload that ends, if it did
};

// f(name, unit, get) for each of them; get(figures) is the member.
void each_figure(auto&& f) {
  f("min_host_throughput", "of a link", [](auto& of) -> auto& { return of.min_host_throughput; });
  f("max_host_throughput", "of a link", [](auto& of) -> auto& { return of.max_host_throughput; });
  f("starved_hosts", "hosts", [](auto& of) -> auto& { return of.starved_hosts; });
  f("packets_in_network", "packets", [](auto& of) -> auto& { return of.packets_in_network; });
  f("network_latency", "cycles", [](auto& of) -> auto& { return of.network_latency; });
  f("packet_latency_p50", "cycles", [](auto& of) -> auto& { return of.packet_latency_p50; });
  f("packet_latency_p99", "cycles", [](auto& of) -> auto& { return of.packet_latency_p99; });
  f("message_latency", "cycles", [](auto& of) -> auto& { return of.message_latency; });
  f("message_latency_p50", "cycles", [](auto& of) -> auto& { return of.message_latency_p50; });
  f("message_latency_p99", "cycles", [](auto& of) -> auto& { return of.message_latency_p99; });
  f("max_channel_utilisation", "", [](auto& of) -> auto& { return of.max_channel_utilisation; });
  f("completion", "cycles", [](auto& of) -> auto& { return of.completion; });
}

// to.x = f(from.x) for each figure x that is there.
template <class From, class To>
void transform_figures(const RunFigures<From>& from, RunFigures<To>& to, auto&& f) {
  each_figure([&](std::string_view, std::string_view, auto get) {
    if constexpr (std::is_same_v<decltype(get(from)), const From&>) {
      get(to) = f(get(from));
    } else if (get(from)) {
      get(to) = f(*get(from));
    }
  });
}

// Of several runs: means over the runs, with 95 % intervals. A figure that not all runs have is not there.
struct ReplicaEstimates {
  u32 runs = 0;
  RunFigures<Interval> figures;
};

struct Measurement {
  double offered = 0;  // share of what the channels of those that send could carry
  Interval accepted;   // likewise
  Interval packet_latency;
  // What the sending host that puts the least into the network puts there, and the one that puts the most:
  // likewise shares. Control packets count, of hosts with several NICs. None: the workload ends.
  std::optional<double> min_host_throughput, max_host_throughput;
  // Hosts whose next message was created before the measured time and that sent nothing in it; of several
  // runs the mean. None: the workload ends, or hosts have several NICs.
  std::optional<double> starved_hosts;
  Interval growth;         // of the backlog: flits a cycle, likewise a share
  bool saturated = false;  // it accepts less than it is offered
  bool undecided = false;  // it may be, but the intervals are too wide to tell
  u64 warm_up_cycles = 0;
  bool is_warm = false;  // that is where the warm-up ends, and not just the most that may be left out
  Tally counted;         // after the warm-up; of a workload that ended, its cycles are those until then
  double max_channel_utilisation = 0;
  Granularity granularity{};
  std::optional<std::string> deadlock;       // the circle of packets that wait for each other
  std::optional<u64> completion_cycles;      // of a workload that ends, if it did
  std::optional<ReplicaEstimates> replicas;  // of several runs: replicas.hpp
};
RunFigures<double> figures_of(const Measurement& m);

// Whether the backlog may grow by more than 1 % of the load.
bool may_be_saturated(const Interval& growth, double offered);

// What was counted since the last one, while a measurement goes on.
struct Batch {
  u64 now = 0;                       // the cycle it ended with; of rounds with barriers, within the round
  double offered = 0, accepted = 0;  // shares as above; of a workload that ends: 0
  const Tally& counted;
};
using Watch = std::function<void(const Batch&)>;

void check_measure(const MeasureOptions& options);  // throws InputError

// As Simulation::waits_since().
using WaitsSince = std::function<std::optional<u64>(Nic)>;

// A measurement of messages for ever, step by step. Whoever simulates asks how far to go, goes there, and
// hands over what was counted.
class OpenMeasurement {
 public:
  OpenMeasurement(const SimulationSetup& setup, const Workload& workload, const MeasureOptions& options,
                  const Watch& watch = {});  // throws InputError
  ~OpenMeasurement();
  OpenMeasurement(OpenMeasurement&&) noexcept;

  u64 next_step() const;                                        // cycles; 0: it is over
  void take(Tally counted, double created, bool has_deadlock);  // in these cycles; flits since the start
  Measurement result(const WaitsSince& waits_since) const;      // without granularity and deadlock

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// `watch` is told of every batch as it is over.
Measurement measure(const SimulationSetup& setup, Workload workload, const MeasureOptions& options,
                    Progress* progress = nullptr, const Watch& watch = {});

// The rounds of the traffic's first sample, once, as setup.messages.rounds says. With barriers every round
// finds the fabric as it was at first, `reaction_cycles` after the last arrival.
Measurement measure_rounds(const SimulationSetup& setup, const Traffic& traffic, const Placement& placement,
                           const MeasureOptions& options, Progress* progress = nullptr,
                           const Watch& watch = {});

// The largest load that is not saturated, within `resolution`, and all that was measured on the way, by load.
struct Saturation {
  double load = 0;
  double throughput = 0;  // the most that was accepted at any load
  std::vector<std::pair<double, Measurement>> points;
};
Saturation find_saturation(const std::function<Measurement(double load)>& measure_at,
                           double resolution = 0.01);

// `count` loads (at least 5), by load, close together where the latency rises. It begins with 0.05, 0.25,
// 0.5, 0.75 and 1. Then, again and again, it halves the longest piece of the curve of points (load, height)
// whose loads are at least 0.01 apart. The height is 1 where the network is saturated or the latency is more
// than four times that at the least load, and its share of the way there otherwise; a piece is as long as its
// differences of load and height together.
std::vector<std::pair<double, Measurement>> adaptive_curve(
    const std::function<Measurement(double load)>& measure_at, u32 count);

}  // namespace banyan::flit
