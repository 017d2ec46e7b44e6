// A price list: what switches, cables, transceivers and NICs cost and draw, since when, and who says so.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "base/units.hpp"

namespace banyan::size {

struct Price {
  double money = 0, watts = 0;
};

// A line of the list.
struct Offer {
  Price price{};
  Speed speed{};                 // 0: for links of any speed
  std::string date{}, source{};  // since when, and who says so
};

enum class CableKind : u8 { copper, active_optical, transceivers };  // the last: fibre with one at each end
constexpr std::array<std::string_view, 3> option_names(CableKind) {
  return {"copper", "active-optical", "transceivers"};
}

struct PriceList {
  struct Switch : Offer {
    u32 ports = 0;
  };
  struct Cable : Offer {
    CableKind kind = CableKind::copper;
    double up_to = 0;  // metres
  };
  std::string currency{};
  bool placeholder = false;           // no one's prices: the results say so
  std::vector<Offer> nics{};          // by speed; not empty
  std::vector<Offer> transceivers{};  // by speed; not empty where cables need them
  std::vector<Switch> switches{};     // by ports
  std::vector<Cable> cables{};        // by length

  // The same list without what is slower. Throws InputError where nothing of a kind is left.
  PriceList at_speed(Speed speed) const;

  const Price& nic() const { return nics.front().price; }
  // The smallest that will do. Throw InputError where there is none.
  const Switch& switch_with(u32 ports) const;
  std::size_t cable_class(double metres) const;
  double longest_cable() const { return cables.back().up_to; }
  Price of_cable(std::size_t cable_class) const;  // with what is at its ends
};

// f(what it is in words, offer) for every line.
template <class F>
void each_offer(const PriceList& list, F&& f) {
  for (const Offer& nic : list.nics) f(std::string("NIC"), nic);
  for (const auto& bought : list.switches) f("switch of " + std::to_string(bought.ports) + " ports", bought);
  for (const auto& cable : list.cables)
    f(std::string(option_names(cable.kind)[static_cast<std::size_t>(cable.kind)]) + " up to " +
          quantity_text(Length{cable.up_to}),
      cable);
  for (const Offer& transceiver : list.transceivers) f(std::string("transceiver"), transceiver);
}

}  // namespace banyan::size
