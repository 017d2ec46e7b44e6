#include "flit/make_part.hpp"

namespace banyan::flit {

std::unique_ptr<Part> make_vct_rails_part(Machine& machine, u16 number) {
  return make_part<Mode::vct_rails>(machine, number);
}

}  // namespace banyan::flit
