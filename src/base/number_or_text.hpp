// NumberOrText: a value that is a number for some and a name for others, such as the label of a port. It is a
// number in JSON unless it has a text.
#pragma once
#include <compare>
#include <string>
#include <utility>

#include "base/types.hpp"

namespace banyan::base {

struct NumberOrText {
  u64 number = 0;
  std::string text{};  // empty: it is the number

  NumberOrText() = default;
  NumberOrText(u64 n, std::string t = {}) : number(t.empty() ? n : 0), text(std::move(t)) {}
  std::string str() const { return text.empty() ? std::to_string(number) : text; }
  auto operator<=>(const NumberOrText&) const = default;
};

}  // namespace banyan::base
