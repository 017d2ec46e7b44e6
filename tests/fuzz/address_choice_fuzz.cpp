// Any bytes are read as a choice among the addresses of a small grid's hosts, or refused with an InputError;
// what was read can be judged.
#include <sstream>

#include "formats/address_choice_file.hpp"
#include "topology/topology.hpp"
#include "verify/judge.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace banyan::tests;
  static const Topology grid = make_topology("HyperX(2; hosts=1)");
  static const Subnet subnet = std::get<Subnet>(assign_lids(grid.fabric, {}, 1));
  Routing routing{Tables(grid.fabric, 1), Source(TableWays{1, 0, {}, {}}), 1, 1};  // of empty tables
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  try {
    read_address_choice(in, "fuzz", subnet, routing);
    judge(grid.fabric, routing, {1, {}});
  } catch (const InputError&) {
  }
  return 0;
}
