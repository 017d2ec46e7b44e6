#include "base/version.hpp"

namespace banyan {
std::string_view version() { return BANYAN_VERSION; }
}  // namespace banyan
