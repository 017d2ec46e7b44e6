// Formatted text written to a stream or put behind a buffer, as fmt::print and fmt::format_to do. Theirs
// compile all of fmt's formatting again in every unit that calls them, three seconds each; these call what
// the library holds. Writers of formats and reports use them.
#pragma once
#include <fmt/format.h>

#include <iosfwd>

namespace banyan::base {

void print_arguments(std::ostream& out, fmt::string_view text, fmt::format_args arguments);
void append_arguments(fmt::memory_buffer& to, fmt::string_view text, fmt::format_args arguments);

template <class... Arguments>
void print(std::ostream& out, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  print_arguments(out, text, fmt::make_format_args(arguments...));
}

template <class... Arguments>
void append(fmt::memory_buffer& to, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  append_arguments(to, text, fmt::make_format_args(arguments...));
}

}  // namespace banyan::base
