// libbanyan_gpu.so: what a program loads (gpu/device_calls.hpp).
#include <cstdio>
#include <string>

#include "base/version.hpp"
#include "gpu/cuda/model.cuh"
#include "gpu/cuda/network.cuh"
#include "gpu/cuda/orders.cuh"
#include "gpu/cuda/replicas.cuh"
#include "gpu/cuda/sweep.cuh"
#include "gpu/cuda/tags.cuh"
#include "gpu/cuda/walks.cuh"

namespace banyan::gpu {
namespace {

thread_local std::string reason;

// Null, or why f failed.
template <class F>
const char* attempt(F&& f) {
  try {
    f();
    return nullptr;
  } catch (const std::exception& error) {
    reason = error.what();
    return reason.c_str();
  }
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// Throws if there is none. CUDA calls a driver that is not there one that is too old.
void must_have_devices() {
  int devices = 0, driver = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaErrorInsufficientDriver) {
    must(cudaDriverGetVersion(&driver), "CUDA");
    if (driver == 0) throw DeviceError("no driver of NVIDIA was found");
    throw DeviceError("the driver of NVIDIA is for CUDA " + version_text(driver) + ", expected " +
                      version_text(CUDART_VERSION) + " or later");
  }
  if (status == cudaErrorNoDevice || (status == cudaSuccess && devices == 0))
    throw DeviceError("the driver of NVIDIA finds none");
  must(status, "CUDA");
}

const char* find(DeviceFacts* out) {
  return attempt([&] {
    int shared = 0;
    must_have_devices();
    cudaDeviceProp found;
    must(cudaGetDeviceProperties(&found, 0), "CUDA");
    must(cudaSetDevice(0), "CUDA");
    must(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), "CUDA");
    out->block_bytes = static_cast<u32>(shared);
    std::snprintf(out->name, sizeof out->name, "%s", found.name);
    size_t free = 0, all = 0;
    must(cudaMemGetInfo(&free, &all), "CUDA");
    out->free_bytes = free;
    out->multiprocessors = static_cast<u32>(found.multiProcessorCount);
  });
}

const char* make_tags(const TagData* data, void** out) {
  return attempt([&] { *out = new DeviceTags(*data); });
}

const char* run_tags(void* made, u64 seed, u64 first, u64 count, TagLoads* out) {
  return attempt([&] { static_cast<DeviceTags*>(made)->run(seed, first, count, out); });
}

void free_made(void* made) { delete static_cast<DeviceTags*>(made); }

const char* make_replicas(const ReplicaFabric* fabric, const ReplicaStart* start, void** out) {
  return attempt([&] { *out = new DeviceReplicas(*fabric, *start); });
}

const char* begin_replicas(void* made, const ReplicaRun* runs) {
  return attempt([&] { static_cast<DeviceReplicas*>(made)->begin(runs); });
}

const char* finish_replicas(void* made, const ReplicaResults* out) {
  return attempt([&] { static_cast<DeviceReplicas*>(made)->finish(*out); });
}

void free_replicas(void* made) { delete static_cast<DeviceReplicas*>(made); }

const char* make_network(const NetworkData* data, const NetworkStart* start, void** out) {
  return attempt([&] { *out = new DeviceNetwork(*data, *start); });
}

const char* run_network(void* made, const ReplicaRun* run, const ReplicaResults* out) {
  return attempt([&] { static_cast<DeviceNetwork*>(made)->run(*run, *out); });
}

void free_network(void* made) { delete static_cast<DeviceNetwork*>(made); }

const char* make_sweep(const SweepData* data, void** out) {
  return attempt([&] { *out = new DeviceSweep(*data); });
}

const char* run_sweep(void* made, const SweepVictims* victims, u32* out) {
  return attempt([&] { static_cast<DeviceSweep*>(made)->run(*victims, out); });
}

void free_sweep(void* made) { delete static_cast<DeviceSweep*>(made); }

const char* make_model(const ModelData* data, const ModelStart* start, void** out) {
  return attempt([&] { *out = new DeviceModel(*data, *start); });
}

const char* begin_model(void* made, const ReplicaRun* runs) {
  return attempt([&] { static_cast<DeviceModel*>(made)->begin(runs); });
}

const char* finish_model(void* made, const ModelResults* out) {
  return attempt([&] { static_cast<DeviceModel*>(made)->finish(*out); });
}

void free_model(void* made) { delete static_cast<DeviceModel*>(made); }

const char* make_walks(const WalkData* data, void** out) {
  return attempt([&] { *out = new DeviceWalks(*data); });
}

const char* run_draws(void* made, const WalkDraws* draws, WalkLoads* out) {
  return attempt([&] { static_cast<DeviceWalks*>(made)->run(*draws, out); });
}

const char* run_rounds(void* made, const WalkRounds* rounds, WalkLoads* out) {
  return attempt([&] { static_cast<DeviceWalks*>(made)->run(*rounds, out); });
}

void free_walks(void* made) { delete static_cast<DeviceWalks*>(made); }

const char* run_orders(const OrderData* data, const OrderChains* chains, u32* out) {
  return attempt([&] { search_orders(*data, *chains, out); });
}

}  // namespace
}  // namespace banyan::gpu

extern "C" __attribute__((visibility("default"))) const char* banyan_part_version() {
  return banyan::base::version().data();
}

extern "C" __attribute__((visibility("default"))) const banyan::gpu::DeviceCalls* banyan_device_calls() {
  using namespace banyan::gpu;
  static const DeviceCalls calls{find,           make_tags,       run_tags,      free_made,    make_replicas,
                                 begin_replicas, finish_replicas, free_replicas, make_network, run_network,
                                 free_network,   make_sweep,      run_sweep,     free_sweep,   make_model,
                                 begin_model,    finish_model,    free_model,    make_walks,   run_draws,
                                 run_rounds,     free_walks,      run_orders};
  return &calls;
}
