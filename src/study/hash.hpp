// FNV-1a over 128 bits (draft-eastlake-fnv, constants of its section 5): tells inputs of points apart.
#pragma once
#include <string>
#include <string_view>

namespace banyan::study {

std::string fnv128(std::string_view bytes);           // 32 hexadecimal digits
std::string fnv128_of_file(const std::string& path);  // of its content; throws InputError
// Of a folder: of the names and contents of its files, those that are hidden left out; else of the file.
std::string fnv128_of_files(const std::string& path);

}  // namespace banyan::study
