// Files are written whole or not at all, and what cannot be read is told in one way.
#pragma once
#include <fstream>
#include <functional>
#include <string>

namespace banyan {

// Writes under a temporary name beside the target and renames it at the end; an error, thrown by `write` or
// met on the disk, leaves the target as it was. Devices and pipes are written directly.
void write_whole(const std::string& path, const std::function<void(std::ostream&)>& write);

// With those above it, unless it is there. Throws InputError.
void make_folder(const std::string& path);

// Opens a file to be read; throws InputError for one that is not there, or is a folder.
std::ifstream open_file(const std::string& path);
std::string read_whole(const std::string& path);  // all of it

}  // namespace banyan
