// The effect of a choice among addresses (routing/address_choice.hpp): which messages take shortest paths and
// which take detours, by size and by the groups of the two ends, and the criteria of domke19 (section 3.2):
// (1) small messages take shortest paths, (2) large ones do not, (3) every pair can choose. The judge checks
// (4), freedom from loops and deadlock.
#pragma once
#include <vector>

#include "routing/routing.hpp"

namespace banyan::verify {

// Counts pairs of NICs whose way passes at least two switches; with one switch there is no detour.
struct ChoiceCell {
  u64 bytes = 0;  // messages from this size on
  u32 from = 0, to = 0;
  u64 pairs = 0;
  u64 shortest = 0;     // all ways of the pair are shortest paths
  u64 around = 0;       // none is
  double extra = 0;     // channels more than needed, mean over pairs and ways
  u64 unreachable = 0;  // a way does not arrive; not among the pairs

  static void fields(auto& self, auto&& f) {
    f("bytes", self.bytes, "bytes", "of messages: this size and more");
    f("from", self.from, "", "the group of the source");
    f("to", self.to, "", "the group of the destination");
    f("pairs", self.pairs, "", "on different switches");
    f("shortest", self.shortest, "", "pairs of which all ways are shortest paths");
    f("longer", self.around, "", "pairs of which none is");
    f("extra_channels", self.extra, "channels", "more than needed, mean over pairs and ways");
    f("unreachable", self.unreachable, "", "pairs with a way that does not arrive");
  }
};

// For pairs of two groups, or for all pairs.
struct ChoiceCriteria {
  u32 from = 0, to = 0;  // the groups
  u64 pairs = 0;
  u64 small_shortest = 0, large_around = 0;  // (1), (2): all ways of the first and of the last size
  u64 both = 0;                              // (3): some way of some size is shortest, some other is not

  static void counts(const auto& self, auto&& f) {
    f("pairs", self.pairs, "", "on different switches");
    f("small_shortest", self.small_shortest, "", "pairs whose small messages take shortest paths");
    f("large_longer", self.large_around, "", "pairs whose large messages take longer ones");
    f("both", self.both, "", "pairs that can choose between the two");
  }
  static void fields(auto& self, auto&& f) {
    f("from", self.from, "", "the group of the source");
    f("to", self.to, "", "the group of the destination");
    counts(self, f);
  }
};

struct ChoiceReport {
  u32 groups = 0;
  std::vector<ChoiceCell> cells;         // by size, group of the source, group of the destination
  std::vector<ChoiceCriteria> criteria;  // by groups

  ChoiceCriteria all() const;

  static void fields(auto& self, auto&& f) {
    f("groups", self.groups, "", "that hosts fall into");
    ChoiceCriteria::counts(self.all(), f);
    f("criteria", self.criteria, "", "the same by groups");
    f("cells", self.cells, "", "by size and groups");
  }
};

// The routing must have Tables and a choice. Distances are those of the fabric as it is, with cables missing.
ChoiceReport report_choice(const Fabric& fabric, const Routing& routing);

}  // namespace banyan::verify
