// Vectors over a whole fabric of which a process uses the part that is its own: their elements are zero bytes
// until they are written, and pages that nobody writes take no memory.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "base/large_pages.hpp"

namespace banyan::flit {

using base::ask_for_large_pages;

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
