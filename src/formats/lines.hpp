// Reads a text file line by line; memory is bounded by the longest line.
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
  [[noreturn]] void fail(const std::string& what) const { fail_at(number_, what); }
  [[noreturn]] void fail_at(u64 line, const std::string& what) const {
    throw InputError(Place{file_, line}, what);
  }

 private:
  bool fill();

  std::istream& in_;
  std::string file_;
  std::string buffer_;
  std::size_t start_ = 0;  // start of the part that was not yet returned
  std::string_view line_;
  u64 number_ = 0;
};

// Quotes and shortens a piece of input for an error message.
std::string shown(std::string_view text);

// Whether InfiniBand's tools say this of themselves, in front of their output and between its lines:
//   ibwarn: [3421] mad_rpc: ...          /usr/sbin/ibroute: iberror: failed: ...
//   src/query_smp.c:195; umad (...)      DR path slid 0; dlid 0; 0,1 -> new Switch {...}
bool is_tool_message(std::string_view line);

// What follows the messages of tools with which a file begins.
std::string_view after_messages(std::string_view head);

// The first line that is neither blank nor starts with '#'; formats are recognised by it.
std::string_view first_line(std::string_view head);

}  // namespace banyan::formats
