#include "cli/recognition_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "fabric/names.hpp"

namespace banyan::cli {
namespace {

// A node of the raw fabric; where none is known to stand at a place of the shape, what it would be.
std::string name_or_kind(const Fabric& raw, Node node, bool is_switch) {
  if (node != none<Node>) return raw.name(node);
  return is_switch ? "(a switch not seen there)" : "(a host not seen there)";
}

void print_list(std::string_view title, std::size_t count, auto&& item) {
  if (count == 0) return;
  std::cout << fmt::format("{} ({}):\n", title, count);
  for (std::size_t i = 0; i < count; ++i) std::cout << "  " << item(i) << '\n';
}

}  // namespace

RecognitionReport::RecognitionReport(const Loaded& loaded) {
  if (const auto* failed = std::get_if<Unrecognised>(&*loaded.recognition)) {
    unrecognised_ = failed->why;
    return;
  }
  const auto& found = std::get<Recognition>(*loaded.recognition);
  const Fabric& raw = *loaded.raw;
  auto missing = found.missing;
  const auto unnamed = [](const MissingCable& c) { return (c.raw_a == none<Node>)+(c.raw_b == none<Node>); };
  std::stable_sort(missing.begin(), missing.end(),
                   [&](const MissingCable& a, const MissingCable& b) { return unnamed(a) < unnamed(b); });
  const Fabric shape = build(found.candidate.shape, found.candidate.planes).fabric;
  for (const MissingCable& c : missing)
    missing_.emplace_back(name_or_kind(raw, c.raw_a, shape.is_switch(c.ideal_a)),
                          name_or_kind(raw, c.raw_b, shape.is_switch(c.ideal_b)));
  for (const Link& link : found.wrong) wrong_.emplace_back(port_name(raw, link.a), port_name(raw, link.b));
  for (Node v : found.undecided) undecided_.push_back(raw.name(v));
  doubts_ = found.doubts;
}

void RecognitionReport::print() const {
  if (!unrecognised_.empty()) {
    std::cout << "No shape was recognised: " << unrecognised_ << '\n';
    return;
  }
  std::cout << "Recognised from its cables.\n";
  const auto cable = [](const Cables& cables) {
    return [&](std::size_t i) { return cables[i].first + " - " + cables[i].second; };
  };
  print_list("Missing cables", missing_.size(), cable(missing_));
  print_list("Wrong cables", wrong_.size(), cable(wrong_));
  print_list("Nodes without a place", undecided_.size(), [&](std::size_t i) { return undecided_[i]; });
  print_list("Not decided", doubts_.size(), [&](std::size_t i) { return doubts_[i]; });
}

void RecognitionReport::write(JsonWriter& json) const {
  json.field("recognised", unrecognised_.empty());
  if (!unrecognised_.empty()) {
    json.field("unrecognised_because", unrecognised_);
    return;
  }
  const auto write_cables = [&](std::string_view key, const Cables& cables) {
    json.key(key).begin_array();
    for (const auto& [a, b] : cables) json.value(std::vector<std::string>{a, b});
    json.end_array();
  };
  write_cables("missing_cables", missing_);
  write_cables("wrong_cables", wrong_);
  json.field("undecided", undecided_).field("doubts", doubts_);
}

}  // namespace banyan::cli
