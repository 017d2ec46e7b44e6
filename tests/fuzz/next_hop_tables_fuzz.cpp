// Any bytes are read as the table of a switch of a small fabric, or as its addresses, or refused with an
// InputError; what was read can be judged.
#include <sstream>

#include "engines/open_ways.hpp"
#include "formats/next_hop_tables.hpp"
#include "formats/open.hpp"
#include "routing/open_next_hops.hpp"
#include "verify/judge.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace banyan::tests;
  static const Fabric fabric = [] {
    std::istringstream in(
        "graph {\nleaf1:swp1 -- h1:eth1\nleaf1:swp2 -- h2:eth1\nleaf2:swp1 -- h3:eth1\nleaf1:swp49 -- "
        "leaf2:swp49\n}\n");
    return banyan::formats::read_fabric(in, "x").topology.fabric;
  }();
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    banyan::formats::NextHopReader reader(fabric);
    std::istringstream one(text), two(text), addresses(text);
    if (text.starts_with('#')) {
      reader.read_addresses(addresses, "fuzz");
      return 0;
    }
    reader.read(one, "leaf1.json");
    reader.read(two, "leaf2.json");
    const banyan::formats::NextHopsRead read = reader.run("fuzz");
    judge(fabric, Routing{OpenNextHops(fabric, read.sets), Source(banyan::engines::OpenWays{})}, {1, {}});
  } catch (const InputError&) {
  }
  return 0;
}
