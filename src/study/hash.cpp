#include "study/hash.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/file.hpp"

namespace banyan {

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

std::string fnv128_of_file(const std::string& path) { return fnv128(read_whole(path)); }

}  // namespace banyan
