// Trees of ranks, and messages that travel down or up a tree in segments, one after the other. In each round
// a rank sends a segment to one child, in the order of its children.
#pragma once
#include "traffic/collectives/schedule.hpp"

namespace banyan::traffic {

struct Tree {
  u32 root = 0;
  std::vector<u32> parent,
      slot;        // by rank; slot: its index among its parent's children; unused for the root
  u32 fanout = 1;  // the maximum number of children
};

// All but the last two are built for root 0 and rotated.
Tree binary_tree(u32 ranks, u32 root);
Tree binomial_tree(u32 ranks, u32 root);           // nearest children first: 1, 2, 4, ...
Tree in_order_binomial_tree(u32 ranks, u32 root);  // subtrees are intervals; the largest first
Tree k_nomial_tree(u32 ranks, u32 root, u32 radix);
Tree chains(u32 ranks, u32 root, u32 number);  // side by side below the root
Tree in_order_binary_tree(u32 ranks);          // its root is the last rank
Tree half_of_double_tree(u32 ranks,
                         bool second);  // a leaf of one is inside the other (Sanders et al. 2009; NCCL)

// A vector cut into segments of this many bytes, rounded to elements; with 0, or more bytes than the vector
// has, one segment.
struct Segments {
  Elements vector;
  u64 per_segment;  // elements
  Segments(Elements vector, u64 bytes);
  u64 count() const { return (vector.count + per_segment - 1) / per_segment; }
  u64 bytes(u64 i) const { return std::min(per_segment, vector.count - i * per_segment) * vector.size; }
};

// One message per segment from one rank to another: the first in round `first`, the others every `period`
// rounds.
struct Stream {
  u32 from, to;
  u64 first;
  Segments segments;
};
Schedule pipelined(std::vector<Stream> streams, u64 period);

// By rank, the round in which its first segment arrives; ~0 for the root.
std::vector<u64> arrivals(const Tree& tree);
u64 rounds_of_one_segment(const Tree& tree);

Schedule down(const Tree& tree, const Segments& segments);
Schedule up(const Tree& tree, const Segments& segments);

}  // namespace banyan::traffic
