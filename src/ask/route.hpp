// A routing as tables that switches can hold, judged before anybody writes them.
#pragma once
#include <optional>

#include "ask/check.hpp"
#include "formats/subnet.hpp"
#include "routing/table_form.hpp"

namespace banyan::ask {

struct RouteAnswer {
  u32 addresses_per_nic = 1;
  OtherPaths others{};
  Verdict verdict{};
  std::optional<Routing> tables{};
  Subnet subnet{};

  static void fields(auto& self, auto&& f) {
    f("addresses_per_nic", self.addresses_per_nic, "", "LIDs of each NIC");
    f("paths_unlike_the_engines", self.others.share(), "", "share of the paths that the tables cannot keep");
    Verdict::fields(self.verdict, f);
  }
};

// Of the situation's routing. Not applicable where tables or LIDs cannot hold it.
Result<RouteAnswer> route(const Situation& at, const InfinibandIds& ids);

}  // namespace banyan::ask
