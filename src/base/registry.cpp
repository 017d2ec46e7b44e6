#include "base/registry.hpp"

#include <fmt/ranges.h>

#include "base/suggest.hpp"

namespace banyan::base {

void refuse_name(std::string_view kind, std::string_view name, const std::vector<std::string_view>& known) {
  constexpr std::size_t few = 10;
  const std::string hint = did_you_mean(name, known);
  const bool lists_all = known.size() <= few || hint.empty();
  const std::string all = lists_all ? fmt::format(" There are {}", fmt::join(known, ", ")) : "";
  throw InputError(fmt::format("unknown {} '{}'{}{}", kind, name, hint.empty() ? "." : hint, all));
}

}  // namespace banyan::base
