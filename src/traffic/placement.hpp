// Where the ranks of a job run: rank -> host. Written linear, random, clustered:0.8, file:PATH.
#pragma once
#include <string_view>

#include "fabric/ids.hpp"
#include "traffic/flow.hpp"
#include "traffic/traffic.hpp"

namespace banyan {

using Placement = IdVector<Rank, Host>;

Placement place_linearly(u32 ranks);

// The flows of demands, on the first rail.
void append_flows(const std::vector<Demand>& demands, const Placement& placement, std::vector<Flow>& out);

}  // namespace banyan
