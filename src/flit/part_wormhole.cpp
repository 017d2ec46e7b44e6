#include "flit/make_part.hpp"
#include "flit/plain_nics.hpp"

namespace banyan::flit {

std::unique_ptr<Part> make_wormhole_part(Machine& machine, u16 number) {
  return make_part<Mode::wormhole, PlainNics<Mode::wormhole>>(machine, number);
}

}  // namespace banyan::flit
