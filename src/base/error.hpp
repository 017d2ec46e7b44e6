// The error types that all folders use. There are three kinds of failure: bad input throws InputError, an
// algorithm that cannot handle a case returns NotApplicable, and a bug trips an assertion.
#pragma once
#include <stdexcept>
#include <string>

#include "base/types.hpp"

namespace banyan::base {

// A position in a file. Line 0 means the whole file; an empty file name means the command line.
struct Place {
  std::string file;
  u64 line = 0;
};

// Bad input: what was found, what was expected, and where. The program exits with status 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& what) : std::runtime_error(what) {}
  InputError(const Place& place, const std::string& what) : std::runtime_error(located(place, what)) {}

 private:
  static std::string located(const Place& place, const std::string& what) {
    if (place.file.empty()) return what;
    return place.line == 0 ? place.file + ": " + what
                           : place.file + ":" + std::to_string(place.line) + ": " + what;
  }
};

// Returned by an algorithm that cannot handle this case, with the reason. The program exits with status 3.
struct NotApplicable {
  std::string why;
};

}  // namespace banyan::base
