// Faults: chooses the cables that --without describes, and makes the fabric without them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::fabric {

// The cables that a description names. Throws InputError if the description is wrong.
//   links=15,seed=7          this number of cables, drawn at random
//   share=0.02,seed=7        this share of the cables, rounded to the nearest number
//     of=switches|hosts|all  draw from cables between switches (default), host cables, or all
//   link=NAME:PORT           the cable in that port, by the number or text printed beside it
//   switch=NAME              all cables of that switch
//   host=NAME                all cables of that host
// What it throws begins with `asked_by`.
std::vector<Link> choose_cables(const Fabric& fabric, std::string_view what,
                                std::string_view asked_by = "--without ");

// The fabric without the cables of all these faults, which are applied one after the other.
Fabric without(const Fabric& fabric, const std::vector<std::string>& faults);
// The same for a fabric that was renumbered after it had been read: cables are drawn in the order in which
// they were read, so that the same words take the same cables. Both have the same names and port labels.
Fabric without(const Fabric& renumbered, const std::vector<std::string>& faults, const Fabric& as_read);
// What such a text may be, for those who offer it as an option.
inline constexpr std::string_view faults_meaning =
    "take cables away: links=N,seed=S or share=X,seed=S, drawn from those between switches, or with of=hosts "
    "from those of hosts, with of=all from all; link=NAME:PORT; switch=NAME; host=NAME; may be repeated";

}  // namespace banyan::fabric
