#include "ask/sweep_loads.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ask/any_hash.hpp"
#include "ask/on_gpu.hpp"
#include "base/saturating.hpp"
#include "flow/load_sampler.hpp"

namespace banyan::ask {
namespace {

// Processors and a GPU count the same loads; both are summed up here. What a GPU counts arrives.
SweptLoad summed_up(const auto& max_loads) {
  SweptLoad out;
  for (const double load : max_loads) {
    out.max_load += load;
    out.max_load_worst = std::max(out.max_load_worst, load);
  }
  out.max_load /= static_cast<double>(std::max<std::size_t>(1, max_loads.size()));
  return out;
}

}  // namespace

SweepTraffic::SweepTraffic(const Situation& at, const Routing& before, u64 samples)
    : at_(at), routing_(before), job_(at.job()), samples_(job_.traffic.is_random ? samples : 1) {
  if (samples_ == 0) throw InputError("--samples is 0; expected at least 1 for a sweep");
  if (hashes(before)) throw InputError("where switches hash, a sweep lays no traffic: expected no --samples");
  if (at.topology.fabric.columns() > 1)
    throw InputError("a sweep lays no traffic on several rails: expected no --samples");
}

std::optional<NotApplicable> SweepTraffic::take_gpu(u64 victims) {
  constexpr u64 flows_in_a_second = 100'000'000;  // of processors, under tables
  const bool is_open = at_.device == DeviceChoice::automatic;
  if (is_open && saturating_multiply(saturating_multiply(victims, samples_), job_.traffic.ranks) <
                     flows_in_a_second * at_.threads)
    return not_worth_a_gpu();
  const auto found = find_gpu(at_);
  const auto* const none = std::get_if<NotApplicable>(&found);
  if (is_open && none) return *none;
  auto made = SweepArrays::make(at_.topology, routing_, job_.traffic, job_.placement, at_.seed, samples_);
  if (const auto* reason = std::get_if<NotApplicable>(&made)) return *reason;
  if (none) return *none;
  const auto& device = std::get<gpu::Device>(found);
  try {
    arrays_.emplace(std::get<SweepArrays>(std::move(made)));
    device_name_ = device.name();
    device_ = std::make_unique<DeviceSweep>(device, *arrays_);
    return std::nullopt;
  } catch (const gpu::DeviceFailure& failure) {
    leave_gpu(failure.what());
    return NotApplicable{failure_};
  }
}

void SweepTraffic::leave_gpu(const std::string& why) {
  failure_ = fmt::format("{}: {}", *device_name_, why);
  device_.reset();
  device_name_.reset();
}

SweptLoad SweepTraffic::before() const { return without(at_.topology, routing_); }

SweptLoad SweepTraffic::without(const Topology& rest, const Routing& routing) const {
  const LoadSampler sampler(rest, routing, job_.traffic, job_.placement);
  std::vector<RoundLoads> rounds(samples_ * job_.traffic.rounds);
  sampler.run(at_.seed, 0, rounds);
  std::vector<double> loads;
  u64 undelivered = 0;
  for (const RoundLoads& round : rounds) {
    loads.push_back(round.max_load);
    undelivered += round.undelivered;
  }
  SweptLoad out = summed_up(loads);
  out.undelivered = undelivered;
  return out;
}

std::optional<SweepPatch> SweepTraffic::patch(const Fabric& rest, const Routing& routing) const {
  return device_ ? arrays_->patch(rest, routing) : std::nullopt;
}

std::vector<std::optional<SweptLoad>> SweepTraffic::on_gpu(std::span<const SweepPatch* const> patches) const {
  const std::vector<u32> found = device_->max_loads(patches, at_.threads);
  std::vector<std::optional<SweptLoad>> out;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const auto of = std::span(found).subspan(i * samples_, samples_);
    const bool is_known = std::find(of.begin(), of.end(), gpu::sweep_unknown) == of.end();
    out.push_back(is_known ? std::optional(summed_up(of)) : std::nullopt);
  }
  return out;
}

}  // namespace banyan::ask
