// Two of the three failures: bad input, and what cannot be done here. The third, a bug, is an assertion.
#pragma once
#include <stdexcept>
#include <string>

#include "base/types.hpp"

namespace banyan::base {

// Where in a file something stands; line 0 means the file as a whole, an empty file name means the command
// line.
struct Place {
  std::string file;
  u64 line = 0;
};

// Bad input: what was found and what was expected, and where. Exit status 2.
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

// An algorithm that cannot do this, and why: a value that it returns. Exit status 3.
struct NotApplicable {
  std::string why;
};

}  // namespace banyan::base
