// A format: how to tell it, read it and write it. Formats are listed in formats.def; one file and one line
// add one.
#pragma once
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "formats/infiniband_ids.hpp"
#include "topology/topology.hpp"

namespace banyan::formats {

// What a file says of a fabric.
struct FabricFile {
  Topology topology;
  InfinibandIds ids;
};

struct Format {
  std::string_view name;
  std::vector<std::string_view> endings;  // of file names, with their dot; the first one is usual
  std::string_view summary;
  bool (*sniff)(std::string_view head);  // whether a file that starts like this is of this format
  FabricFile (*read)(std::istream& in, const std::string& file);  // throws InputError; null: not read
  void (*write)(const FabricFile& fabric, std::ostream& out);     // null: not written
};

// How many ports a node shows to those who count by printed numbers.
u32 printed_ports(const Fabric& fabric, Node node);

const std::vector<Format>& formats();
const Format& format_named(std::string_view name);  // throws InputError, naming the nearest one

}  // namespace banyan::formats
