// InfiniBand's words for the speed of a link, such as 4xEDR, and the Gbit/s they carry.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::formats {

constexpr double usual_link_speed = 100;  // 4xEDR, where a file says nothing

std::optional<double> parse_link_speed(std::string_view word);  // Gbit/s of data; none for words not known

// The words for a fabric's classes of links. Capacities that all are speeds of InfiniBand are written as
// such; others are multiplied so that the smallest is 4xEDR, and the nearest speeds are taken.
std::vector<std::string> link_speed_words(const std::vector<LinkClass>& classes);

}  // namespace banyan::formats
