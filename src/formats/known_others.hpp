// Files that people have and that are no fabric, told by their beginnings, so that they can be refused by
// name.
#pragma once
#include <string_view>

namespace banyan::formats {

// What a file is that begins like this, and what to do with it; empty: nothing that is known here.
std::string_view known_other(std::string_view head);

}  // namespace banyan::formats
