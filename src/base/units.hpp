// Numbers as people write them: with units, in percent, as ranges.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace banyan::base {

// A whole number with or without a unit of bytes: 4096, 4KiB, 1MB.
std::optional<u64> parse_amount(std::string_view text);
// A number or a percentage: 0.02, 2%.
std::optional<double> parse_ratio(std::string_view text);
// Such numbers with commas between, or a range with its step: 0.1,0.5 or 0.1:0.9:0.1, the end included.
std::optional<std::vector<double>> parse_ratios(std::string_view text);

}  // namespace banyan::base
