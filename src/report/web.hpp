// The script and style of a page, bundled from web/src and part of the program (web/embed.cmake).
#pragma once
#include <span>
#include <string_view>

namespace banyan::report {

struct WebText {
  std::span<const std::string_view> pieces;  // one after another
  std::string_view sha256;                   // of all of them, in hexadecimal digits
};

WebText report_script();
WebText report_style();

}  // namespace banyan::report
