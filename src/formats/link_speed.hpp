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

// A capacity as it is written: a number, or, where capacities are counted in a unit, a speed such as 100G.
std::string capacity_text(double capacity, base::Speed unit);

std::optional<double> parse_link_speed(std::string_view word);  // Gbit/s of data; none for an unknown word

// The speed names for a fabric's link classes, whose capacities are counted in `unit`; 0: they are numbers.
// Speeds, and numbers that all are InfiniBand's in Gbit/s, are written as the nearest speed; other numbers
// are multiplied before so that the smallest is 4xEDR.
std::vector<std::string> link_speed_words(const std::vector<LinkClass>& classes, base::Speed unit = {});

}  // namespace banyan::formats
