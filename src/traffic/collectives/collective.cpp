#include "traffic/collectives/collective.hpp"

namespace banyan::traffic {
namespace {

// Takes "<8" off the front of a text; true if there is none, or the value is below it.
bool is_below(std::string_view& text, u64 value) {
  if (!text.starts_with('<')) return true;
  const auto end = text.find_first_of(": ");
  const u64 bound = *parse_unsigned(text.substr(1, end - 1));
  text.remove_prefix(end + 1);
  return value < bound;
}

}  // namespace

std::string_view decided(std::string_view rules, u32 ranks, u64 bytes) {
  for (std::string_view line : split(rules, '\n')) {
    if (line.starts_with("more:"))
      line.remove_prefix(5);
    else if (!is_below(line, ranks))
      continue;
    for (std::string_view choice : split(line, ','))
      if (is_below(choice, bytes)) return trim(choice);
  }
  return {};
}

}  // namespace banyan::traffic
