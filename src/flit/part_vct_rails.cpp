#include "flit/make_part.hpp"
#include "flit/rail_nics.hpp"

namespace banyan::flit {
template std::unique_ptr<Part> make_part<Mode::vct, RailNics>(Machine&, u16);
}
