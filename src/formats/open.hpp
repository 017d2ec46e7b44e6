// Opens the FABRIC argument of every verb: a notation, or a file in any readable format.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "formats/format.hpp"

namespace banyan::formats {

// The file that FABRIC names, without the hosts that may follow: "mesh.edges; hosts=4" names mesh.edges.
std::string_view file_of(std::string_view argument);
// The same argument with other names of its files of roles: "mesh.edges; roles=R" names R.
std::string with_role_files(std::string_view argument,
                            const std::function<std::string(const std::string&)>& rename);

// "FILE; hosts=4" gives every switch of a file that names no hosts so many. Recognises a file by its content,
// then by its extension; "-" is standard input. It does not recognise shapes. Throws InputError.
FabricFile open_fabric(std::string_view argument);
FabricFile read_fabric(std::istream& in, const std::string& file);

// Writes a file. "-" is standard output, which needs a format; otherwise an empty format means that of the
// extension. Says in words what the format could not hold; empty: nothing.
std::string write_fabric(const FabricFile& fabric, const std::string& path, std::string_view format = "");

}  // namespace banyan::formats
