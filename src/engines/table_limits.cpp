#include "engines/table_limits.hpp"

#include <fmt/format.h>

namespace banyan::engines {

std::optional<NotApplicable> refuse_tables(const Fabric& fabric, u32 lmc, std::string_view engine) {
  if (lmc > 7) throw InputError(fmt::format("{}: lmc must be at most 7", engine));
  for (Node v : fabric.nodes())
    if (fabric.ports(v) > Tables::max_ports)
      return NotApplicable{fmt::format("tables hold up to {} ports a node; {} has {}", Tables::max_ports,
                                       fabric.name(v), fabric.ports(v))};
  if ((u64{fabric.nics()} << lmc) >= index(none<Address>))
    return NotApplicable{fmt::format("{} NICs with 2^{} addresses each are too many", fabric.nics(), lmc)};
  return std::nullopt;
}

Routing one_lane(Tables tables, u32 lmc) {
  return {std::move(tables), Source(TableWays{.lmc = lmc, .lane_row = {}, .lanes = {}}), 1, lmc};
}

}  // namespace banyan::engines
