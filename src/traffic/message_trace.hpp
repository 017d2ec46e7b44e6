// Messages that were recorded: when each was sent, by whom, to whom and how large, in order of time. The file
// is read message by message and never held as a whole. docs/simulate.md describes the two formats.
#pragma once
#include <array>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traffic/demand_file.hpp"

namespace banyan::traffic {

struct RecordedMessage {
  u64 time;  // cycle
  Rank from, to;
  u32 bytes;
  bool operator==(const RecordedMessage&) const = default;
};

class MessageTrace {
 public:
  // Reads the header and recognises the format. `ranks`: how many there are. `names`: ranks may also be
  // written as names. Throws InputError with file and line, as next() does.
  MessageTrace(std::unique_ptr<std::istream> in, std::string file, u32 ranks, RankNames names = {});

  std::optional<RecordedMessage> next();  // nothing: the file ends here

 private:
  enum Column : u8 { time, from, to, bytes };

  bool next_line();
  void read_header();
  RecordedMessage from_cells();
  RecordedMessage from_pairs();
  u64 number(std::string_view text, std::string_view what, u64 maximum) const;
  Rank rank(std::string_view text, std::string_view what) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::unique_ptr<std::istream> in_;
  std::string file_, line_;
  u32 ranks_;
  RankNames names_;
  u64 line_number_ = 0, last_time_ = 0;
  bool has_pairs_ = false, is_read_ = false;  // the present line is a message that was not returned yet
  std::array<std::size_t, 4> place_{};        // of the columns
};

}  // namespace banyan::traffic
