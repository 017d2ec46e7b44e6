// A folder with what `lldpcli show neighbors -f json0` says on each system, a file for each, called like its
// system.
#pragma once
#include <string>

#include "formats/format.hpp"

namespace banyan::formats {

FabricFile read_lldp_folder(const std::string& path);  // throws InputError

}  // namespace banyan::formats
