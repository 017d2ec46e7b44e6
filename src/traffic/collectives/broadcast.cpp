// Broadcast.
#include <algorithm>
#include <bit>

#include "traffic/collectives/collective.hpp"
#include "traffic/collectives/trees.hpp"

namespace banyan::traffic {
namespace {

constexpr std::string_view broadcast_rules =
    "<4: <32 pipeline, <256 binary, <512 pipeline, <1024 k-nomial, <32768 linear, <131072 binary, "
    "<262144 chain, <524288 linear, <1048576 binomial, binary\n"
    "<8: <64 binary, <128 binomial, <2048 binary, <8192 binomial, <1048576 linear, chain\n"
    "<16: <8 k-nomial, <64 binary, <4096 k-nomial, <16384 binary, <32768 binomial, linear\n"
    "<32: <4096 k-nomial, <1048576 binomial, scatter-allgather\n"
    "<64: <2048 binomial, k-nomial\n"
    "<128: k-nomial\n"
    "<256: <2 binomial, <16384 binary, <32768 linear, <65536 binary, k-nomial\n"
    "<1024: <16384 k-nomial, <32768 split-binary, k-nomial\n"
    "<2048: <524288 k-nomial, scatter-allgather\n"
    "<4096: <262144 k-nomial, scatter-allgather\n"
    "more: <8192 k-nomial, <16384 binary, <262144 k-nomial, scatter-allgather\n";

Segments segments(const BroadcastOptions& o) { return {{o.bytes, 1}, o.segment}; }

Schedule linear(u32 n, const BroadcastOptions& o) { return from_root(n, o.root, o.bytes); }
Schedule chain(u32 n, const BroadcastOptions& o) { return down(chains(n, o.root, o.chains), segments(o)); }
Schedule pipeline(u32 n, const BroadcastOptions& o) { return down(chains(n, o.root, 1), segments(o)); }
Schedule binary(u32 n, const BroadcastOptions& o) { return down(binary_tree(n, o.root), segments(o)); }
Schedule binomial(u32 n, const BroadcastOptions& o) { return down(binomial_tree(n, o.root), segments(o)); }
Schedule k_nomial(u32 n, const BroadcastOptions& o) {
  if (o.radix < 2) throw InputError(fmt::format("broadcast: radix must be 2 or more, not {}", o.radix));
  return down(k_nomial_tree(n, o.root, o.radix), segments(o));
}

// Each half of the vector down one half of a binary tree, odd and even numbers; then ranks exchange halves
// with a neighbour. For an even number of ranks the last has no neighbour but the root.
Schedule split_binary(u32 n, const BroadcastOptions& o) {
  const u64 half[2] = {o.bytes - o.bytes / 2, o.bytes / 2};
  if (half[1] == 0 || o.segment > half[1]) return pipeline(n, o);
  const FromRoot real{n, o.root};
  const Tree tree = binary_tree(n, o.root);
  const std::vector<u64> first = arrivals(tree);
  std::vector<Stream> streams;
  for (u32 v = 1; v < n; ++v) {
    const u32 to = real(v);
    streams.push_back({tree.parent[to], to, first[to], Segments({half[v % 2 == 0], 1}, o.segment)});
  }
  std::vector<Demand> exchange;
  for (u32 v = 1; v + 1 < n; v += 2) {
    exchange.push_back(message(real(v), real(v + 1), half[0]));
    exchange.push_back(message(real(v + 1), real(v), half[1]));
  }
  if (n % 2 == 0) exchange.push_back(message(o.root, real(n - 1), half[1]));
  return in_sequence(pipelined(std::move(streams), tree.fanout), stored({std::move(exchange)}));
}

// --- scatter, then allgather (van de Geijn): blocks of `block` bytes by number from the root; the last ones
// may be short or empty.

struct Scattered {
  u32 n;
  u64 bytes, block;
  FromRoot real;
  Scattered(u32 ranks, const BroadcastOptions& o)
      : n(ranks), bytes(o.bytes), block((o.bytes + ranks - 1) / ranks), real{ranks, o.root} {}

  u64 held(u64 first, u64 end) const {  // bytes of the blocks first .. end - 1
    return std::min(bytes, end * block) - std::min(bytes, first * block);
  }

  // Down the binomial tree whose subtrees are intervals.
  Schedule scatter() const {
    const u32 steps = log2_ceil(n);
    return {steps, [*this, steps](u64 round, std::vector<Demand>& out) {
              const u64 stride = u64{1} << (steps - 1 - round);
              for (u64 v = stride; v < n; v += 2 * stride)
                if (const u64 size = held(v, std::min<u64>(v + stride, n)); size > 0)
                  out.push_back(message(real(static_cast<u32>(v - stride)), real(static_cast<u32>(v)), size));
            }};
  }
};

Schedule scatter_allgather_ring(u32 n, const BroadcastOptions& o) {
  if (o.bytes < n) return linear(n, o);
  const Scattered s(n, o);
  const auto to = [s](u64, u32 rank) { return (rank + 1) % s.n; };
  const auto bytes = [s](u64 round, u32 rank) {
    const u64 v = (rank + s.n - s.real.root) % s.n, block = (v + s.n - round) % s.n;
    return s.held(block, block + 1);
  };
  return in_sequence(s.scatter(), everyone(n, n - 1, to, bytes));
}

// Allgather by recursive doubling. With a number of ranks that is no power of two, some in an incomplete
// group have no partner; those of their group that had one pass on what they got.
class DoublingAllgather {
 public:
  explicit DoublingAllgather(const Scattered& s) : s_(s), has_(s.n), got_(s.n) {
    for (u64 v = 0; v < s.n; ++v) has_[v] = s.held(v, v + 1);
    for (u32 mask = 1; mask < s.n; mask <<= 1) {
      exchange(mask);
      for (u32 half = mask >> 1; half > 0; half >>= 1) pass_on(mask, half);
    }
  }
  Schedule take() { return stored(std::move(rounds_)); }

 private:
  void exchange(u32 mask) {
    rounds_.emplace_back();
    for (u32 v = 0; v < s_.n; ++v)
      if (const u32 partner = v ^ mask; partner < s_.n) {
        rounds_.back().push_back(message(s_.real(v), s_.real(partner), has_[v]));
        got_[partner] = has_[v];
      }
    for (u32 v = 0; v < s_.n; ++v)
      if ((v ^ mask) < s_.n) has_[v] += got_[v];
  }

  void pass_on(u32 mask, u32 half) {
    std::vector<Demand> round;
    for (u32 v = 0; v < s_.n; ++v) {
      const u32 group = v / mask * mask, other = (v ^ mask) / mask * mask, to = v ^ half;
      if (u64{other} + mask <= s_.n || to < v || to >= s_.n) continue;
      const u64 with_all = u64{v / (2 * half) * (2 * half)} + s_.n - group - mask;
      if (v >= with_all || to < with_all) continue;
      round.push_back(message(s_.real(v), s_.real(to), got_[v]));
      got_[to] = got_[v];
      has_[to] += got_[v];
    }
    if (!round.empty()) rounds_.push_back(std::move(round));
  }

  Scattered s_;
  std::vector<u64> has_, got_;
  std::vector<std::vector<Demand>> rounds_;
};

Schedule scatter_allgather(u32 n, const BroadcastOptions& o) {
  if (o.bytes < n) return linear(n, o);
  const Scattered s(n, o);
  return in_sequence(s.scatter(), DoublingAllgather(s).take());
}

constexpr std::array<Algorithm<BroadcastOptions>, 9> broadcast_algorithms = {
    {{"linear", linear},
     {"chain", chain},
     {"pipeline", pipeline},
     {"split-binary", split_binary},
     {"binary", binary},
     {"binomial", binomial},
     {"k-nomial", k_nomial},
     {"scatter-allgather", scatter_allgather},
     {"scatter-allgather-ring", scatter_allgather_ring}}};

}  // namespace

Chosen broadcast(u32 ranks, const BroadcastOptions& options) {
  return choose("broadcast", broadcast_algorithms, broadcast_rules, ranks, options.bytes, options);
}

Pattern broadcast_pattern() {
  return make_collective<broadcast, Counting{.without_own_part = false}>("broadcast", "Open MPI 4.1",
                                                                         "one rank's bytes to everyone");
}

}  // namespace banyan::traffic
