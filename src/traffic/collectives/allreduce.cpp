// Allreduce, for operations whose order does not matter.
#include "traffic/collectives/by_host.hpp"
#include "traffic/collectives/collective.hpp"
#include "traffic/collectives/halving.hpp"
#include "traffic/collectives/trees.hpp"
#include "traffic/folded.hpp"

namespace banyan::traffic {
namespace {

constexpr std::string_view allreduce_rules =
    "<4: <8 ring, <4096 recursive-doubling, <8192 ring, <16384 recursive-doubling, <65536 ring, "
    "<262144 segmented-ring, rabenseifner\n"
    "<8: <16 ring, <8192 recursive-doubling, rabenseifner\n"
    "<16: <8192 recursive-doubling, rabenseifner\n"
    "<32: <64 segmented-ring, <4096 recursive-doubling, rabenseifner\n"
    "<64: <128 segmented-ring, rabenseifner\n"
    "<128: <262144 recursive-doubling, rabenseifner\n"
    "<256: <131072 non-overlapping, <262144 recursive-doubling, rabenseifner\n"
    "<512: <4096 non-overlapping, rabenseifner\n"
    "<2048: <2048 non-overlapping, <16384 recursive-doubling, rabenseifner\n"
    "<4096: <2048 non-overlapping, <4096 segmented-ring, <16384 recursive-doubling, rabenseifner\n"
    "more: <2048 non-overlapping, <16384 segmented-ring, <32768 recursive-doubling, rabenseifner\n";

Elements vector_of(const AllreduceOptions& o) { return elements("allreduce", o.bytes, o.element); }

Schedule linear(u32 n, const AllreduceOptions& o) {
  return in_sequence(to_root(n, 0, o.bytes), from_root(n, 0, o.bytes));
}

// A reduce, then a broadcast, each as the allreduce_rules have it.
Schedule non_overlapping(u32 n, const AllreduceOptions& o) {
  ReduceOptions first;
  first.bytes = o.bytes;
  first.element = o.element;
  BroadcastOptions second;
  second.bytes = o.bytes;
  return in_sequence(reduce(n, first).schedule, broadcast(n, second).schedule);
}

Schedule recursive_doubling(u32 n, const AllreduceOptions& o) {
  const Folded folded(n);
  const auto bytes = static_cast<double>(o.bytes);
  return {folded.steps() + (folded.extra > 0 ? 2u : 0u), [=](u64 round, std::vector<Demand>& out) {
            if (folded.extra > 0) {
              if (round == 0) return folded.fold(bytes, out);
              if (--round == folded.steps()) return folded.unfold(bytes, out);
            }
            for (u32 i = 0; i < folded.core; ++i)
              out.push_back({folded.rank(i), folded.rank(i ^ (u32{1} << round)), bytes});
          }};
}

// Blocks go around: reduced in n - 1 rounds for every phase, a part of each block in each, then the whole
// blocks are handed around.
Schedule ring_in_phases(u32 n, Elements vector, u64 phases) {
  const EvenParts block{vector.count, n};
  const auto to = [n](u64, u32 i) { return (i + 1) % n; };
  const auto part = [=](u64 round, u32 i) {
    return EvenParts{block((i + n - round % (n - 1)) % n), phases}(round / (n - 1)) * vector.size;
  };
  const auto whole = [=](u64 round, u32 i) { return block((i + 1 + n - round) % n) * vector.size; };
  return in_sequence(everyone(n, phases * (n - 1), to, part), everyone(n, n - 1, to, whole));
}

// Elements that a segmented ring sends on a way around.
u64 around(u32 n, const AllreduceOptions& o) { return n * Segments(vector_of(o), o.segment).per_segment; }

// What Open MPI does instead where the vector is too short for an algorithm.
std::string_view made_of(std::string_view name, u32 n, const AllreduceOptions& o) {
  const u64 count = vector_of(o).count;
  if (name == "segmented-ring" && count < around(n, o)) name = "ring";
  if (name == "ring" && count < n) return "recursive-doubling";
  if (name == "rabenseifner" && count < Halving(n, vector_of(o)).core()) return "linear";
  return name;
}

Schedule ring(u32 n, const AllreduceOptions& o) {
  return made_of("ring", n, o) == "ring" ? ring_in_phases(n, vector_of(o), 1) : recursive_doubling(n, o);
}

Schedule segmented_ring(u32 n, const AllreduceOptions& o) {
  if (made_of("segmented-ring", n, o) != "segmented-ring") return ring(n, o);
  const Elements vector = vector_of(o);
  const u64 round_trip = around(n, o);
  const u64 rest = vector.count % round_trip;
  const bool one_more = rest >= n && rest > round_trip / 2;
  return ring_in_phases(n, vector, vector.count / round_trip + one_more);
}

Schedule rabenseifner(u32 n, const AllreduceOptions& o) {
  const Elements vector = vector_of(o);
  const Halving halving(n, vector);
  if (made_of("rabenseifner", n, o) == "linear") return linear(n, o);
  Schedule doubling{
      halving.steps(), [halving](u64 round, std::vector<Demand>& out) {
        const auto step = static_cast<u32>(halving.steps() - 1 - round);
        for (u32 v = 0; v < halving.core(); ++v)
          out.push_back(message(halving.rank(v), halving.rank(v ^ (u32{1} << step)), halving.kept(step, v)));
      }};
  Schedule out = in_sequence(in_sequence(halving.fold(), halving.halve()), std::move(doubling));
  if (halving.extra() == 0) return out;
  std::vector<Demand> unfold;
  for (u32 i = 0; i < halving.extra(); ++i) unfold.push_back(message(2 * i, 2 * i + 1, o.bytes));
  return in_sequence(std::move(out), stored({std::move(unfold)}));
}

// NCCL's tree: half of the vector over each of two binary trees, a leaf of one being inside the other;
// segments are sent down as soon as they are reduced.
Schedule tree(u32 n, const AllreduceOptions& o) {
  const Elements vector = vector_of(o);
  std::vector<Stream> streams;
  for (const bool second : {false, true}) {
    const Segments half({EvenParts{vector.count, 2}(second), vector.size}, o.segment);
    const Tree tree = half_of_double_tree(n, second);
    const std::vector<u64> first = arrivals(tree);
    const u64 once = rounds_of_one_segment(tree);
    for (u32 v = 0; v < n; ++v) {
      if (v == tree.root) continue;
      streams.push_back({v, tree.parent[v], once - 1 - first[v], half});
      streams.push_back({tree.parent[v], v, once + first[v], half});
    }
  }
  return pipelined(std::move(streams), 2);
}

// NCCL's rings, an equal part of the vector around each, in chunks of one size.
Schedule allreduce_rail_rings(u32 n, const AllreduceOptions& o) {
  const HostGrid grid("allreduce", n, o.local);
  return rail_rings(grid, 2 * (u64{n} - 1), chunk_of(chunk_of(o.bytes, grid.local()), n));
}

// Each rank of a host reduces a part, which is then reduced along its rail, and handed back inside the host.
Schedule hierarchical(u32 n, const AllreduceOptions& o) {
  const HostGrid grid("allreduce", n, o.local);
  const Elements vector = vector_of(o);
  const EvenParts part{vector.count, grid.local()};
  const auto bytes = [=](u32 number) { return part(number) * vector.size; };
  const auto between = [&](u32 rail) {
    AllreduceOptions options{.bytes = bytes(rail), .algorithm = o.between, .element = o.element};
    return allreduce(grid.hosts(), options).schedule;
  };
  return in_sequence(
      in_sequence(inside_hosts(grid, [=](u32, u32 to) { return bytes(to); }), along_rails(grid, between)),
      inside_hosts(grid, [=](u32 from, u32) { return bytes(from); }));
}

constexpr std::array<Algorithm<AllreduceOptions>, 9> allreduce_algorithms = {
    {{"linear", linear},
     {"non-overlapping", non_overlapping},
     {"recursive-doubling", recursive_doubling},
     {"ring", ring},
     {"segmented-ring", segmented_ring},
     {"rabenseifner", rabenseifner},
     {"tree", tree},
     {"rail-rings", allreduce_rail_rings},
     {"hierarchical", hierarchical}}};

}  // namespace

Chosen allreduce(u32 ranks, const AllreduceOptions& options) {
  vector_of(options);
  Chosen out = choose("allreduce", allreduce_algorithms, allreduce_rules, ranks, options.bytes, options);
  if (ranks > 1 && options.bytes > 0) out.algorithm = made_of(out.algorithm, ranks, options);
  return out;
}

Pattern allreduce_pattern() {
  return make_collective<allreduce, Counting{.times = 2}>("allreduce", "Open MPI 4.1; NCCL",
                                                          "the sum of everyone's vectors to everyone");
}

}  // namespace banyan::traffic
