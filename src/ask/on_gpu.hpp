// The one place where a question finds a GPU and uses it.
#pragma once
#include <fmt/format.h>

#include <optional>

#include "ask/situation.hpp"
#include "gpu/device.hpp"

namespace banyan::ask {

// That of libbanyan_gpu.so, or of other calls. Not applicable: this build has no part for GPUs, or there is
// no GPU that can be used.
inline std::variant<gpu::Device, NotApplicable> find_gpu(const gpu::DeviceCalls* calls) {
  return calls ? gpu::Device::find(*calls) : gpu::Device::find();
}
inline std::variant<gpu::Device, NotApplicable> find_gpu(const Situation& at) {
  return find_gpu(at.device_calls);
}

// Where a GPU was demanded: why there is none.
inline std::optional<NotApplicable> missing_gpu(const Situation& at) {
  if (at.device != DeviceChoice::gpu) return std::nullopt;
  const auto found = find_gpu(at);
  const auto* const reason = std::get_if<NotApplicable>(&found);
  return reason ? std::optional(*reason) : std::nullopt;
}

inline NotApplicable not_worth_a_gpu() {
  return NotApplicable{"processors do this in less time than a GPU needs to start"};
}

// What f(device) does; why not, if so: f says it, there is no GPU, or it failed. `out`, an answer, then has
// the device, or the failure.
template <class Answer, class F>
std::optional<NotApplicable> on_gpu(const Situation& at, Answer& out, F&& f) {
  const auto found = find_gpu(at);
  if (const auto* const reason = std::get_if<NotApplicable>(&found)) return *reason;
  const auto& device = std::get<gpu::Device>(found);
  try {
    std::optional<NotApplicable> reason = f(device);
    if (!reason) out.device = device.name();
    return reason;
  } catch (const gpu::DeviceFailure& failure) {
    out.device_failure = fmt::format("{}: {}", device.name(), failure.what());
    return NotApplicable{out.device_failure};
  }
}

}  // namespace banyan::ask
