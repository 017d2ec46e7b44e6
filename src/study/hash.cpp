#include "study/hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"

namespace banyan::study {

std::string fnv128(std::string_view bytes) {
  __extension__ using u128 = unsigned __int128;
  constexpr u128 prime = (u128{1} << 88) + 0x13b;
  u128 hash = (u128{0x6c62272e07bb0142} << 64) + 0x62b821756295c58d;
  for (const char byte : bytes) {
    hash ^= static_cast<u8>(byte);
    hash *= prime;
  }
  return fmt::format("{:016x}{:016x}", static_cast<u64>(hash >> 64), static_cast<u64>(hash));
}

std::string fnv128_of_file(const std::string& path) { return fnv128(read_file(path)); }

std::string fnv128_of_files(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return fnv128_of_file(path);
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(path))
    if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.'))
      files.push_back(entry.path().filename().string());
  std::sort(files.begin(), files.end());
  std::string all;
  for (const std::string& file : files)
    all += fmt::format("{} {}\n", file, fnv128_of_file((fs::path(path) / file).string()));
  return fnv128(all);
}

}  // namespace banyan::study
