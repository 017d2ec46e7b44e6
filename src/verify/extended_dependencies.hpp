// The extended channel dependency graph of an escape (Duato 1995): a packet that holds a channel of the
// escape on a lane may wait, there or behind channels outside the escape, for another channel of the escape.
#pragma once
#include <unordered_set>
#include <vector>

#include "verify/dependencies.hpp"

namespace banyan::verify {

class ExtendedDependencies {
 public:
  using Vertex = u32;
  static Vertex vertex(Channel c, u32 lane) { return index(c) * Dependencies::max_lanes + lane; }
  static LanedChannel laned(Vertex v) {
    return {Channel{v / Dependencies::max_lanes}, v % Dependencies::max_lanes};
  }
  // f(vertex) for each of the lanes.
  template <class F>
  static void each_lane(Channel c, u32 lanes, F&& f) {
    for (; lanes; lanes &= lanes - 1) f(vertex(c, static_cast<u32>(std::countr_zero(lanes))));
  }

  explicit ExtendedDependencies(std::size_t channels) : wanted_(channels * Dependencies::max_lanes) {}

  void add(Vertex held, Vertex wanted) {
    if (known_.insert(u64{held} << 32 | wanted).second) wanted_[held].push_back(wanted);
  }
  void merge(const ExtendedDependencies& other);

  // By vertex: the longest chain that leads to it, which rises along every dependency. Empty if there is a
  // cycle: then cycle() returns a shortest one through one of its vertices.
  std::vector<u32> numbering() const;
  std::vector<Vertex> cycle() const;

 private:
  // The order in which vertices can be numbered; those in cycles and behind them are missing.
  std::vector<Vertex> order() const;

  std::unordered_set<u64> known_;
  std::vector<std::vector<Vertex>> wanted_;
};

}  // namespace banyan::verify
