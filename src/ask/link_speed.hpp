// The speed of links: a question asks for that of a link of capacity 1, unless the fabric has speeds itself.
#pragma once
#include <string>

#include "formats/load.hpp"

namespace banyan::ask {

// What a link of capacity 1 carries: `link`, or, where the capacities of the fabric are speeds, what these
// say. No speed (0) stays none. Throws InputError where both were given and the fabric has no such links.
Speed link_speed(const Loaded& loaded, Speed link, bool is_given);
// The same for capacities that are counted in `unit`; 0: they are numbers.
Speed link_speed(const Fabric& fabric, Speed unit, Speed link, bool is_given);

// The speeds of the fabric's links, where one of capacity 1 has this one: 400G, or 200G to 400G.
std::string link_speeds(const Fabric& fabric, Speed link);

}  // namespace banyan::ask
