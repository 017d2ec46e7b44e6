// The source of routings that send packets through a middle (`valiant`, `ugal`): one way for each middle.
#pragma once
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "engines/engine.hpp"

namespace banyan::engines {

struct MiddleOptions {
  u64 seed = 1;
  static void fields(auto& self, auto&& f) {
    f("seed", self.seed, "another seed, another order of the middles");
  }
};

// Hosts are divided into parts, and each part can be the middle; a pair within a part has one way. The order
// of the middles differs from pair to pair, so packets with the same number do not all meet at one middle.
struct Middles {
  u32 hosts, hosts_per_part, parts;
  u8 state;  // initial state of the header
  u64 seed;
  std::shared_ptr<const std::vector<u32>> first =
      {};  // by part and host: the first middle; null: it is drawn

  u32 part(Nic nic) const { return index(nic) % hosts / hosts_per_part; }
  u32 count(Nic from, Nic to, u64) const { return part(from) == part(to) ? 1 : parts; }
  Header way(Nic from, Nic to, u64, u32 i) const {
    const u32 a = part(from), b = part(to);
    return {.to = address_of(to), .state = state, .tag = a == b ? b : middle(a, to, i)};
  }
  Reads reads() const { return Reads::attachment; }

  u64 drawn(u32 a, Nic to) const { return Random(seed, u64{a} << 32 | index(to)).at(0); }
  u32 middle(u32 a, Nic to, u32 i) const {
    if (first && index(to) < hosts) return ((*first)[std::size_t{a} * hosts + index(to)] + i) % parts;
    return static_cast<u32>((drawn(a, to) + i) % parts);
  }
  // The same with all first middles drawn at once, where that is little memory: the simulator asks again and
  // again.
  Middles drawn_at_once() const;
};

// Routes through middle switches of a HyperX, mesh or torus, middle groups of a Dragonfly, and elsewhere
// middle switches with hosts.
RouteResult route_by_middles(const Topology& topology, std::string_view engine, u8 state, u64 seed);

// On any graph, with a lane for each hop, or with an escape where these would be too many. `groups`: by
// switch, where packets decide once more behind a first hop within their group.
RouteResult route_on_graph(const Topology& topology, std::string_view engine, u8 state, u64 seed,
                           std::vector<u32> groups = {});

// Any hop of a shortest path on any graph, with such an escape.
RouteResult route_shortest_with_escape(const Topology& topology, std::string_view engine);

// Whether GridDetours route this topology: a complete mesh or torus that is not too large.
bool has_grid_detours(const Topology& topology);

}  // namespace banyan::engines
