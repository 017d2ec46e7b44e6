#include "gpu/device.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "base/part.hpp"

namespace banyan::gpu {
namespace {

void must_do(const char* reason) {
  if (reason) throw DeviceFailure(reason);
}

}  // namespace

std::variant<Device, NotApplicable> Device::find() {
  std::error_code ignored;
  const std::string path = base::part_path("libbanyan_gpu.so");
  if (!std::filesystem::exists(path, ignored))
    return NotApplicable{"this build has no part for GPUs; docs/gpu.md says where it is built"};
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return NotApplicable{fmt::format("the part for GPUs cannot be loaded: {}", dlerror())};
  if (auto why = base::part_refusal(library, path)) return NotApplicable{std::move(*why)};
  using Function = const DeviceCalls* (*)();
  const auto function = reinterpret_cast<Function>(dlsym(library, device_calls_name));
  if (!function) return NotApplicable{path + " is not of this program"};
  return find(*function());
}

std::variant<Device, NotApplicable> Device::find(const DeviceCalls& calls) {
  DeviceFacts facts;
  if (const char* reason = calls.find(&facts))
    return NotApplicable{fmt::format("there is no GPU that can be used: {}", reason)};
  return Device(calls, facts);
}

TagSampler::TagSampler(const Device& device, const TagData& data)
    : calls_(&device.calls()), made_(nullptr, device.calls().free) {
  void* made = nullptr;
  must_do(calls_->make_tags(&data, &made));
  made_.reset(made);
}

void TagSampler::run(u64 seed, u64 first, std::span<TagLoads> out) const {
  must_do(calls_->run_tags(made_.get(), seed, first, out.size(), out.data()));
}

Replicas::Replicas(const Device& device, const ReplicaFabric& fabric, const ReplicaStart& start)
    : calls_(&device.calls()), made_(nullptr, device.calls().free_replicas) {
  void* made = nullptr;
  must_do(calls_->make_replicas(&fabric, &start, &made));
  made_.reset(made);
}

void Replicas::begin(std::span<const ReplicaRun> runs) const {
  must_do(calls_->begin_replicas(made_.get(), runs.data()));
}

void Replicas::finish(const ReplicaResults& out) const {
  must_do(calls_->finish_replicas(made_.get(), &out));
}

Models::Models(const Device& device, const ModelData& data, const ModelStart& start)
    : calls_(&device.calls()), made_(nullptr, device.calls().free_model) {
  void* made = nullptr;
  must_do(calls_->make_model(&data, &start, &made));
  made_.reset(made);
}

void Models::begin(std::span<const ReplicaRun> runs) const {
  must_do(calls_->begin_model(made_.get(), runs.data()));
}

void Models::finish(const ModelResults& out) const { must_do(calls_->finish_model(made_.get(), &out)); }

Network::Network(const Device& device, const NetworkData& data, const NetworkStart& start)
    : calls_(&device.calls()), made_(nullptr, device.calls().free_network) {
  void* made = nullptr;
  must_do(calls_->make_network(&data, &start, &made));
  made_.reset(made);
}

void Network::run(const ReplicaRun& run, const ReplicaResults& out) const {
  must_do(calls_->run_network(made_.get(), &run, &out));
}

SweepLoads::SweepLoads(const Device& device, const SweepData& data)
    : calls_(&device.calls()), made_(nullptr, device.calls().free_sweep) {
  void* made = nullptr;
  must_do(calls_->make_sweep(&data, &made));
  made_.reset(made);
}

void SweepLoads::run(const SweepVictims& victims, std::span<u32> out) const {
  must_do(calls_->run_sweep(made_.get(), &victims, out.data()));
}

void search_orders(const Device& device, const OrderData& data, const OrderChains& chains,
                   std::span<u32> out) {
  must_do(device.calls().search_orders(&data, &chains, out.data()));
}

Walks::Walks(const Device& device, const WalkData& data)
    : calls_(&device.calls()), made_(nullptr, device.calls().free_walks) {
  void* made = nullptr;
  must_do(calls_->make_walks(&data, &made));
  made_.reset(made);
}

void Walks::run(const WalkDraws& draws, std::span<WalkLoads> out) const {
  must_do(calls_->run_draws(made_.get(), &draws, out.data()));
}

void Walks::run(const WalkRounds& rounds, std::span<WalkLoads> out) const {
  must_do(calls_->run_rounds(made_.get(), &rounds, out.data()));
}

}  // namespace banyan::gpu
