#include "formats/link_speed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace banyan::formats {
namespace {

struct Speed {
  std::string_view word;
  double lane;  // Gbit/s of data
};
constexpr Speed speeds[] = {{"SDR", 2},  {"DDR", 4},  {"QDR", 8},   {"FDR10", 10}, {"FDR", 13.625},
                            {"EDR", 25}, {"HDR", 50}, {"NDR", 100}, {"XDR", 200}};
constexpr u32 widths[] = {4, 1, 2, 8, 12};  // the usual one first

struct Word {
  u32 width;
  std::string_view speed;
  double rate;
};

Word nearest_speed(double rate) {
  Word best{};
  double least = INFINITY;
  for (u32 width : widths)
    for (const Speed& speed : speeds)
      if (const double off = std::abs(std::log(width * speed.lane / rate)); off < least)
        least = off, best = {width, speed.word, width * speed.lane};
  return best;
}

}  // namespace

std::string capacity_text(double capacity, base::Speed unit) {
  if (unit.value == 0) return fmt::format("{}", capacity);
  return fmt::format("{}G", capacity * (unit.value / gigabit.value));
}

std::optional<double> parse_link_speed(std::string_view word) {
  const auto x = word.find('x');
  const auto width = parse_unsigned(word.substr(0, x));
  if (x == word.npos || !width || std::find(std::begin(widths), std::end(widths), *width) == std::end(widths))
    return std::nullopt;
  for (const Speed& speed : speeds)
    if (speed.word == word.substr(x + 1)) return static_cast<double>(*width) * speed.lane;
  return std::nullopt;
}

std::vector<std::string> link_speed_words(const std::vector<LinkClass>& classes, base::Speed unit) {
  const bool known = std::all_of(classes.begin(), classes.end(), [](const LinkClass& link) {
    return nearest_speed(link.capacity).rate == link.capacity;
  });
  double smallest = INFINITY;
  for (const LinkClass& link : classes) smallest = std::min(smallest, link.capacity);
  const double factor = unit.value > 0 ? unit.value / gigabit.value : known ? 1 : usual_link_speed / smallest;
  std::vector<std::string> words;
  for (const LinkClass& link : classes) {
    const Word word = nearest_speed(link.capacity * factor);
    words.push_back(fmt::format("{}x{}", word.width, word.speed));
  }
  return words;
}

}  // namespace banyan::formats
