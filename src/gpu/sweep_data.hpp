// What a device needs to find the maximum loads of samples under tables that differ in a few entries from
// tables whose loads are known: those of a fabric without a cable, or without two. flow/device_sweep.hpp
// makes it. A sample has at most one flow for each destination.
#pragma once
#include "gpu/kernel.hpp"

namespace banyan::gpu {

// Nodes are those of the tables, from 0; then come those without tables, which only receive.
struct SweepData {
  static constexpr u32 nobody = ~u32{0};
  static constexpr u32 max_load = 255;

  u32 ranks = 0, nodes = 0, channels = 0, samples = 0;
  const u8* port = nullptr;        // by rank and node: where packets to the rank leave
  const u32* first_out = nullptr;  // by node, and one more: its first channel
  const u32* next = nullptr;       // by channel: the node at its end, or nobody
  const u32* entry = nullptr;      // by rank: the node where its packets meet the tables
  const u32* goal = nullptr;       // by rank: the node where packets to it end
  const u32* source = nullptr;     // by sample and rank: who sends to it, or nobody
  const u8* load = nullptr;        // by sample and channel: before the change
  const u32* with_load = nullptr;  // by sample and load 0 to max_load: channels that have it

  // Calls f(array, size) for each array.
  static constexpr void arrays(auto& self, auto&& f) {
    const u64 ranks = self.ranks, nodes = self.nodes, channels = self.channels, samples = self.samples;
    f(self.port, ranks * nodes);
    f(self.first_out, nodes + 1);
    f(self.next, channels);
    f(self.entry, ranks);
    f(self.goal, ranks);
    f(self.source, samples * ranks);
    f(self.load, samples * channels);
    f(self.with_load, samples * (max_load + 1));
  }
};

// Tables after a change: entries that differ, by destination. An entry is node * 256 + port, in the order of
// nodes.
struct SweepChange {
  u32 rank = 0, first = 0, last = 0;  // in the list of entries
};
struct SweepVictims {
  u32 count = 0;
  const u32* first_change = nullptr;  // by victim, and one more
  const SweepChange* change = nullptr;
  const u32* entry = nullptr;
  u32 changes = 0, entries = 0;  // of all

  // Calls f(array, size) for each array.
  static constexpr void arrays(auto& self, auto&& f) {
    f(self.first_change, u64{self.count} + 1);
    f(self.change, u64{self.changes});
    f(self.entry, u64{self.entries});
  }
};

// Memory of a warp: channels that gained or lost a flow, their loads before, and two counters. More than that
// is for processors.
struct SweepMemory {
  static constexpr u32 max_moves = 512;
  u32 moves, counter;
  u32 move[max_moves];  // channel * 2, and 1 if it gained
  u32 old[max_moves];   // of the first move of a channel: its load before; else nobody
};
constexpr u32 sweep_warps = 4;  // of a block on a device; any number gives the same results

// By victim and sample: the maximum load, or this: processors must find it. A flow does not arrive, or too
// many channels changed.
constexpr u32 sweep_unknown = ~u32{0};

}  // namespace banyan::gpu
