// What a traffic puts on the channels without each victim of a sweep: by processors, or by a GPU for many
// victims at once.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "ask/situation.hpp"
#include "flow/device_sweep.hpp"

namespace banyan::ask {

// Over the samples of a traffic.
struct SweptLoad {
  double max_load = 0, max_load_worst = 0;
  u64 undelivered = 0;

  static void fields(auto& self, auto&& f) {
    f("max_load", self.max_load, "flows",
      "with samples: maximum load of a channel by flows that arrive; mean over the rounds of all samples");
    f("max_load_worst", self.max_load_worst, "flows", "with samples: the greatest max_load of any round");
    f("undelivered", self.undelivered, "flows",
      "with samples: flows of all of them that do not arrive, and load nothing");
  }
};

class SweepTraffic {
 public:
  // The traffic of `at` on its fabric, under a routing that must outlive this object. Throws InputError.
  SweepTraffic(const Situation& at, const Routing& before, u64 samples);

  // Takes the GPU of at.device, for so many victims; why it cannot, if so. Under `auto` that may be because
  // it is not worth while.
  std::optional<NotApplicable> take_gpu(u64 victims);
  bool has_gpu() const { return device_ != nullptr; }
  void leave_gpu(const std::string& why);  // it failed: processors do the rest
  const std::optional<std::string>& device() const { return device_name_; }
  const std::string& device_failure() const { return failure_; }

  u64 samples() const { return samples_; }
  SweptLoad before() const;
  // By processors, from any thread.
  SweptLoad without(const Topology& rest, const Routing& routing) const;
  // What a GPU needs for it, from any thread. None: only processors find it.
  std::optional<SweepPatch> patch(const Fabric& rest, const Routing& routing) const;
  // By patch; none: only processors find it. Throws gpu::DeviceFailure.
  std::vector<std::optional<SweptLoad>> on_gpu(std::span<const SweepPatch* const> patches) const;

 private:
  const Situation& at_;
  const Routing& routing_;
  const Job job_;
  u64 samples_;
  std::optional<SweepArrays> arrays_{};
  std::unique_ptr<DeviceSweep> device_{};
  std::optional<std::string> device_name_{};
  std::string failure_{};
};

}  // namespace banyan::ask
