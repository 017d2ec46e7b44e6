#include "size/prices.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace banyan::size {

const PriceList::Switch& PriceList::switch_with(u32 ports) const {
  for (const Switch& s : switches)
    if (s.ports >= ports) return s;
  throw InputError(fmt::format("the price list has no switch with {} ports", ports));
}

std::size_t PriceList::cable_class(double metres) const {
  for (std::size_t i = 0; i < cables.size(); ++i)
    if (cables[i].up_to >= metres) return i;
  throw InputError(fmt::format("the price list has no cable of {:.1f} m", metres));
}

}  // namespace banyan::size
