#pragma once
#include <string_view>
#include "base/namespaces.hpp"

namespace banyan::base {
std::string_view version();  // of this program, as results and JSON carry it
}
