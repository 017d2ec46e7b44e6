// Computes the loads of flows under any routing repeatedly, as defined in load.hpp, without allocating per
// flow. Use one per thread.
//
// Sums are exact where demands are integers: they are kept in units of one over the least common multiple of
// the numbers of ways.
#pragma once
#include <span>
#include <vector>

#include "flow/measure.hpp"
#include "flow/way_lister.hpp"
#include "routing/visit_forward.hpp"
#include "traffic/flow.hpp"

namespace banyan::flow {

// The rates of flows if every channel divides itself evenly and no flow uses what others leave: 1 over the
// contention on the path (ORCS; Hoefler, Schneider and Lumsdaine 2008), as a share of what they ask for. For
// a way that spreads adaptively, the worst channel counts.
struct ContentionRates {
  double mean = 0, least = 0;
};

class LoadMeter {
 public:
  explicit LoadMeter(const WayLister& lister, bool demands_are_bytes = false,
                     Measure measure = Measure::demand);

  void measure(std::span<const Flow> flows);

  double max() const;
  IdVector<Channel, double> loads() const;
  // The number of flows with a way that does not arrive; such ways load nothing.
  u64 undelivered() const { return undelivered_; }

  // The rates of the flows just measured. With several ways each carries its part; a way whose channels carry
  // less than 1 in total gets what it asks for.
  ContentionRates rates(std::span<const Flow> flows);

  // Calls f(index of the flow, channel, load that one of its ways puts on it).
  template <class F>
  void each_part(std::span<const Flow> flows, F&& f);

 private:
  u64 bytes(const Flow& flow) const { return in_bytes_ ? static_cast<u64>(flow.demand) : long_message; }
  double of_capacity(Channel c, double load) const {
    return capacity_.empty() ? load : load / capacity_[index(c)];
  }
  bool divides(u64 ways);
  template <class F>
  bool measure_by(const F& forward, std::span<const Flow> flows);
  template <class F>
  double rate_by(const F& forward, const Flow& flow);

  const WayLister& lister_;
  bool in_bytes_;
  IdVector<Channel, double> load_;  // of demand, in units
  std::vector<double> capacity_;    // by channel; empty: loads are demands
  u64 units_ = 1;                   // units of a load of 1
  u64 known_ways_ = 1;              // a number that divides the units
  u64 undelivered_ = 0;
  std::vector<Header> ways_;
  FlowWay way_;
};

template <class G>
void LoadMeter::each_part(std::span<const Flow> flows, G&& g) {
  const auto by = [&](const auto& forward) {
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const Flow& flow = flows[i];
      if (flow.from == flow.to) continue;
      lister_.source().ways(flow.from, flow.to, bytes(flow), ways_);
      for (const Header& header : ways_)
        if (lister_.list(forward, flow.from, flow.to, header, way_))
          for (const Passage& part : way_.parts)
            g(i, part.channel,
              of_capacity(part.channel, flow.demand * part.share / static_cast<double>(ways_.size())));
    }
  };
  visit_forward(by, lister_.forward());
}

}  // namespace banyan::flow
