// Equal-cost multi-path as Ethernet switches do it: a seeded hash of source, destination and flow label over
// the shortest next hops of every switch (RFC 2992 discusses the choice).
#include "base/random.hpp"
#include "engines/engine.hpp"

namespace banyan::engines {
namespace {

struct EcmpOptions {
  u32 paths = 1;
  u64 seed = 1;
  static void fields(auto& self, auto&& f) {
    f("paths", self.paths, "flow labels for each pair, hashed one by one; two may share a path");
    f("seed", self.seed, "another seed, other paths");
  }
};

// A way is a flow label; the tag is what the switches hash.
struct Flows {
  EcmpOptions options;

  u32 count(Nic, Nic, u64) const { return options.paths; }
  Header way(Nic from, Nic to, u64, u32 i) const {
    const u64 pair = u64{index(from)} << 32 | index(to);
    return {.to = address_of(to), .tag = Random(options.seed, pair).at(i)};
  }
};

RouteResult route_ecmp(const Topology& topology, const EcmpOptions& options) {
  if (options.paths == 0) throw InputError("ecmp: paths must be at least 1");
  return Routing{HashedNextHops(shortest_port_sets(topology.fabric)), Source(Flows{options})};
}

}  // namespace

Engine ecmp_engine() {
  return make_engine<route_ecmp>("ecmp", "Hopps, RFC 2992",
                                 "any graph: a hash of the flow over the shortest next hops of every switch",
                                 {.deadlock_free = false, .minimal = true, .any_graph = true});
}

}  // namespace banyan::engines
