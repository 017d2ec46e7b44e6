// Vectors over a whole fabric of which a process uses the part that is its own: their elements are zero bytes
// until they are written, and pages that nobody writes take no memory.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "base/large_pages.hpp"

namespace banyan::flit {

using base::ask_for_large_pages;

// Bytes of memory for so many: of much memory, whole large pages.
constexpr std::size_t large_page = std::size_t{2} << 20;
constexpr std::size_t mapped_bytes(std::size_t bytes) {
  return bytes < large_page / 2 ? bytes : (bytes + large_page - 1) / large_page * large_page;
}
// Zeroed; much memory begins with a large page. Null: there is none.
inline void* map_pages(std::size_t bytes) {
  const std::size_t size = mapped_bytes(bytes), spare = size % large_page == 0 ? large_page : 0;
  void* const found =
      mmap(nullptr, size + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (found == MAP_FAILED) return nullptr;
  if (spare == 0) return found;
  char* const first = static_cast<char*>(found);
  const std::size_t before = (large_page - reinterpret_cast<std::uintptr_t>(found) % large_page) % large_page;
  if (before > 0) munmap(first, before);
  if (before < spare) munmap(first + before + size, spare - before);
  return first + before;
}

template <class T>
struct ZeroPages {
  static_assert(std::is_trivially_copyable_v<T>);
  using value_type = T;
  ZeroPages() = default;
  template <class U>
  ZeroPages(const ZeroPages<U>&) {}

  T* allocate(std::size_t count) {
    void* const found = map_pages(count * sizeof(T));
    if (found == nullptr) throw std::bad_alloc();
    return static_cast<T*>(found);
  }
  void deallocate(T* at, std::size_t count) { munmap(at, mapped_bytes(count * sizeof(T))); }
  void construct(T*) {}  // the system has zeroed it
  template <class... A>
  void construct(T* at, A&&... arguments) {
    std::construct_at(at, std::forward<A>(arguments)...);
  }
  bool operator==(const ZeroPages&) const = default;
};

template <class T>
using PagedVector = std::vector<T, ZeroPages<T>>;  // to be resized once

// To be called before it is written. The system may refuse: then nothing changes.
template <class T>
void use_large_pages([[maybe_unused]] PagedVector<T>& vector) {
#ifdef MADV_HUGEPAGE
  const std::size_t bytes = mapped_bytes(vector.capacity() * sizeof(T));
  if (bytes > 0 && bytes % large_page == 0) madvise(vector.data(), bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace banyan::flit
