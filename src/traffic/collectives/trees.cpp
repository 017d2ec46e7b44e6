#include "traffic/collectives/trees.hpp"

#include <algorithm>
#include <bit>

namespace banyan::traffic {
namespace {

constexpr u64 not_yet = ~u64{0};

class TreeBuilder {
 public:
  TreeBuilder(u32 ranks, u32 root, u32 turned_by) : real_{ranks, turned_by}, children_(ranks) {
    tree_.root = real_(root);
    tree_.parent.assign(ranks, tree_.root);
    tree_.slot.assign(ranks, 0);
  }
  void add(u64 parent,
           u64 child) {  // children in the order they are served; one beyond the ranks is left out
    if (child >= real_.ranks) return;
    const u32 slot = children_[parent]++, at = real_(static_cast<u32>(child));
    tree_.parent[at] = real_(static_cast<u32>(parent));
    tree_.slot[at] = slot;
    tree_.fanout = std::max(tree_.fanout, slot + 1);
  }
  Tree take() { return std::move(tree_); }

 private:
  FromRoot real_;
  std::vector<u32> children_;
  Tree tree_;
};

u64 lowest_bit(u32 v, u64 otherwise) { return v == 0 ? otherwise : v & (~v + 1); }

}  // namespace

// Level l has 2^l ranks, and a child is 2^l or 2^(l+1) further on: 0 - 1, 2; 1 - 3, 5; 2 - 4, 6.
Tree binary_tree(u32 ranks, u32 root) {
  TreeBuilder out(ranks, 0, root);
  for (u32 v = 0; v < ranks; ++v)
    for (u64 i = 1; i <= 2; ++i) out.add(v, v + i * std::bit_floor(u64{v} + 1));
  return out.take();
}

Tree binomial_tree(u32 ranks, u32 root) {
  TreeBuilder out(ranks, 0, root);
  for (u32 v = 0; v < ranks; ++v)
    for (u64 bit = u64{1} << std::bit_width(v); v + bit < ranks; bit <<= 1) out.add(v, v + bit);
  return out.take();
}

Tree in_order_binomial_tree(u32 ranks, u32 root) {
  TreeBuilder out(ranks, 0, root);
  for (u32 v = 0; v < ranks; ++v)
    for (u64 bit = lowest_bit(v, std::bit_ceil(u64{ranks})) >> 1; bit > 0; bit >>= 1) out.add(v, v + bit);
  return out.take();
}

Tree k_nomial_tree(u32 ranks, u32 root, u32 radix) {
  TreeBuilder out(ranks, 0, root);
  for (u32 v = 0; v < ranks; ++v) {
    u64 stride = 1;  // the largest power of the radix that divides v
    while (stride < ranks && v % (stride * radix) == 0) stride *= radix;
    for (stride /= radix; stride > 0; stride /= radix)
      for (u64 i = 1; i < radix; ++i) out.add(v, v + i * stride);
  }
  return out.take();
}

Tree chains(u32 ranks, u32 root, u32 number) {
  TreeBuilder out(ranks, 0, root);
  const EvenParts length{ranks - 1, std::min(std::max(number, 1u), std::max(ranks - 1, 1u))};
  u64 at = 1;
  for (u64 chain = 0; chain < length.parts; ++chain)
    for (u64 i = 0; i < length(chain); ++i, ++at) out.add(i == 0 ? 0 : at - 1, at);
  return out.take();
}

Tree in_order_binary_tree(u32 ranks) {
  TreeBuilder out(ranks, ranks - 1, 0);
  const auto build = [&](const auto& self, u64 first, u64 size) -> void {
    if (size < 2) return;
    const u64 parent = first + size - 1, right = size / 2;
    out.add(parent, parent - 1);
    if (size == 2) return;
    out.add(parent, first + right - 1);
    self(self, first + right, size - right - 1);
    self(self, first, right);
  };
  build(build, 0, ranks);
  return out.take();
}

// In-order: odd numbers are leaves, and the parent of a rank has its lowest bit cleared and the next one set,
// or only cleared where that is too high. The second tree is the first in reverse for even numbers of ranks,
// shifted by one for odd ones.
Tree half_of_double_tree(u32 ranks, bool second) {
  const auto real = [&](u32 v) {
    if (!second) return v;
    return ranks % 2 == 0 ? ranks - 1 - v : (v + 1) % ranks;
  };
  TreeBuilder out(ranks, real(0), 0);
  for (u32 v = 1; v < ranks; ++v) {
    const u64 bit = lowest_bit(v, 0), low = v ^ bit, high = low | (bit << 1);
    out.add(real(static_cast<u32>(high < ranks ? high : low)), real(v));
  }
  return out.take();
}

// --- segments

Segments::Segments(Elements whole, u64 bytes) : vector(whole), per_segment(std::max<u64>(whole.count, 1)) {
  if (bytes < vector.size || bytes >= vector.bytes()) return;
  per_segment = bytes / vector.size;
  if (bytes % vector.size > vector.size / 2) ++per_segment;
}

Schedule pipelined(std::vector<Stream> streams, u64 period) {
  u64 rounds = 0;
  for (const Stream& s : streams)
    if (s.segments.count() > 0) rounds = std::max(rounds, s.first + (s.segments.count() - 1) * period + 1);
  return {rounds, [streams = std::move(streams), period](u64 round, std::vector<Demand>& out) {
            for (const Stream& s : streams) {
              if (round < s.first || (round - s.first) % period != 0) continue;
              const u64 i = (round - s.first) / period;
              if (i < s.segments.count()) out.push_back(message(s.from, s.to, s.segments.bytes(i)));
            }
          }};
}

std::vector<u64> arrivals(const Tree& tree) {
  std::vector<u64> out(tree.parent.size(), not_yet);
  std::vector<u32> waiting;
  for (u32 v = 0; v < out.size(); ++v) {
    for (u32 u = v; u != tree.root && out[u] == not_yet; u = tree.parent[u]) waiting.push_back(u);
    for (; !waiting.empty(); waiting.pop_back()) {
      const u32 u = waiting.back(), parent = tree.parent[u];
      out[u] = (parent == tree.root ? 0 : out[parent] + 1) + tree.slot[u];
    }
  }
  return out;
}

u64 rounds_of_one_segment(const Tree& tree) {
  u64 rounds = 0;
  for (const u64 round : arrivals(tree))
    if (round != not_yet) rounds = std::max(rounds, round + 1);
  return rounds;
}

Schedule down(const Tree& tree, const Segments& segments) {
  const std::vector<u64> first = arrivals(tree);
  std::vector<Stream> streams;
  for (u32 v = 0; v < first.size(); ++v)
    if (v != tree.root) streams.push_back({tree.parent[v], v, first[v], segments});
  return pipelined(std::move(streams), tree.fanout);
}

Schedule up(const Tree& tree, const Segments& segments) {
  const std::vector<u64> first = arrivals(tree);
  const u64 last = rounds_of_one_segment(tree);
  std::vector<Stream> streams;
  for (u32 v = 0; v < first.size(); ++v)
    if (v != tree.root) streams.push_back({v, tree.parent[v], last - 1 - first[v], segments});
  return pipelined(std::move(streams), tree.fanout);
}

}  // namespace banyan::traffic
