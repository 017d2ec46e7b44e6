// The machines one could build: what all families propose for a demand, with bounds and a price for each,
// within the limits that were given, in order; and which of them no other beats in everything.
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "size/bounds.hpp"
#include "size/cost.hpp"
#include "topology/proposals.hpp"

namespace banyan::size {

struct Design {
  std::string_view family{};
  Outline outline{};
  ThroughputBounds throughput{};
  Cost cost{};
  bool on_front = false;
  bool is_measured = false;  // its bisection, by the search that `describe` makes

  double bisection_ratio() const;       // as `describe` has it; of the best cut that is known
  double sure_bisection_ratio() const;  // no cut has less, or `describe` finds none that has
  u64 idle_ports(u32 ports) const { return u64{outline.bought_switches()} * ports - outline.ports_used(); }
  double price() const { return cost.money(); }
};

// 0: any.
struct DesignLimits {
  double least_bisection = 0;  // ratio
  u32 greatest_diameter = 0;
  double longest_cable = 0;  // metres
  double greatest_price = 0, greatest_watts = 0;
  u32 expandable_to = 0;  // hosts

  // g(option, member, meaning, whether it is the greatest that may be, what a design has of it).
  static void each(auto& self, auto&& g) {
    using D = const Design&;
    constexpr bool least = false, greatest = true;
    g("least-bisection", self.least_bisection, "least bisection, as a share of full", least,
      [](D d) { return d.sure_bisection_ratio(); });
    g("greatest-diameter", self.greatest_diameter, "greatest diameter, in channels; 0: any", greatest,
      [](D d) { return static_cast<double>(d.outline.distances.diameter); });
    g("longest-cable", self.longest_cable, "metres of the longest cable at most; 0: any", greatest,
      [](D d) { return d.cost.longest_cable; });
    g("greatest-price", self.greatest_price, "price at most, in the currency of the prices; 0: any", greatest,
      [](D d) { return d.cost.money(); });
    g("greatest-watts", self.greatest_watts, "watts at most; 0: any", greatest,
      [](D d) { return d.cost.watts(); });
    g("expandable-to", self.expandable_to,
      "hosts to which it must grow by adding switches and cables, with no cable moved; 0: need not", least,
      [](D d) { return static_cast<double>(d.outline.grows_to); });
  }
  static void fields(auto& self, auto&& f) {
    each(self, [&](std::string_view option, auto& member, std::string_view meaning, auto&&...) {
      f(option, member, meaning);
    });
  }
};

enum class DesignOrder { value, price, throughput, distance };
inline std::span<const std::string_view> option_names(DesignOrder) {
  static constexpr std::array<std::string_view, 4> names = {"value", "price", "throughput", "distance"};
  return names;
}

// A limit that the nearest candidate does not keep.
struct UnmetLimit {
  std::string option{};
  double asked = 0, nearest = 0;
};

struct SizeRequest {
  SizeDemand demand{};
  std::vector<std::string> families{};  // empty: all
  DesignLimits limits{};
  DesignOrder order = DesignOrder::value;
  bool front = false;  // only those on the front are listed
  u32 limit = 20;      // so many are listed, with exact prices
  HallOptions hall{};
};

struct SizeResult {
  std::vector<Design> candidates{};  // best first, at most `limit`
  std::vector<Design> cheapest{};    // what none beats in price and worst throughput alone, by price
  u64 considered = 0, within_limits = 0, on_front = 0;
  u64 unmeasured = 0;  // may be within the limits, but for a bisection that was neither proved nor measured
  bool estimated = false;  // of some, a part of the cables stood for all when they were compared
  // Where none is within the limits: the nearest (none where no family has any), and what it lacks.
  std::vector<Design> nearest{};
  std::vector<UnmetLimit> unmet{};
};

// Throws InputError for a demand that nothing can meet, for families that do not exist or propose nothing,
// and for a price list that lacks what is to be bought.
SizeResult size_machine(const SizeRequest& request, const PriceList& prices);

std::vector<std::string_view> proposing_families();

// Marks those that no other beats or equals in price, throughput under the worst traffic, mean distance and
// cables that part hosts, and beats in one of them.
void mark_front(std::vector<Design>& candidates);

}  // namespace banyan::size
