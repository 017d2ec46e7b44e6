// When ranks have messages to send, to whom and how large: for ever, by a random process; the rounds of a
// collective, each rank going on when all that it awaits has arrived, if it awaits anything; a program; or
// what was recorded.
// State and random numbers belong to single seats, so different seats may be asked by different threads. NIC
// models ask here.
#pragma once
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "fabric/fabric.hpp"
#include "flit/options.hpp"
#include "traffic/placement.hpp"
#include "traffic/traffic.hpp"

namespace banyan::traffic {
class MessageTrace;
struct Program;
struct ProgramCosts;
}  // namespace banyan::traffic

namespace banyan::flit {

void check_sizes(const MessageOptions& options);  // throws InputError for a message of nothing

// Sources that are on and off in turn: mean lengths of these periods, in cycles. Without `burst` they are
// always on: `off` is 0.
struct Burst {
  double on = 1, off = 0;
  double share() const { return on / (on + off); }  // of the time that a source is on
};
Burst burst_of(const MessageOptions& options);  // throws InputError

// A length of packets that may be drawn.
struct PacketLength {
  u32 flits;
  double until;  // share of this and all before it
};
// In the order in which they are written; none: all packets are as long as they can be. Throws InputError.
std::vector<PacketLength> read_packet_lengths(std::string_view text);
// The flits of the largest packet: packet-flits, or with packet-lengths the largest of them or a reply, which
// is then one packet too. Throws InputError.
u32 largest_packet(const MessageOptions& options);

// Who sends and receives. With one process to a host: its NIC of the first rail, with the same number. With
// several: process p of host h is p * hosts + h.
enum class Seat : u32 {};

class Workload {
 public:
  static constexpr u64 never = ~u64{0};

  struct Post {
    u64 created;  // cycle
    Seat to;
    u32 flits;
    u32 round;  // of a random process 0; of a request 1 + the seat that asks
    u64 bytes;  // before they became flits: a routing may choose by them
  };

  // Messages for ever, at the rate that options say; the traffic's first sample and round. `processes`: of a
  // host; what stays inside a host is then left out. 0: one to a host. `mine`: by seat, which of them will be
  // asked for messages; empty: all.
  static Workload open(const Fabric& fabric, const Traffic& traffic, const Placement& placement,
                       const MessageOptions& options, u64 seed, u32 processes = 0,
                       const std::vector<bool>& mine = {});
  // The rounds of the traffic's first sample, once; messages to oneself are left out. Barriers between rounds
  // are for measure_rounds(): here several rounds with barriers throw InputError.
  static Workload closed(const Fabric& fabric, const Traffic& traffic, const Placement& placement,
                         const MessageOptions& options, u64 seed, u32 processes = 0,
                         const std::vector<bool>& mine = {});

  // A program, once. It must outlive the workload; `costs` are in cycles, `latency` is added to the time of
  // every message. The send of a long message ends when it has left: nobody knows when its receive begins.
  // Throws InputError for messages between ranks of one host.
  static Workload program(const Fabric& fabric, const Program& program, const Placement& placement,
                          const MessageOptions& options, const ProgramCosts& costs, double latency,
                          u32 processes = 0);

  // Messages that were recorded, once, each from its time on; to oneself are left out. `open` opens the
  // trace, which is read twice: at first to look at every line, then as time goes on.
  static Workload recorded(const Fabric& fabric, const std::function<MessageTrace()>& open,
                           const Placement& placement, const MessageOptions& options, u32 processes = 0,
                           const std::vector<bool>& mine = {});
  // Of one that is read as time goes on: what belongs to cycles before this one is there from now on. No
  // other call may go on meanwhile, and no seat is asked in cycles from horizon() on.
  void read_until(u64 cycle);
  u64 horizon() const;

  // The cycle from which the seat's next message is there; never: none, or none until something arrives.
  u64 when(Seat seat) const { return next_[seat]; }
  // The seat has sent all that it took. Called before it asks when its next message is there; of a program,
  // operations end in the meantime.
  void idle(Seat seat, u64 now) {
    if (running_) settle(seat, now);
  }
  // The seat begins to send that message in cycle `now`.
  Post take(Seat seat, u64 now);
  Post take_next(Seat seat, u64 now);  // the same, compiled into NICs: open_workload.hpp
  void ask_ahead(Seat seat) const;     // for the memory that take_next() will touch
  // A whole message of that round was consumed.
  void arrived(Seat at, u32 round, u64 now);

  bool reacts() const { return closed_ || running_ || is_answered_; }  // what arrives may bring messages
  bool sends(Seat seat) const;  // messages at all; of a seat that is mine
  // Flits a cycle: what all seats together offer, and what the channels of those that send could carry.
  double offered() const { return offered_; }
  double capacity() const { return capacity_; }
  // Flits that seats of mine created before a cycle; of a seat that lags behind, what it has not looked at
  // yet is expected at its rate. In a unit of its own, so that the order of adding up does not matter.
  u64 created(u64 now) const;
  double in_flits(u64 created, u64 now) const;  // the sum over all processes

  bool ends() const { return open_ == nullptr; }
  u64 messages() const;                         // how many, of one that ends
  bool has_only_multiples_of(u32 flits) const;  // sizes of messages
  // Of a program whose messages have all arrived: the cycle in which its last operation ends.
  double program_end();

  // The random processes of messages for ever, for those who run them elsewhere (open_workload.hpp); null: it
  // ends.
  struct Open;
  const Open* open_state() const { return open_.get(); }

  ~Workload();
  Workload(Workload&&) noexcept;
  Workload& operator=(Workload&&) noexcept;

 private:
  struct Closed;
  struct Running;
  struct Recorded;
  Workload();
  void settle(Seat seat, u64 now);

  IdVector<Seat, u64> next_;
  std::unique_ptr<Open> open_;  // one of the four
  std::unique_ptr<Closed> closed_;
  std::unique_ptr<Running> running_;
  std::unique_ptr<Recorded> recorded_;
  double capacity_ = 0, offered_ = 0;
  bool is_answered_ = false;   // messages are requests
  bool takes_simply_ = false;  // messages are drawn by Open::draw_simply()
};

}  // namespace banyan::flit
