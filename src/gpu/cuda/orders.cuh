// Chains of the search for an order of ranks on a device: a warp has a chain.
#pragma once
#include "gpu/device_calls.hpp"

namespace banyan::gpu {

// By chain and rank: the host in the best order that was found.
void search_orders(OrderData data, OrderChains chains, u32* out);

}  // namespace banyan::gpu
