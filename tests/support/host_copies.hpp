// Copies of all arrays that data of a device lists, as a device makes them; its pointers then lead to them.
#pragma once
#include <cstring>
#include <type_traits>
#include <vector>

#include "base/types.hpp"

namespace banyan::tests {

class HostCopies {
 public:
  template <class Data>
  explicit HostCopies(Data& data) {
    Data::arrays(data, [this](auto& array, u64 size) {
      if (!array) return;
      using T = std::remove_reference_t<decltype(*array)>;
      std::vector<u64>& copy = copies_.emplace_back((size * sizeof(T) + 7) / 8);
      if (size > 0) std::memcpy(copy.data(), array, size * sizeof(T));
      array = reinterpret_cast<T*>(copy.data());
    });
  }

 private:
  std::vector<std::vector<u64>> copies_;
};

}  // namespace banyan::tests
