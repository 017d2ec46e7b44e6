// Which rails carry a traffic, as text.
#pragma once
#include "ask/rail_traffic.hpp"
#include "cli/verb.hpp"

namespace banyan::cli {

// Prints nothing unless something crosses rails. With `in_bytes` amounts are bytes.
void print_rails(const Fabric& fabric, const std::optional<ask::RailTraffic>& rails, bool in_bytes);

// Whether the traffic does what it must not.
Exit rails_exit(const std::optional<ask::RailTraffic>& rails);

}  // namespace banyan::cli
