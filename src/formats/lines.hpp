// A text file, line by line; memory is bounded by the longest line.
#pragma once
#include <istream>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace banyan::formats {

class LineReader {
 public:
  LineReader(std::istream& in, std::string file) : in_(in), file_(std::move(file)) {}

  bool next();                                     // moves to the next line; false at the end
  std::string_view line() const { return line_; }  // without its end, \n or \r\n
  u64 number() const { return number_; }
  [[noreturn]] void fail(const std::string& what) const { throw InputError(Place{file_, number_}, what); }

 private:
  bool fill();

  std::istream& in_;
  std::string file_;
  std::string buffer_;
  std::size_t start_ = 0;  // of what was not yet given out
  std::string_view line_;
  u64 number_ = 0;
};

// A piece of input for a message: in quotes, shortened.
std::string shown(std::string_view text);

// The first line that is neither blank nor starts with '#': what sniffing looks at.
std::string_view first_line(std::string_view head);

}  // namespace banyan::formats
