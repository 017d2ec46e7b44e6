// Explains a path hop by hop in words, for `path --why`: the digits in a fat-tree, the coordinates in a grid,
// the groups in a dragonfly, and how the switch chose.
#pragma once
#include <string>
#include <vector>

#include "routing/paths.hpp"

namespace banyan::routing {

// Whose number j determines the up ports of a tree, floor(j / W_l) mod (w p): that of the destination or of
// the source. It is stated only if the path really follows it; the name of an engine proves nothing.
enum class Digits : u8 { unknown, of_destination, of_source };

// Returns one text for every channel of the path.
std::vector<std::string> hop_reasons(const Topology& topology, const Routing& routing, Nic from, Nic to,
                                     const RoutedPath& path, Digits digits = Digits::unknown);

}  // namespace banyan::routing
