// What a group of sources sends together, shared out among its members.
#pragma once
#include <span>
#include <vector>

#include "traffic/flow.hpp"

namespace banyan::flow {

struct HostShare {
  Nic to;
  double amount;
};

// Appends flows that together send these amounts, no member more than `each` and none to itself. It takes
// that all together are at most `each` a member, and each one at most `each`; a group of one has no share of
// its own.
void share_among(std::span<const Nic> members, double each, std::span<const HostShare> shares,
                 std::vector<Flow>& out);

}  // namespace banyan::flow
