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

namespace banyan::flit {

// Random accesses to much memory also wait for its page tables; large pages need few of them. The system may
// refuse: then nothing changes.
inline void ask_for_large_pages([[maybe_unused]] void* first, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = 4096, worthwhile = 4 << 20;
  const auto at = reinterpret_cast<std::uintptr_t>(first);
  const std::uintptr_t begin = (at + page - 1) / page * page, end = (at + bytes) / page * page;
  if (bytes >= worthwhile) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

template <class T>
struct ZeroPages {
  static_assert(std::is_trivially_copyable_v<T>);
  using value_type = T;
  ZeroPages() = default;
  template <class U>
  ZeroPages(const ZeroPages<U>&) {}

  T* allocate(std::size_t count) {
    void* found = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED) throw std::bad_alloc();
    return static_cast<T*>(found);
  }
  void deallocate(T* at, std::size_t count) { munmap(at, count * sizeof(T)); }
  void construct(T*) {}  // the system has zeroed it
  template <class... A>
  void construct(T* at, A&&... arguments) {
    std::construct_at(at, std::forward<A>(arguments)...);
  }
  bool operator==(const ZeroPages&) const = default;
};

template <class T>
using PagedVector = std::vector<T, ZeroPages<T>>;  // to be resized once

}  // namespace banyan::flit
