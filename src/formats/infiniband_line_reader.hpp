// Base class of the readers of InfiniBand's text files: it holds the lines, the fabric read so far, and the
// rest of the current line, which is parsed from left to right. Messages of tools are skipped and counted.
#pragma once
#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/lines.hpp"
#include "formats/link_speed.hpp"
#include "formats/raw_fabric.hpp"

namespace banyan::formats {

class InfinibandLineReader {
 protected:
  InfinibandLineReader(std::istream& in, const std::string& file) : lines_(in, file), raw_(file) {
    raw_.unit = gigabit;
  }

  // Moves to the next line that is no message of a tool, and trims it; false at the end.
  bool next_line() {
    while (lines_.next()) {
      rest_ = trim(lines_.line());
      if (!is_tool_message(rest_)) return true;
      ++raw_.skipped_lines;
    }
    return false;
  }

  // What was read. A discovery that failed prints the node that it began from, and no cable.
  FabricFile finish() && {
    if (raw_.nodes.size() == 1 && raw_.cables.empty())
      lines_.fail(
          "found one node without a cable, expected a subnet: this is what a failed discovery prints");
    return to_fabric(std::move(raw_));
  }

  [[noreturn]] void missed(std::string_view expected) const {
    lines_.fail(
        fmt::format("found {}, expected {}", rest_.empty() ? "the end of the line" : shown(rest_), expected));
  }

  LineReader lines_;
  RawFabric raw_;
  std::string_view rest_;  // of the line
};

}  // namespace banyan::formats
