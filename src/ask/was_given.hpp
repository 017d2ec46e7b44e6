// What was given, besides the values that were read: a rule may refuse an option that has its default value.
#pragma once
#include <functional>
#include <string_view>

namespace banyan::ask {

using WasGiven = std::function<bool(std::string_view key)>;

}  // namespace banyan::ask
