// Parts of the program that are loaded when they are needed: libbanyan_mpi.so, libbanyan_gpu.so.
#pragma once
#include <string>
#include <string_view>

namespace banyan::base {

// Where a part is: beside the file that this code is in (the program, libbanyan.so or the Python module), as
// in a build, or in lib/banyan of the prefix where that is installed. Where there is none: where a build has
// it.
std::string part_path(std::string_view name);

}  // namespace banyan::base
