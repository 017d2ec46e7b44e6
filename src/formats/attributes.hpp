// The attributes of nodes and edges in GraphML and DOT, which use the same names. Both readers collect them
// here and then describe a RawFabric.
#pragma once
#include <string>
#include <string_view>

#include "formats/raw_fabric.hpp"

namespace banyan::formats {

struct Attributes {
  std::string kind, ports, host, rail;                      // of a node
  std::string source_port, target_port, capacity, latency;  // of an edge

  void set(std::string_view name, std::string_view value);  // ignores other names
  void describe(const RawFabric& raw, RawNode& node, u64 line) const;
  RawCable cable(RawFabric& raw, u32 a, u32 b, u64 line) const;
};

}  // namespace banyan::formats
