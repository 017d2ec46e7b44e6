// How the processes that share one simulation reach each other. It is passed in: this folder knows no MPI.
#pragma once
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
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

// The values of all ranks; `exchange` may be null: then there is one.
template <class T>
std::vector<T> values_of(const Exchange* exchange, T value) {
  if (!exchange) return {value};
  std::string bytes;
  put(bytes, value);
  std::vector<T> out;
  for (std::string_view in : exchange->to_all(bytes)) out.push_back(take<T>(in));
  return out;
}
inline u64 sum_of(const Exchange* exchange, u64 value) {
  const std::vector<u64> all = values_of(exchange, value);
  return std::accumulate(all.begin(), all.end(), u64{0});
}

}  // namespace banyan::flit
