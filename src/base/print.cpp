#include "base/print.hpp"

#include <iterator>
#include <ostream>

namespace banyan::base {

void append_arguments(fmt::memory_buffer& to, fmt::string_view text, fmt::format_args arguments) {
  fmt::vformat_to(std::back_inserter(to), text, arguments);
}

void print_arguments(std::ostream& out, fmt::string_view text, fmt::format_args arguments) {
  fmt::memory_buffer buffer;
  append_arguments(buffer, text, arguments);
  out.write(buffer.data(), static_cast<std::streamsize>(buffer.size()));
}

}  // namespace banyan::base
