// Suggestions for misspelt words that do not mislead.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace banyan::base {

// ": did you mean 'hosts'?" where a known word is near: it begins so, or about a third of the letters differ.
// Otherwise nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

// The same; where no known word is near, all of them: "; expected one of hosts, links".
std::string suggestion(std::string_view word, std::span<const std::string_view> known);

}  // namespace banyan::base
