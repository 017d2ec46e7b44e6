// Files: the one place where they are opened to be read, and how they are written, whole or not at all.
#pragma once
#include <fstream>
#include <functional>
#include <string>
#include "base/namespaces.hpp"

namespace banyan::base {

// Opens a file to be read, or throws InputError: it is not there, is a folder, or may not be read. Where the
// environment says BANYAN_READ_UNDER=FOLDER:FOLDER, as the explorer's server does for requests from outside,
// only files below these folders are opened, wherever links and dots lead.
std::ifstream open_input(const std::string& path);
bool is_reading_restricted();                // to such folders
bool input_exists(const std::string& path);  // and may be read
std::string read_file(const std::string& path);

// Writes under a temporary name beside the target and renames it at the end; an error, thrown by `write` or
// met on the disk, leaves the target as it was. Devices and pipes are written directly.
void write_whole(const std::string& path, const std::function<void(std::ostream&)>& write);

// With all that are above it. Throws InputError where that cannot be.
void make_folder(const std::string& path);

}  // namespace banyan::base
