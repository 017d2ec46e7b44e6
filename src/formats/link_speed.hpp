// Converts InfiniBand's names of link speeds, such as 4xEDR, to Gbit/s and back.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "fabric/fabric.hpp"

namespace banyan::formats {

constexpr double usual_link_speed = 100;  // 4xEDR, which is written where capacities are no speeds
constexpr base::Speed gigabit{1e9 / 8};   // a second: what capacities of InfiniBand are counted in

std::optional<double> parse_link_speed(std::string_view word);  // Gbit/s of data; none for an unknown word

// The speed names for a fabric's link classes. Capacities that all are InfiniBand speeds are written as such;
// otherwise they are multiplied so that the smallest is 4xEDR, and rounded to the nearest speed.
std::vector<std::string> link_speed_words(const std::vector<LinkClass>& classes);

}  // namespace banyan::formats
