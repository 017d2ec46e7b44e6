#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <sstream>

#include "base/print.hpp"
#include "report/web.hpp"

namespace banyan::report {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

u32 digit(char c) { return static_cast<u32>(c <= '9' ? c - '0' : c - 'a' + 10); }

void write(std::ostream& out, const WebText& text) {
  for (const std::string_view piece : text.pieces) out << piece;
}

std::string replaced(std::string_view text, std::string_view from, const std::string_view* to) {
  std::string out;
  for (const char c : text) {
    const auto i = from.find(c);
    i == from.npos ? out += c : out += to[i];
  }
  return out;
}

}  // namespace

std::string base64_of_hex(std::string_view digits) {
  std::string out;
  for (std::size_t i = 0; i < digits.size(); i += 6) {  // three bytes are four characters
    u32 bits = 0;
    for (std::size_t j = i; j < i + 6; ++j) bits = bits << 4 | (j < digits.size() ? digit(digits[j]) : 0);
    const std::size_t bytes = std::min<std::size_t>(3, (digits.size() - i) / 2);
    for (u32 j = 0; j < 4; ++j) out += j <= bytes ? alphabet[bits >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

std::string escaped_html(std::string_view text) {
  constexpr std::string_view to[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
  return replaced(text, "&<>\"", to);
}

std::string escaped_json(std::string_view json) {
  constexpr std::string_view to[] = {"\\u003c"};
  return replaced(json, "<", to);
}

void write_page(std::ostream& out, std::string_view title, const std::function<void(JsonWriter&)>& data) {
  std::ostringstream json;
  JsonWriter writer(json);
  data(writer);
  const WebText script = report_script(), style = report_style();
  base::print(out,
              "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; "
              "form-action 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'\">\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n<style>",
              base64_of_hex(script.sha256), base64_of_hex(style.sha256), escaped_html(title));
  write(out, style);
  out << "</style>\n</head>\n<body>\n<main id=\"page\"><noscript>This page draws itself with a script, which "
         "is turned off. Its data is in this file, as JSON.</noscript></main>\n"
         "<script type=\"application/json\" id=\"data\">"
      << escaped_json(json.str()) << "</script>\n<script>";
  write(out, script);
  out << "</script>\n</body>\n</html>\n";
}

}  // namespace banyan::report
