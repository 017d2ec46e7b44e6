// Records that all threads may look at and that are recycled: kept in chunks that never move, known by
// number. Each part of the fabric has chunks of its own, and gets back what it gave out.
#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "flit/wheel.hpp"
#include "flit/zero_pages.hpp"

namespace banyan::flit {

template <DenseId Id, class T>
class SharedPool {
 public:
  static constexpr u32 chunk_bits = 16, max_chunks = 1u << 14;

  SharedPool() : chunks_(max_chunks), owners_(max_chunks) {}

  T& operator[](Id id) { return chunks_[index(id) >> chunk_bits][index(id) & (chunk_size - 1)]; }
  const T& operator[](Id id) const { return chunks_[index(id) >> chunk_bits][index(id) & (chunk_size - 1)]; }
  // The same for a loop, which then need not look for the chunks every time: their list does not move.
  class View {
   public:
    explicit View(const SharedPool& pool) : chunks_(pool.chunks_.data()) {}
    T& operator[](Id id) const { return chunks_[index(id) >> chunk_bits][index(id) & (chunk_size - 1)]; }

   private:
    const std::unique_ptr<T[]>* chunks_;
  };
  u16 owner(Id id) const { return owners_[index(id) >> chunk_bits]; }

  // What a part has: numbers that came back, and the rest of its last chunk.
  struct Stock {
    Bag<Id> free;
    u32 next = 0, end = 0;
  };
  [[gnu::always_inline]] Id take(u16 part, Stock& stock) {
    if (!stock.free.empty()) return stock.free.pop();
    if (stock.next == stock.end) add_chunk(part, stock);
    return Id{stock.next++};
  }

 private:
  static constexpr u32 chunk_size = 1u << chunk_bits;

  [[gnu::noinline]] void add_chunk(u16 part, Stock& stock) {
    const u32 chunk = count_.fetch_add(1);
    if (chunk >= max_chunks) throw InputError("more than a thousand million packets at a time");
    chunks_[chunk] = std::make_unique_for_overwrite<T[]>(chunk_size);
    if (chunk > 0)
      ask_for_large_pages(chunks_[chunk].get(), chunk_size * sizeof(T));  // few use all of the first
    owners_[chunk] = part;
    stock.next = chunk << chunk_bits;
    stock.end = stock.next + chunk_size;
  }

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::vector<u16> owners_;
  std::atomic<u32> count_{0};
};

}  // namespace banyan::flit
