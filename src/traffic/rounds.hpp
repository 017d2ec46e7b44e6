// When a rank begins its next round; flow level and simulator mean the same by it.
#pragma once
#include <array>
#include <string_view>

#include "base/types.hpp"

namespace banyan::traffic {

// barrier: when the last message of the round before has arrived, of whomever. exchange: when its own
// messages have left and those to it have arrived. independent: when its own have left (zahavi10, section
// III).
enum class Rounds : u8 { barrier, exchange, independent };

constexpr std::array<std::string_view, 3> option_names(Rounds) {
  return {"barrier", "exchange", "independent"};
}

}  // namespace banyan::traffic
