#include "base/units.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "base/text.hpp"

namespace banyan::base {
namespace {

using Unit = std::pair<std::string_view, double>;

// With one of these units, which are tried in their order.
std::optional<double> parse_with_unit(std::string_view text, std::span<const Unit> units) {
  text = trim(text);
  if (text == "0") return 0;
  for (const auto& [unit, factor] : units) {
    if (!text.ends_with(unit)) continue;
    const auto number = parse_real(trim(text.substr(0, text.size() - unit.size())));
    if (!number || !(*number >= 0) || !std::isfinite(*number * factor)) return std::nullopt;
    return factor < 1 ? *number / std::round(1 / factor)
                      : *number * factor;  // 100 ns are 1e-7 s, not 1.0000000000000001e-7
  }
  return std::nullopt;
}

// In the largest of these units in which it is 1 or more, or in the smallest; the largest comes first.
std::string text_with_unit(double value, std::span<const Unit> units, std::string_view space = "") {
  if (value == 0 && space.empty()) return "0";
  Unit best = units.front();
  for (const Unit& unit : units) {
    best = unit;
    if (value >= unit.second) break;
  }
  return fmt::format("{:.6g}{}{}", value / best.second, space, best.first);
}

constexpr std::array<Unit, 5> durations = {
    {{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}, {"s", 1}}};
constexpr std::array<Unit, 5> durations_by_size = {
    {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}}};
constexpr std::array<Unit, 4> bits = {{{"T", 1e12 / 8}, {"G", 1e9 / 8}, {"M", 1e6 / 8}, {"k", 1e3 / 8}}};

}  // namespace

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

std::optional<Duration> parse_duration(std::string_view text) {
  const auto seconds = parse_with_unit(text, durations);
  return seconds ? std::optional(Duration{*seconds}) : std::nullopt;
}

std::optional<Speed> parse_speed(std::string_view text) {
  constexpr std::array<Unit, 8> units = {{{"TB/s", 1e12},
                                          {"GB/s", 1e9},
                                          {"MB/s", 1e6},
                                          {"kB/s", 1e3},
                                          {"GiB/s", 0x1p30},
                                          {"MiB/s", 0x1p20},
                                          {"KiB/s", 0x1p10},
                                          {"B/s", 1}}};
  auto speed = parse_with_unit(text, units);
  if (speed) return Speed{*speed};
  text = trim(text);
  for (const std::string_view ending : {"bit/s", "b/s", "bps"})
    if (text.ends_with(ending)) {
      text.remove_suffix(ending.size());
      break;
    }
  speed = parse_with_unit(text, bits);
  return speed ? std::optional(Speed{*speed}) : std::nullopt;
}

std::optional<Length> parse_length(std::string_view text) {
  constexpr std::array<Unit, 2> units = {{{"cm", 0.01}, {"m", 1}}};
  const auto metres = parse_with_unit(text, units);
  return metres ? std::optional(Length{*metres}) : std::nullopt;
}

std::string quantity_text(Duration duration) { return text_with_unit(duration.value, durations_by_size); }
std::string quantity_text(Speed speed) { return text_with_unit(speed.value, bits); }
std::string quantity_text(Length length) {
  constexpr std::array<Unit, 1> metre = {{{"m", 1}}};
  return text_with_unit(length.value, metre);
}

std::string bytes_text(double bytes) {
  constexpr std::array<Unit, 5> units = {
      {{"TiB", 0x1p40}, {"GiB", 0x1p30}, {"MiB", 0x1p20}, {"KiB", 0x1p10}, {"B", 1}}};
  return text_with_unit(bytes, units, " ");
}

std::string bytes_per_second_text(double speed) {
  constexpr std::array<Unit, 5> units = {
      {{"TB/s", 1e12}, {"GB/s", 1e9}, {"MB/s", 1e6}, {"kB/s", 1e3}, {"B/s", 1}}};
  return text_with_unit(speed, units, " ");
}

}  // namespace banyan::base
