// The state of a packet that goes through a middle (Valiant 1982) or directly, as part of its header.
#pragma once
#include "base/types.hpp"

namespace banyan::routing {

// The tag is the middle. UGAL starts undecided and is offered both ways at the first switch; Valiant's
// algorithm starts towards the middle.
struct Detour {
  static constexpr u8 undecided = 0, to_middle = 1;
  // Towards the destination, on lane k from here on; every crossing from one part to the next adds one.
  static constexpr u8 to_goal(u32 lane) { return static_cast<u8>(2 + lane); }
  static constexpr u32 lane(u8 state) { return state - 2u; }
};

}  // namespace banyan::routing
