// What it costs when cables fail: routed and judged before and after, with the loads of a traffic on both; or
// every cable taken away in turn.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "ask/situation.hpp"
#include "verify/judge.hpp"

namespace banyan::ask {

struct FailOptions {
  PluginText engine{};  // routes both; its name and keys are known
  u64 samples = 1000;

  static void fields(auto& self, auto&& f) { f("samples", self.samples, "of a random traffic"); }
};

struct FailAnswer {
  struct Side {
    Verdict verdict{};
    Interval max_load{};
    double max_load_worst = 0;
    u64 flows = 0, undelivered = 0;

    static void fields(auto& self, auto&& f) {
      Verdict::fields(self.verdict, f);
      f("max_load", self.max_load, "flows", "on the heaviest channel; mean over samples, 99 % interval");
      f("max_load_worst", self.max_load_worst, "flows", "the greatest max_load of any round");
      f("flows", self.flows, "flows", "over all rounds and samples");
      f("undelivered", self.undelivered, "flows", "those that do not arrive, and load nothing");
    }
  };
  u64 links_taken = 0, pairs_lost = 0;
  std::optional<u64> entries{}, entries_changed{};
  Side before{}, after{};

  static void fields(auto& self, auto&& f) {
    f("links_taken", self.links_taken, "", "cables that failed");
    f("pairs_lost", self.pairs_lost, "", "that arrived before and do not now");
    f("entries", self.entries, "", "of the forwarding tables");
    f("entries_changed", self.entries_changed, "", "of these, in which the tables differ");
    f("before", self.before, "", "the routing of the whole fabric");
    f("after", self.after, "", "the routing of what is left");
  }
};

// `at` has the whole fabric and the traffic. Not applicable where the engine cannot route one of the two.
Result<FailAnswer> fail(const Situation& at, const Topology& after, const FailOptions& options);

enum class Sweep : u8 { links, all, switches };  // cables between switches, also those of hosts, or switches
constexpr std::array<std::string_view, 3> option_names(Sweep) { return {"links", "all", "switches"}; }

struct SweepAnswer {
  struct Cost {
    bool yes = false;
    u64 pairs_lost = 0;
    u32 max_destinations_per_channel = 0, max_destinations_per_down_channel = 0;
    u64 entries_changed = 0;

    static void fields(auto& self, auto&& f) {
      f("yes", self.yes, "", "the verdict without it");
      f("pairs_lost", self.pairs_lost, "", "that arrived before and do not now");
      f("max_destinations_per_channel", self.max_destinations_per_channel, "", "between switches");
      f("max_destinations_per_down_channel", self.max_destinations_per_down_channel, "", "towards the hosts");
      f("entries_changed", self.entries_changed, "", "of the forwarding tables");
    }
  };
  struct Cable {
    std::string cable{};
    std::optional<Cost> cost{};
    std::optional<std::string> not_applicable{};

    static void fields(auto& self, auto&& f) {
      f("cable", self.cable, "", "its two ends; of a sweep of switches, the switch");
      part(self.cost, f);
      f("not_applicable", self.not_applicable, "", "why the engine cannot route without it");
    }
  };
  Verdict before{};
  std::vector<Cable> cables{};

  static void fields(auto& self, auto&& f) {
    f("before", self.before, "", "the verdict with all cables");
    f("cables", self.cables, "", "or switches, each taken away in turn, the dearest first");
  }

  bool all_yes() const;
};

Result<SweepAnswer> sweep(const Situation& at, const PluginText& engine, Sweep which);

}  // namespace banyan::ask
