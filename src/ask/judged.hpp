// What fail, compare, sweep and bad_cables share: a routing with its verdict and tables, and what a traffic
// puts on it.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "ask/fail.hpp"
#include "ask/load.hpp"
#include "routing/table_form.hpp"
#include "verify/judge.hpp"

namespace banyan::ask {

// A routing, what the judge says of it, and its tables if it can have any.
struct Judged {
  Routing routing;
  Verdict verdict{};
  std::optional<Tables> tables{};

  u64 arriving() const { return verdict.pairs - verdict.failing_pairs; }
};

// Where switches hash, all next hops are judged. Not applicable where the result is, or a group is too large.
Result<Judged> judged(Situation at, RouteResult result);

// Entries that differ; none when one of the two has no tables, or they are for other addresses.
std::optional<u64> entries_changed(const std::optional<Tables>& before, const std::optional<Tables>& after);
// Where switches hash: whether both have the same next hops there, with the same weights.
bool is_same_group(const PortSets& one, const PortSets& other, Node node, Nic to);

struct EntryChanges {
  u64 entries = 0, changed = 0;
};
// Where both have such: entries of tables, or groups of next hops.
std::optional<EntryChanges> count_entries(const Situation& at, const Judged& one, const Judged& other);

u64 pairs_lost(const Judged& before, u64 arriving);
bool has_rails(const Situation& at);

// How the traffic uses the rails: on several, all of them. Throws InputError.
LoadOptions traffic_options(const Situation& at, const FailOptions& options);

// Whether loads are means over hashes.
bool is_over_hashes(const Judged& judged, const FailOptions& options);

// Throws InputError where hashes were given and change nothing.
void refuse_unused(const Judged& one, const Judged& other, const WasGiven& given);

// Loads over hashes: hash i, and sample i of a random traffic.
struct HashedLoads {
  std::vector<double> max_load{};  // by hash: the mean over rounds
  double max_load_worst = 0;       // of any round under any hash
  u64 flows = 0;                   // of a sample
  double undelivered = 0;          // of these, mean over hashes
  std::vector<double> watched{};   // loads of the channels that were asked for, mean over rounds and hashes
};
// Not applicable where there are too many flows to list.
Result<HashedLoads> loads_over_hashes(const Situation& at, const Routing& routing, const FailOptions& options,
                                      std::span<const Channel> watched = {});

// The verdicts, and the loads of the traffic; why they cannot be told, if so.
std::optional<NotApplicable> add_sides(const Situation& at, const Judged& before, const Situation& later,
                                       const Judged& after, const FailOptions& options, FailAnswer& out);

}  // namespace banyan::ask
