#include "base/registry.hpp"

#include <fmt/ranges.h>

namespace banyan::base {

void refuse_name(std::string_view kind, std::string_view name, const std::vector<std::string_view>& known) {
  constexpr std::size_t few = 10;
  const std::string all = known.size() > few ? "" : fmt::format(" There are {}", fmt::join(known, ", "));
  throw InputError(
      fmt::format("unknown {} '{}': did you mean '{}'?{}", kind, name, nearest(name, known), all));
}

}  // namespace banyan::base
