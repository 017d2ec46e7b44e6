// When messages are created: Workload against the reference that was written from docs/simulator.md, message
// by message, in hosts that ask now and then and hear of arrivals in any order.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/error.hpp"
#include "support/random_simulation.hpp"
#include "support/reference_workload.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

struct WorkloadCase {
  Topology topology;
  u32 processes;  // 0: one to a host
  Placement placement;
  MessageOptions messages;
  u64 seed;
  Traffic traffic{};

  u32 ranks() const { return static_cast<u32>(placement.size()); }
};

// Ranks on hosts in any order, not on all of them.
Placement any_placement(u32 hosts, u32 processes) {
  const u32 places = hosts * std::max(1u, processes);
  const u32 ranks = draw(2, std::max(2u, places));
  std::vector<Host> seats;
  for (u32 i = 0; i < places; ++i) seats.push_back(Host{i % hosts});
  Random random(draw(0, 1000));
  if (draw(0, 1) == 0) random.shuffle(std::span<Host>(seats));
  Placement out;
  for (u32 rank = 0; rank < ranks; ++rank) out.push_back(seats[rank]);
  return out;
}

MessageOptions any_messages() {
  MessageOptions out{.arrivals = Arrivals{static_cast<u8>(draw(0, 2))},
                     .sizes = Sizes{static_cast<u8>(draw(0, 1))},
                     .load = 0.05 * draw(1, 24),
                     .packet_flits = draw(1, 9),
                     .message_packets = draw(1, 3)};
  out.flit_bytes = draw(1, 100);
  out.reaction_cycles = draw(0, 3);
  out.rounds = draw(0, 3) == 0 ? Rounds::independent : Rounds::exchange;
  if (out.arrivals != Arrivals::back_to_back && draw(0, 1) == 0) {
    const double on = 1 + 0.25 * draw_product(20, 20), off = 1 + 0.25 * draw_product(20, 20);
    out.burst = fmt::format("{}:{}", on, off);
  }
  NetworkOptions network;
  draw_lengths_or_replies(out, network);
  if (!out.packet_lengths.empty() && draw(0, 1) == 0)
    out.packet_lengths += fmt::format(",{}", draw(1, out.packet_flits));
  return out;
}

// Demands of different amounts, some twice, to oneself or of nothing.
Traffic any_demands(u32 ranks, bool in_bytes, u32 flit_bytes) {
  const u32 rounds = draw(1, 4);
  std::vector<std::vector<Demand>> listed(rounds);
  for (auto& round : listed)
    for (u32 i = draw(0, 3 * ranks); i > 0; --i) {
      const u32 from = draw(0, ranks - 1), to = draw(0, ranks - 1);
      const u32 number = draw(0, 30), factor = draw(0, 1) == 0 ? flit_bytes : 71;
      round.push_back({Rank{from}, Rank{to}, in_bytes ? number * factor : 0.1 * number});
    }
  return {.ranks = ranks,
          .list =
              [listed](u64, u64, u64 round, std::vector<Demand>& out) {
                out.insert(out.end(), listed[round].begin(), listed[round].end());
              },
          .rounds = rounds,
          .in_bytes = in_bytes};
}

Traffic any_traffic(const WorkloadCase& c) {
  const char* names[] = {"uniform", "uniform", "permutation", "shift:1", "bisection", "shift:2"};
  const u32 kind = draw(0, 9);
  if (kind >= 6) return any_demands(c.ranks(), kind >= 8, c.messages.flit_bytes);
  return make_traffic({c.topology, c.ranks()}, names[kind]);
}

WorkloadCase any_case() {
  const Topology t = with_link_kinds(small_topology(draw(0, 3) == 0 ? 2 : 1));
  RC_PRE(t.fabric.hosts() > 1 && t.fabric.hosts() <= 40);
  const u32 processes = draw(0, 2) == 0 ? draw(1, 3) : 0;
  WorkloadCase out{t, processes, any_placement(t.fabric.hosts(), processes), any_messages(), draw_seed()};
  if (processes > 0) out.messages.reply_flits = 0;
  out.messages.packet_flits = largest_packet(out.messages);
  out.traffic = any_traffic(out);
  return out;
}

std::string told(const WorkloadCase& c) {
  const MessageOptions& m = c.messages;
  return fmt::format(
      "{} hosts, {} processes, {} ranks, {} rounds, seed {}; arrivals {}, sizes {}, load {}, burst {}, "
      "packet "
      "flits {}, lengths {}, replies {} after {}, requests {}, message packets {}, flit bytes {}, reaction "
      "{}, "
      "rounds {}",
      c.topology.fabric.hosts(), c.processes, c.ranks(), c.traffic.rounds, c.seed, int(m.arrivals),
      int(m.sizes), m.load, m.burst, m.packet_flits, m.packet_lengths, m.reply_flits, m.reply_cycles,
      m.max_requests, m.message_packets, m.flit_bytes, m.reaction_cycles, int(m.rounds));
}

struct OnItsWay {
  u64 due;
  Seat to;
  u32 round;
};

bool is_same(const Workload::Post& a, const Workload::Post& b) {
  return a.created == b.created && a.to == b.to && a.flits == b.flits && a.round == b.round &&
         a.bytes == b.bytes;
}

std::string told(const Workload::Post& post) {
  return fmt::format("created {}, to {}, flits {}, round {}, bytes {}", post.created, index(post.to),
                     post.flits, post.round, post.bytes);
}

// Both are asked for messages, by hosts that are free now and then, and hear of those that arrive: of one
// cycle in different orders.
class Course {
 public:
  Course(Workload& real, ReferenceWorkload& reference) : real_(real), reference_(reference) {}

  void pass(u64 cycles) {
    for (const u64 end = now_ + cycles; now_ < end; ++now_) {
      real_.read_until(now_ + 1);
      if (real_.reacts()) arrive();
      for (const Seat seat : IdRange<Seat>(reference_.seats())) ask(seat);
    }
  }
  u64 taken() const { return taken_; }
  u64 flits() const { return flits_; }

 private:
  void arrive() {
    std::vector<OnItsWay> due;
    std::copy_if(on_their_way_.begin(), on_their_way_.end(), std::back_inserter(due),
                 [&](const OnItsWay& one) { return one.due == now_; });
    std::erase_if(on_their_way_, [&](const OnItsWay& one) { return one.due == now_; });
    for (const OnItsWay& one : due) reference_.arrived(one.to, one.round, now_);
    random_.shuffle(std::span<OnItsWay>(due));
    for (const OnItsWay& one : due) real_.arrived(one.to, one.round, now_);
  }
  // As many as are there: a host that is free is not always busy with its last.
  void ask(Seat seat) {
    while (random_.below(100) < percent_free_) {
      const bool is_there = real_.when(seat) <= now_;
      RC_ASSERT((reference_.when(seat) <= now_) == is_there);
      if (!is_there) return;
      const Workload::Post found = real_.take(seat, now_), expected = reference_.take(seat, now_);
      RC_LOG() << "cycle " << now_ << ", seat " << index(seat) << ": " << told(found) << "; expected "
               << told(expected) << std::endl;
      RC_ASSERT(is_same(found, expected));
      on_their_way_.push_back({now_ + 1 + random_.below(30), found.to, found.round});
      ++taken_;
      flits_ += found.flits;
      if (expected.created == now_ && random_.below(4) > 0) return;  // back to back there is always one
    }
  }

  Workload& real_;
  ReferenceWorkload& reference_;
  Random random_{draw_seed()};
  u64 percent_free_ = draw(20, 99);
  u64 now_ = 0, taken_ = 0, flits_ = 0;
  std::vector<OnItsWay> on_their_way_;
};

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

void expect_same_senders(const Workload& real, const ReferenceWorkload& reference) {
  for (const Seat seat : IdRange<Seat>(reference.seats()))
    RC_ASSERT(real.sends(seat) == reference.sends(seat));
  RC_ASSERT(real.reacts() == reference.reacts());
  RC_ASSERT(real.messages() == reference.messages());
}

template <class AnyWorkload>
std::optional<AnyWorkload> opened(const WorkloadCase& c) {
  try {
    return AnyWorkload::open(c.topology.fabric, c.traffic, c.placement, c.messages, c.seed, c.processes);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// Whether some rank may send to one of another host.
bool leaves_its_host(const WorkloadCase& c) {
  std::vector<Demand> demands;
  c.traffic.list(c.seed, 0, 0, demands);
  return std::any_of(demands.begin(), demands.end(), [&](const Demand& d) {
    return d.amount > 0 && c.placement[d.from] != c.placement[d.to];
  });
}

RC_GTEST_PROP(Workload, RandomMessagesAreThoseOfTheReference, ()) {
  const WorkloadCase c = any_case();
  RC_PRE(leaves_its_host(c));
  RC_LOG() << told(c) << std::endl;
  auto reference = opened<ReferenceWorkload>(c);
  auto real = opened<Workload>(c);
  RC_ASSERT(real.has_value() == reference.has_value());  // bernoulli refuses too many messages a cycle
  if (!real) return;
  expect_same_senders(*real, *reference);
  RC_ASSERT(is_near(real->offered(), reference->offered()));
  RC_ASSERT(is_near(real->capacity(), reference->capacity()));
  Course course(*real, *reference);
  course.pass(400);
}

// Hosts that ask at once know what they have created.
RC_GTEST_PROP(Workload, CountsTheFlitsThatWereCreated, ()) {
  WorkloadCase c = any_case();
  RC_PRE(leaves_its_host(c));
  c.messages.reply_flits = 0;
  c.messages.packet_flits = largest_packet(c.messages);
  if (c.messages.arrivals == Arrivals::back_to_back) c.messages.arrivals = Arrivals::poisson;
  RC_LOG() << told(c) << std::endl;
  auto reference = opened<ReferenceWorkload>(c);
  auto real = opened<Workload>(c);
  if (!real) return;
  u64 flits = 0;
  const u64 cycles = draw(1, 300);
  for (const Seat seat : IdRange<Seat>(reference->seats()))
    while (reference->when(seat) < cycles) {
      flits += reference->take(seat, cycles).flits;
      real->take(seat, cycles);
    }
  RC_ASSERT(is_near(real->in_flits(real->created(cycles), cycles), static_cast<double>(flits)));
}

// What hosts create in a long time is what they were asked to offer: within five standard errors, by the
// variance of many short times.
RC_GTEST_PROP(Workload, OffersWhatWasAskedFor, ()) {
  WorkloadCase c = any_case();
  RC_PRE(leaves_its_host(c));
  c.messages.reply_flits = 0;
  c.messages.packet_flits = largest_packet(c.messages);
  if (c.messages.arrivals == Arrivals::back_to_back) c.messages.arrivals = Arrivals::bernoulli;
  RC_LOG() << told(c) << std::endl;
  auto workload = opened<Workload>(c);
  if (!workload) return;
  RC_PRE(workload->offered() > 0);
  constexpr u32 windows = 50;
  const double largest = 30.0 * c.messages.packet_flits * c.messages.message_packets;  // of a message, about
  const u64 window = static_cast<u64>(std::max(1000.0, 10 * largest / workload->offered()));
  std::vector<double> flits(windows);
  for (const Seat seat :
       IdRange<Seat>(c.processes > 0 ? c.topology.fabric.hosts() * c.processes : c.topology.fabric.nics()))
    for (u64 now; (now = workload->when(seat)) < window * windows;)
      flits[now / window] += workload->take(seat, now).flits;
  double sum = 0, squares = 0;
  for (double& of : flits) of /= static_cast<double>(window), sum += of, squares += of * of;
  const double mean = sum / windows, error = std::sqrt((squares / windows - mean * mean) / (windows - 1));
  RC_LOG() << "offered " << workload->offered() << ", created " << mean << " +- " << error << std::endl;
  RC_ASSERT(std::abs(mean - workload->offered()) <= 5 * error + 1e-3 * workload->offered());
}

RC_GTEST_PROP(Workload, RoundsAreThoseOfTheReference, ()) {
  const WorkloadCase c = any_case();
  RC_LOG() << told(c) << std::endl;
  auto reference =
      ReferenceWorkload::closed(c.topology.fabric, c.traffic, c.placement, c.messages, c.seed, c.processes);
  auto real = Workload::closed(c.topology.fabric, c.traffic, c.placement, c.messages, c.seed, c.processes);
  expect_same_senders(real, reference);
  Course course(real, reference);
  course.pass(2000);
  RC_ASSERT(course.taken() == reference.messages());
}

RC_GTEST_PROP(Workload, RecordedMessagesAreThoseOfTheReference, ()) {
  const WorkloadCase c = any_case();
  std::vector<RecordedMessage> messages;
  std::string text = "time,from,to,bytes\n";
  u64 time = 0;
  bool leaves = false;
  for (u32 i = draw(1, 60); i > 0; --i) {
    time += draw(0, 3) == 0 ? draw_product(40, 40) : 0;
    const Rank from{draw(0, c.ranks() - 1)}, to{draw(0, c.ranks() - 1)};
    messages.push_back({time, from, to, draw(0, 300)});
    text += fmt::format("{},{},{},{}\n", time, index(from), index(to), messages.back().bytes);
    leaves |= c.placement[from] != c.placement[to];
  }
  RC_PRE(leaves);
  RC_LOG() << told(c) << std::endl << text;
  const auto open = [&] {
    return MessageTrace(std::make_unique<std::istringstream>(text), "trace.csv", c.ranks());
  };
  auto real = Workload::recorded(c.topology.fabric, open, c.placement, c.messages, c.processes);
  auto reference =
      ReferenceWorkload::recorded(c.topology.fabric, messages, c.placement, c.messages, c.processes);
  expect_same_senders(real, reference);
  Course course(real, reference);
  course.pass(time + 500);
  RC_ASSERT(course.taken() == reference.messages());
}

}  // namespace
}  // namespace banyan::tests
