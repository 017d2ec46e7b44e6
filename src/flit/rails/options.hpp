// What decides a simulation of hosts with several NICs, besides the network: docs/rails.md.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "base/types.hpp"

namespace banyan::flit {

enum class Bus : u8 { half, full };
constexpr std::array<std::string_view, 2> option_names(Bus) { return {"half", "full"}; }

// What a process does when NICs have its message: the next one, or wait until it has begun to leave, or until
// it has left.
enum class Sends : u8 { queued, begun, awaited };
constexpr std::array<std::string_view, 3> option_names(Sends) { return {"queued", "begun", "awaited"}; }

// Who takes rails in turn: a host for all of its processes, or each process for itself.
enum class Turns : u8 { host, process };
constexpr std::array<std::string_view, 2> option_names(Turns) { return {"host", "process"}; }
constexpr u32 max_nic_messages = 2;

struct RailOptions {
  std::string policy = "basic";
  double stripe = 0;
  u32 processes = 1;
  Sends sends = Sends::queued;
  Turns turns = Turns::host;
  u32 nic_messages = 1;
  Bus bus = Bus::half;
  u32 bus_burst = 32;
  u32 bus_turn = 0;
  u32 control_flits = 1;
  u32 nic_cycles = 300;
  u32 timeout_cycles = 4000;
  std::string dies = "";

  bool operator==(const RailOptions&) const = default;
  static void fields(auto& self, auto&& f) {
    f("rails-policy", self.policy,
      "which rails a message takes: 'banyan simulate' with a wrong name lists them");
    f("stripe", self.stripe, "share of the available rails that one message is striped over; 0: one rail");
    f("processes", self.processes, "processes of a host");
    f("sends", self.sends,
      "of a process: queued (it goes on when NICs have its message), begun (when its first flit leaves on "
      "each rail) or awaited (when its last flit has left)");
    f("turns", self.turns,
      "who takes rails in turn: host (for all of its processes) or process (each for itself)");
    f("nic-messages", self.nic_messages, "that a NIC sends at once, on lanes of their own: 1 or 2");
    f("bus", self.bus, "of a NIC: half (one way at a time) or full (both ways at once)");
    f("bus-burst", self.bus_burst, "flits after which the other way has its turn on a bus");
    f("bus-turn", self.bus_turn, "cycles that a half bus is idle when it turns");
    f("control-flits", self.control_flits, "flits of an RTS, CTS, NACK, ABORT or ACK");
    f("nic-cycles", self.nic_cycles, "that a NIC's processor takes for what arrives and wants an answer");
    f("timeout-cycles", self.timeout_cycles, "after which a process stops waiting for replies");
    f("rail-dies", self.dies, "RAIL@CYCLE: all of that rail fails in that cycle");
  }
};

}  // namespace banyan::flit
