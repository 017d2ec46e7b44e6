// Any bytes are read as tables of a small tree, or refused with an InputError; what was read can be judged.
#include <sstream>

#include "formats/opensm_tables.hpp"
#include "topology/topology.hpp"
#include "verify/judge.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace banyan::tests;
  static const Topology tree = make_topology("2-ary 2-tree");
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  try {
    judge(tree.fabric, read_lfts(in, "fuzz", tree.fabric, {}).routing, {1, {}});
  } catch (const InputError&) {
  }
  return 0;
}
