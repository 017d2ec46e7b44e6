// A price list: what switches, cables and NICs cost and draw. docs/study.md describes the file.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace banyan::study {

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

PriceList read_prices(std::string_view text, const std::string& file);  // throws InputError
PriceList open_prices(const std::string& path);                         // "": the list within the program

}  // namespace banyan::study
