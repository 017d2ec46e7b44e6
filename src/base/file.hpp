// Files are written whole or not at all.
#pragma once
#include <functional>
#include <iosfwd>
#include <string>

namespace banyan {

// Writes under a temporary name beside the target and renames it at the end; an error, thrown by `write` or
// met on the disk, leaves the target as it was. Devices and pipes are written directly.
void write_whole(const std::string& path, const std::function<void(std::ostream&)>& write);

// With all that are above it. Throws InputError where that cannot be.
void make_folder(const std::string& path);

}  // namespace banyan
