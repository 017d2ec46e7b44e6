#include "size/prices.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace banyan::size {
namespace {

template <class Line>
void keep_fast(std::vector<Line>& lines, Speed speed, std::string_view what) {
  if (lines.empty()) return;
  std::erase_if(lines, [&](const Line& line) {
    return line.speed.value > 0 && line.speed.value < speed.value * (1 - 1e-9);
  });
  if (lines.empty())
    throw InputError(fmt::format("the price list has no {} of {}", what, quantity_text(speed)));
}

}  // namespace

PriceList PriceList::at_speed(Speed speed) const {
  PriceList out = *this;
  keep_fast(out.nics, speed, "NIC");
  keep_fast(out.switches, speed, "switch");
  keep_fast(out.cables, speed, "cable");
  keep_fast(out.transceivers, speed, "transceiver");
  return out;
}

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

Price PriceList::of_cable(std::size_t cable_class) const {
  const Cable& cable = cables[cable_class];
  if (cable.kind != CableKind::transceivers) return cable.price;
  const Price& end = transceivers.front().price;
  return {cable.price.money + 2 * end.money, cable.price.watts + 2 * end.watts};
}

}  // namespace banyan::size
