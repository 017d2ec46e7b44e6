// What the adaptive engines of a HyperX share.
#pragma once
#include <functional>
#include <optional>

#include "engines/open_ways.hpp"

namespace banyan::engines {

RouteResult route_hyperx(const Topology& topology, std::string_view engine, std::string_view needs,
                         bool deroutes);

// Why they cannot route a grid without some of its cables, if so.
std::optional<NotApplicable> refuse_incomplete(const Topology& topology, std::string_view engine);
std::optional<NotApplicable> refuse_large(u64 table_bytes, std::string_view engine);
std::optional<NotApplicable> refuse_parted(const Topology& topology, std::string_view engine,
                                           const std::function<bool(u32, u32)>& parted);

}  // namespace banyan::engines
