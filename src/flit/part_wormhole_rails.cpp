#include "flit/make_part.hpp"
#include "flit/rail_nics.hpp"

namespace banyan::flit {

std::unique_ptr<Part> make_wormhole_rails_part(Machine& machine, u16 number) {
  return make_part<Mode::wormhole, RailNics>(machine, number);
}

}  // namespace banyan::flit
