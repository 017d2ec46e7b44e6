// Everything that the packets of some pairs of NICs may do, as a graph: a vertex is a node and the header
// with which a packet comes there, and lists the hops that are offered. For devices, which know no forward.
#pragma once
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "flit/simulation.hpp"
#include "gpu/model_data.hpp"

namespace banyan::flit {

class RouteGraph {
 public:
  // The ways of all these pairs, by source * NICs + destination. Not applicable, with the reason: a pair has
  // no way; there are too many vertices; packets could wait for each other in a circle.
  static std::variant<RouteGraph, NotApplicable> make(const SimulationSetup& setup,
                                                      const std::vector<bool>& pairs, u64 bytes);

  std::vector<u32> first_hop;  // by vertex, and one past the last
  std::vector<gpu::ModelHop> hop;
  std::vector<u32> first_way;  // by pair, and one past the last
  std::vector<u32> way;        // vertices

 private:
  struct Key {
    Node node;
    Header header;
    bool operator==(const Key&) const = default;
  };

  RouteGraph() = default;
  u32 vertex(const Key& key);  // an old or a new one
  void make_room();
  std::optional<NotApplicable> follow(const SimulationSetup& setup);
  bool has_a_circle(const SimulationSetup& setup) const;

  std::vector<Key> keys_;     // by vertex
  std::vector<u32> buckets_;  // a vertex, plus 1, or 0; a power of two of them
};

}  // namespace banyan::flit
