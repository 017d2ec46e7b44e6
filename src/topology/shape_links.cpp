#include "topology/shape_links.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "topology/plane_sum.hpp"

namespace banyan::topology {
namespace {

// 400G, or 200G/400G; nothing where the capacities are numbers or absent.
std::vector<double> speeds(const Notation& notation) {
  const std::string written = notation.word("capacity").value_or("");
  std::vector<double> out;
  for (const std::string_view piece : split(written, '/'))
    if (const auto speed = parse_speed(piece); speed && speed->value > 0) out.push_back(speed->value);
  return out;
}

// Where all of them are speeds, as shares of the usual one.
std::vector<double> capacities(const Notation& notation) {
  std::vector<double> out = speeds(notation);
  if (out.empty()) return notation.reals("capacity");
  const std::string written = *notation.word("capacity");
  if (out.size() != split(written, '/').size())
    notation.fail(
        fmt::format("capacity must be speeds like 200G/400G or numbers like 1/2, not '{}'", written));
  for (double& value : out) value /= usual_link.value;
  return out;
}

std::vector<double> spread(const Notation& notation, std::string_view key, std::vector<double> values,
                           std::size_t classes) {
  if (values.empty()) values.push_back(1);
  if (values.size() == 1) values.resize(classes, values.front());
  if (values.size() != classes)
    notation.fail(fmt::format("{} must be one number or {} of them, host links first", key, classes));
  return values;
}

}  // namespace

std::vector<LinkClass> read_link_classes(const Notation& notation, std::size_t classes) {
  const auto capacity = spread(notation, "capacity", capacities(notation), classes);
  const auto latency = spread(notation, "latency", notation.reals("latency"), classes);
  std::vector<LinkClass> out(classes);
  for (std::size_t i = 0; i < classes; ++i) out[i] = {capacity[i], latency[i]};
  return out;
}

bool has_speeds(std::string_view fabric) {
  const auto planes = split_sum(fabric);
  return std::any_of(planes.begin(), planes.end(),
                     [](std::string_view plane) { return !speeds(parse_notation(plane)).empty(); });
}

void OptionWriter::append(std::string_view key, const std::string& value) {
  out_ += fmt::format("{}{}={}", out_.empty() ? "; " : ", ", key, value);
}

OptionWriter& OptionWriter::add(std::string_view key, u64 value, u64 default_value) {
  if (value != default_value) append(key, std::to_string(value));
  return *this;
}

OptionWriter& OptionWriter::add(std::string_view key, const std::vector<u32>& values, u32 default_value) {
  if (!std::all_of(values.begin(), values.end(), [&](u32 v) { return v == default_value; }))
    append(key, join(values, "/"));
  return *this;
}

OptionWriter& OptionWriter::add(std::string_view key, std::string_view value) {
  append(key, std::string(value));
  return *this;
}

OptionWriter& OptionWriter::add_links(const std::vector<LinkClass>& classes) {
  const auto add = [&](std::string_view key, double LinkClass::*member) {
    std::vector<double> values;
    for (const LinkClass& link : classes) values.push_back(link.*member);
    const bool same = std::equal(values.begin() + 1, values.end(), values.begin());
    if (same && values.front() == 1) return;
    if (same) values.resize(1);
    append(key, fmt::format("{}", fmt::join(values, "/")));
  };
  add("capacity", &LinkClass::capacity);
  add("latency", &LinkClass::latency);
  return *this;
}

std::string join(const std::vector<u32>& numbers, std::string_view separator) {
  return fmt::format("{}", fmt::join(numbers, separator));
}

}  // namespace banyan::topology
