#include "flit/rails/policy.hpp"

#include <fmt/format.h>

#include <bit>

namespace banyan::flit {

const Registry<RailPolicy>& rail_policies() {
  static const Registry<RailPolicy> all{
      "rail policy",
#define RAIL_POLICY(name) BANYAN_PLUGIN(RailPolicy, name##_rail_policy),
#include "flit/rails/policies.def"
#undef RAIL_POLICY
  };
  return all;
}

RailRules rail_rules(const Fabric& fabric, double stripe, u32 dead_rail) {
  if (fabric.columns() > max_rails_of_a_policy)
    throw InputError(fmt::format("{} rails; expected at most {}", fabric.columns(), max_rails_of_a_policy));
  RailRules out{.hosts = fabric.hosts(), .rails = fabric.columns(), .stripe = stripe, .live = {}};
  for (u32 h = 0; h < fabric.hosts(); ++h) {
    u64 live = 0;
    for (u32 rail = 0; rail < fabric.columns(); ++rail)
      if (const Nic nic = fabric.in_column(Host{h}, rail);
          rail != dead_rail && nic != none<Nic> && fabric.cabled_ports(fabric.node(nic)) > 0)
        live |= u64{1} << rail;
    out.live.push_back(live);
  }
  return out;
}

ReadyPolicy prepare_policy(std::string_view text, RailRules rules) {
  if (!(rules.stripe >= 0 && rules.stripe <= 1))
    throw InputError(fmt::format("the striping ratio is {}; expected 0 to 1", rules.stripe));
  if (rules.rails > max_rails_of_a_policy)
    throw InputError(fmt::format("{} rails; expected at most {}", rules.rails, max_rails_of_a_policy));
  if (rules.live.empty()) rules.live.assign(rules.hosts, ~u64{0} >> (64 - rules.rails));
  const PluginText plugin = rail_policies().bind(text);
  const RailPolicy& policy = rail_policies().at(plugin.name);
  if (policy.prepare) policy.prepare(plugin, rules);
  return {&policy, std::move(rules)};
}

RailSplit rail_split(ReadyPolicy ready) {
  return [ready = std::move(ready)](Host from, u32 process, Host to, u32&) {
    return ready.policy->split(ready.rules, from, process, to);
  };
}

RailSplit message_split(ReadyPolicy ready) {
  if (!ready.policy->in_turn) return rail_split(std::move(ready));
  return [ready = std::move(ready)](Host from, u32 process, Host to, u32& turn) {
    u64 rails = 0;
    for (const RailShare& share : ready.policy->split(ready.rules, from, process, to))
      rails |= u64{1} << share.rail;
    return rails == 0 ? std::vector<RailShare>() : shares_from(ready.rules, from, turn, rails);
  };
}

std::vector<RailShare> equal_shares(u64 rails) {
  std::vector<RailShare> out;
  const double share = 1.0 / std::popcount(rails);
  for (; rails != 0; rails &= rails - 1) out.push_back({static_cast<u32>(std::countr_zero(rails)), share});
  return out;
}

std::vector<RailShare> share_all(const RailRules& rules, Host from, u32, Host to) {
  return equal_shares(rules.between(from, to));
}

void only_count(RailHost& host, const RailRules&, u32 rail, const DataEvent& event, RailActions&) {
  note(host.nics[rail], event);
}

void only_forget(RailHost& host, const RailRules&, u32 rail, RailActions&) { host.nics[rail] = RailNic{}; }

void send_from(RailHost& host, const RailRules& rules, u32 process, u32 first, RailActions& out) {
  const Allocation& wish = host.processes[process];
  cursor_of(host, rules, process) = first;
  send_on(host, process, select_rails(host, rules, process, rules.between(host.self, wish.to), wish.flits),
          false, out);
}

std::vector<RailShare> shares_from(const RailRules& rules, Host from, u32& first, u64 rails) {
  RailHost host(from, rules.rails, 1);
  cursor_of(host, rules, 0) = first;
  const u64 chosen = select_rails(host, rules, 0, rails, rules.rails);
  first = cursor_of(host, rules, 0);
  return equal_shares(chosen);
}

}  // namespace banyan::flit
