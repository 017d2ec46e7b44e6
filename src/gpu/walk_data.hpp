// What a device needs to follow flows hop by hop and to count them on the channels they meet: under tables,
// or where every switch takes one of its next hops by a hash. flow/device_walks.hpp makes it.
#pragma once
#include "base/path_hash.hpp"
#include "gpu/block_shuffle.hpp"

namespace banyan::gpu {

constexpr u32 walk_warps = 8;  // of a block on a device; any number gives the same results

// Where a port leads.
struct WalkHop {
  u32 next = ~u32{0};     // a node, or nobody
  u32 counter = ~u32{0};  // of the channel, or nobody: it is not counted
};

// Next hops of a node, one of which a hash takes. With weights, a number below `sum` is drawn.
struct WalkSet {
  u32 first = 0, count = 0;            // in the list of exits
  u32 first_sum = ~u32{0}, total = 0;  // of its sums of weights, or nobody; numbers that are drawn from
};

// Nodes are those that forward, from 0; then come NICs, which only receive. Ends are who sends and receives.
struct WalkData {
  static constexpr u32 nobody = ~u32{0};
  static constexpr u32 own_exit = nobody - 1;  // of a set: the end is here

  u32 ends = 0, nodes = 0, first_node = 0, ports = 0, counters = 0, ways = 1;
  u32 is_narrow = 0;                   // 1: two counters share a word, and no load exceeds 16 bits
  const WalkHop* hop = nullptr;        // by node and port
  const u32* entry = nullptr;          // by end: the node where its packets begin, or nobody
  const u32* first_counter = nullptr;  // by end: of the channel that leaves its NIC, or nobody
  const u32* goal = nullptr;           // by end: the number of its NIC

  const u8* port = nullptr;  // under tables, by end, way and node

  const u32* nic = nullptr;    // else, by end: what the hash reads
  const u32* group = nullptr;  // by end: of its sets, or nobody
  const u32* exit = nullptr;   // by end: the hop from its switch to it
  const u32* set = nullptr;    // by group and node: its number, nobody, or own_exit
  const WalkSet* sets = nullptr;
  const u32* exits = nullptr;  // hops
  const u32* sums = nullptr;
  PathHash hash;

  u32 heights = 0, subtrees = 0;  // of a fat-tree; 0: there is no bound
  const u32* subtree = nullptr;   // by end and height
  const double* links = nullptr;  // by subtree
  u32 groups = 0, exits_count = 0, sets_count = 0, sums_count = 0, addresses = 0;  // sizes of arrays

  // Calls f(array, size) for each array; some are null.
  static constexpr void arrays(auto& self, auto&& f) {
    const u64 ends = self.ends, nodes = self.nodes;
    f(self.hop, nodes * self.ports);
    f(self.entry, ends);
    f(self.first_counter, ends);
    f(self.goal, ends);
    f(self.port, ends * self.ways * nodes);
    f(self.nic, ends);
    f(self.group, ends);
    f(self.exit, ends);
    f(self.set, self.groups * nodes);
    f(self.sets, u64{self.sets_count});
    f(self.exits, u64{self.exits_count});
    f(self.sums, u64{self.sums_count});
    f(self.hash.addresses, u64{self.addresses});
    f(self.subtree, ends * self.heights);
    f(self.links, u64{self.subtrees});
  }
};

// Flows that are drawn: all ranks send to a permutation of them, or a random half sends to the other.
struct WalkDraws {
  u64 seed = 0, first = 0, count = 0;
  u64 hash_seed = 0;  // of the hash, where there is one
  bool is_bisection = false;
  u32 bins = 0;              // of the histogram, more than any load; 0: there is none
  u64* histogram = nullptr;  // by load, but for 0: channels of all samples are added
};

// Flows that are listed, in rounds, under one hash after the other.
struct WalkFlow {
  u32 from = 0, to = 0;  // ends
};
struct WalkRounds {
  u32 rounds = 0, queue_pairs = 1;
  u64 hashes = 0;
  const u64* first_flow = nullptr;  // by round, and one more
  const WalkFlow* flow = nullptr;
  const u64* seed = nullptr;  // by hash
  u64 flows = 0;              // of all rounds

  // Calls f(array, size) for each array.
  static constexpr void arrays(auto& self, auto&& f) {
    f(self.first_flow, u64{self.rounds} + 1);
    f(self.flow, self.flows);
    f(self.seed, self.hashes);
  }
};

// The result of a sample, or of a round under a hash.
struct WalkLoads {
  double bound = 0;  // the maximum over subtrees of what leaves or enters, divided by the links
  u32 max_load = 0;  // in flows times ways, of the channels that are counted
  u32 lost = 0;      // flows with a way that does not arrive
  u32 sent = 0;      // flows between different ends
};

// What a block keeps beside the counters, and what its warps find out each.
struct WalkShared {
  u64 state;
  u32 lost, sent;
};
struct WalkPart {
  double bound;
  u32 max_load;
};

// Where things stand in the memory of a block, in bytes. Counters are there if they fit, or in the device's
// memory.
struct WalkLayout {
  static constexpr u32 shuffle = 0;
  u32 shared = 0, parts = 0, order = 0, cuts = 0, loads = 0, bytes = 0;
  u32 load_words = 0;
  bool are_loads_far = false;

  WalkLayout() = default;
  constexpr WalkLayout(const WalkData& data, u32 warps, bool draws, u32 max_bytes)
      : load_words((data.counters + data.is_narrow) >> data.is_narrow) {
    const auto take = [this](u32 size) {
      const u32 at = bytes;
      bytes += aligned(size);
      return at;
    };
    if (draws) take(shuffle_bytes(warps - 1));
    shared = take(sizeof(WalkShared));
    parts = take(warps * sizeof(WalkPart));
    if (draws) order = take(2 * data.ends);
    cuts = take(2 * 4 * data.subtrees);
    are_loads_far = u64{bytes} + aligned(4 * load_words) > max_bytes;
    if (!are_loads_far) loads = take(4 * load_words);
  }
};

}  // namespace banyan::gpu
