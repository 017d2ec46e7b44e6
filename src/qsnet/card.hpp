// The state of an Elan card and of the bus of its host.
#pragma once
#include "qsnet/network.hpp"

namespace banyan::qsnet {

enum class Memory : u8 { card, main };

// A DMA descriptor: bytes from one host's memory to another's, and the events that are set when they are
// there.
struct Transfer {
  u32 from = 0, to = 0;
  u64 bytes = 0;
  Memory source = Memory::main, target = Memory::main;
  u32 source_event = nothing, target_event = nothing;  // of a broadcast: those of its first host and onwards
  bool high = false;
  bool broadcast = false;  // to hosts to..last, one packet
  u32 last = 0;
};

struct Dma {
  Transfer transfer;
  u32 packets = 0, issued = 0, acked = 0, accepted = 0;
  u32 request = nothing;  // a get: the DMA that its packet starts at the other side
  u32 reached = nothing;  // a broadcast: its list of hosts that have it
};

// An event counts down and fires: tells its host, has the thread processor look, or begins a DMA.
enum class Reaction : u8 { rest, host, thread, dma };
struct CardEvent {
  u32 card = 0, count = 1;
  Reaction then = Reaction::rest;
  u32 subject = 0;  // a tag for host or thread; a DMA
};

// Microcode does one thing after the other. Only the first of a card's jobs is on the agenda: a host may post
// a thousand commands at once.
struct Job {
  enum class What : u8 { command, begin, input, fire } what;
  u32 subject;  // command, begin: DMA; input: segment; fire: event
  Time done = 0;
};

// A packet on its way out or in, on one of a card's two lanes. While one has the lane, the blocks of the next
// are fetched into the FIFO behind it.
struct Outgoing {
  u32 packet = nothing, dma = nothing, number = 0;
  u8 blocks = 0, fetched = 0, ready = 0, left = 0;  // fetched: asked for; ready: in the FIFO
  Route route = {};
};
struct Incoming {
  u32 segment = nothing;
  u8 taken = 0;
};

enum Direction : u8 { reading = 0, writing = 1 };

struct HostBus {
  Time block = 0;                    // that a block keeps it busy
  Time free = 0, ready[2] = {0, 0};  // ready: the next of its direction may begin
  Time tried = never;
  u8 last = writing;
  Ring<u32> pending[2], moving[2];  // a lane, or first_copy + event
};
constexpr u32 first_copy = lanes;

struct Card {
  Time data_free = 0, microcode_free = 0, thread_free = 0;
  Ring<Job> jobs;
  Ring<u32> thinking;  // tags
  Ring<u32> queue;     // DMAs
  Ring<u64> again;     // packets that were refused: DMA and number
  u32 current = nothing;
  Route route;  // of the current DMA
  u64 slice_left = 0;
  bool begun = false;
  u8 last_lane = 1;
  Outgoing out[lanes], staged[lanes];
  Incoming in[lanes];
  HostBus bus;
};

}  // namespace banyan::qsnet
