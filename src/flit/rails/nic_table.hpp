// The NIC process of dynamic allocation (Coll et al. 2001): Table 1 with Algorithm 3, Table 2 with Algorithm
// 4. Pure functions of a status and an event; docs/rails.md argues for every cell that the paper leaves
// blank.
#pragma once
#include "fabric/ids.hpp"

namespace banyan::flit {

enum class NicStatus : u8 { free, receiving, sending, reserved, receiving_out_rts };
enum class NicEvent : u8 {
  local_rts,
  local_ack,
  local_abort,
  remote_rts,
  remote_abort,
  remote_cts,
  remote_ack,
  remote_nack
};
constexpr u32 nic_statuses = 5, nic_events = 8;

// What a cell sends, as bits. "Remote" goes to the other NIC, "local" to a process of the host.
namespace nic_sends {
constexpr u8 nothing = 0, remote_rts = 1, remote_cts = 2, remote_nack = 4, remote_abort = 8, remote_ack = 16,
             local_cts = 32, local_nack = 64;
}

struct NicStep {
  u8 sends = 0;
  NicStatus next{};
  enum class Cell : u8 { printed, filled, contest, impossible } cell = Cell::printed;
  bool operator==(const NicStep&) const = default;
};

// A cell of Table 1. Of `contest` (a remote RTS while one of ours is out) Table 2 decides; `impossible` is a
// blank cell that no run of the protocol reaches: whoever gets there has a bug.
NicStep nic_step(NicStatus status, NicEvent event);

// How Algorithm 4 decides between equal counters. strict: by an order of the nodes, the lower one has
// priority. as_printed: "local_node_id != remote_node_id", by which both sides win.
enum class TieRule : u8 { strict, as_printed };

struct Contest {
  NicStep step;
  int counter = 0;  // of the local NIC, afterwards
};
Contest nic_contest(int local_counter, Host local, int remote_counter, Host remote, TieRule tie);

}  // namespace banyan::flit
