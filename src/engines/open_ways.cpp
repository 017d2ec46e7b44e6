#include "engines/open_ways.hpp"

namespace banyan::engines {

std::optional<NotApplicable> refuse_many_hops(const Fabric& fabric, std::string_view engine,
                                              u32 hops_a_port) {
  const u32 maximum = static_cast<u32>(Hops::maximum) / hops_a_port;
  for (Node v : fabric.nodes())
    if (fabric.ports(v) > maximum)
      return NotApplicable{fmt::format("{} chooses among up to {} ports; {} has {}", engine, maximum,
                                       fabric.name(v), fabric.ports(v))};
  return std::nullopt;
}

}  // namespace banyan::engines
