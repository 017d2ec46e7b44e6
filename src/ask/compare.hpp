// Two routings of a fabric as it is: what would change if the other tables were loaded.
#pragma once
#include "ask/fail.hpp"

namespace banyan::ask {

// `before` is `one`, `after` is `other`. Not applicable where the loads are not, or a group of next hops is
// too large. Throws InputError where hashes were given and change nothing.
Result<FailAnswer> compare(const Situation& at, const Routing& one, const Routing& other,
                           const FailOptions& options, const WasGiven& given = {});

}  // namespace banyan::ask
