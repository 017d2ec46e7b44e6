// The version of this program.
#pragma once
#include <string_view>
#include "base/namespaces.hpp"

namespace banyan::base {
std::string_view version();  // the version of this program, which results and JSON contain
}
