// A rail policy decides on which rails of its host a message goes out. It is a file with a function
// NAME_rail_policy() and a line in policies.def; being listed is what offers and tests it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/options.hpp"
#include "flit/rails/host.hpp"

namespace banyan {

struct RailShare {
  u32 rail;
  double share;
};

struct RailPolicy {
  std::string_view name, summary, source;
  std::vector<OptionInfo> options;

  // Reads the policy's own options into the rules, and throws InputError where it cannot work.
  void (*prepare)(const PluginText& text, RailRules& rules);
  // At flow level: which shares of the bytes from one host to another go by which rail; empty: none is there.
  std::vector<RailShare> (*split)(const RailRules& rules, Host from, Host to, u64 bytes);
  // In time. Each appends what is to be done, and may change its own host only. The message of `posted` and
  // what its process waits for stand in the host's allocation. Those that a policy has no use for may be
  // null.
  void (*posted)(RailHost&, const RailRules&, u32 process, RailActions&);
  void (*control)(RailHost&, const RailRules&, u32 rail, const ControlPacket&, RailActions&);
  void (*data)(RailHost&, const RailRules&, u32 rail, const DataEvent&, RailActions&);
  void (*expired)(RailHost&, const RailRules&, u32 process, u32 ticket, u32 round, RailActions&);
  void (*died)(RailHost&, const RailRules&, u32 rail, RailActions&);
};

const std::vector<RailPolicy>& rail_policies();

// A policy and the rules it works by. Throws InputError: an unknown name, a bad option, too few rails.
struct ReadyPolicy {
  const RailPolicy* policy;
  RailRules rules;
};
ReadyPolicy prepare_policy(std::string_view text, RailRules rules);

// What most policies are made of.
void refuse_options(const PluginText& text, RailRules& rules);  // a policy without options of its own
std::vector<RailShare> equal_shares(u64 rails);
std::vector<RailShare> share_all(const RailRules& rules, Host from, Host to, u64 bytes);
void only_count(RailHost& host, const RailRules& rules, u32 rail, const DataEvent& event, RailActions& out);
// Sends at once on rails from `first` on, around the end, as many as the striping ratio says.
void send_from(RailHost& host, const RailRules& rules, u32 process, u32 first, RailActions& out);

}  // namespace banyan
