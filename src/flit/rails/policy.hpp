// A rail policy decides by which NICs of its host a message goes out, and at which NICs of the other it
// arrives. It is a file with a function NAME_rail_policy() and a line in policies.def; being listed is what
// offers and tests it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.hpp"
#include "flit/rails/host.hpp"
#include "traffic/rail_split.hpp"

namespace banyan::flit {

// What most policies are made of, and what one that names nothing else is. A set of rails is of those by
// which one host reaches the other; each ends at its partner.
std::vector<RailShare> equal_shares(std::span<const RailPair> rails);
std::vector<RailShare> equal_shares(const RailRules& rules, const RankPair& ranks, u64 rails);
std::vector<RailShare> share_all(const RailRules& rules, const RankPair& ranks);
void only_count(RailHost& host, const RailRules& rules, u32 rail, const DataEvent& event, RailActions& out);
void only_forget(RailHost& host, const RailRules& rules, u32 rail, RailActions& out);

struct RailPolicy {
  std::string_view name, summary, source = "";
  std::vector<OptionInfo> options = {};

  // Reads the policy's own options into the rules, and throws InputError where it cannot work.
  void (*prepare)(const PluginText& text, RailRules& rules) = nullptr;
  // At flow level: which shares of what a process sends another go by which rail, in expectation; empty:
  // none is there. Whether messages take these rails in turn; else they all take all of them.
  std::vector<RailShare> (*split)(const RailRules& rules, const RankPair& ranks) = share_all;
  bool in_turn = true;
  // In time. Each appends what is to be done, and may change its own host only. The message of `posted` and
  // what its process waits for stand in the host's allocation. A policy that sends no control packets and
  // waits for nothing leaves `control` and `expired` out.
  void (*posted)(RailHost&, const RailRules&, u32 process, RailActions&) = nullptr;
  void (*control)(RailHost&, const RailRules&, u32 rail, const ControlPacket&, RailActions&) = nullptr;
  void (*data)(RailHost&, const RailRules&, u32 rail, const DataEvent&, RailActions&) = only_count;
  void (*expired)(RailHost&, const RailRules&, u32 process, u32 ticket, u32 round, RailActions&) = nullptr;
  void (*died)(RailHost&, const RailRules&, u32 rail, RailActions&) = only_forget;
};

// The NICs by which all messages between two processes go, and where they arrive, in equal stripes.
using ChooseRails = std::vector<RailPair> (*)(const RailRules& rules, const RankPair& ranks, u32 flits);

// A policy that looks at nothing but who sends to whom.
template <ChooseRails choose>
RailPolicy choosing(RailPolicy policy) {
  policy.split = [](const RailRules& rules, const RankPair& ranks) {
    return equal_shares(choose(rules, ranks, rules.rails));
  };
  policy.in_turn = false;
  policy.posted = [](RailHost& host, const RailRules& rules, u32 process, RailActions& out) {
    const Allocation& wish = host.processes[process];
    send_on(host, process, choose(rules, {host.self, process, wish.to, wish.to_process}, wish.flits), false,
            out);
  };
  return policy;
}

const Registry<RailPolicy>& rail_policies();

// The hosts of a fabric, with so many processes each: a rail is alive where it has a cable, and unless it is
// the dead one.
RailRules rail_rules(const Fabric& fabric, double stripe, u32 processes, u32 dead_rail = ~u32{0});

// A policy and the rules it works by. Throws InputError: an unknown name, a bad option, too few rails.
struct ReadyPolicy {
  const RailPolicy* policy;
  RailRules rules;
};
ReadyPolicy prepare_policy(std::string_view text, RailRules rules);
// For flow level, of what many messages have, and of one message after another. They hold what they need.
RailSplit rail_split(ReadyPolicy ready);
RailSplit message_split(ReadyPolicy ready);

}  // namespace banyan::flit
