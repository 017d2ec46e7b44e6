// What nodes and edges of a general graph format say of themselves, by the names that GraphML and DOT share.
#pragma once
#include <string>
#include <string_view>

#include "formats/raw_fabric.hpp"

namespace banyan::formats {

struct Attributes {
  std::string kind, ports, host, rail;                      // of a node
  std::string source_port, target_port, capacity, latency;  // of an edge

  void set(std::string_view name, std::string_view value);  // other names are not kept
  void describe(const RawFabric& raw, RawNode& node, u64 line) const;
  RawCable cable(const RawFabric& raw, u32 a, u32 b, u64 line) const;
};

}  // namespace banyan::formats
