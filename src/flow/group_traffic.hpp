// Divides what a group of sources sends among its members.
#pragma once
#include <span>
#include <vector>

#include "traffic/flow.hpp"

namespace banyan::flow {

struct HostShare {
  Nic to;
  double amount;
};

// Appends flows that together send these amounts; no member sends more than `each`, and none sends to itself.
// Requires that the total is at most `each` per member, that every amount is at most `each`, and that a group
// of one has no share to itself.
void share_among(std::span<const Nic> members, double each, std::span<const HostShare> shares,
                 std::vector<Flow>& out);

}  // namespace banyan::flow
