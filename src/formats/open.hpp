// The FABRIC argument of every verb: a notation, or a file in any format that can be read.
#pragma once
#include <string>
#include <string_view>

#include "formats/format.hpp"

namespace banyan::formats {

// A file is told by its content, then by its ending; "-" is standard input. Shapes are not recognised here.
FabricFile open_fabric(std::string_view argument);
FabricFile read_fabric(std::istream& in, const std::string& file);

// "-" is standard output, which needs a format; otherwise an empty format goes by the ending of the path.
void write_fabric(const FabricFile& fabric, const std::string& path, std::string_view format = "");

}  // namespace banyan::formats
