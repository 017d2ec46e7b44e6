// Role: what a machine on the fabric is for. Traffic runs between hosts; tables reach every role.
#pragma once
#include <array>
#include <string_view>

#include "base/types.hpp"

namespace banyan::fabric {

enum class Role : u8 { host, storage, service, aggregation, unknown };
constexpr std::array<std::string_view, 5> option_names(Role) {
  return {"host", "storage", "service", "aggregation", "unknown"};
}

}  // namespace banyan::fabric
