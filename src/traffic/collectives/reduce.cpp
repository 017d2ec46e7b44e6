// Reduce, for operations whose order does not matter.
#include "traffic/collectives/collective.hpp"
#include "traffic/collectives/halving.hpp"
#include "traffic/collectives/trees.hpp"

namespace banyan::traffic {
namespace {

constexpr std::string_view reduce_rules =
    "<4: <8 rabenseifner, <16 binary, <32 pipeline, <262144 linear, <524288 pipeline, <1048576 chain, "
    "pipeline\n"
    "<8: <4096 binary, <65536 chain, <262144 binomial, <524288 linear, <1048576 binomial, linear\n"
    "<16: <8192 binary, binomial\n"
    "<32: <4096 binary, binomial\n"
    "<256: binomial\n"
    "<512: <8192 binomial, <16384 in-order-binary, binomial\n"
    "<2048: binomial\n"
    "<4096: <512 binomial, <1024 in-order-binary, <8192 binomial, <16384 in-order-binary, binomial\n"
    "more: <16 binomial, <32 in-order-binary, <1024 binomial, <2048 in-order-binary, <8192 binomial, "
    "<16384 in-order-binary, binomial\n";

Elements vector_of(const ReduceOptions& o) { return elements("reduce", o.bytes, o.element); }
Segments segments(const ReduceOptions& o) { return {vector_of(o), o.segment}; }

Schedule linear(u32 n, const ReduceOptions& o) { return to_root(n, o.root, o.bytes); }
Schedule chain(u32 n, const ReduceOptions& o) { return up(chains(n, o.root, o.chains), segments(o)); }
Schedule pipeline(u32 n, const ReduceOptions& o) { return up(chains(n, o.root, 1), segments(o)); }
Schedule binary(u32 n, const ReduceOptions& o) { return up(binary_tree(n, o.root), segments(o)); }
Schedule binomial(u32 n, const ReduceOptions& o) {
  return up(in_order_binomial_tree(n, o.root), segments(o));
}

Schedule in_order_binary(u32 n, const ReduceOptions& o) {
  Schedule out = up(in_order_binary_tree(n), segments(o));
  if (o.root == n - 1) return out;
  return in_sequence(std::move(out), stored({{message(n - 1, o.root, o.bytes)}}));
}

// Halving, then the parts are gathered up a binomial tree. A root that is not in the core first takes the
// place of member 0.
Schedule rabenseifner(u32 n, const ReduceOptions& o) {
  const Elements vector = vector_of(o);
  const Halving halving(n, vector);
  if (vector.count < halving.core()) return linear(n, o);
  const bool outside = o.root < 2 * halving.extra() && o.root % 2 != 0;
  const u32 root = outside ? 0 : o.root < 2 * halving.extra() ? o.root / 2 : o.root - halving.extra();
  const auto rank = [&](u32 member) { return outside && member == 0 ? o.root : halving.rank(member); };
  std::vector<std::vector<Demand>> rounds;
  if (outside) rounds.push_back({message(0, o.root, halving.kept(halving.steps() - 1, 0))});
  std::vector<bool> done(halving.core());
  for (u32 step = halving.steps(); step-- > 0;) {
    rounds.emplace_back();
    for (u32 v = 0; v < halving.core(); ++v) {
      const u32 to = v ^ (u32{1} << step);
      if (done[v] || to >> step != root >> step) continue;  // it is the partner who is nearer to the root
      rounds.back().push_back(message(rank(v), rank(to), halving.kept(step, v)));
      done[v] = true;
    }
  }
  return in_sequence(in_sequence(halving.fold(), halving.halve()), stored(std::move(rounds)));
}

constexpr std::array<Algorithm<ReduceOptions>, 7> reduce_algorithms = {{{"linear", linear},
                                                                        {"chain", chain},
                                                                        {"pipeline", pipeline},
                                                                        {"binary", binary},
                                                                        {"binomial", binomial},
                                                                        {"in-order-binary", in_order_binary},
                                                                        {"rabenseifner", rabenseifner}}};

}  // namespace

Chosen reduce(u32 ranks, const ReduceOptions& options) {
  vector_of(options);
  return choose("reduce", reduce_algorithms, reduce_rules, ranks, options.bytes, options);
}

Pattern reduce_pattern() {
  return make_collective<reduce, Counting{.without_own_part = false}>(
      "reduce", "Open MPI 4.1", "the sum of everyone's vectors to one rank");
}

}  // namespace banyan::traffic
