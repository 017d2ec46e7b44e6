#include "formats/csv_cells.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace banyan::formats {

std::vector<std::string> take_csv_cells(LineReader& lines) {
  std::vector<std::string> cells;
  const u64 line = lines.number();
  std::string_view rest = lines.line();
  for (;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    std::string cell;
    if (rest.starts_with('"')) {
      rest.remove_prefix(1);
      for (;;) {
        const auto quote = rest.find('"');
        cell += rest.substr(0, quote);
        if (cell.size() > (1u << 20))
          lines.fail("found a cell of more than a megabyte, expected '\"' before");
        if (quote == rest.npos) {
          if (!lines.next()) lines.fail_at(line, "found no end of a quoted cell, expected '\"'");
          cell += ' ';
          rest = lines.line();
          continue;
        }
        rest.remove_prefix(quote + 1);
        if (!rest.starts_with('"')) break;
        cell += '"';
        rest.remove_prefix(1);
      }
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
      if (!rest.empty() && rest.front() != ',')
        lines.fail(fmt::format("found {} after a quoted cell, expected ','", shown(rest)));
    } else {
      cell = std::string(trim(rest.substr(0, rest.find(','))));
      rest.remove_prefix(std::min(rest.find(','), rest.size()));
    }
    cells.push_back(std::move(cell));
    if (rest.empty()) return cells;
    rest.remove_prefix(1);
  }
}

std::string csv_quoted(const std::string& text) {
  if (text.find_first_of(",\"") == text.npos && trim(text) == text && !text.starts_with('#')) return text;
  std::string out = "\"";
  for (char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

}  // namespace banyan::formats
