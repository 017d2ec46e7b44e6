// One self-contained HTML file: script, style and data are within it, and its content policy lets it ask the
// network for nothing.
#pragma once
#include <functional>
#include <iosfwd>
#include <string_view>

#include "base/json_writer.hpp"

namespace banyan::report {

void write_page(std::ostream& out, std::string_view title, const std::function<void(JsonWriter&)>& data);

std::string escaped_html(std::string_view text);
// JSON that may stand within a script element: no '<' in it, and the same value.
std::string escaped_json(std::string_view json);
std::string base64_of_hex(std::string_view digits);

}  // namespace banyan::report
