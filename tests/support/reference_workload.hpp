// "When messages are created" of docs/simulator.md, as plainly as it can be written: from that page, not from
// the engine's Workload, for holding that one against. They share Philox, the logarithm, and the types of
// what is given and answered.
#pragma once
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "flit/workload.hpp"
#include "traffic/message_trace.hpp"

namespace banyan::tests {

// The random numbers of a seat: SplitMix64.
struct SeatNumbers {
  u64 state;
  u64 next();
  u32 below(u32 bound);
  double uniform();
  double exponential();  // with mean 1
};

// A packet's length, and how often it is drawn.
struct WeightedLength {
  u32 flits;
  double weight;
};

// The messages for ever of a seat that sends: one after the other.
class RandomMessages {
 public:
  using Target = std::function<Seat(SeatNumbers&)>;  // who gets the next message

  // `rate` is the mean over periods that it is on and off. Throws InputError where it is on for more than
  // `arrivals bernoulli` can create.
  RandomMessages(const MessageOptions& options, double rate, SeatNumbers numbers, Target target);
  Workload::Post next();

 private:
  u64 next_time();
  double period(double mean);
  void pass_until(const std::function<bool()>& is_on);
  u32 flits();

  MessageOptions options_;
  std::vector<WeightedLength> lengths_;
  SeatNumbers numbers_;
  Target target_;
  double on_ = 0, off_ = 0;  // mean lengths of periods; 0: it is always on
  double rate_;              // while it is on
  double clock_ = 0;         // the time that it has been on until its last message
  double on_until_ = std::numeric_limits<double>::infinity();  // by that clock
  double been_off_ = 0;                                        // the time that it has been off until then
};

// Ranks on their hosts. Several processes to a host: what stays inside a host is not sent.
struct SeatedRanks {
  Placement hosts;
  u32 processes;  // of a host; 0: one, and the host is its NIC of the first rail
  IdVector<Rank, Seat> seats{};

  bool may_send(Rank from, Rank to) const;
  Seat other_than(Rank from, SeatNumbers& numbers) const;  // of uniform traffic
};

// Answers the calls of Workload; when() may differ where both are later than the present cycle.
class ReferenceWorkload {
 public:
  using Post = Workload::Post;
  static constexpr u64 never = Workload::never;

  static ReferenceWorkload open(const Fabric& fabric, const Traffic& traffic, const Placement& placement,
                                const MessageOptions& options, u64 seed, u32 processes = 0);
  static ReferenceWorkload closed(const Fabric& fabric, const Traffic& traffic, const Placement& placement,
                                  const MessageOptions& options, u64 seed, u32 processes = 0);
  static ReferenceWorkload recorded(const Fabric& fabric, const std::vector<RecordedMessage>& messages,
                                    const Placement& placement, const MessageOptions& options,
                                    u32 processes = 0);

  u64 when(Seat seat) const;
  Post take(Seat seat, u64 now);
  void arrived(Seat at, u32 round, u64 now);

  bool reacts() const { return ends_ ? !is_recorded_ : options_.reply_flits > 0; }
  bool sends(Seat seat) const { return !members_[seat].random.empty() || !members_[seat].posts.empty(); }
  u32 seats() const { return static_cast<u32>(members_.size()); }
  u64 messages() const { return messages_; }  // of one that ends
  double offered() const { return offered_; }
  double capacity() const { return capacity_; }

 private:
  struct Arrival {
    u32 round;
    u64 cycle;
  };
  struct Member {
    // Of messages for ever:
    std::vector<RandomMessages> random;  // none, or one
    Post request{};                      // its next one
    u32 unanswered = 0;
    std::multimap<std::pair<u64, Seat>, Post> replies;  // by the arrival of the request, and who asked
    // Of messages once:
    std::vector<Post> posts;  // in their order
    std::size_t taken = 0;
    std::map<u32, u64> awaited;  // by round: messages to it, arrived or not
    std::vector<Arrival> arrivals;
  };

  ReferenceWorkload(const Fabric& fabric, const Placement& placement, const MessageOptions& options,
                    u32 processes);
  double links_of(const Fabric& fabric, Rank rank) const;
  void post(Rank from, Post message);
  bool may_ask(const Member& member) const;
  u64 created(const Member& member, const Post& post) const;

  SeatedRanks ranks_;
  MessageOptions options_;
  IdVector<Seat, Member> members_;
  bool ends_ = true, is_recorded_ = false;
  u64 messages_ = 0;
  double offered_ = 0, capacity_ = 0;
};

}  // namespace banyan::tests
