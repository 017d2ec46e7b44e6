// All proposals of all families for a machine, for tests of sizing.
#pragma once
#include <string>
#include <vector>

#include "topology/family.hpp"
#include "topology/proposals.hpp"

namespace banyan::tests {

struct Proposed {
  std::string family;
  Outline outline;
};

inline std::vector<Proposed> all_proposals(const SizeDemand& demand, std::string_view only = "") {
  std::vector<Proposed> out;
  for (const Family& family : families())
    if (family.propose && (only.empty() || family.name == only))
      family.propose(Proposals(demand, [&](Outline&& outline) {
        out.push_back({std::string(family.name), std::move(outline)});
      }));
  return out;
}

}  // namespace banyan::tests
