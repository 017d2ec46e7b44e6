// Fabrics whose planes have different shapes (topology/plane_sum.hpp): every summand is routed by itself, and
// the routings become one.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/engine.hpp"

namespace banyan::engines {

inline constexpr std::string_view planes_name = "planes";

// The engines of 'dor + updn:roots=s0+s1': a plus with spaces around it stands between them.
std::vector<std::string_view> split_engines(std::string_view text);
std::string best_of_each_plane(const Topology& sum);

// Where all summands are routed by tables, or by closed forms that tables say exactly, the result has tables.
RouteResult route_each_plane(const Topology& sum, const std::function<RouteResult(const Topology&)>& route);

}  // namespace banyan::engines
