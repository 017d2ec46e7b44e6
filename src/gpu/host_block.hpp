// A Block (gpu/kernel.hpp) as loops over its warps and their lanes, for machines without a device: tests run
// kernels with it.
#pragma once
#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "gpu/kernel.hpp"

namespace banyan::gpu {

class HostWarp {
 public:
  template <class T>
  using PerLane = std::array<T, lanes>;

  template <class F>
  void each(F&& f) const {
    for (u32 lane = 0; lane < lanes; ++lane) f(lane);
  }

  template <class F>
  void compute(F&& f) const {
    each(f);
  }

  u32 ballot(const PerLane<bool>& x) const {
    u32 out = 0;
    for (u32 lane = 0; lane < lanes; ++lane) out |= u32{x[lane]} << lane;
    return out;
  }
  template <class T>
  T from(const PerLane<T>& x, u32 lane) const {
    return x[lane];
  }
  template <class T>
  PerLane<T> shuffled(const PerLane<T>& x, const PerLane<u32>& from) const {
    PerLane<T> out;
    for (u32 lane = 0; lane < lanes; ++lane) out[lane] = x[from[lane]];
    return out;
  }
  u32 max(const PerLane<u32>& x) const { return *std::max_element(x.begin(), x.end()); }

  // Adds in memory that lanes share; the order does not matter.
  static void add(u32& word, u32 amount) { word += amount; }
  static void add(u64& word, u64 amount) { word += amount; }
  static u32 take(u32& word, u32 amount) { return std::exchange(word, word + amount); }  // what it was
  static void raise(u64& word, u64 to) { word = std::max(word, to); }
  static u32 mark(u32& word, u32 bits) { return std::exchange(word, word | bits); }  // returns what it was
  static void unmark(u32& word, u32 bits) { word &= ~bits; }
  static void lower(u32& word, u32 to) { word = std::min(word, to); }
  static u32 last_bit(u32 mask) { return 31 - static_cast<u32>(__builtin_clz(mask)); }
  static u32 first_bit(u32 mask) { return static_cast<u32>(__builtin_ctz(mask)); }
};

// Warps run one after another, from the first or from the last: a kernel's results must not depend on that.
template <u32 count>
class HostBlock {
 public:
  using Warp = HostWarp;
  static constexpr u32 warps = count;

  explicit HostBlock(bool backwards = false) : backwards_(backwards) {}

  template <class F>
  void each_warp(F&& f) const {
    for (u32 i = 0; i < warps; ++i) f(Warp(), backwards_ ? warps - 1 - i : i);
  }

 private:
  bool backwards_;
};

// Likewise for kernels whose threads meet, and are no warps: one after another, from the first or from the
// last.
class HostThreads {
 public:
  explicit HostThreads(u32 count, bool backwards = false) : count_(count), backwards_(backwards) {}

  u32 threads() const { return count_; }
  template <class F>
  void each_thread(F&& f) const {
    for (u32 i = 0; i < count_; ++i) f(backwards_ ? count_ - 1 - i : i);
  }

  static void add(u32& word, u32 amount) { word += amount; }
  static void add(u64& word, u64 amount) { word += amount; }
  static u32 take(u32& word, u32 amount) { return std::exchange(word, word + amount); }
  static void raise(u64& word, u64 to) { word = std::max(word, to); }

 private:
  u32 count_;
  bool backwards_;
};

// Likewise for the warps of a network (gpu/network_kernel.hpp), which run cycle by cycle: a word that a warp
// waits for is there, or the kernel is wrong.
class HostTeam {
 public:
  template <class T>
  using PerThread = std::array<T, lanes>;

  explicit HostTeam(bool backwards = false) : backwards_(backwards) {}

  template <class F>
  void each(F&& f) const {
    for (u32 i = 0; i < lanes; ++i) f(backwards_ ? lanes - 1 - i : i);
  }
  void meet() const {}
  u32 ballot(const PerThread<bool>& x) const { return HostWarp().ballot(x); }
  bool any(const PerThread<bool>& x) const { return ballot(x) != 0; }

  static u32 take(u32& word) { return std::exchange(word, word + 1); }
  static void tell(u32& word, u32 value) { word = value; }
  static void await(const u32& word, u32 value) {
    if (word != value) throw std::logic_error("a visit before it is not done");
  }
  static u64 awaited(bool is_needed, const u64* word, u32 round, u64 found) {
    if (!is_needed) return 0;
    if ((found & 1) == round) return found;
    if ((*word & 1) != round) throw std::logic_error("a word is not there");
    return *word;
  }
  static u64 look(const u64* word) { return *word; }
  static void say(u64* to, u64 word) { *to = word; }
  static u64 read_once(const u64* from) { return *from; }
  static void write_once(u64* to, u64 word) { *to = word; }
  template <class T>
  static T constant(const T* at) {
    return *at;
  }
  static void add(u32& word, u32 amount) { word += amount; }
  static void add(u64& word, u64 amount) { word += amount; }
  static void raise(u64& word, u64 to) { word = std::max(word, to); }
  static void lower(u32& word, u32 to) { word = std::min(word, to); }

 private:
  bool backwards_;
};

}  // namespace banyan::gpu
