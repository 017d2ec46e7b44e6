// What it costs when cables fail: routed and judged before and after, with the loads of a traffic on both.
// Where switches hash, all next hops are judged, and loads are means over hashes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ask/fabric_router.hpp"
#include "ask/situation.hpp"
#include "ask/was_given.hpp"
#include "verify/judge.hpp"

namespace banyan::ask {

// What a sweep takes away: nothing, each cable between switches, also each of hosts, each switch, or each two
// cables between switches.
enum class Sweep : u8 { none, links, all, switches, pairs };
constexpr std::array<std::string_view, 5> option_names(Sweep) {
  return {"none", "links", "all", "switches", "pairs"};
}

struct FailOptions {
  u64 samples = 1000;
  u64 hashes = 100;
  std::string rails_policy{};
  double stripe = 0;
  u32 processes = 1;
  Sweep sweep = Sweep::none;
  u64 pairs = 10'000;
  u32 top = 10;

  static void fields(auto& self, auto&& f) {
    f("samples", self.samples,
      "samples of a random traffic; where switches hash, each of the hashes has one; of a sweep: lay the "
      "traffic without each victim, too");
    f("hashes", self.hashes,
      "where switches hash: loads are the mean over as many hashes, each with a sample of its own of a "
      "random traffic; 0: of samples under one hash");
    f("rails-policy", self.rails_policy,
      "of several rails: spread the traffic over them as this policy does on average; by default basic");
    f("stripe", self.stripe,
      "of several rails: share of the available rails that one message is striped over");
    f("processes", self.processes, "of several rails: processes of each host");
    f("sweep", self.sweep,
      "take every cable away in turn, the most expensive first: links (between switches) or all; or every "
      "one of the "
      "switches; or pairs, every two cables between switches");
    f("pairs", self.pairs, "of a sweep of pairs: draw so many where there are more");
    f("top", self.top, "print this many cables, switches or pairs of a sweep");
  }
};

// Whether it is worth while to load other tables: fewer pairs that fail, then a better verdict, then less
// load, beyond the intervals of both.
enum class Worth : u8 { same, better, worse, unclear };
constexpr std::array<std::string_view, 4> option_names(Worth) {
  return {"same", "better", "worse", "unclear"};
}

// Of two routings of one fabric.
struct TableComparison {
  u64 pairs_gained = 0, pairs_moved = 0;
  Worth worth = Worth::same;

  static void fields(auto& self, auto&& f) {
    f("pairs_gained", self.pairs_gained, "",
      "with --against: that arrive with the others and not with these");
    f("pairs_moved", self.pairs_moved, "", "with --against: whose paths are not the same");
    f("worth", self.worth, "",
      "with --against: what the others are: more pairs arrive, else the verdict is better, else the mean "
      "maximum load is "
      "less, beyond the intervals of both");
  }
};

struct FailAnswer {
  struct Side {
    Verdict verdict{};
    Interval max_load{};
    double max_load_worst = 0;
    u64 flows = 0;
    double undelivered = 0;

    bool is_well() const { return verdict.yes() && verdict.disconnected_pairs == 0; }

    static void fields(auto& self, auto&& f) {
      Verdict::fields(self.verdict, f);
      f("max_load", self.max_load, "flows", "on the heaviest channel; mean over samples, 99 % interval");
      f("max_load_worst", self.max_load_worst, "flows", "the greatest max_load of any round");
      f("flows", self.flows, "flows", "over all rounds and samples; where switches hash, of one sample");
      f("undelivered", self.undelivered, "flows",
        "those that do not arrive, and load nothing; where switches hash, mean over hashes");
    }
  };
  u64 links_taken = 0, host_links_taken = 0, pairs_lost = 0;
  std::vector<std::string> cables{};
  std::optional<u64> host_pairs_lost{};
  std::optional<std::string> rails_policy{};
  std::optional<u64> entries{}, entries_changed{}, hashes{};
  std::optional<TableComparison> comparison{};
  Side before{}, after{};

  static void fields(auto& self, auto&& f) {
    f("links_taken", self.links_taken, "", "cables that failed");
    f("host_links_taken", self.host_links_taken, "", "of these, cables of hosts");
    f("cables", self.cables, "", "that failed, by their two ends");
    f("pairs_lost", self.pairs_lost, "", "of NICs on a rail: that arrived before and do not now");
    f("host_pairs_lost", self.host_pairs_lost, "",
      "of several rails: ordered pairs of hosts that some rail served before and none does now");
    f("rails_policy", self.rails_policy, "", "of several rails: how the traffic is spread over them");
    f("entries", self.entries, "", "of the forwarding tables; where switches hash, groups of next hops");
    f("entries_changed", self.entries_changed, "", "of these, in which the tables differ");
    f("hashes", self.hashes, "",
      "where switches hash: hashes that max_load and undelivered are the mean over");
    part(self.comparison, f);
    f("before", self.before, "", "the routing of the whole fabric; with --against, these tables");
    f("after", self.after, "", "the routing of what is left; with --against, the others");
  }
};

// `at` has the whole fabric and the traffic. Tables stay as they are. Not applicable where the engine cannot
// route one of the two. Throws InputError where hashes were given and change nothing.
Result<FailAnswer> fail(const Situation& at, const Topology& after, const FabricRouter& router,
                        const FailOptions& options, const WasGiven& given = {});

}  // namespace banyan::ask
