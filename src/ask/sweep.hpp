// Every cable, every switch or every two cables taken away in turn: what the loss of each costs.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ask/fail.hpp"
#include "ask/sweep_loads.hpp"

namespace banyan::ask {

// Without one of its cables between switches, as a sweep would take it: what `auto` chooses an engine for.
Topology damaged(const Topology& topology);

struct SweepAnswer {
  struct Cost {
    bool yes = false;
    u64 pairs_lost = 0;
    u32 max_destinations_per_channel = 0, max_destinations_per_down_channel = 0;
    std::optional<u64> entries_changed{};
    std::optional<SweptLoad> load{};

    static void fields(auto& self, auto&& f) {
      f("yes", self.yes, "", "the verdict without it");
      f("pairs_lost", self.pairs_lost, "", "that arrived before and do not now");
      f("max_destinations_per_channel", self.max_destinations_per_channel, "", "between switches");
      f("max_destinations_per_down_channel", self.max_destinations_per_down_channel, "", "towards the hosts");
      f("entries_changed", self.entries_changed, "",
        "of the forwarding tables; where switches hash, groups of next hops");
      part(self.load, f);
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
  std::optional<SweptLoad> load{};
  std::optional<u64> samples{};
  std::optional<std::string> device{};
  std::string device_failure{};  // of a GPU that was chosen and failed: why; processors did its work
  u64 left_to_processors = 0;    // by a GPU: victims that it could not count
  std::vector<Cable> cables{};

  static void fields(auto& self, auto&& f) {
    f("before", self.before, "", "the verdict with all cables");
    part(self.load, f);
    f("samples", self.samples, "", "with samples: of the traffic, the same without each");
    f("device", self.device, "", "the GPU that counted loads; absent where processors did");
    f("cables", self.cables, "",
      "cables, switches or pairs, each taken away in turn, the most expensive first");
  }

  bool all_yes() const;
};

// With `lays_traffic`, the loads of options.samples samples of at.traffic too. Not applicable where the
// engine is not, or a GPU was demanded and cannot count them. Throws InputError.
Result<SweepAnswer> sweep(const Situation& at, const FabricRouter& router, const FailOptions& options,
                          bool lays_traffic = false);

}  // namespace banyan::ask
