// What equal-cost multi-path does to a traffic over many hashes: the distribution of the load of the worst
// channel, what more queue pairs gain, and what spraying and the best routing would have.
#pragma once
#include <span>
#include <vector>

#include "ask/answer.hpp"
#include "flow/measure.hpp"
#include "routing/flow_hash.hpp"
#include "routing/routing.hpp"
#include "topology/topology.hpp"
#include "traffic/flow.hpp"

namespace banyan::flow {
class DeviceHashes;
}

namespace banyan::ask {

struct HashAnswer {
  struct Range {
    double from = 0, to = 0;
    u64 hashes = 0;

    static void fields(auto& self, auto&& f) {
      f("from", self.from, "flows", "the least maximum load in the range");
      f("to", self.to, "flows", "the greatest one");
      f("hashes", self.hashes, "", "hashes with such a maximum load");
    }
  };
  struct Gain {
    u32 queue_pairs = 1;
    double max_load_mean = 0, max_load_p99 = 0;

    static void fields(auto& self, auto&& f) {
      f("queue_pairs", self.queue_pairs, "", "queue pairs of each connection");
      f("max_load_mean", self.max_load_mean, "flows", "mean over hashes");
      f("max_load_p99", self.max_load_p99, "flows", "99 of 100 hashes have no more");
    }
  };

  u64 hashes = 0;
  u32 queue_pairs = 1;
  Interval max_load_mean{};
  double max_load_p99 = 0;
  double undelivered_mean = 0;
  double optimum = unknown, spray_max_load = unknown;
  std::vector<Range> hash_distribution{};
  std::vector<Gain> by_queue_pairs{};

  static void fields(auto& self, auto&& f) {
    f("hashes", self.hashes, "", "hashes that were tried: seeds of switches and source ports");
    f("queue_pairs", self.queue_pairs, "", "queue pairs of each connection, times their flowlets");
    f("max_load_mean", self.max_load_mean, "flows",
      "maximum load of a channel, mean over rounds; mean over hashes, 99 % interval");
    f("max_load_p99", self.max_load_p99, "flows", "99 of 100 hashes have no more");
    f("undelivered_mean", self.undelivered_mean, "flows",
      "of all rounds: those with a queue pair that does not arrive; mean over hashes");
    f("optimum", self.optimum, "flows",
      "the least that any routing has, mean over rounds; null where the linear programs would be too large");
    f("spray_max_load", self.spray_max_load, "flows",
      "where every switch spreads packets over its next hops by their weights: infinitely many queue pairs "
      "with a hash of each switch; null where weights are too fine to be followed");
    f("hash_distribution", self.hash_distribution, "", "how many hashes have which maximum load");
    f("by_queue_pairs", self.by_queue_pairs, "",
      "the same for 1, 2, 4, ... queue pairs, up to those asked for");
  }
};

// Flows that must be listed one by one, at most.
constexpr u64 max_listed_flows = 20'000'000;

// The seed of hash i of many. Those of two seeds have nothing in common.
u64 hash_seed(u64 seed, u64 i);

// Loads under one hash after another, without allocating per flow. Topology and routing must outlive it.
class HashMeter {
 public:
  // `routing` is by hashes; the seed of its own is not used.
  HashMeter(const Topology& topology, const Routing& routing, flow::Measure measure, u32 queue_pairs);

  // Flows that do not arrive load nothing.
  void measure(u64 seed, std::span<const Flow> flows);
  // Of what was measured last.
  double max_load() const { return max_load_; }
  double load(Channel channel) const;
  u64 undelivered() const { return undelivered_; }  // flows with a queue pair that does not arrive

 private:
  bool add(const Header& header, const Flow& flow);  // whether it arrives

  const Fabric& fabric_;
  const HashedNextHops& forward_;
  FlowHash hash_;
  flow::Measure measure_;
  u32 queue_pairs_;
  IdVector<Channel, double> load_;  // of all queue pairs
  std::vector<Channel> touched_{}, way_{};
  double max_load_ = 0;
  u64 undelivered_ = 0;
};

struct HashForecast {
  const Topology& topology;
  const Routing& routing;  // by hashes
  std::span<const std::vector<Flow>> rounds;
  flow::Measure measure = flow::Measure::demand;
  u64 hashes = 1000;
  u64 seed = 1;  // hash i has hash_seed(seed, i)
  unsigned threads = 1;
  const flow::DeviceHashes* device = nullptr;  // of the same rounds and measure, instead of threads
};

// By hash, with so many queue pairs.
struct HashLoad {
  double max_load = 0;  // mean over rounds
  u64 undelivered = 0;  // flows of all rounds
};
// Throws gpu::DeviceFailure, of a device only; so do those below.
std::vector<HashLoad> hash_loads(const HashForecast& forecast, u32 queue_pairs);
std::vector<double> max_loads(std::span<const HashLoad> loads);
// The value that so large a share of the others does not exceed; of values in any order, not none.
double quantile(std::vector<double> values, double share);

// Not applicable to other routings.
Result<HashAnswer> forecast_hashes(const HashForecast& forecast);

}  // namespace banyan::ask
