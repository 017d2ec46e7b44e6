// Netlists that ibsim plays. They read like ibnetdiscover's output; written ones call nodes by their names.
#include "formats/infiniband_text.hpp"

namespace banyan::formats {

Format ibsim_format() {
  return {"ibsim",
          {".net", ".topo"},
          "a netlist for the InfiniBand simulator ibsim",
          looks_like_infiniband_text,
          read_infiniband_text,
          [](const FabricFile& fabric, std::ostream& out) {
            write_infiniband_text(fabric, out, NodeKeys::names);
          }};
}

}  // namespace banyan::formats
