// Numbers as people write them: with units, in percent, as ranges.
#pragma once
#include <concepts>
#include <optional>
#include <string>
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

// A number in SI units, written with the unit that people use.
struct Duration {  // 300ns, 1.5us, 2ms, 1s
  static constexpr std::string_view unit = "seconds";
  double value = 0;
};
struct Speed {  // 400G or 400Gbit/s: bits; 50GB/s: bytes
  static constexpr std::string_view unit = "bytes/s";
  double value = 0;
};
struct Length {  // 5m, 30cm
  static constexpr std::string_view unit = "metres";
  double value = 0;
};
template <class T>
concept Quantity = requires(T quantity) {
  { quantity.value } -> std::same_as<double&>;
  T::unit;
};

// Nothing for a text that is none, and for one below 0; a 0 needs no unit.
std::optional<Duration> parse_duration(std::string_view text);
std::optional<Speed> parse_speed(std::string_view text);
std::optional<Length> parse_length(std::string_view text);

// As people write it, to six digits.
std::string quantity_text(Duration duration);
std::string quantity_text(Speed speed);  // in bits
std::string quantity_text(Length length);
std::string bytes_text(double bytes);  // 8 B, 1.5 MiB, 8 GiB
std::string bytes_per_second_text(double speed);

}  // namespace banyan::base
