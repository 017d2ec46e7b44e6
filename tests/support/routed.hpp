// A fabric routed by an engine that applies to it, and why an engine does not.
#pragma once
#include <string>
#include <string_view>

#include "engines/engine.hpp"
#include "topology/topology.hpp"

namespace banyan::tests {

inline Routing routed(const Topology& topology, std::string_view engine) {
  return std::get<Routing>(route(topology, engine));
}
inline Routing routed(std::string_view notation, std::string_view engine) {
  return routed(make_topology(notation), engine);
}
inline std::string why_not(std::string_view notation, std::string_view engine) {
  return std::get<NotApplicable>(route(make_topology(notation), engine)).why;
}

}  // namespace banyan::tests
