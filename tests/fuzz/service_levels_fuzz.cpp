// Any bytes are read as service levels of a small tree's tables, or refused with an InputError; what was read
// can be judged.
#include <sstream>

#include "formats/opensm_lanes.hpp"
#include "topology/topology.hpp"
#include "verify/judge.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace banyan::tests;
  static const Topology tree = make_topology("2-ary 2-tree");
  static const Subnet subnet = std::get<Subnet>(assign_lids(tree.fabric, {}, 1));
  Routing routing{Tables(tree.fabric, 1), Source(TableWays{1, 0, {}, {}}), 1, 1};  // of empty tables
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  try {
    read_service_levels(in, "fuzz", subnet, routing);
    judge(tree.fabric, routing, {1, {}});
  } catch (const InputError&) {
  }
  return 0;
}
