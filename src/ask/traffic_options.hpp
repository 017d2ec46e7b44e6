// Who sends to whom, as every question about a traffic takes it.
#pragma once
#include <string>

#include "base/types.hpp"

namespace banyan::ask {

struct TrafficPattern {
  std::string traffic{};

  static void fields(auto& self, auto&& f) {
    f("traffic", self.traffic, "pattern of the traffic, such as shift:3; 'banyan patterns' lists them");
  }
};

struct TrafficOptions : TrafficPattern {
  u32 ranks = 0;
  std::string placement = "linear";

  static void fields(auto& self, auto&& f) {
    TrafficPattern::fields(self, f);
    f("ranks", self.ranks, "number of ranks that take part; 0: all hosts");
    f("placement", self.placement, "hosts of the ranks: linear, random, clustered:0.8, file:PATH");
  }
};

}  // namespace banyan::ask
