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
  if (inside_.limits()) nics_ = NicPositions(fabric);
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

// The flow as it is; on the next rails that both its hosts are on; then between any two of their NICs in one
// plane.
std::vector<Flow> by_other_rails(const Fabric& fabric, const Flow& flow) {
  const Host from = fabric.host(flow.from), to = fabric.host(flow.to);
  std::vector<Flow> out = {flow};
  for (u32 i = 0; i < fabric.columns(); ++i) {
    const u32 column = (fabric.column(flow.from) + i) % fabric.columns();
    const Nic a = fabric.in_column(from, column), b = fabric.in_column(to, column);
    if (a != none<Nic> && b != none<Nic>) out.push_back({a, b, flow.demand});
  }
  for (u32 a = 0; a < fabric.nics(from); ++a)
    for (u32 b = 0; b < fabric.nics(to); ++b)
      if (const Nic x = fabric.nic(from, a), y = fabric.nic(to, b); fabric.plane(x) == fabric.plane(y))
        out.push_back({x, y, flow.demand});
  return out;
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
    for (Flow& flow : out.flows) {
      const std::vector<Flow> tried = by_other_rails(fabric_, flow);
      const auto found = std::ranges::find_if(tried, [&](const Flow& one) { return arrives({&one, 1}); });
      if (found == tried.end()) return false;
      flow = *found;
    }
    if (!arrives(out.flows)) return false;
  }
  out.message.assign(flows.size(), 0);
  std::copy(out.flows.begin(), out.flows.end(), flows.begin());
  if (inside_.limits()) add_inside({&message, 1}, out);
  return true;
}

void Carrier::add_inside(std::span<const Demand> messages, Carried& out) const {
  const InsideChannels channels(fabric_.channels().size(), inside_);
  Incidence all;
  const auto cross = [&](Host host, u32 from, u32 to) {
    if (from == to) return;
    for (const Channel c : {channels.out_of(host, from), channels.into(host, to)}) {
      all.channels.push_back(c);
      all.shares.push_back(1);
    }
  };
  // The accelerator by which a NIC is reached from another, or which reaches another by it.
  const auto gate = [&](Host host, u32 accelerator, Nic nic) {
    const Nearness near{inside_.accelerators, nics_.count(host)};
    const u32 position = nics_.position(host, fabric_.column(nic));
    return near.are_next(accelerator, position) ? accelerator : near.first_next_to(position);
  };
  for (u32 f = 0; f < out.flows.size(); ++f) {
    const Demand& message = messages[out.message[f]];
    const Host from = rails_.host(message.from), to = rails_.host(message.to);
    const u32 sender = rails_.process(message.from), receiver = rails_.process(message.to);
    if (from == to) {
      cross(from, sender, receiver);
    } else {
      cross(from, sender, gate(from, sender, out.flows[f].from));
      cross(to, gate(to, receiver, out.flows[f].to), receiver);
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
