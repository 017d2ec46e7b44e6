// Rounds: when a rank begins its next round. The flow level and the simulator use the same definition.
#pragma once
#include <array>
#include <string_view>

#include "base/types.hpp"

namespace banyan::traffic {

// barrier: when the last message of the previous round has arrived, of any rank. exchange: when the rank's
// own messages have left and those to it have arrived. independent: when its own messages have left
// (zahavi10, section III).
enum class Rounds : u8 { barrier, exchange, independent };

constexpr std::array<std::string_view, 3> option_names(Rounds) {
  return {"barrier", "exchange", "independent"};
}

}  // namespace banyan::traffic
