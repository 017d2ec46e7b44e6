// Text helpers: trimming, splitting, parsing numbers, and suggesting the nearest known word for a misspelt
// one.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace banyan::base {

std::string_view trim(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);  // pieces trimmed; "" gives none
std::string lower(std::string_view text);

std::optional<u64> parse_unsigned(std::string_view text);  // decimal, the whole text
std::optional<u64> parse_hex(std::string_view text);       // with or without 0x, the whole text
std::optional<double> parse_real(std::string_view text);   // finite, the whole text

// The known word with the smallest edit distance, for messages such as "unknown key 'host': did you mean
// 'hosts'?".
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

// Natural order: compares runs of digits as numbers, so that h2 comes before h10.
bool natural_less(std::string_view a, std::string_view b);

// The text as one word of a shell command; quoted only if necessary.
std::string quoted_for_shell(std::string_view word);

}  // namespace banyan::base
