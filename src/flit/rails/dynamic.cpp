// Dynamic allocation (Coll et al. 2001, Algorithms 2 to 4, Tables 1 and 2): both ends of a rail are reserved
// by RTS, CTS, NACK and ABORT before a message is sent.
#include "flit/rails/reservation.hpp"

namespace banyan::flit {

RailPolicy dynamic_rail_policy() {
  return reserving({.name = "dynamic",
                    .summary = "rails that were reserved at both ends",
                    .source = "Coll et al. 2001, Algorithms 2 to 4"});
}

}  // namespace banyan::flit
