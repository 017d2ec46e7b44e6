// What a host knows of its rails, and what a rail policy may do: values without a clock and without a
// network, so that all interleavings of several hosts can be explored (explore.hpp) by the very functions
// that the simulator calls.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "flit/rails/nic_table.hpp"
#include "traffic/nic_positions.hpp"
#include "traffic/rail_split.hpp"

namespace banyan::flit {

enum class ControlKind : u8 { rts, cts, nack, abort, ack };
constexpr u32 max_rails_of_a_policy = 64;

// A NIC is named by its host and its column (fabric/endpoints.hpp), which is its rail where it has one. Here
// and below, `rail` is the column of a NIC of the own host, `to_rail` that of a NIC of another.
struct RailPair {
  u16 rail, to_rail;
  bool operator==(const RailPair&) const = default;
};

struct RailNic {
  NicStatus status = NicStatus::free;
  bool is_unreserved = false;  // it sends without having asked: a short message of the hybrid policy
  u16 process = 0;             // that it asked for
  u32 ticket = 0;              // of what it asked for
  int counter = 0;             // its priority, for messages to come
  Host asked = none<Host>;     // where its RTS went, and then where it sends
  Host granted = none<Host>;   // from whom it receives
  u16 asked_rail = 0, granted_rail = 0;  // the NICs of those hosts
  u32 sends = 0, receives = 0;           // stripes that are under way
  bool operator==(const RailNic&) const = default;
};

// The message that a process is finding rails for.
struct Allocation {
  enum class Phase : u8 { idle, wants, waits } phase = Phase::idle;  // wants: a rail; waits: for replies
  u32 ticket = 0;                                                    // unlike any other of this host
  Host to = none<Host>;
  u32 to_process = 0;
  u32 flits = 0;
  u64 bytes = 0;
  u64 waiting = 0, granted = 0;  // rails whose reply is missing; that replied with a CTS
  u32 round = 0;                 // of asking
  bool operator==(const Allocation&) const = default;
};

struct RailHost {
  RailHost(Host host, u32 rails, u32 process_count)
      : self(host),
        nics(rails),
        processes(process_count),
        requests(std::size_t{rails} * process_count),
        cursors(process_count) {}

  // A message keeps the priority that its NIC had when it first asked: the priorities of those that ask at
  // the same time are then in one order, whatever they learn on the way. With the counter of each moment
  // three hosts can hand a rail round for ever (docs/rails.md).
  struct Request {
    u32 ticket = 0;
    int priority = 0;
    bool operator==(const Request&) const = default;
  };
  Request& request(u32 rail) { return requests[rail * processes.size() + nics[rail].process]; }
  const Request& request(u32 rail) const { return requests[rail * processes.size() + nics[rail].process]; }

  Host self;
  u32 cursor = 0;  // rail just past the last one allocated
  u32 turn = 0;    // process that is served first
  std::vector<RailNic> nics;
  std::vector<Allocation> processes;
  std::vector<Request> requests;  // by rail and process
  std::vector<u32> cursors;       // by process, where each has its own turns
  bool operator==(const RailHost&) const = default;
};

// What does not change in a run, but for a rail that dies.
struct RailRules {
  u32 hosts = 0, rails = 1;  // rails: columns of NICs; not every host has all of them
  u32 processes = 1;         // of every host
  double stripe = 0;         // 0: one rail for a message, 1: all that are available
  u64 threshold = 0;         // bytes up to which a message is sent without asking
  TieRule tie = TieRule::strict;
  bool own_turns = false;      // of each process, not of the host
  std::vector<u64> live = {};  // by host: rails on which it can send and receive
  NicPositions nics{};         // even, with a NIC for each rail, unless it is given
  // NICs of different planes do not reach each other. By rail where all hosts are alike, otherwise by host
  // and rail; empty: there is one plane.
  std::vector<u32> planes = {};

  // The rails by which a host reaches another: those that both have; or else all from which it reaches any
  // NIC of the other. At which NIC of the other each of them ends: the one on the same rail, or else the next
  // one, around the end.
  u64 between(Host from, Host to) const;
  u32 partner(Host from, u32 rail, Host to) const;
  bool are_joined(Host a, u32 rail, Host b, u32 other) const {
    return (live[index(a)] >> rail & 1) != 0 && (live[index(b)] >> other & 1) != 0 &&
           plane(a, rail) == plane(b, other);
  }
  // The NIC that a process owns: the one next to it, or the next one that is alive. None: no NIC is.
  std::optional<u32> own(Host host, u32 process) const;

 private:
  u32 plane(Host host, u32 rail) const {
    return planes.empty() ? 0
                          : planes[planes.size() == rails ? rail : std::size_t{index(host)} * rails + rail];
  }
};

// What a policy wants done.
struct RailAction {
  enum class Kind : u8 { send, control, timer, done } kind;
  ControlKind control{};     // control: with the counter of the NIC
  bool is_reserved = false;  // send: both ends were asked
  u16 rail = 0, to_rail = 0, process = 0;
  Host to = none<Host>;
  u32 ticket = 0;
  u32 flits = 0;
  int counter = 0;  // timer: the round of asking
};
using RailActions = std::vector<RailAction>;

struct ControlPacket {
  ControlKind kind{};
  Host from = none<Host>;
  u32 rail = 0;  // of the NIC that sent it
  int counter = 0;
};

// Of a stripe on a rail: its last flit has left; its first flit is here; its last flit is.
struct DataEvent {
  enum class Kind : u8 { sent, arriving, received } kind;
  bool is_reserved = false;
};

// Select_Tx_NICs: so many of the available rails as the striping ratio says, one at least and not more than
// `flits`, in turn from the cursor on, which is the host's or the process's own.
u32 stripes(double ratio, u32 available, u32 flits);
u64 select_rails(const RailRules& rules, u64 available, u32 flits, u32& cursor);
u64 select_rails(RailHost& host, const RailRules& rules, u32 process, u64 available, u32 flits);

// A set of rails by which one host reaches another, with the partner of each.
std::vector<RailPair> pairs_of(const RailRules& rules, const RankPair& ranks, u64 rails);

// Sends what a process has, in equal stripes, and is done with it.
void send_on(RailHost& host, u32 process, std::span<const RailPair> rails, bool is_reserved,
             RailActions& out);
void send_on(RailHost& host, const RailRules& rules, u32 process, u64 rails, bool is_reserved,
             RailActions& out);

// Processes that want a rail, in turn: attempt(process).
template <class F>
void serve(RailHost& host, F&& attempt) {
  const u32 count = static_cast<u32>(host.processes.size());
  for (u32 i = 0, first = host.turn; i < count; ++i) {
    const u32 process = (first + i) % count;
    if (host.processes[process].phase == Allocation::Phase::wants) attempt(process);
  }
}

void note(RailNic& nic, const DataEvent& event);  // counts stripes under way

}  // namespace banyan::flit
