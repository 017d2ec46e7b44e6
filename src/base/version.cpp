#include "base/version.hpp"

namespace banyan::base {
std::string_view version() { return BANYAN_VERSION; }
}  // namespace banyan::base
