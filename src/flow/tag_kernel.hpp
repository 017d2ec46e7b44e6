// Maximum loads of random permutations and bisections where tag_levels.hpp applies. No path is followed: the
// shuffled subtrees of the sources are combined with the offsets of the destinations by arithmetic on whole
// arrays, which gives the channels; small counters hold the loads.
#pragma once
#include <span>
#include <variant>

#include "flow/round_loads.hpp"
#include "flow/tag_levels.hpp"
#include "flow/tree_cuts.hpp"

namespace banyan::flow {

// Index holds a rank, a subtree or a channel of a level; Counter the load of a channel.
template <class Index, class Counter>
class TagCounters {
 public:
  explicit TagCounters(const std::vector<TagLevel>& levels);
  static bool fits(const std::vector<TagLevel>& levels);

  void permutation(u64 seed, u64 sample, double nic_links, RoundLoads& out);

  // Counts flows between ranks; a rank sends at most once and receives at most once.
  void flows(std::span<const Index> from, std::span<const Index> to, bool rates, RoundLoads& out);

 private:
  struct Subtree {
    u32 ranks = 0, first_slot = 0, slots = 0;  // counters of flows that stay inside
  };
  struct Level {
    u32 shift, channels, links;         // label >> shift is the subtree; counters of up channels; per subtree
    std::vector<Index> offset, inside;  // by destination; where a flow that stays inside is counted
    std::vector<Index> down;            // by destination, where down channels need counting
    std::vector<Subtree> subtrees;
    std::vector<Counter> up_load, down_load;
  };

  void add_level(const TagLevel& level, u32 shift);
  void count_permutation(Level& level);
  static u32 heaviest(const Level& level);
  static double cut_bound(const Level& level);
  static void clear(Level& level);
  u32 contention(Index from, Index to) const;

  u32 ranks_;
  std::vector<Index> label_;  // by rank: its digits above the leaf, as bit fields
  std::vector<Level> levels_;
  std::vector<Index> shuffled_;
};

extern template class TagCounters<u16, u8>;
extern template class TagCounters<u32, u32>;

class TagKernel {
 public:
  // The hosts of the placement must differ.
  TagKernel(const Topology& topology, const std::vector<TagLevel>& levels, const Placement& placement,
            Traffic::Draw draw, bool rates);

  // Measures samples first, first + 1, ...
  void run(u64 seed, u64 first, std::span<RoundLoads> out) const;

  const std::vector<TagLevel>& levels() const { return levels_; }
  Traffic::Draw draw() const { return draw_; }
  bool has_rates() const { return rates_; }
  double nic_links() const { return nic_links_; }

 private:
  template <class Index, class Counter>
  void run_flows(TagCounters<Index, Counter>& counters, u64 seed, u64 first, std::span<RoundLoads> out) const;

  TreeCuts cuts_;
  std::vector<TagLevel> levels_;
  Placement placement_;
  Traffic::Draw draw_;
  bool rates_;
  double nic_links_;
  std::variant<TagCounters<u16, u8>, TagCounters<u32, u32>> counters_;
};

}  // namespace banyan::flow
