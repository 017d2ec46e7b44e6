// Records that all threads may look at and that are recycled: kept in chunks that never move, known by
// number. Each part of the fabric has chunks of its own, and gets back what it gave out.
#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"
#include "flit/wheel.hpp"

namespace banyan::flit {

template <class T>
class SharedPool {
 public:
  static constexpr u32 chunk_bits = 16, max_chunks = 1u << 14;

  SharedPool() : chunks_(max_chunks), owners_(max_chunks) {}

  T& operator[](u32 i) { return chunks_[i >> chunk_bits][i & (chunk_size - 1)]; }
  const T& operator[](u32 i) const { return chunks_[i >> chunk_bits][i & (chunk_size - 1)]; }
  u16 owner(u32 i) const { return owners_[i >> chunk_bits]; }

  // What a part has: numbers that came back, and the rest of its last chunk.
  struct Stock {
    Bag<u32> free;
    u32 next = 0, end = 0;
  };
  u32 take(u16 part, Stock& stock) {
    if (!stock.free.empty()) return stock.free.pop();
    if (stock.next == stock.end) add_chunk(part, stock);
    return stock.next++;
  }

 private:
  static constexpr u32 chunk_size = 1u << chunk_bits;

  void add_chunk(u16 part, Stock& stock) {
    const u32 chunk = count_.fetch_add(1);
    if (chunk >= max_chunks) throw InputError("more than a thousand million packets at a time");
    chunks_[chunk] = std::make_unique_for_overwrite<T[]>(chunk_size);
    owners_[chunk] = part;
    stock.next = chunk << chunk_bits;
    stock.end = stock.next + chunk_size;
  }

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::vector<u16> owners_;
  std::atomic<u32> count_{0};
};

}  // namespace banyan::flit
