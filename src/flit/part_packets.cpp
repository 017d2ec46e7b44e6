#include "flit/make_part.hpp"
#include "flit/plain_nics.hpp"

namespace banyan::flit {
template std::unique_ptr<Part> make_part<Mode::packets, PlainNics<Mode::packets>>(Machine&, u16);
}
