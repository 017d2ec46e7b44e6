// Reads Graphviz DOT. Nodes have kind (host or switch), ports, host and rail. Edges have their ports as
// taillabel and headlabel, which Graphviz draws beside them, and capacity and latency where these are not all
// 1.
#pragma once
#include <iosfwd>
#include <string>

#include "formats/format.hpp"

namespace banyan::formats {

// Words behind a node that say where to draw an edge.
bool is_compass_point(std::string_view word);

FabricFile read_dot(std::istream& in, const std::string& file);

}  // namespace banyan::formats
