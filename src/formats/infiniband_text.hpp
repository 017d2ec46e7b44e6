// Reads and writes the syntax that ibnetdiscover's output and ibsim's netlists share.
#pragma once
#include <iosfwd>
#include <string>

#include "formats/format.hpp"

namespace banyan::formats {

FabricFile read_infiniband_text(std::istream& in, const std::string& file);
bool looks_like_infiniband_text(std::string_view head);

// How the ends of cables name nodes: by GUID, "S-0002c90200000000", as ibnetdiscover does, or by name where
// every name can be quoted, which helps users who write SIM_HOST=h12.
enum class NodeKeys { guids, names };
void write_infiniband_text(const FabricFile& fabric, std::ostream& out, NodeKeys keys);

}  // namespace banyan::formats
