// Planned and observed cabling: what differs, and the shortest repair.
#pragma once
#include "ask/answer.hpp"
#include "fabric/cabling_diff.hpp"

namespace banyan::ask {

struct DiffAnswer : CablingDiff {
  // Both have cables and share none: probably their names differ.
  bool shares_nothing() const { return same == 0 && !missing.empty() && !extra.empty(); }
};
DiffAnswer diff(const Fabric& plan, const Fabric& observed);

}  // namespace banyan::ask
