#include "flit/rails/policy.hpp"

#include <fmt/format.h>

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

namespace {

// As RailRules has them.
std::vector<u32> planes_of(const Fabric& fabric) {
  if (fabric.planes() == 1) return {};
  const u32 rails = fabric.columns();
  std::vector<u32> out(u64{fabric.hosts()} * rails);
  bool are_alike = true;
  for (u32 h = 0; h < fabric.hosts(); ++h)
    for (u32 rail = 0; rail < rails; ++rail) {
      const Nic nic = fabric.in_column(Host{h}, rail);
      u32& plane = out[u64{h} * rails + rail];
      plane = nic == none<Nic> ? ~u32{0} : fabric.plane(nic);
      are_alike &= plane == out[rail];
    }
  if (are_alike) out.resize(rails);
  return out;
}

}  // namespace

RailRules rail_rules(const Fabric& fabric, double stripe, u32 processes, u32 dead_rail) {
  if (fabric.columns() > max_rails_of_a_policy)
    throw InputError(fmt::format("{} rails; expected at most {}", fabric.columns(), max_rails_of_a_policy));
  if (processes == 0) throw InputError("processes is 0; expected at least 1");
  RailRules out{.hosts = fabric.hosts(),
                .rails = fabric.columns(),
                .processes = processes,
                .stripe = stripe,
                .nics = NicPositions(fabric),
                .planes = planes_of(fabric)};
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
  if (rules.nics.is_even()) rules.nics = NicPositions(rules.rails);
  if (rules.live.empty()) rules.live.assign(rules.hosts, ~u64{0} >> (64 - rules.rails));
  const PluginText plugin = rail_policies().bind(text);
  const RailPolicy& policy = rail_policies().at(plugin.name);
  if (policy.prepare) policy.prepare(plugin, rules);
  return {&policy, std::move(rules)};
}

RailSplit rail_split(ReadyPolicy ready) {
  return [ready = std::move(ready)](const RankPair& ranks, u32&) {
    return ready.policy->split(ready.rules, ranks);
  };
}

RailSplit message_split(ReadyPolicy ready) {
  if (!ready.policy->in_turn) return rail_split(std::move(ready));
  return [ready = std::move(ready)](const RankPair& ranks, u32& turn) {
    u64 rails = 0;
    for (const RailShare& share : ready.policy->split(ready.rules, ranks)) rails |= u64{1} << share.rail;
    return equal_shares(ready.rules, ranks, select_rails(ready.rules, rails, ready.rules.rails, turn));
  };
}

std::vector<RailShare> equal_shares(std::span<const RailPair> rails) {
  std::vector<RailShare> out;
  for (const RailPair& pair : rails)
    out.push_back({pair.rail, 1.0 / static_cast<double>(rails.size()), pair.to_rail});
  return out;
}

std::vector<RailShare> equal_shares(const RailRules& rules, const RankPair& ranks, u64 rails) {
  return equal_shares(pairs_of(rules, ranks, rails));
}

std::vector<RailShare> share_all(const RailRules& rules, const RankPair& ranks) {
  return equal_shares(rules, ranks, rules.between(ranks.from, ranks.to));
}

void only_count(RailHost& host, const RailRules&, u32 rail, const DataEvent& event, RailActions&) {
  note(host.nics[rail], event);
}

void only_forget(RailHost& host, const RailRules&, u32 rail, RailActions&) { host.nics[rail] = RailNic{}; }

}  // namespace banyan::flit
