// Why a path goes where it goes, hop by hop in words: the digits in a fat-tree, the coordinates in a grid,
// the groups in a dragonfly, and how the switch came to choose.
#pragma once
#include <string>
#include <vector>

#include "routing/paths.hpp"

namespace banyan::routing {

// Whose number decides the up ports of a tree: floor(j / W_l) mod (w p), for the destination or the source j.
// What is said so is what was found to be true of the path; an engine of the name alone proves nothing.
enum class Digits : u8 { unknown, of_destination, of_source };

// One text for every channel of the path.
std::vector<std::string> hop_reasons(const Topology& topology, const Routing& routing, Nic from, Nic to,
                                     const RoutedPath& path, Digits digits = Digits::unknown);

}  // namespace banyan::routing
