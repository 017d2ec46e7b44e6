// What launches have in common: data that is copied before, blocks that fill the device, results after.
#pragma once
#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "gpu/cuda/memory.cuh"

namespace banyan::gpu {

// Copies on the device of all arrays that data lists; its pointers then lead to them. Null stays null.
class DeviceCopies {
 public:
  template <class Data>
  explicit DeviceCopies(Data& data) {
    Data::arrays(data, [this](auto& array, u64 size) {
      if (!array) return;
      using T = std::remove_reference_t<decltype(*array)>;
      copies_.emplace_back(std::span(reinterpret_cast<const u8*>(array), size * sizeof(T)));
      array = reinterpret_cast<T*>(copies_.back().data());
    });
  }

 private:
  std::vector<DeviceArray<u8>> copies_;
};

inline int device_number() {
  int out = 0;
  must(cudaGetDevice(&out), "finding the device");
  return out;
}

inline u32 asked(cudaDeviceAttr what) {
  int out = 0;
  must(cudaDeviceGetAttribute(&out, what, device_number()), "asking the device");
  return static_cast<u32>(out);
}

// Of a multiprocessor's memory, at most.
inline u32 max_block_bytes() { return asked(cudaDevAttrMaxSharedMemoryPerBlockOptin); }

// Blocks of the kernel that the device holds at once, each with so much of a multiprocessor's memory. `what`
// a block has: it is named where not one fits.
template <class Kernel>
u32 blocks_at_once(Kernel kernel, u32 threads, u32 bytes, const char* what) {
  must(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
       "taking a multiprocessor's memory");
  int blocks = 0;
  must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), bytes),
       "asking the device");
  if (blocks == 0)
    throw DeviceError(std::string(what) + " needs " + std::to_string(bytes) +
                      " bytes of a multiprocessor's memory");
  return asked(cudaDevAttrMultiProcessorCount) * static_cast<u32>(blocks);
}

// Waits for what was started, and copies its results.
template <class T>
void collect(const Stream& stream, const DeviceArray<T>& found, u64 count, T* out) {
  must(cudaGetLastError(), "starting a kernel");
  stream.wait();
  must(cudaMemcpy(out, found.data(), count * sizeof(T), cudaMemcpyDeviceToHost), "copying from the device");
}

}  // namespace banyan::gpu
