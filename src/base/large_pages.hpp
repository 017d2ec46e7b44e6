// Large pages for large vectors. Random accesses to much memory also wait for its page tables; large pages
// need few of them. The system may refuse: then nothing changes.
#pragma once
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace banyan::base {

// To be called before the memory is written.
inline void ask_for_large_pages([[maybe_unused]] void* first, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = 4096, worthwhile = 4 << 20;
  const auto at = reinterpret_cast<std::uintptr_t>(first);
  const std::uintptr_t begin = (at + page - 1) / page * page, end = (at + bytes) / page * page;
  if (bytes >= worthwhile) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

// As vector.reserve(); the vector grows at least by half.
template <class T>
void reserve_large(std::vector<T>& vector, std::size_t size) {
  if (size <= vector.capacity()) return;
  std::vector<T> larger;
  larger.reserve(std::max(size, vector.capacity() + vector.capacity() / 2));
  ask_for_large_pages(larger.data(), larger.capacity() * sizeof(T));
  for (T& element : vector) larger.push_back(std::move(element));
  vector = std::move(larger);
}

}  // namespace banyan::base
