// A price list: what switches, cables and NICs cost and draw.
#pragma once
#include <string>
#include <vector>

#include "base/types.hpp"

namespace banyan::size {

struct Price {
  double money = 0, watts = 0;
};

struct PriceList {
  struct Switch {
    u32 ports;
    Price price;
  };
  struct Cable {
    std::string name;
    double up_to;  // metres
    Price price;
  };
  std::string currency = "EUR";
  bool placeholder = false;  // no one's prices: the results say so
  Price nic;
  std::vector<Switch> switches;  // by ports
  std::vector<Cable> cables;     // by length

  // The smallest that will do. Throw InputError where there is none.
  const Switch& switch_with(u32 ports) const;
  std::size_t cable_class(double metres) const;
};

}  // namespace banyan::size
