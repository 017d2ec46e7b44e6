// Equal-cost multi-path as Ethernet switches do it: a seeded hash of the flow over the shortest next hops of
// every switch (RFC 2992 discusses the choice). With flowlets a switch draws a next hop for every burst
// instead (Vanini et al., Let It Flow: Resilient Asymmetric Load Balancing with Flowlet Switching, NSDI
// 2017).
#include <fmt/format.h>

#include <algorithm>

#include "engines/engine.hpp"
#include "routing/flow_hash.hpp"

namespace banyan::engines {
namespace {

struct EcmpOptions {
  u32 paths = 1;
  u32 flowlets = 0;
  u64 seed = 1;
  HashKind hash = HashKind::mix;
  HashSeeds seeds = HashSeeds::of_switch;
  static void fields(auto& self, auto&& f) {
    f("paths", self.paths, "queue pairs (flow labels) of each pair, hashed one by one; two may share a path");
    f("flowlets", self.flowlets,
      "bursts of each queue pair, equally long: every switch draws a next hop for each, whatever the hash; "
      "0: "
      "packets of a queue pair stay together");
    f("seed", self.seed, "another seed, other paths");
    f("hash", self.hash, "mix, or crc32, crc16 or xor16 of the 5-tuple");
    f("seeds", self.seeds, "of the hash: one for each switch, or the same everywhere, which polarises");
  }
};

// A way is a queue pair, or one of its flowlets. These are drawn as `mix` with a seed for each switch draws.
struct QueuePairs {
  FlowHash hash;
  u32 ways;

  u32 count(Nic, Nic, u64) const { return ways; }
  Header way(Nic from, Nic to, u64, u32 i) const { return hash.header(from, to, i); }
};

RouteResult route_ecmp(const Topology& topology, const EcmpOptions& options) {
  if (options.paths == 0) throw InputError("ecmp: paths must be at least 1");
  constexpr u32 max_ways = 1 << 16;
  const u64 ways = u64{options.paths} * std::max(1u, options.flowlets);
  if (ways > max_ways)
    throw InputError(fmt::format("ecmp: expected at most {} flowlets of a pair, found {}", max_ways, ways));
  const FlowHash hash = options.flowlets > 0 ? FlowHash{.seed = options.seed}
                                             : FlowHash{options.hash, options.seeds, options.seed};
  return Routing{HashedNextHops(shortest_port_sets(topology.fabric)),
                 Source(QueuePairs{hash, static_cast<u32>(ways)})};
}

}  // namespace

Engine ecmp_engine() {
  return make_engine<route_ecmp>("ecmp", "Hopps, RFC 2992",
                                 "any graph: a hash of the flow over the shortest next hops of every switch",
                                 {.deadlock_free = false, .minimal = true, .any_graph = true});
}

}  // namespace banyan::engines
