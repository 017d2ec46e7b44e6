// Parses notations of the field into parts: `XGFT(3; 4,4,8; 1,4,4; hosts=2)`, `4-ary 3-tree`, `2 x
// HyperX(12x8)`, `RLFT(36 ports, 1944 hosts)`. Each family interprets the parts.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace banyan::topology {

constexpr u64 largest_number = 1'000'000'000;  // limit of numbers in notations, and of counts in one level

struct Notation {
  struct Number {
    u32 value;
    std::string unit;  // the word after it, as in "36 ports"
  };
  struct Option {
    std::string key, value;
  };

  std::string text;                         // as written, for messages
  std::string name;                         // "XGFT"; "-ary -tree" for "4-ary 3-tree"
  std::vector<std::vector<Number>> groups;  // between semicolons
  std::vector<Option> options;
  u32 planes = 1;  // the 2 of "2 x XGFT(...)"

  // The numbers of a group, which must exist; `what` describes it in the error message.
  std::vector<u32> numbers(std::size_t group, std::string_view what) const;
  // The value of an option.
  u32 number(std::string_view key, u32 fallback, u32 least = 1) const;
  std::vector<double> reals(std::string_view key) const;  // "1/2/4"; empty when absent
  std::vector<u32> integers(std::string_view key) const;
  std::optional<std::string> word(std::string_view key) const;

  // Throws InputError for options other than these, with the nearest known one.
  void allow_options(std::vector<std::string_view> known) const;
  [[noreturn]] void fail(const std::string& why) const;
};

// Whether a text looks like a notation rather than a file name.
bool looks_like_notation(std::string_view text);
Notation parse_notation(std::string_view text);

}  // namespace banyan::topology
