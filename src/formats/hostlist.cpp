#include "formats/hostlist.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "formats/lines.hpp"

namespace banyan::formats {
namespace {

constexpr std::size_t max_digits = 9;

[[noreturn]] void too_many() {
  throw InputError(fmt::format("found more names than fit: a file may name {} hosts and switches in all",
                               max_hostlist_names));
}

// What stands between the brackets, "0-13,20", as texts; numbers are as wide as the first of their range.
std::vector<std::string> expand_ranges(std::string_view text, std::size_t maximum) {
  std::vector<std::string> out;
  for (std::string_view piece : split(text, ',')) {
    const auto dash = piece.find('-');
    const std::string_view low = trim(piece.substr(0, dash)),
                           high = dash == piece.npos ? low : trim(piece.substr(dash + 1));
    const auto first = parse_unsigned(low), last = parse_unsigned(high);
    if (!first || !last || *first > *last || high.size() > max_digits || low.size() > max_digits)
      throw InputError(fmt::format("found range {}, expected numbers such as 0-13", shown(piece)));
    if (*last - *first >= maximum || out.size() + (*last - *first) >= maximum) too_many();
    for (auto i = *first; i <= *last; ++i) out.push_back(fmt::format("{:0{}}", i, low.size()));
  }
  if (out.empty()) throw InputError("found '[]', expected numbers such as 0-13 within");
  return out;
}

// One name with its brackets: every combination, the last bracket varies fastest.
void expand_name(std::string_view text, std::size_t maximum, std::vector<std::string>& out) {
  std::vector<std::string> names = {""};
  while (!text.empty()) {
    const auto open = std::min(text.find('['), text.size());
    for (std::string& name : names) name += text.substr(0, open);
    text.remove_prefix(open);
    if (text.empty()) break;
    const auto close = text.find(']');
    if (close == text.npos) throw InputError(fmt::format("found {}, expected ']'", shown(text)));
    const auto numbers = expand_ranges(text.substr(1, close - 1), maximum);
    if (numbers.size() * names.size() > maximum) too_many();
    std::vector<std::string> longer;
    for (const std::string& name : names)
      for (const std::string& number : numbers) longer.push_back(name + number);
    names = std::move(longer);
    text.remove_prefix(close + 1);
  }
  for (std::string& name : names) {
    if (!is_hostlist_name(name)) throw InputError(fmt::format("found {}, expected a name", shown(name)));
    out.push_back(std::move(name));
  }
  if (out.size() > maximum) too_many();
}

struct Numbered {
  std::string_view stem, digits;
};

Numbered take_apart(std::string_view name) {
  const auto last = name.find_last_not_of("0123456789");
  const std::size_t stem =
      std::max(last == name.npos ? 0 : last + 1, name.size() - std::min(name.size(), max_digits));
  return {name.substr(0, stem), name.substr(stem)};
}

bool follows(const Numbered& before, const Numbered& next) {
  if (before.stem != next.stem || before.digits.empty() || next.digits.empty()) return false;
  const auto a = parse_unsigned(before.digits), b = parse_unsigned(next.digits);
  if (!a || !b || *b != *a + 1) return false;
  return next.digits.size() == std::max(before.digits.size(), std::to_string(*b).size()) &&
         (before.digits.size() == next.digits.size() || before.digits.front() != '0' ||
          before.digits.size() == 1);
}

}  // namespace

bool is_hostlist_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) > 0x20 && c != 0x7f &&
           std::string_view(",[]=#\\\"").find(c) == std::string_view::npos;
  });
}

void expand_hostlist(std::string_view text, std::size_t used, std::vector<std::string>& out) {
  const std::size_t maximum = max_hostlist_names - std::min(max_hostlist_names, used);
  while (!text.empty()) {
    std::size_t end = 0;
    for (bool within = false; end < text.size() && (within || text[end] != ','); ++end)
      within = text[end] == '[' || (within && text[end] != ']');
    expand_name(trim(text.substr(0, end)), maximum, out);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string compress_hostlist(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size();) {
    const Numbered first = take_apart(names[i]);
    std::size_t end = i + 1;
    while (end < names.size() && follows(take_apart(names[end - 1]), take_apart(names[end]))) ++end;
    if (!out.empty()) out += ',';
    out += end == i + 1
               ? names[i]
               : fmt::format("{}[{}-{}]", first.stem, first.digits, take_apart(names[end - 1]).digits);
    i = end;
  }
  return out;
}

}  // namespace banyan::formats
