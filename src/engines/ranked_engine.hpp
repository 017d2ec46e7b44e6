// Shared by the engines that route a ranked tree up and then down (`dmodc`, `ftree`, `adaptive`).
#pragma once
#include <algorithm>
#include <optional>

#include "engines/engine.hpp"
#include "engines/ranked_tree.hpp"
#include "engines/table_limits.hpp"

namespace banyan::engines {

// The reason why tables of up/down routes are impossible, or none. Throws InputError when lmc is out of
// range.
std::optional<NotApplicable> refuse_ranked(const Topology& topology, u32 lmc, std::string_view engine);

// Finds a pair that is connected, but not by a way up and then down.
class Gaps {
 public:
  Gaps(const Fabric& fabric, const RankedTree& tree);

  // reached(v) tells whether node v has a way to this group.
  template <class Reached>
  std::optional<NotApplicable> find(u32 to, Reached reached) const {
    for (u32 from = 0; from < at_.size(); ++from)
      if (!reached(tree_.groups()[from].start) && are_connected(from, to)) return refusal(from, to);
    return std::nullopt;
  }

 private:
  bool are_connected(u32 from, u32 to) const {
    return std::find_first_of(at_[from].begin(), at_[from].end(), at_[to].begin(), at_[to].end()) !=
           at_[from].end();
  }
  NotApplicable refusal(u32 from, u32 to) const;

  const Fabric& fabric_;
  const RankedTree& tree_;
  std::vector<std::vector<Switch>> at_;  // by group: the parts of the fabric that it is cabled to
};

}  // namespace banyan::engines
