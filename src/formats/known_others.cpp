#include "formats/known_others.hpp"

#include <array>

namespace banyan::formats {
namespace {

// A file is this if it has all the words.
struct KnownFile {
  std::array<std::string_view, 3> words;
  std::string_view what;
};

constexpr KnownFile known_files[] = {
    {{"\x1f\x8b", "", ""}, "compressed; decompress it first, for example with gzip -d"},
    {{"PARTITION", "AVAIL", "NODELIST"},
     "the output of sinfo, which says how hosts are used; it has no switches"},
    {{"<topology", "<object type=\"Machine\"", ""},
     "an lstopo file, which is the inside of one host; a fabric has hosts and switches"},
    {{"<system version=", "<cpu ", ""},
     "a topology of NCCL or RCCL, which is the inside of one host; a fabric has hosts and switches"},
    {{"<platform", "simgrid", ""},
     "a SimGrid platform, which is not read; write its switches and cables as csv, graphml or edges"},
    {{"npus_count", "topology:", ""},
     "a network of ASTRA-sim, which is not read; write it as a notation: Ring is Torus(N), FullyConnected is "
     "HyperX(N), Switch is XGFT(1; N; 1)"},
    {{"Connections ", "Nodes ", "->"}, "htsim's connection matrix, which is traffic and no fabric"},
    {{"\"DomainUUID\"", "\"GpuIDList\"", ""},
     "NetQ's list of compute nodes; its topology graph is the fabric"},
    {{"topology:", "VMs:", "vm_offset"},
     "a test bed of SONiC: which virtual machines stand for which neighbours of one switch; its list of "
     "links is a "
     "fabric"},
    {{"[[switch]]", "group =", ""},
     "a list of hosts by switch and group, which has no cables between switches; write the cables as csv"},
    {{" green -> ", " blue -> ", ""},
     "the link dump of a Cray XC, which is not read; write the cables as csv or edges"},
    {{"LLDP neighbors", "System Name", "Chassis ID"},
     "the list of one switch's neighbours as its command line prints it; give JSON, a file for each switch "
     "in a "
     "folder "
     "(docs/formats.md, lldp)"},
    {{"Chassis id:", "Port id:", "System Name:"},
     "the list of one switch's neighbours as its command line prints it; give JSON, a file for each switch "
     "in a "
     "folder "
     "(docs/formats.md, lldp)"},
};

}  // namespace

std::string_view known_other(std::string_view head) {
  for (const KnownFile& file : known_files) {
    bool has_all = true;
    for (const std::string_view word : file.words) has_all = has_all && head.find(word) != head.npos;
    if (has_all) return file.what;
  }
  return "";
}

}  // namespace banyan::formats
