// Any bytes are read as demands of hosts of a small tree, or refused with an InputError; what was read is
// written and read again alike.
#include <sstream>

#include "base/error.hpp"
#include "routing/node_demands.hpp"
#include "topology/topology.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace banyan::tests;
  static const Topology tree = make_topology("2-ary 2-tree");
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  try {
    const HostDemandsRead read = read_host_demands(in, "fuzz", tree.fabric);
    std::ostringstream out;
    write_host_demands(out, read.demands, tree.fabric);
    std::istringstream again(out.str());
    if (read_host_demands(again, "again", tree.fabric).demands != read.demands) __builtin_trap();
  } catch (const InputError&) {
  }
  return 0;
}
