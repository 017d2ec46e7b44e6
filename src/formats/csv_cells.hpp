// Rows of comma-separated values, quoted as in RFC 4180.
#pragma once
#include <string>
#include <vector>

#include "formats/lines.hpp"

namespace banyan::formats {

// The cells of the present line, trimmed. A quoted cell may hold commas, doubled quotes, and ends of lines,
// which become spaces: then the reader has moved on. Throws InputError.
std::vector<std::string> take_csv_cells(LineReader& lines);

std::string csv_quoted(const std::string& text);  // only if necessary

}  // namespace banyan::formats
