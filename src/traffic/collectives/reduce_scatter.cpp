// Reduce-scatter: the vector in as many parts as there are ranks, the first ones an element longer if need
// be.
#include "traffic/collectives/by_host.hpp"
#include "traffic/collectives/collective.hpp"
#include "traffic/folded.hpp"

namespace banyan::traffic {
namespace {

constexpr std::string_view reduce_scatter_rules =
    "<4: <65536 ring, <131072 butterfly, ring\n"
    "<8: <8 non-overlapping, <262144 recursive-halving, ring\n"
    "<32: <262144 recursive-halving, ring\n"
    "<64: <64 non-overlapping, <2048 recursive-halving, <524288 butterfly, ring\n"
    "<128: <256 non-overlapping, <512 recursive-halving, <2048 butterfly, <4096 recursive-halving, "
    "butterfly\n"
    "<256: <256 non-overlapping, <512 recursive-halving, butterfly\n"
    "<512: <256 non-overlapping, <1024 recursive-halving, butterfly\n"
    "<1024: <512 non-overlapping, <2048 recursive-halving, <8192 butterfly, <16384 recursive-halving, "
    "butterfly\n"
    "<2048: <512 non-overlapping, <4096 recursive-halving, <16384 butterfly, <32768 recursive-halving, "
    "butterfly\n"
    "<4096: <512 non-overlapping, <4096 recursive-halving, butterfly\n"
    "more: <1024 non-overlapping, <8192 recursive-halving, butterfly\n";

Elements vector_of(const ReduceScatterOptions& o) { return elements("reduce-scatter", o.bytes, o.element); }

// The parts of the result, and whole intervals of them.
struct Result {
  EvenParts part;
  u32 element;
  Result(u32 n, const ReduceScatterOptions& o) : part{vector_of(o).count, n}, element(o.element) {}
  u64 bytes(u64 first, u64 end) const { return (start(end) - start(first)) * element; }
  u64 bytes(u64 i) const { return part(i) * element; }

 private:
  u64 start(u64 i) const { return part.whole / part.parts * i + std::min(i, part.whole % part.parts); }
};

// Members of the core own the parts of the ranks that were folded into them too; intervals of members.
u64 owned(const Folded& folded, const Result& result, u64 first, u64 end) {
  const auto start = [&](u64 member) { return member < folded.extra ? 2 * member : member + folded.extra; };
  return result.bytes(start(first), start(end));
}

Schedule fold(const Folded& folded, u64 bytes) {
  if (folded.extra == 0) return stored({});
  return {1, [=](u64, std::vector<Demand>& out) { folded.fold(static_cast<double>(bytes), out); }};
}

Schedule non_overlapping(u32 n, const ReduceScatterOptions& o) {
  ReduceOptions first;
  first.bytes = o.bytes;
  first.element = o.element;
  const Result result(n, o);
  std::vector<Demand> scatter;
  for (u32 i = 1; i < n; ++i)
    if (result.bytes(i) > 0) scatter.push_back(message(0, i, result.bytes(i)));
  return in_sequence(reduce(n, first).schedule, stored({std::move(scatter)}));
}

// Members v and v xor 2^t, the farthest first, give each other the parts that are the other's half.
Schedule recursive_halving(u32 n, const ReduceScatterOptions& o) {
  const Folded folded(n);
  const Result result(n, o);
  Schedule halve{folded.steps(), [=](u64 round, std::vector<Demand>& out) {
                   const u32 bit = folded.core >> (round + 1);
                   for (u32 v = 0; v < folded.core; ++v) {
                     const u32 to = v ^ bit, first = to / bit * bit;
                     const u64 bytes = owned(folded, result, first, first + bit);
                     if (bytes > 0)
                       out.push_back({folded.rank(v), folded.rank(to), static_cast<double>(bytes)});
                   }
                 }};
  Schedule out = in_sequence(fold(folded, o.bytes), std::move(halve));
  if (folded.extra == 0) return out;
  std::vector<Demand> unfold;
  for (u32 i = 0; i < folded.extra; ++i)
    if (result.bytes(2 * i) > 0) unfold.push_back(message(2 * i + 1, 2 * i, result.bytes(2 * i)));
  return in_sequence(std::move(out), stored({std::move(unfold)}));
}

Schedule ring(u32 n, const ReduceScatterOptions& o) {
  const Result result(n, o);
  const auto to = [n](u64, u32 i) { return (i + 1) % n; };
  const auto bytes = [=](u64 round, u32 i) { return result.bytes((i + n - 1 - round) % n); };
  return everyone(n, n - 1, to, bytes);
}

u32 reversed(u32 v, u32 bits) {
  u32 out = 0;
  for (u32 i = 0; i < bits; ++i) out = out << 1 | (v >> i & 1);
  return out;
}

// The nearest first: the halves end up in reversed order of bits, and a last exchange puts them right.
Schedule butterfly(u32 n, const ReduceScatterOptions& o) {
  const Folded folded(n);
  const Result result(n, o);
  const u32 steps = folded.steps();
  Schedule halve{steps, [=](u64 round, std::vector<Demand>& out) {
                   const auto width = folded.core >> (round + 1);
                   const u32 bit = u32{1} << round;
                   for (u32 v = 0; v < folded.core; ++v) {
                     const u32 to = v ^ bit, first = reversed(to & (2 * bit - 1), steps);
                     out.push_back({folded.rank(v), folded.rank(to),
                                    static_cast<double>(owned(folded, result, first, first + width))});
                   }
                 }};
  std::vector<Demand> reorder;
  for (u32 v = 0; v < folded.core; ++v) {
    const u32 owner = reversed(v, steps), to = index(folded.rank(owner));
    if (owner < folded.extra) reorder.push_back(message(index(folded.rank(v)), to - 1, result.bytes(to - 1)));
    if (owner != v) reorder.push_back(message(index(folded.rank(v)), to, result.bytes(to)));
  }
  return in_sequence(in_sequence(fold(folded, o.bytes), std::move(halve)), stored({std::move(reorder)}));
}

Schedule reduce_scatter_rail_rings(u32 n, const ReduceScatterOptions& o) {
  const HostGrid grid("reduce-scatter", n, o.local);
  return rail_rings(grid, u64{n} - 1, chunk_of(chunk_of(o.bytes, grid.local()), n));
}

// Inside hosts first, so that each rank has what its rail needs.
Schedule hierarchical(u32 n, const ReduceScatterOptions& o) {
  const HostGrid grid("reduce-scatter", n, o.local);
  const Elements vector = vector_of(o);
  const EvenParts part{vector.count, grid.local()};
  const auto bytes = [=](u32 number) { return part(number) * vector.size; };
  return in_sequence(
      inside_hosts(grid, [=](u32, u32 to) { return bytes(to); }), along_rails(grid, [&](u32 rail) {
        ReduceScatterOptions options{.bytes = bytes(rail), .algorithm = o.between, .element = o.element};
        return reduce_scatter(grid.hosts(), options).schedule;
      }));
}

constexpr std::array<Algorithm<ReduceScatterOptions>, 6> reduce_scatter_algorithms = {
    {{"non-overlapping", non_overlapping},
     {"recursive-halving", recursive_halving},
     {"ring", ring},
     {"butterfly", butterfly},
     {"rail-rings", reduce_scatter_rail_rings},
     {"hierarchical", hierarchical}}};

}  // namespace

Chosen reduce_scatter(u32 ranks, const ReduceScatterOptions& options) {
  vector_of(options);
  return choose("reduce-scatter", reduce_scatter_algorithms, reduce_scatter_rules, ranks, options.bytes,
                options);
}

Pattern reduce_scatter_pattern() {
  return make_collective<reduce_scatter, Counting{}>("reduce-scatter", "Open MPI 4.1",
                                                     "the sum of everyone's vectors, to each rank a part");
}

}  // namespace banyan::traffic
