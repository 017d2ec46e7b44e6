// How the processes that share one simulation reach each other. It is passed in: this folder knows no MPI.
#pragma once
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace banyan::flit {

struct Exchange {
  u32 rank = 0, ranks = 1;
  // Bytes for each rank and from each rank, its own included. All must come; what comes in is there until the
  // next call.
  std::function<void(const std::vector<std::string>& out, std::vector<std::string_view>& in)> swap;

  // What each rank has for all, this one's included. `bytes` must be there as long as the answer is looked
  // at.
  std::vector<std::string_view> to_all(const std::string& bytes) const {
    std::vector<std::string_view> in;
    swap(std::vector<std::string>(ranks, bytes), in);
    in[rank] = bytes;
    return in;
  }
};

// Values as bytes, and back.
template <class T>
void put(std::string& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto* bytes = reinterpret_cast<const char*>(&value);
  out.append(bytes, sizeof value);
}
template <class T>
T take(std::string_view& in) {
  static_assert(std::is_trivially_copyable_v<T>);
  T out;
  std::memcpy(&out, in.data(), sizeof out);
  in.remove_prefix(sizeof out);
  return out;
}
template <class T>
void put_all(std::string& out, const T& values) {
  put(out, u64{values.size()});
  out.append(reinterpret_cast<const char*>(std::to_address(values.begin())),
             values.size() * sizeof(*values.begin()));
}
template <class T>
std::vector<T> take_all(std::string_view& in) {
  std::vector<T> out(take<u64>(in));
  if (!out.empty()) std::memcpy(out.data(), in.data(), out.size() * sizeof(T));
  in.remove_prefix(out.size() * sizeof(T));
  return out;
}

// Over all ranks; `exchange` may be null: then there is one.
inline u64 sum_of(const Exchange* exchange, u64 value) {
  if (!exchange) return value;
  std::string bytes;
  put(bytes, value);
  u64 sum = 0;
  for (std::string_view in : exchange->to_all(bytes)) sum += take<u64>(in);
  return sum;
}
inline double largest_of(const Exchange* exchange, double value) {
  if (!exchange) return value;
  std::string bytes;
  put(bytes, value);
  for (std::string_view in : exchange->to_all(bytes)) value = std::max(value, take<double>(in));
  return value;
}

}  // namespace banyan::flit
