#include "base/json_writer.hpp"

#include <fmt/format.h>

#include <cmath>

namespace banyan::base {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

}  // namespace

// Objects and arrays of them are broken into lines, arrays of plain values are not.
void JsonWriter::newline() {
  if (form_ == Form::lines) out_ << '\n' << std::string(2 * levels_.size(), ' ');
}

void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  if (!levels_.back().is_empty) out_ << ',';
  levels_.back().is_empty = false;
}

JsonWriter& JsonWriter::raw(std::string_view text) {
  const bool follows = !after_key_ && !levels_.empty() && !levels_.back().is_empty;
  separate();
  if (follows && form_ == Form::lines) out_ << ' ';
  out_ << text;
  return *this;
}

JsonWriter& JsonWriter::open(char bracket) {
  const bool in_array = !after_key_ && !levels_.empty();
  separate();
  if (in_array) {
    levels_.back().has_lines = true;
    newline();
  }
  out_ << bracket;
  levels_.push_back({bracket == '{', true, bracket == '{'});
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.has_lines && !level.is_empty) newline();
  out_ << bracket;
  if (levels_.empty()) out_ << '\n';
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  newline();
  out_ << quoted(name) << ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) { return raw(quoted(text)); }

JsonWriter& JsonWriter::value(double number) {
  return std::isfinite(number) ? raw(fmt::format("{}", number)) : null();
}

}  // namespace banyan::base
