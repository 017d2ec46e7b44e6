#include "ask/link_speed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace banyan::ask {
namespace {

// Least and greatest.
std::pair<double, double> range_of_capacities(const Fabric& fabric) {
  const auto& classes = fabric.link_classes();
  if (classes.empty()) return {1, 1};
  const auto [least, greatest] =
      std::minmax_element(classes.begin(), classes.end(),
                          [](const LinkClass& a, const LinkClass& b) { return a.capacity < b.capacity; });
  return {least->capacity, greatest->capacity};
}

bool are_equal(double a, double b) { return std::abs(a / b - 1) < 1e-9; }

}  // namespace

std::string link_speeds(const Fabric& fabric, Speed link) {
  const auto [least, greatest] = range_of_capacities(fabric);
  const std::string slowest = quantity_text(Speed{least * link.value});
  return least == greatest ? slowest
                           : fmt::format("{} to {}", slowest, quantity_text(Speed{greatest * link.value}));
}

Speed link_speed(const Loaded& loaded, Speed link, bool is_given) {
  return link_speed(loaded.topology.fabric, loaded.unit, link, is_given);
}

Speed link_speed(const Fabric& fabric, Speed unit, Speed link, bool is_given) {
  if (unit.value == 0 || link.value == 0) return link;
  const double fastest = unit.value * range_of_capacities(fabric).second;
  if (is_given && !are_equal(link.value, fastest))
    throw InputError(fmt::format("the links of this fabric have speeds already, {}: expected no link={}",
                                 link_speeds(fabric, unit), quantity_text(link)));
  return unit;
}

}  // namespace banyan::ask
