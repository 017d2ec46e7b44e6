// The version of this program.
#pragma once
#include <string_view>
#include "base/namespaces.hpp"

namespace banyan::base {

// As "0.1.0+3f9a1c2b4d5e": behind the + stands a hash of the sources (tools/version.cmake). Results and JSON
// contain it, and a study measures again what another version measured.
std::string_view version();

}  // namespace banyan::base
