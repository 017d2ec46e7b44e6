#include "support/plain_rail_policy.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>

#include "base/random.hpp"

namespace banyan::tests {

void PlainPolicy::post(u32 process, Host to, u32 to_process, u32 flits, u64 bytes) {
  wishes[process] = {.is_open = true,
                     .id = ++ids,
                     .to = to,
                     .to_process = to_process,
                     .flits = flits,
                     .bytes = bytes,
                     .missing = {},
                     .granted = {}};
  posted(process);
}

RailSet PlainPolicy::usable(Host to) const {
  RailSet same, any;
  for (u32 rail = 0; rail < rails; ++rail) {
    if (orders.reaches(rail, to, rail)) same.insert(rail);
    for (u32 other = 0; other < rails; ++other)
      if (orders.reaches(rail, to, other)) any.insert(rail);
  }
  return same.empty() ? any : same;
}

u32 PlainPolicy::other_end(u32 rail, Host to) const {
  u32 other = rail;
  while (!orders.reaches(rail, to, other)) other = (other + 1) % rails;
  return other;
}

// Process p of P is next to NIC number p n / P of n, rounded down.
std::vector<u32> PlainPolicy::from_own(Host host, u32 process) const {
  const std::vector<u32> all = orders.nics(host);
  std::vector<u32> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const u32 rail = all[(process * all.size() / wishes.size() + i) % all.size()];
    if (orders.is_alive(host, rail)) out.push_back(rail);
  }
  return out;
}

u64 PlainPolicy::stripes(u64 available, u32 flits, double ratio) {
  u64 count = static_cast<u64>(std::lround(ratio * static_cast<double>(available)));
  if (count > flits) count = flits;
  return count < 1 ? 1 : count;
}

RailSet PlainPolicy::select(const RailSet& available, u32 flits, double ratio) {
  const u64 count = stripes(available.size(), flits, ratio);
  RailSet out;
  for (u32 i = 0, rail = next_rail; i < rails && out.size() < count; ++i, rail = (rail + 1) % rails) {
    if (!available.contains(rail)) continue;
    out.insert(rail);
    next_rail = (rail + 1) % rails;
  }
  return out;
}

void PlainPolicy::send(u32 process, const std::vector<PlainRails>& chosen, bool is_reserved) {
  const u32 flits = wishes[process].flits, count = static_cast<u32>(chosen.size());
  u32 number = 0;
  for (const PlainRails& pair : chosen) {
    orders.send(pair, process, flits / count + (number < flits % count ? 1 : 0), is_reserved);
    ++number;
  }
  wishes[process].is_open = false;
  orders.done(process);
}

void PlainPolicy::send(u32 process, const RailSet& chosen, bool is_reserved) {
  std::vector<PlainRails> pairs;
  for (const u32 rail : chosen) pairs.push_back({rail, other_end(rail, wishes[process].to)});
  send(process, pairs, is_reserved);
}

template <class F>
void PlainPolicy::in_turn(F&& attempt) {
  const u32 count = static_cast<u32>(wishes.size()), first = next_process;
  for (u32 i = 0; i < count; ++i) {
    const u32 process = (first + i) % count;
    if (wishes[process].is_open && !wishes[process].waits) attempt(process);
  }
}

namespace {

// Those that look at no NIC: basic, hash, static, rail-local, own, same-slot and all.
struct Blind : PlainPolicy {
  using Pairs = std::vector<PlainRails>;
  std::string name;

  using PlainPolicy::PlainPolicy;

  // The usable rails from `first` on.
  Pairs rails_from(const Wish& wish, u32 first) {
    next_rail = first;
    Pairs out;
    for (const u32 rail : select(usable(wish.to), wish.flits, stripe))
      out.push_back({rail, other_end(rail, wish.to)});
    return out;
  }
  // By the rail of the receiver's own NIC, if both have it.
  Pairs by_receiver(const Wish& wish) {
    const u32 rail = from_own(wish.to, wish.to_process).at(0);
    return orders.reaches(rail, wish.to, rail) ? rails_from(wish, rail) : Pairs();
  }
  // The own NICs of both, then the next of the one with the next of the other that it reaches.
  Pairs own_to_own(const Wish& wish, u32 process) {
    const std::vector<u32> ours = from_own(self, process);
    std::vector<u32> theirs = from_own(wish.to, wish.to_process);
    Pairs out;
    if (!orders.reaches(ours.at(0), wish.to, theirs.at(0))) return out;
    for (const u32 rail : ours)
      for (std::size_t i = 0; i < theirs.size(); ++i) {
        if (!orders.reaches(rail, wish.to, theirs[i])) continue;
        out.push_back({rail, theirs[i]});
        theirs.erase(theirs.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
    out.resize(stripes(out.size(), wish.flits, stripe));
    return out;
  }
  Pairs of_own_nics(const Wish& wish, u32 process) {
    Pairs out = name == "own" ? own_to_own(wish, process) : by_receiver(wish);
    if (out.empty()) out = name == "own" ? by_receiver(wish) : own_to_own(wish, process);
    return out.empty() ? rails_from(wish, from_own(wish.to, wish.to_process).at(0)) : out;
  }
  RailSet those_of_static(const Wish& wish) const;

  void posted(u32 process) override {
    const Wish wish = wishes[process];
    if (name == "basic") return send(process, select(usable(wish.to), wish.flits, stripe), false);
    if (name == "static") return send(process, select(those_of_static(wish), wish.flits, stripe), false);
    if (name == "same-slot") return send(process, rails_from(wish, from_own(self, process).at(0)), false);
    if (name == "hash") {
      const u64 drawn = philox({index(self), process, index(wish.to), 0}, {0x7261696c, 0})[0];
      return send(process, rails_from(wish, static_cast<u32>(drawn * rails >> 32)), false);
    }
    if (name == "all") {
      next_rail = 0;
      return send(process, select(usable(wish.to), wish.flits, 1), false);
    }
    if (name != "rail-local" && name != "own")
      throw std::logic_error("the reference does not know the rail policy " + name);
    send(process, of_own_nics(wish, process), false);
  }
};

RailSet sends_on(u32 rails, Host host) {
  u32 number = 0;
  for (u64 subset = 0;; ++subset) {
    if (static_cast<u32>(std::popcount(subset)) != rails / 2) continue;
    if (number++ < index(host)) continue;
    RailSet out;
    for (u32 rail = 0; rail < rails; ++rail)
      if (subset >> rail & 1) out.insert(rail);
    return out;
  }
}

RailSet Blind::those_of_static(const Wish& wish) const {
  const RailSet ours = sends_on(rails, self), theirs = sends_on(rails, wish.to);
  RailSet out = usable(wish.to);
  std::erase_if(out, [&](u32 rail) { return !ours.contains(rail) || theirs.contains(rail); });
  return out;
}

struct LocalDynamic : PlainPolicy {
  std::map<u32, int> sending, receiving;  // stripes, by rail

  using PlainPolicy::PlainPolicy;
  void attempt(u32 process) {
    RailSet free;
    for (const u32 rail : usable(wishes[process].to))
      if (sending[rail] == 0 && receiving[rail] == 0) free.insert(rail);
    if (free.empty()) return;
    next_process = (process + 1) % static_cast<u32>(wishes.size());
    const RailSet chosen = select(free, wishes[process].flits, stripe);
    for (const u32 rail : chosen) ++sending[rail];
    send(process, chosen, false);
  }
  void attempt_all() {
    in_turn([&](u32 process) { attempt(process); });
  }
  void posted(u32 process) override { attempt(process); }
  void sent(u32 rail, bool) override { --sending[rail], attempt_all(); }
  void arriving(u32 rail) override { ++receiving[rail], attempt_all(); }
  void received(u32 rail, bool) override { --receiving[rail], attempt_all(); }
  void died(u32 rail) override { sending[rail] = receiving[rail] = 0, attempt_all(); }
};

// Algorithms 2 to 4, and 5 for messages up to a threshold.
struct Dynamic : PlainPolicy {
  enum class Status { free, reserved, receiving, sending };
  struct NicProcess {
    Status status = Status::free;
    bool has_outstanding_rts = false;  // while it receives
    int counter = 0;
    u32 process = 0;  // that its RTS is for
    u64 wish = 0;
    Host asked{}, granted{};
    u32 asked_rail = 0, granted_rail = 0;
  };
  std::vector<NicProcess> nics;
  std::map<std::pair<u32, u64>, int>
      priorities;  // of a message on a rail: its NIC's counter at its first RTS
  u64 threshold = 0, askings = 0;

  Dynamic(Host the_self, u32 the_rails, u32 process_count, double the_stripe, PlainOrders the_orders)
      : PlainPolicy(the_self, the_rails, process_count, the_stripe, std::move(the_orders)), nics(the_rails) {}

  // --- the process

  RailSet free_rails(Host to) const {
    RailSet out;
    for (const u32 rail : usable(to))
      if (nics[rail].status == Status::free) out.insert(rail);
    return out;
  }

  void attempt(u32 process) {
    Wish& wish = wishes[process];
    const RailSet free = free_rails(wish.to);
    if (free.empty()) return;
    if (wish.bytes > threshold) return ask(process, free);
    const RailSet chosen = select(free, wish.flits, 0);
    nics[*chosen.begin()].status = Status::sending;
    send(process, chosen, false);
  }

  void ask(u32 process, const RailSet& free) {
    Wish& wish = wishes[process];
    for (const u32 rail : free) {
      NicProcess& nic = nics[rail];
      nic.status = Status::reserved;
      nic.process = process, nic.wish = wish.id;
      nic.asked = wish.to, nic.asked_rail = other_end(rail, wish.to);
      const int priority = priorities.try_emplace({rail, wish.id}, nic.counter).first->second;
      orders.control(rail, wish.to, nic.asked_rail, ControlKind::rts, priority);
      wish.missing.insert(rail);
    }
    wish.waits = true;
    wish.asking = ++askings;
    orders.timer(process, wish.asking);
  }

  void reply(u32 rail, bool is_cts) {
    const NicProcess& nic = nics[rail];
    Wish& wish = wishes[nic.process];
    if (!wish.is_open || wish.id != nic.wish) {
      if (is_cts) abort(rail);
      return;
    }
    wish.missing.erase(rail);
    if (is_cts) wish.granted.insert(rail);
    if (wish.missing.empty()) decide(nic.process);
  }

  void decide(u32 process) {
    Wish& wish = wishes[process];
    if (wish.granted.empty()) {
      wish.waits = false;
      next_process = (process + 1) % static_cast<u32>(wishes.size());
      return;
    }
    const RailSet chosen = select(wish.granted, wish.flits, stripe);
    for (const u32 rail : wish.granted)
      if (!chosen.contains(rail)) abort(rail);
    send(process, chosen, true);
  }

  void attempt_all() {
    in_turn([&](u32 process) { attempt(process); });
  }
  void posted(u32 process) override { attempt(process); }

  void expired(u32 process, u64 asking) override {
    const Wish& wish = wishes[process];
    if (!wish.is_open || !wish.waits || wish.asking != asking) return;
    if (wish.granted.empty())
      ask(process, free_rails(wish.to));
    else
      decide(process);
    attempt_all();
  }

  // --- the NIC process

  void abort(u32 rail) {
    nics[rail].status = Status::free;
    orders.control(rail, nics[rail].asked, nics[rail].asked_rail, ControlKind::abort, 0);
  }

  void grant(u32 rail, Host to, u32 to_rail) {
    nics[rail].status = Status::receiving;
    nics[rail].granted = to, nics[rail].granted_rail = to_rail;
    orders.control(rail, to, to_rail, ControlKind::cts, 0);
  }

  void remote_rts(u32 rail, Host from, u32 from_rail, int remote) {
    NicProcess& nic = nics[rail];
    if (nic.status == Status::free) return grant(rail, from, from_rail);
    if (nic.status == Status::reserved) {
      const int local = priorities.at({rail, nic.wish});
      const bool wins = local > remote || (local == remote && self < from);
      nic.counter = wins ? local - 1 : local + 1;
      if (!wins) {
        nic.has_outstanding_rts = true;
        return grant(rail, from, from_rail);
      }
    }
    orders.control(rail, from, from_rail, ControlKind::nack, 0);
  }

  void remote_cts(u32 rail) {
    NicProcess& nic = nics[rail];
    if (nic.status == Status::reserved) {
      nic.status = Status::sending;
      return reply(rail, true);
    }
    require(nic.status == Status::receiving && nic.has_outstanding_rts);
    nic.has_outstanding_rts = false;
    orders.control(rail, nic.asked, nic.asked_rail, ControlKind::abort, 0);
    reply(rail, false);
  }

  void remote_nack(u32 rail) {
    NicProcess& nic = nics[rail];
    require(nic.status == Status::reserved || nic.has_outstanding_rts);
    if (nic.status == Status::reserved) nic.status = Status::free;
    nic.has_outstanding_rts = false;
    reply(rail, false);
  }

  void stop_receiving(u32 rail) {
    NicProcess& nic = nics[rail];
    require(nic.status == Status::receiving);
    nic.status = nic.has_outstanding_rts ? Status::reserved : Status::free;
    nic.has_outstanding_rts = false;
  }

  void control(u32 rail, Host from, u32 from_rail, ControlKind kind, int priority) override {
    if (kind == ControlKind::rts) remote_rts(rail, from, from_rail, priority);
    if (kind == ControlKind::cts) remote_cts(rail);
    if (kind == ControlKind::nack) remote_nack(rail);
    if (kind == ControlKind::abort) stop_receiving(rail);
    if (kind == ControlKind::ack) {
      require(nics[rail].status == Status::sending);
      nics[rail].status = Status::free;
    }
    attempt_all();
  }

  void sent(u32 rail, bool is_reserved) override {
    if (!is_reserved) nics[rail].status = Status::free;
    attempt_all();
  }
  void received(u32 rail, bool is_reserved) override {
    if (is_reserved) {
      orders.control(rail, nics[rail].granted, nics[rail].granted_rail, ControlKind::ack, 0);
      stop_receiving(rail);
    }
    attempt_all();
  }

  void died(u32 rail) override {
    nics[rail] = {};
    for (u32 process = 0; process < wishes.size(); ++process) {
      Wish& wish = wishes[process];
      wish.missing.erase(rail);
      wish.granted.erase(rail);
      if (wish.is_open && wish.waits && wish.missing.empty()) decide(process);
    }
    attempt_all();
  }

  static void require(bool holds) {
    if (!holds) throw std::logic_error("an event that the protocol does not allow");
  }
};

}  // namespace

std::unique_ptr<PlainPolicy> PlainPolicy::make(const std::string& text, Host self, u32 rails, u32 processes,
                                               double stripe, PlainOrders orders) {
  const std::string name = text.substr(0, text.find(':'));
  if (name == "local-dynamic")
    return std::make_unique<LocalDynamic>(self, rails, processes, stripe, std::move(orders));
  if (name == "dynamic" || name == "hybrid") {
    auto out = std::make_unique<Dynamic>(self, rails, processes, stripe, std::move(orders));
    if (name == "hybrid") out->threshold = name == text ? 16384 : std::stoull(text.substr(name.size() + 1));
    return out;
  }
  auto out = std::make_unique<Blind>(self, rails, processes, stripe, std::move(orders));
  out->name = name;
  return out;
}

}  // namespace banyan::tests
