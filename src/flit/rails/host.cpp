#include "flit/rails/host.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace banyan::flit {

u64 RailRules::between(Host from, Host to) const {
  u64 out = live[index(from)] & live[index(to)];
  if (!planes.empty() && planes.size() != rails)
    for (u64 bits = out; bits != 0; bits &= bits - 1)
      if (const u32 rail = static_cast<u32>(std::countr_zero(bits)); !are_joined(from, rail, to, rail))
        out &= ~(u64{1} << rail);
  if (out != 0) return out;
  for (u64 bits = live[index(from)]; bits != 0; bits &= bits - 1)
    if (const u32 rail = static_cast<u32>(std::countr_zero(bits)); partner(from, rail, to) < rails)
      out |= u64{1} << rail;
  return out;
}

// `rails` if it reaches none.
u32 RailRules::partner(Host from, u32 rail, Host to) const {
  for (u32 i = 0; i < rails; ++i)
    if (const u32 other = (rail + i) % rails; are_joined(from, rail, to, other)) return other;
  return rails;
}

std::optional<u32> RailRules::own(Host host, u32 process) const {
  const u32 count = nics.count(host), nearest = Nearness{processes, count}.own(process % processes);
  for (u32 i = 0; i < count; ++i) {
    const u32 rail = nics.column(host, (nearest + i) % count);
    if (live[index(host)] >> rail & 1) return rail;
  }
  return std::nullopt;
}

u32 stripes(double ratio, u32 available, u32 flits) {
  const u32 wanted = static_cast<u32>(std::lround(ratio * available));
  return std::clamp(wanted, 1u, std::max(1u, std::min(available, flits)));
}

u64 select_rails(const RailRules& rules, u64 available, u32 flits, u32& cursor) {
  if (available == 0) return 0;
  const u32 count = stripes(rules.stripe, static_cast<u32>(std::popcount(available)), flits);
  u64 out = 0;
  for (u32 i = 0, chosen = 0; chosen < count; ++i) {
    const u32 rail = (cursor + i) % rules.rails;
    if ((available >> rail & 1) == 0) continue;
    out |= u64{1} << rail;
    if (++chosen == count) {
      cursor = (rail + 1) % rules.rails;
      break;
    }
  }
  return out;
}

u64 select_rails(RailHost& host, const RailRules& rules, u32 process, u64 available, u32 flits) {
  return select_rails(rules, available, flits, rules.own_turns ? host.cursors[process] : host.cursor);
}

std::vector<RailPair> pairs_of(const RailRules& rules, const RankPair& ranks, u64 rails) {
  std::vector<RailPair> out;
  for (; rails != 0; rails &= rails - 1) {
    const u16 rail = static_cast<u16>(std::countr_zero(rails));
    out.push_back({rail, static_cast<u16>(rules.partner(ranks.from, rail, ranks.to))});
  }
  return out;
}

namespace {

// Stripe `number` of so many.
void send_stripe(RailHost& host, u32 process, RailPair rails, u32 number, u32 count, bool is_reserved,
                 RailActions& out) {
  const Allocation& wish = host.processes[process];
  ++host.nics[rails.rail].sends;
  out.push_back({.kind = RailAction::Kind::send,
                 .is_reserved = is_reserved,
                 .rail = rails.rail,
                 .to_rail = rails.to_rail,
                 .process = static_cast<u16>(process),
                 .to = wish.to,
                 .ticket = wish.ticket,
                 .flits = wish.flits / count + (number < wish.flits % count)});
}

void be_done(RailHost& host, u32 process, RailActions& out) {
  host.processes[process] = Allocation{};
  out.push_back({.kind = RailAction::Kind::done, .process = static_cast<u16>(process)});
}

}  // namespace

void send_on(RailHost& host, u32 process, std::span<const RailPair> rails, bool is_reserved,
             RailActions& out) {
  const u32 count = static_cast<u32>(rails.size());
  for (u32 stripe = 0; stripe < count; ++stripe)
    send_stripe(host, process, rails[stripe], stripe, count, is_reserved, out);
  be_done(host, process, out);
}

void send_on(RailHost& host, const RailRules& rules, u32 process, u64 rails, bool is_reserved,
             RailActions& out) {
  const Host to = host.processes[process].to;
  const u32 count = static_cast<u32>(std::popcount(rails));
  u32 stripe = 0;
  for (u64 bits = rails; bits != 0; bits &= bits - 1) {
    const u16 rail = static_cast<u16>(std::countr_zero(bits));
    const u16 other = static_cast<u16>(rules.partner(host.self, rail, to));
    send_stripe(host, process, {rail, other}, stripe++, count, is_reserved, out);
  }
  be_done(host, process, out);
}

void note(RailNic& nic, const DataEvent& event) {
  switch (event.kind) {
    case DataEvent::Kind::sent:
      --nic.sends;
      break;
    case DataEvent::Kind::arriving:
      ++nic.receives;
      break;
    case DataEvent::Kind::received:
      --nic.receives;
      break;
  }
}

}  // namespace banyan::flit
