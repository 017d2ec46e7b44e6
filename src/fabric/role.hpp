// What an endpoint of a fabric is there for. Traffic, pairs and sizes of jobs are counted over hosts.
#pragma once
#include <array>
#include <string_view>

#include "base/types.hpp"

namespace banyan::fabric {

enum class Role : u8 {
  host,         // computes
  storage,      // serves files
  service,      // manages, lets users in, or leads to another network
  aggregation,  // sums up inside a switch (SHARP)
  unknown,      // an adapter whose file does not say what it belongs to
};
constexpr std::array<std::string_view, 5> option_names(Role) {
  return {"host", "storage", "service", "aggregation", "unknown"};
}

}  // namespace banyan::fabric
