#include "base/units.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "base/text.hpp"

namespace banyan::base {

std::optional<u64> parse_amount(std::string_view text) {
  if (const auto whole = parse_unsigned(text)) return whole;
  constexpr std::array<std::pair<std::string_view, double>, 9> units = {{{"kib", 0x1p10},
                                                                         {"mib", 0x1p20},
                                                                         {"gib", 0x1p30},
                                                                         {"tib", 0x1p40},
                                                                         {"kb", 1e3},
                                                                         {"mb", 1e6},
                                                                         {"gb", 1e9},
                                                                         {"tb", 1e12},
                                                                         {"b", 1}}};
  const std::string small = lower(text);
  for (const auto& [unit, factor] : units) {
    if (!small.ends_with(unit)) continue;
    const auto number = parse_real(trim(text.substr(0, text.size() - unit.size())));
    if (!number || *number < 0 || *number * factor > 0x1p53) return std::nullopt;
    const double amount = *number * factor;
    return amount == std::floor(amount) ? std::optional(static_cast<u64>(amount)) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<double> parse_ratio(std::string_view text) {
  if (!text.ends_with('%')) return parse_real(text);
  const auto percent = parse_real(trim(text.substr(0, text.size() - 1)));
  return percent ? std::optional(*percent / 100) : std::nullopt;
}

std::optional<std::vector<double>> parse_ratios(std::string_view text) {
  const bool is_range = text.find(':') != text.npos;
  std::vector<double> out;
  for (const std::string_view piece : split(text, is_range ? ':' : ',')) {
    const auto value = parse_ratio(piece);
    if (!value) return std::nullopt;
    out.push_back(*value);
  }
  if (!is_range) return out;
  constexpr double most = 10'000;
  if (out.size() != 3 || out[2] <= 0 || out[1] < out[0] || (out[1] - out[0]) / out[2] > most)
    return std::nullopt;
  const double first = out[0], step = out[2];
  const u64 steps = static_cast<u64>(std::floor((out[1] - out[0]) / step + 1e-9));
  out.clear();
  for (u64 i = 0; i <= steps; ++i)  // 0.1 + 2 * 0.1 is to be 0.3
    out.push_back(std::round((first + static_cast<double>(i) * step) * 1e12) / 1e12);
  return out;
}

}  // namespace banyan::base
