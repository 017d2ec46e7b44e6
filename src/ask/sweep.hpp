// Every cable, every switch or every two cables taken away in turn: what the loss of each costs.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ask/fail.hpp"

namespace banyan::ask {

// Without one of its cables between switches, as a sweep would take it: what `auto` chooses an engine for.
Topology damaged(const Topology& topology);

struct SweepAnswer {
  struct Cost {
    bool yes = false;
    u64 pairs_lost = 0;
    u32 max_destinations_per_channel = 0, max_destinations_per_down_channel = 0;
    std::optional<u64> entries_changed{};

    static void fields(auto& self, auto&& f) {
      f("yes", self.yes, "", "the verdict without it");
      f("pairs_lost", self.pairs_lost, "", "that arrived before and do not now");
      f("max_destinations_per_channel", self.max_destinations_per_channel, "", "between switches");
      f("max_destinations_per_down_channel", self.max_destinations_per_down_channel, "", "towards the hosts");
      f("entries_changed", self.entries_changed, "",
        "of the forwarding tables; where switches hash, groups of next hops");
    }
  };
  struct Cable {
    std::string cable{};
    std::optional<Cost> cost{};
    std::optional<std::string> not_applicable{};

    static void fields(auto& self, auto&& f) {
      f("cable", self.cable, "", "its two ends; of a sweep of switches, the switch; of pairs, both");
      part(self.cost, f);
      f("not_applicable", self.not_applicable, "", "why the engine cannot route without it");
    }
  };
  Verdict before{};
  std::vector<Cable> cables{};

  static void fields(auto& self, auto&& f) {
    f("before", self.before, "", "the verdict with all cables");
    f("cables", self.cables, "",
      "cables, switches or pairs, each taken away in turn, the most expensive first");
  }

  bool all_yes() const;
};

Result<SweepAnswer> sweep(const Situation& at, const FabricRouter& router, const FailOptions& options);

}  // namespace banyan::ask
