// What Banyan asks of a device. Only gpu/cuda/ includes CUDA's headers; it is a shared object of its own,
// libbanyan_gpu.so, loaded where a device is asked for. Functions that can fail return null or the reason,
// which is valid until the next call of the same thread.
#pragma once
#include "gpu/model_data.hpp"
#include "gpu/network_data.hpp"
#include "gpu/order_data.hpp"
#include "gpu/replica_data.hpp"
#include "gpu/sweep_data.hpp"
#include "gpu/tag_data.hpp"
#include "gpu/walk_data.hpp"

namespace banyan::gpu {

struct DeviceFacts {
  char name[256] = {};
  u32 multiprocessors = 0;
  u32 block_bytes = 0;  // memory of a multiprocessor that a block may use
  u64 free_bytes = 0;   // of the device
};

struct DeviceCalls {
  const char* (*find)(DeviceFacts* out);
  // Copies the data to the device. `out` is freed by free().
  const char* (*make_tags)(const TagData* data, void** out);
  // Samples first .. first + count - 1, from any one thread at a time.
  const char* (*run_tags)(void* made, u64 seed, u64 first, u64 count, TagLoads* out);
  void (*free)(void* made);
  // Copies the fabric, and what `start` points to, to the device: the state of a replica that has never run,
  // and by replica its NICs; `targets` of all replicas together. `out` is freed by free_replicas().
  const char* (*make_replicas)(const ReplicaFabric* fabric, const ReplicaStart* start, void** out);
  // Begins to simulate every replica for its run; others may begin, too. Waits until that is done: the
  // results are in memory of the caller.
  const char* (*begin_replicas)(void* made, const ReplicaRun* runs);
  const char* (*finish_replicas)(void* made, const ReplicaResults* out);
  void (*free_replicas)(void* made);
  // The same of one network with all multiprocessors; `out` is freed by free_network().
  const char* (*make_network)(const NetworkData* data, const NetworkStart* start, void** out);
  const char* (*run_network)(void* made, const ReplicaRun* run, const ReplicaResults* out);
  void (*free_network)(void* made);
  // Copies the data to the device; `out` is freed by free_sweep(). Maximum loads by victim and sample.
  const char* (*make_sweep)(const SweepData* data, void** out);
  const char* (*run_sweep)(void* made, const SweepVictims* victims, u32* out);
  void (*free_sweep)(void* made);
  // The same as of replicas, of the whole model; `out` is freed by free_model().
  const char* (*make_model)(const ModelData* data, const ModelStart* start, void** out);
  const char* (*begin_model)(void* made, const ReplicaRun* runs);
  const char* (*finish_model)(void* made, const ModelResults* out);
  void (*free_model)(void* made);
  // Copies the data to the device; `out` is freed by free_walks(). Results by sample; by hash and round.
  const char* (*make_walks)(const WalkData* data, void** out);
  const char* (*run_draws)(void* made, const WalkDraws* draws, WalkLoads* out);
  const char* (*run_rounds)(void* made, const WalkRounds* rounds, WalkLoads* out);
  void (*free_walks)(void* made);
  // By chain and rank: the host in the best order of the chain.
  const char* (*search_orders)(const OrderData* data, const OrderChains* chains, u32* out);
};

constexpr const char* device_calls_name = "banyan_device_calls";  // a function const DeviceCalls*()

}  // namespace banyan::gpu
