// Maximum loads of random permutations and bisections from tables. Several samples are processed together,
// destination by destination: the entries of one destination are read once for all of them and stay in the
// cache.
#pragma once
#include <array>
#include <optional>
#include <span>

#include "flow/round_loads.hpp"
#include "flow/tree_cuts.hpp"
#include "routing/routing.hpp"
#include "traffic/placement.hpp"

namespace banyan::flow {

class TableKernel {
 public:
  // None where ways depend on the source. The hosts of the placement must differ; the routing must outlive
  // the kernel.
  static std::optional<TableKernel> make(const Topology& topology, const Routing& routing,
                                         const Placement& placement, Traffic::Draw draw, bool rates);

  // Measures samples first, first + 1, ... If a flow does not arrive, or a load exceeds the counters, the
  // sample is skipped and its index in `out` is returned.
  std::vector<std::size_t> run(u64 seed, u64 first, std::span<RoundLoads> out) const;

 private:
  static constexpr u32 batch = 16;  // samples processed together
  struct Batch;

  TableKernel(const Topology& topology, const Tables& tables) : fabric_(topology.fabric), tables_(tables) {}
  void draw(u64 seed, u64 first, Batch& samples) const;
  template <class Visit>
  bool walk(const u8* row, u32 node, u32 goal, Visit&& visit) const;
  void walk_all(const u8* row, u32 to, Batch& samples) const;
  void count(Batch& samples) const;
  void rate(const Batch& samples, std::span<RoundLoads> out) const;
  double bound(const Batch& samples, u32 b, TreeCuts::Traffic& cut) const;

  const Fabric& fabric_;
  const Tables& tables_;
  std::optional<TreeCuts> cuts_;
  double least_bound_ = 1;  // bound by a NIC's own cable, if anything is sent
  Traffic::Draw draw_ = Traffic::Draw::permutation;
  bool rates_ = false;
  u32 ranks_ = 0, ways_ = 1;
  std::vector<Address> addresses_;  // by rank and way
  std::vector<u32> nic_, entry_;    // by rank: its NIC; the node where the tables begin
  std::vector<u32> first_out_;      // by node, with one entry more at the end
  std::vector<u32> next_;           // by channel: its far node
};

}  // namespace banyan::flow
