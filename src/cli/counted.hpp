// Counts in sentences: "1 cable", "2 cables".
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/types.hpp"

namespace banyan::cli {

inline std::string counted(u64 number, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", number, number == 1 ? one : several);
}
inline std::string counted(u64 number, std::string_view one) {
  return fmt::format("{} {}{}", number, one, number == 1 ? "" : "s");
}
// A number of flows that may be a mean.
inline std::string flows_text(double flows) {
  return flows == static_cast<double>(static_cast<u64>(flows)) ? fmt::format("{:.0f}", flows)
                                                               : fmt::format("{:.4g}", flows);
}

}  // namespace banyan::cli
