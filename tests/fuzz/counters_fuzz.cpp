// Any bytes are read as counters of a small tree, or refused with an InputError.
#include <sstream>

#include "base/error.hpp"
#include "formats/counters.hpp"
#include "topology/topology.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace banyan::tests;
  static const Topology tree = make_topology("2-ary 2-tree");
  static const banyan::formats::InfinibandIds ids = banyan::formats::complete_ids(tree.fabric, {});
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  banyan::formats::PortCounters out;
  try {
    banyan::formats::read_counters(in, "fuzz", tree.fabric, ids, out);
  } catch (const InputError&) {
  }
  return 0;
}
