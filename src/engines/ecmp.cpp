// Equal-cost multi-path as Ethernet switches do it: a seeded hash of the flow over the shortest next hops of
// every switch (RFC 2992 discusses the choice).
#include "engines/engine.hpp"
#include "routing/flow_hash.hpp"

namespace banyan::engines {
namespace {

struct EcmpOptions {
  u32 paths = 1;
  u64 seed = 1;
  HashKind hash = HashKind::mix;
  HashSeeds seeds = HashSeeds::of_switch;
  static void fields(auto& self, auto&& f) {
    f("paths", self.paths, "queue pairs (flow labels) of each pair, hashed one by one; two may share a path");
    f("seed", self.seed, "another seed, other paths");
    f("hash", self.hash, "mix, or crc32, crc16 or xor16 of the 5-tuple");
    f("seeds", self.seeds, "of the hash: one for each switch, or the same everywhere, which polarises");
  }
};

// A way is a queue pair.
struct QueuePairs {
  FlowHash hash;
  u32 paths;

  u32 count(Nic, Nic, u64) const { return paths; }
  Header way(Nic from, Nic to, u64, u32 i) const { return hash.header(from, to, i); }
};

RouteResult route_ecmp(const Topology& topology, const EcmpOptions& options) {
  if (options.paths == 0) throw InputError("ecmp: paths must be at least 1");
  return Routing{HashedNextHops(shortest_port_sets(topology.fabric)),
                 Source(QueuePairs{{options.hash, options.seeds, options.seed}, options.paths})};
}

}  // namespace

Engine ecmp_engine() {
  return make_engine<route_ecmp>("ecmp", "Hopps, RFC 2992",
                                 "any graph: a hash of the flow over the shortest next hops of every switch",
                                 {.deadlock_free = false, .minimal = true, .any_graph = true});
}

}  // namespace banyan::engines
