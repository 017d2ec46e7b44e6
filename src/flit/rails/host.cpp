#include "flit/rails/host.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace banyan::flit {

u32& cursor_of(RailHost& host, const RailRules& rules, u32 process) {
  return rules.own_turns ? host.cursors[process] : host.cursor;
}

u64 select_rails(RailHost& host, const RailRules& rules, u32 process, u64 available, u32 flits) {
  if (available == 0) return 0;
  const u32 maximum = static_cast<u32>(std::popcount(available));
  const u32 wanted = static_cast<u32>(std::lround(rules.stripe * maximum));
  const u32 count = std::clamp(wanted, 1u, std::max(1u, std::min(maximum, flits)));
  u32& cursor = cursor_of(host, rules, process);
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

void send_on(RailHost& host, u32 process, u64 rails, bool is_reserved, RailActions& out) {
  Allocation& wish = host.processes[process];
  const u32 count = static_cast<u32>(std::popcount(rails));
  u32 stripe = 0;
  for (u64 bits = rails; bits != 0; bits &= bits - 1, ++stripe) {
    const u32 rail = static_cast<u32>(std::countr_zero(bits));
    const u32 flits = wish.flits / count + (stripe < wish.flits % count);
    RailNic& nic = host.nics[rail];
    ++nic.sends;
    out.push_back({RailAction::Kind::send,
                   {},
                   is_reserved,
                   static_cast<u16>(rail),
                   static_cast<u16>(process),
                   wish.to,
                   wish.ticket,
                   flits,
                   0});
  }
  wish = Allocation{};
  out.push_back({RailAction::Kind::done, {}, false, 0, static_cast<u16>(process), none<Host>, 0, 0, 0});
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
