// Base class of the readers of InfiniBand's text files: it holds the lines, the fabric read so far, and the
// rest of the current line, which is parsed from left to right.
#pragma once
#include <fmt/format.h>

#include "formats/lines.hpp"
#include "formats/link_speed.hpp"
#include "formats/raw_fabric.hpp"

namespace banyan::formats {

class InfinibandLineReader {
 protected:
  InfinibandLineReader(std::istream& in, const std::string& file) : lines_(in, file), raw_(file) {
    raw_.unit = gigabit;
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
