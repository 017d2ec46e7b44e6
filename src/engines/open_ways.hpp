// The source of adaptive routings, where switches choose among all permitted hops: a message has one way.
#pragma once
#include <optional>
#include <string_view>

#include "engines/engine.hpp"

namespace banyan::engines {

struct OpenWays {
  u32 count(Nic, Nic, u64) const { return 1; }
  Header way(Nic, Nic to, u64, u32) const { return {.to = address_of(to)}; }
  Reads reads() const { return Reads::nothing; }
};

// The reason why an adaptive engine cannot route this fabric, if a node has more ports than hops can be
// offered.
std::optional<NotApplicable> refuse_many_hops(const Fabric& fabric, std::string_view engine,
                                              u32 hops_a_port = 1);

}  // namespace banyan::engines
