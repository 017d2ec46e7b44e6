#include "formats/lines.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace banyan::formats {
namespace {

constexpr std::size_t chunk = 1 << 16, longest = 1 << 20;

}  // namespace

// Drops what was given out and appends a chunk; false if there is none.
bool LineReader::fill() {
  buffer_.erase(0, start_);
  start_ = 0;
  const std::size_t size = buffer_.size();
  if (size > longest)
    ++number_, fail(fmt::format("found a line of more than {} bytes, expected shorter ones", longest));
  buffer_.resize(size + chunk);
  in_.read(buffer_.data() + size, chunk);
  buffer_.resize(size + static_cast<std::size_t>(in_.gcount()));
  if (in_.bad()) fail("cannot be read to the end");
  return buffer_.size() > size;
}

bool LineReader::next() {
  auto end = buffer_.find('\n', start_);
  while (end == std::string::npos) {
    const std::size_t searched = buffer_.size() - start_;
    if (!fill()) break;
    end = buffer_.find('\n', searched);
  }
  if (end == std::string::npos && start_ == buffer_.size()) return false;
  const std::size_t stop = std::min(end, buffer_.size());
  line_ = std::string_view(buffer_).substr(start_, stop - start_);
  start_ = std::min(stop + 1, buffer_.size());
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  if (++number_ == 1 && line_.starts_with("\xef\xbb\xbf")) line_.remove_prefix(3);  // a byte order mark
  return true;
}

std::string shown(std::string_view text) {
  constexpr std::size_t maximum = 60;
  std::string out = "'";
  for (char c : text.substr(0, maximum)) out += static_cast<unsigned char>(c - 0x20) < 0x5f ? c : '?';
  return out + (text.size() > maximum ? "...'" : "'");
}

namespace {

// FILE.c:195;
bool is_source_line(std::string_view word) {
  const auto colon = word.find(".c:");
  return colon != word.npos && word.ends_with(';') &&
         word.find_first_not_of("0123456789", colon + 3) == word.size() - 1;
}

}  // namespace

bool is_tool_message(std::string_view line) {
  line = trim(line);
  if (line.starts_with("DR path ")) return true;
  const std::string_view first = line.substr(0, line.find(' '));
  if (is_source_line(first)) return true;
  const std::string_view rest = trim(line.substr(first.size()));
  for (const std::string_view word : {first, rest.substr(0, rest.find(' '))})
    if (word == "ibwarn:" || word == "iberror:" || word == "ibpanic:" || word == "ibdebug:") return true;
  return false;
}

std::string_view after_messages(std::string_view head) {
  std::string_view rest = head;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (!is_tool_message(line)) break;
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return rest;
}

std::string_view first_line(std::string_view head) {
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n'));
    if (const auto text = trim(line); !text.empty() && text.front() != '#') return text;
    head.remove_prefix(std::min(line.size() + 1, head.size()));
  }
  return {};
}

}  // namespace banyan::formats
