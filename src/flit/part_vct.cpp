#include "flit/make_part.hpp"
#include "flit/plain_nics.hpp"

namespace banyan::flit {

std::unique_ptr<Part> make_vct_part(Machine& machine, u16 number) {
  return make_part<Mode::vct, PlainNics<Mode::vct>>(machine, number);
}

}  // namespace banyan::flit
