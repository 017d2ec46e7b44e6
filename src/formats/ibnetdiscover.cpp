// The output of ibnetdiscover, as infiniband-diags 44 prints it.
#include "formats/infiniband_text.hpp"

namespace banyan::formats {

Format ibnetdiscover_format() {
  return {"ibnetdiscover",
          {".out", ".ibnetdiscover", ".ibnd"},
          "a discovered InfiniBand subnet",
          looks_like_infiniband_text,
          read_infiniband_text,
          [](const FabricFile& fabric, std::ostream& out) {
            write_infiniband_text(fabric, out, NodeKeys::guids);
          }};
}

}  // namespace banyan::formats
