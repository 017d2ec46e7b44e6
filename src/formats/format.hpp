// Format: how to recognise, read and write a file format. Formats are listed in formats.def; a new one needs
// one file and one line.
#pragma once
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.hpp"
#include "base/units.hpp"
#include "formats/infiniband_ids.hpp"
#include "topology/topology.hpp"

namespace banyan::formats {

// What a reader left out, and what it decided that the file does not say in so many words.
struct FileNotes {
  u64 skipped_lines = 0;       // messages of tools between the lines of their output
  u32 unnamed_adapters = 0;    // whose description names no host
  bool rails_guessed = false;  // some rails were decided by leaves alone
  std::string rails_how{};     // how rails were found, in a sentence; empty: the file says them, or has none
};

// The content of a file: the fabric and, if the file has them, InfiniBand's ids.
struct FabricFile {
  Topology topology;
  InfinibandIds ids;
  bool says_hosts = true;     // false: which nodes are hosts was only guessed
  base::Speed unit{};         // of a link of capacity 1, where capacities are speeds; 0: they are numbers
  bool lacks_speeds = false;  // the format has speeds of links, and this file says none
  FileNotes notes{};
};

struct Format {
  std::string_view name;
  std::vector<std::string_view> endings;  // of file names, with their dot; the first one is usual
  std::string_view summary;
  bool (*sniff)(std::string_view head);  // whether a file that starts like this is of this format
  FabricFile (*read)(std::istream& in, const std::string& file);  // throws InputError; null: not read
  void (*write)(const FabricFile& fabric, std::ostream& out);     // null: not written
  bool keeps_port_texts = false;  // what is written has the labels of ports that are no numbers
};

// The number of ports of a node for formats that count by printed numbers.
u32 printed_ports(const Fabric& fabric, Node node);

// What to tell where labels of ports are replaced by numbers; empty where no cable has a text beside it.
std::string lost_port_texts(const Fabric& fabric, std::string_view where);

const Registry<Format>& formats();

}  // namespace banyan::formats
