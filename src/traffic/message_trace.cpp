#include "traffic/message_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"

namespace banyan::traffic {
namespace {

constexpr u64 latest_time = u64{1} << 53;
constexpr std::array<std::string_view, 4> column_names = {"time", "from", "to", "bytes"};

std::string excerpt(std::string_view text) {
  return text.size() > 40 ? fmt::format("'{}...'", text.substr(0, 40)) : fmt::format("'{}'", text);
}

// Bytes of a packet by its type, as Netrace has them: with an address alone, or with a line of a cache.
std::optional<u32> netrace_bytes(std::string_view type) {
  constexpr std::string_view short_ones[] = {"ReadReq",       "WriteResp",      "UpgradeReq",
                                             "UpgradeResp",   "ReadExReq",      "BadAddressError",
                                             "InvalidateReq", "InvalidateResp", "DowngradeReq"};
  constexpr std::string_view long_ones[] = {"ReadResp",   "ReadRespWithInvalidate", "WriteReq", "Writeback",
                                            "ReadExResp", "DowngradeResp"};
  if (std::ranges::find(short_ones, type) != std::end(short_ones)) return 8;
  if (std::ranges::find(long_ones, type) != std::end(long_ones)) return 72;
  return std::nullopt;
}

}  // namespace

MessageTrace::MessageTrace(std::unique_ptr<std::istream> in, std::string file, u32 ranks, RankNames names)
    : in_(std::move(in)), file_(std::move(file)), ranks_(ranks), names_(std::move(names)) {
  if (!next_line()) fail("found nothing, expected a header time,from,to,bytes or packets of Netrace");
  has_pairs_ = line_.find(',') == line_.npos && line_.find(':') != line_.npos;
  if (has_pairs_)
    is_read_ = true;
  else
    read_header();
}

void MessageTrace::fail(const std::string& what) const { throw InputError(Place{file_, line_number_}, what); }

// The next line that is neither blank nor a comment.
bool MessageTrace::next_line() {
  while (std::getline(*in_, line_)) {
    ++line_number_;
    const std::string_view text = trim(line_);
    if (!text.empty() && text.front() != '#') return true;
  }
  if (in_->bad()) fail("cannot be read");
  return false;
}

void MessageTrace::read_header() {
  constexpr std::size_t none_found = ~std::size_t{0};
  place_.fill(none_found);
  const auto columns = split(line_, ',');
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto found = std::ranges::find(column_names, lower(columns[i]));
    if (found == column_names.end())
      fail(fmt::format("found column {}, expected the header time,from,to,bytes", excerpt(columns[i])));
    std::size_t& at = place_[static_cast<std::size_t>(found - column_names.begin())];
    if (at != none_found) fail(fmt::format("found column {} twice", excerpt(columns[i])));
    at = i;
  }
  for (std::size_t c = 0; c < column_names.size(); ++c)
    if (place_[c] == none_found)
      fail(fmt::format("found no column '{}', expected the header time,from,to,bytes", column_names[c]));
}

std::optional<RecordedMessage> MessageTrace::next() {
  if (!std::exchange(is_read_, false) && !next_line()) return std::nullopt;
  const RecordedMessage out = has_pairs_ ? from_pairs() : from_cells();
  if (out.time < last_time_)
    fail(fmt::format("found time {} after {}, expected messages in order of time", out.time, last_time_));
  last_time_ = out.time;
  return out;
}

u64 MessageTrace::number(std::string_view text, std::string_view what, u64 maximum) const {
  const auto value = parse_unsigned(text);
  if (!value || *value > maximum)
    fail(fmt::format("found {} for {}, expected a whole number from 0 to {}", excerpt(text), what, maximum));
  return *value;
}

Rank MessageTrace::rank(std::string_view text, std::string_view what) const {
  if (names_ && !parse_unsigned(text)) {
    if (const auto named = names_(std::string(text))) return Rank{*named};
    fail(fmt::format("found {} for {}, expected a rank or the name of a host with one", excerpt(text), what));
  }
  return Rank{static_cast<u32>(number(text, what, ranks_ - 1))};
}

RecordedMessage MessageTrace::from_cells() {
  const auto cells = split(line_, ',');
  if (cells.size() != column_names.size())
    fail(fmt::format("found {} cells, expected {} as in the header", cells.size(), column_names.size()));
  return {number(cells[place_[Column::time]], "time", latest_time), rank(cells[place_[Column::from]], "from"),
          rank(cells[place_[Column::to]], "to"),
          static_cast<u32>(number(cells[place_[Column::bytes]], "bytes", std::numeric_limits<u32>::max()))};
}

// KEY:VALUE, by blanks; behind NDEP:N come N numbers of packets.
RecordedMessage MessageTrace::from_pairs() {
  std::optional<u64> at, size;
  std::string_view type;
  std::optional<Rank> source, goal;
  const auto words = split(line_, ' ');
  for (const std::string_view word : words) {
    const auto colon = word.find(':');
    if (colon == word.npos) continue;  // a dependency
    const std::string_view key = word.substr(0, colon), value = word.substr(colon + 1);
    if (key == "CYC") at = number(value, key, latest_time);
    if (key == "SRC") source = rank(value, key);
    if (key == "DST") goal = rank(value, key);
    if (key == "BYTES") size = number(value, key, std::numeric_limits<u32>::max());
    if (key == "TYP") type = value;
  }
  if (!size && !type.empty()) {
    size = netrace_bytes(type);
    if (!size) fail(fmt::format("found the type {}, expected one of Netrace's, or BYTES:N", excerpt(type)));
  }
  if (!at || !source || !goal || !size)
    fail(fmt::format("found {}, expected CYC:, SRC:, DST: and TYP: or BYTES:", excerpt(line_)));
  return {*at, *source, *goal, static_cast<u32>(*size)};
}

}  // namespace banyan::traffic
