// Loads of uniform traffic, where every rank sends equally to every other, without a list of its N (N - 1)
// flows: sources that the routing does not distinguish are followed once. Sums are exact as in
// load_meter.hpp.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "flow/alike_nics.hpp"
#include "flow/load_summary.hpp"
#include "flow/measure.hpp"
#include "flow/round_loads.hpp"
#include "flow/tree_cuts.hpp"
#include "flow/way_lister.hpp"
#include "traffic/placement.hpp"

namespace banyan::flow {

class UniformKernel {
 public:
  // Requires at least two ranks, each on a different host. Topology and routing must outlive this object.
  UniformKernel(const Topology& topology, const Routing& routing, const Placement& placement,
                Measure measure);

  struct Loads {
    IdVector<Channel, double> load;
    u64 undelivered = 0;
  };
  const Loads& loads(unsigned threads) const;  // computed on the first call; independent of `threads`
  RoundLoads round(unsigned threads) const;

  // The flows on these channels, whose loads are known.
  void add_flows(std::vector<HotChannel>& hot) const;

 private:
  struct Sums;
  struct Walk;

  template <class F, class G>
  bool each_part(const F& forward, Nic from, Nic to, Walk& walk, G&& f) const;
  // Adds what arrives at some of the destinations; returns false if a number of ways needs finer units.
  template <class F>
  bool add_range(const F& forward, u64 first, u64 last, Sums& out) const;
  std::vector<Sums> blocks(unsigned threads) const;
  Loads computed(unsigned threads) const;
  double of_load(Channel c, double parts) const;  // parts of flows as a load

  const Topology& topology_;
  WayLister lister_;
  std::vector<Nic> nics_;
  AlikeNics sources_;
  u32 max_ports_ = 1;  // of a NIC
  Measure measure_;
  std::optional<TreeCuts> cuts_;
  struct LazyLoads {
    std::once_flag once;
    Loads loads;
  };
  std::unique_ptr<LazyLoads> lazy_ = std::make_unique<LazyLoads>();
};

}  // namespace banyan::flow
