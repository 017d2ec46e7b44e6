#include "flit/rails/world.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace banyan::flit {
namespace {

constexpr std::string_view control_names[] = {"RTS", "CTS", "NACK", "ABORT", "ACK"};
constexpr std::string_view stage_names[] = {"begins to arrive", "has left", "is received"};

void put(std::string& key, u64 value, u32 bytes) {
  for (u32 i = 0; i < bytes; ++i) key += static_cast<char>(value >> 8 * i);
}

bool asks(const RailNic& nic) {
  return nic.status == NicStatus::reserved || nic.status == NicStatus::receiving_out_rts;
}

// A request of a message that still looks for rails, or whose reply is still missing.
bool is_open(const RailHost& host, u32 i) {
  const u32 count = static_cast<u32>(host.processes.size());
  const RailNic& nic = host.nics[i / count];
  const u32 ticket = host.requests[i].ticket;
  if (ticket == 0) return false;
  return host.processes[i % count].ticket == ticket || (asks(nic) && nic.ticket == ticket);
}

void add_sorted(std::vector<Flying>& air, const Flying& flying) {
  air.insert(std::upper_bound(air.begin(), air.end(), flying), flying);
}

}  // namespace

// Tickets of what is over and rounds of asking decide nothing; of counters only differences do.
std::string World::key() const {
  int least = 1 << 30;
  for (const RailHost& host : hosts)
    for (u32 i = 0; i < host.requests.size(); ++i)
      if (is_open(host, i)) least = std::min(least, host.requests[i].priority);
  for (const RailHost& host : hosts)
    for (const RailNic& nic : host.nics) least = std::min(least, nic.counter);
  for (const Flying& f : air)
    if (f.kind == Flying::Kind::control && f.control == ControlKind::rts) least = std::min(least, f.counter);
  std::string out;
  for (const RailHost& host : hosts) {
    put(out, host.cursor, 1), put(out, host.turn, 1);
    for (const RailNic& nic : host.nics) {
      const bool sends = nic.status == NicStatus::sending;
      put(out, static_cast<u64>(nic.status) | u64{nic.is_unreserved} << 4, 1);
      put(out, static_cast<u64>(nic.counter - least), 2);
      put(out, asks(nic) || sends ? index(nic.asked) : 255, 1), put(out, index(nic.granted), 1);
      put(out, asks(nic) || sends ? nic.asked_rail : 255, 1);
      put(out, nic.granted != none<Host> ? nic.granted_rail : 255, 1);
      put(out, asks(nic) ? nic.ticket : 0, 1), put(out, asks(nic) ? nic.process : 0, 1);
      put(out, nic.sends, 1), put(out, nic.receives, 1);
    }
    for (const Allocation& wish : host.processes) {
      put(out, static_cast<u64>(wish.phase), 1), put(out, wish.ticket, 1);
      put(out, wish.waiting, 1), put(out, wish.granted, 1);
    }
  }
  for (const RailHost& host : hosts)
    for (u32 i = 0; i < host.requests.size(); ++i)
      put(out, is_open(host, i) ? static_cast<u64>(host.requests[i].priority - least) : 0xffff, 2);
  for (const u32 count : posted) put(out, count, 1);
  for (const u32 flits : missing) put(out, flits, 1);
  for (const Flying& f : air) {
    put(out, static_cast<u64>(f.kind) | static_cast<u64>(f.control) << 1 | u64{f.is_reserved} << 4, 1);
    put(out, f.stage, 1), put(out, f.rail, 1), put(out, f.to_rail, 1);
    put(out, f.from, 1), put(out, f.to, 1);
    put(out, f.wish, 1), put(out, f.flits, 1);
    const bool counts = f.kind == Flying::Kind::control && f.control == ControlKind::rts;
    put(out, counts ? static_cast<u64>(f.counter - least) : 0, 2);
  }
  return out;
}

Walk::Walk(const Exploration& what)
    : what_(what),
      ready_(prepare_policy(what.policy, {.hosts = what.hosts,
                                          .rails = what.rails,
                                          .processes = what.processes,
                                          .stripe = what.stripe,
                                          .threshold = 0,
                                          .tie = what.tie,
                                          .live = what.live})),
      wishes_of_(std::size_t{what.hosts} * what.processes) {
  for (u32 i = 0; i < what.wishes.size(); ++i)
    wishes_of_[what.wishes[i].from * what.processes + what.wishes[i].process].push_back(i);
}

World Walk::start() const {
  World out;
  for (u32 h = 0; h < what_.hosts; ++h) out.hosts.emplace_back(Host{h}, what_.rails, what_.processes);
  out.posted.assign(wishes_of_.size(), 0);
  out.allocated.assign(wishes_of_.size(), 0);
  for (const Exploration::Wish& wish : what_.wishes) out.missing.push_back(wish.flits);
  return out;
}

std::vector<Event> Walk::events(const World& world) const {
  std::vector<Event> out;
  for (u32 who = 0; who < wishes_of_.size(); ++who) {
    const Allocation& wish = world.hosts[who / what_.processes].processes[who % what_.processes];
    if (wish.phase == Allocation::Phase::idle && world.posted[who] < wishes_of_[who].size())
      out.push_back({Event::Kind::post, who});
    if (wish.phase == Allocation::Phase::waits && what_.has_timeouts)
      out.push_back({Event::Kind::expire, who});
  }
  for (u32 i = 0; i < world.air.size(); ++i)
    if (i == 0 || world.air[i] != world.air[i - 1]) out.push_back({Event::Kind::fly, i});
  return out;
}

void Walk::apply(World& world, u32 host, RailActions& actions) const {
  for (const RailAction& a : actions) {
    const u32 who = host * what_.processes + a.process;
    if (a.kind == RailAction::Kind::send)
      add_sorted(world.air, {.kind = Flying::Kind::stripe,
                             .is_reserved = a.is_reserved,
                             .rail = a.rail,
                             .to_rail = a.to_rail,
                             .from = host,
                             .to = index(a.to),
                             .wish = world.allocated[who],
                             .flits = a.flits});
    else if (a.kind == RailAction::Kind::control)
      add_sorted(world.air, {.kind = Flying::Kind::control,
                             .control = a.control,
                             .rail = a.rail,
                             .to_rail = a.to_rail,
                             .from = host,
                             .to = index(a.to),
                             .counter = a.counter});
  }
}

void Walk::fly(World& world, u32 place, RailActions& actions, u32& actor, Explored* count) const {
  Flying f = world.air[place];
  world.air.erase(world.air.begin() + place);
  const RailPolicy& policy = *ready_.policy;
  if (f.kind == Flying::Kind::control) {
    actor = f.to;
    constexpr NicEvent events[] = {NicEvent::remote_rts, NicEvent::remote_cts, NicEvent::remote_nack,
                                   NicEvent::remote_abort, NicEvent::remote_ack};
    const NicStatus status = world.hosts[f.to].nics[f.to_rail].status;
    if (count)
      ++count->cells[static_cast<u32>(events[static_cast<u32>(f.control)])][static_cast<u32>(status)];
    policy.control(world.hosts[f.to], ready_.rules, f.to_rail, {f.control, Host{f.from}, f.rail, f.counter},
                   actions);
    return;
  }
  constexpr DataEvent::Kind kinds[] = {DataEvent::Kind::arriving, DataEvent::Kind::sent,
                                       DataEvent::Kind::received};
  actor = f.stage == 1 ? f.from : f.to;
  const u32 rail = f.stage == 1 ? f.rail : f.to_rail;
  RailHost& host = world.hosts[actor];
  if (count && f.stage == 2 && f.is_reserved)
    ++count->cells[static_cast<u32>(NicEvent::local_ack)][static_cast<u32>(host.nics[rail].status)];
  policy.data(host, ready_.rules, rail, {kinds[f.stage], f.is_reserved}, actions);
  if (f.stage == 2) {
    if (world.missing[f.wish] < f.flits) throw std::logic_error("a flit arrives twice");
    world.missing[f.wish] -= f.flits;
  } else {
    ++f.stage;
    add_sorted(world.air, f);
  }
}

World Walk::after(const World& world, const Event& event, Explored* count) const {
  World out = world;
  RailActions actions;
  u32 actor = event.who / what_.processes;
  const u32 process = event.who % what_.processes;
  switch (event.kind) {
    case Event::Kind::post: {
      const u32 wish = wishes_of_[event.who][out.posted[event.who]++];
      const Exploration::Wish& w = what_.wishes[wish];
      out.allocated[event.who] = wish;
      out.hosts[actor].processes[process] = {.ticket = wish + 1,
                                             .to = Host{w.to},
                                             .to_process = w.to_process,
                                             .flits = w.flits,
                                             .bytes = w.bytes};
      ready_.policy->posted(out.hosts[actor], ready_.rules, process, actions);
      break;
    }
    case Event::Kind::expire: {
      const Allocation& wish = out.hosts[actor].processes[process];
      ready_.policy->expired(out.hosts[actor], ready_.rules, process, wish.ticket, wish.round, actions);
      break;
    }
    case Event::Kind::fly:
      fly(out, event.who, actions, actor, count);
      break;
  }
  apply(out, actor, actions);
  return out;
}

std::string Walk::words(const World& world, const Event& event) const {
  if (event.kind != Event::Kind::fly)
    return fmt::format("process {} of host {} {}", event.who % what_.processes, event.who / what_.processes,
                       event.kind == Event::Kind::post ? "has a message" : "stops waiting");
  const Flying& f = world.air[event.who];
  const auto what = f.kind == Flying::Kind::control ? control_names[static_cast<u32>(f.control)]
                                                    : std::string_view("stripe");
  const std::string rails =
      f.rail == f.to_rail ? std::to_string(f.rail) : fmt::format("{} to {}", f.rail, f.to_rail);
  return fmt::format("{} from host {} to host {} on rail {} {}", what, f.from, f.to, rails,
                     f.kind == Flying::Kind::control ? "arrives" : stage_names[f.stage]);
}

namespace {

// A NIC, as a sender or a receiver of what flies.
struct NicOf {
  u32 host, rail;
};

u32 in_air(const World& world, ControlKind kind, NicOf from, NicOf to) {
  u32 count = 0;
  for (const Flying& f : world.air)
    count += f.kind == Flying::Kind::control && f.control == kind && f.from == from.host &&
             f.rail == from.rail && f.to == to.host && f.to_rail == to.rail;
  return count;
}

// How many things answer for it that `nic` has granted itself to `other`.
u32 grants(const World& world, NicOf nic, NicOf other) {
  const RailNic& o = world.hosts[other.host].nics[other.rail];
  const bool sends_here = o.status == NicStatus::sending && !o.is_unreserved && index(o.asked) == nic.host &&
                          o.asked_rail == nic.rail;
  return in_air(world, ControlKind::cts, nic, other) + in_air(world, ControlKind::abort, other, nic) +
         (sends_here && in_air(world, ControlKind::ack, nic, other) == 0);
}

}  // namespace

// A NIC that has granted itself to another is answered for by exactly one thing: a CTS on its way there, the
// other sending to it, or an ABORT on its way back. And a reserved rail never moves data both ways.
std::string Walk::wrong(const World& world) const {
  const bool reserves = ready_.policy->control != nullptr;
  if (!reserves) return {};
  for (u32 h = 0; h < what_.hosts; ++h)
    for (u32 r = 0; r < what_.rails; ++r) {
      const RailNic& nic = world.hosts[h].nics[r];
      for (u32 other = 0; other < what_.hosts; ++other)
        for (u32 q = 0; q < what_.rails; ++q) {
          const bool granted = nic.granted == Host{other} && nic.granted_rail == q;
          const u32 held = grants(world, {h, r}, {other, q});
          if (held != (granted ? 1u : 0u))
            return fmt::format("host {} {} host {} on rail {}, which holds that {} times on rail {}", h,
                               granted ? "has granted" : "has not granted", other, r, held, q);
        }
      const bool receives = nic.status == NicStatus::receiving || nic.status == NicStatus::receiving_out_rts;
      if (receives != (nic.granted != none<Host>))
        return fmt::format("host {} receives on rail {} from nobody, or has granted and does not", h, r);
    }
  return {};
}

bool Walk::is_over(const World& world) const {
  if (!world.air.empty()) return false;
  for (const u32 flits : world.missing)
    if (flits > 0) return false;
  for (const RailHost& host : world.hosts) {
    for (const RailNic& nic : host.nics)
      if (nic.status != NicStatus::free || nic.sends != 0 || nic.receives != 0) return false;
    for (const Allocation& wish : host.processes)
      if (wish.phase != Allocation::Phase::idle) return false;
  }
  return true;
}

}  // namespace banyan::flit
