#include "flow/carrier.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace banyan::flow {

void Carried::clear() {
  flows.clear();
  message.clear();
  listed.clear();
}

Carrier::Carrier(const Fabric& fabric, const Routing& routing, const Placement& placement,
                 const RailSplit& split, const Inside& inside)
    : fabric_(fabric), routing_(routing), rails_(fabric, placement, split), inside_(inside) {
  if (inside_.accelerators == 0) return;
  for (const Rank rank : placement.ids())
    if (rails_.process(rank) >= inside_.accelerators)
      throw InputError(fmt::format("host {} has more ranks than its {} accelerators", index(placement[rank]),
                                   inside_.accelerators));
}

void Carrier::carry(std::span<const Demand> messages, RailTurns& turns, Carried& out, Demands kind) const {
  out.clear();
  for (u32 m = 0; m < messages.size(); ++m) {
    const Demand& message = messages[m];
    const Host from = rails_.host(message.from);
    if (from == rails_.host(message.to))
      out.flows.push_back({Nic{index(from)}, Nic{index(from)}, message.amount});
    else
      rails_.append(message, turns, out.flows);
    out.message.resize(out.flows.size(), m);
  }
  list_channels(fabric_, routing_, out.flows, kind, out.listed);
  if (inside_.limits()) add_inside(messages, out);
}

namespace {

// The same flow on the next rail that both its hosts are on; the same one if there is no other.
Flow next_rail(const Fabric& fabric, Flow flow) {
  const Host from = fabric.host(flow.from), to = fabric.host(flow.to);
  for (u32 i = 1; i <= fabric.columns(); ++i) {
    const u32 column = (fabric.column(flow.from) + i) % fabric.columns();
    const Nic a = fabric.in_column(from, column), b = fabric.in_column(to, column);
    if (a == none<Nic> || b == none<Nic>) continue;
    flow.from = a, flow.to = b;
    break;
  }
  return flow;
}

}  // namespace

bool Carrier::carry_again(const Demand& message, const std::function<bool(Channel)>& is_there,
                          std::span<Flow> flows, Carried& out) const {
  const auto arrives = [&](std::span<const Flow> some) {
    try {
      out.listed.clear();
      list_channels(fabric_, routing_, some, Demands::bytes, out.listed);
      return std::all_of(out.listed.channels.begin(), out.listed.channels.end(), is_there);
    } catch (const InputError&) {
      return false;
    }
  };
  out.clear();
  out.flows.assign(flows.begin(), flows.end());
  if (!arrives(out.flows)) {
    for (Flow& flow : out.flows)
      for (u32 tried = 0; !arrives({&flow, 1}); flow = next_rail(fabric_, flow))
        if (tried++ == fabric_.columns()) return false;
    if (!arrives(out.flows)) return false;
  }
  out.message.assign(flows.size(), 0);
  std::copy(out.flows.begin(), out.flows.end(), flows.begin());
  if (inside_.limits()) add_inside({&message, 1}, out);
  return true;
}

void Carrier::add_inside(std::span<const Demand> messages, Carried& out) const {
  const InsideChannels channels(fabric_.channels().size(), inside_);
  const u32 rails = fabric_.columns();
  Incidence all;
  const auto cross = [&](Host host, u32 from, u32 to) {
    if (from == to) return;
    for (const Channel c : {channels.out_of(host, from), channels.into(host, to)}) {
      all.channels.push_back(c);
      all.shares.push_back(1);
    }
  };
  for (u32 f = 0; f < out.flows.size(); ++f) {
    const Demand& message = messages[out.message[f]];
    const Host from = rails_.host(message.from), to = rails_.host(message.to);
    const u32 sender = rails_.process(message.from), receiver = rails_.process(message.to);
    const u32 rail = fabric_.column(out.flows[f].from), gate = inside_.first_next_to(rail, rails);
    if (from == to) {
      cross(from, sender, receiver);
    } else {
      cross(from, sender, inside_.are_next(sender, rail, rails) ? sender : gate);
      cross(to, inside_.are_next(receiver, rail, rails) ? receiver : gate, receiver);
    }
    const auto outside = out.listed.channels_of(f);
    const auto shares = out.listed.shares_of(f);
    all.channels.insert(all.channels.end(), outside.begin(), outside.end());
    all.shares.insert(all.shares.end(), shares.begin(), shares.end());
    all.first.push_back(all.channels.size());
    all.hops.push_back(out.listed.hops[f]);
  }
  out.listed = std::move(all);
}

}  // namespace banyan::flow
