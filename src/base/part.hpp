// Parts of the program that are loaded when they are needed: libbanyan_mpi.so, libbanyan_gpu.so.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace banyan::base {

// Where a part is: beside the file that this code is in (the program, libbanyan.so or the Python module), as
// in a build, or in lib/banyan of the prefix where that is installed. Where there is none: where a build has
// it.
std::string part_path(std::string_view name);

// Every part has this function, const char*(): the version of the program that it was built with.
constexpr const char* part_version_name = "banyan_part_version";

// Why a part that dlopen() loaded from there must not be called: it is of another version of the program,
// whose calls may differ. None: it is of this one.
std::optional<std::string> part_refusal(void* library, const std::string& path);

}  // namespace banyan::base
