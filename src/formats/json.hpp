// Reads Banyan's own JSON format, which holds a complete topology. Sections are arrays of rows, one row per
// line, so it can be streamed and compared line by line; docs/formats.md lists the columns.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "formats/format.hpp"

namespace banyan::formats {

constexpr u64 json_version = 1;

// The parsed file, before it is checked and assembled.
struct JsonFabric {
  std::optional<u64> version, hosts, rails;
  std::string notation;
  u64 notation_line = 0;
  base::Speed unit{};  // of a link of capacity 1
  std::vector<LinkClass> classes;
  struct Node {
    u32 ports;
    std::string name;
    u64 line;
  };
  std::vector<Node> nodes;
  struct Cable {
    u32 a, port_a, b, port_b, link_class;
    u64 line;
  };
  std::vector<Cable> links, taken;
  struct Label {
    u32 node, port;
    std::optional<u32> number;
    std::string text;
    u64 line;
  };
  std::vector<Label> labels;
  struct NicRow {
    u32 host;
    std::string rail, adapter;  // as nic_text() has it; a name or nothing
    u64 line;
  };
  std::vector<NicRow> nics;  // host by host, slot by slot; empty: every host has one on each rail
  struct RoleRow {
    u32 host;
    std::string role;
    u64 line;
  };
  std::vector<RoleRow> roles;
  struct VacantRow {
    u32 nic;
    u64 line;
  };
  std::vector<VacantRow> vacant;
  std::vector<InfinibandIds::NodeIds> node_ids;
  struct PortIds {
    u32 node, port;
    InfinibandIds::Attachment ids;
    u64 line;
  };
  std::vector<PortIds> port_ids;
};

JsonFabric parse_json_fabric(std::istream& in, const std::string& file);
FabricFile assemble(JsonFabric said, const std::string& file);

}  // namespace banyan::formats
