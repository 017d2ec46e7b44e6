// Memory and streams of a device, owned. What CUDA refuses is thrown as DeviceError.
#pragma once
#include <cuda_runtime.h>

#include <span>
#include <stdexcept>
#include <string>

#include "base/types.hpp"

namespace banyan::gpu {

using namespace base;

struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // the next call starts afresh
  throw DeviceError(std::string(what) + ": " + cudaGetErrorString(status));
}

template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(u64 size) {
    const cudaError_t status = cudaMalloc(&data_, size * sizeof(T));
    if (status == cudaErrorMemoryAllocation) {
      size_t free = 0, all = 0;
      cudaMemGetInfo(&free, &all);
      cudaGetLastError();
      throw DeviceError("out of device memory: " + std::to_string(size * sizeof(T)) +
                        " more bytes were needed, " + std::to_string(free) + " are free");
    }
    must(status, "allocating device memory");
  }
  explicit DeviceArray(std::span<const T> content) : DeviceArray(content.size()) {
    must(cudaMemcpy(data_, content.data(), content.size_bytes(), cudaMemcpyHostToDevice),
         "copying to the device");
  }
  DeviceArray(DeviceArray&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~DeviceArray() { cudaFree(data_); }

  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

// Memory of this machine that a device copies to while it computes.
template <class T>
class PinnedArray {
 public:
  explicit PinnedArray(u64 size) {
    const std::string what = "allocating " + std::to_string(size * sizeof(T)) + " bytes of pinned memory";
    must(cudaMallocHost(&data_, size * sizeof(T)), what.c_str());
  }
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  ~PinnedArray() { cudaFreeHost(data_); }

  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

class Stream {
 public:
  Stream() { must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream"); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }

  operator cudaStream_t() const { return stream_; }
  void wait() const { must(cudaStreamSynchronize(stream_), "computing on the device"); }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace banyan::gpu
