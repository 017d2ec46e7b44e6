#pragma once
#include <string_view>

namespace banyan {
std::string_view version();  // of this program, as results and JSON carry it
}
