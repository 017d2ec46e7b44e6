// Loads after changes of tables as a GPU counts them, in loops, against the processors' samples: the same
// bits.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engines/engine.hpp"
#include "fabric/faults.hpp"
#include "flow/device_sweep.hpp"
#include "flow/load_sampler.hpp"
#include "support/host_device.hpp"
#include "support/random_simulation.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

// Fabrics with some cables less, under an engine that may answer by quite other tables.
RC_GTEST_PROP(Sweep, LoadsOnAGpuAreThoseOfProcessors, ()) {
  const Topology whole = draw(0, 1) == 0 ? build(random_pgft(4)) : random_topology();
  const u32 hosts = whole.fabric.hosts();
  RC_PRE(hosts > 1 && whole.fabric.columns() == 1);
  static constexpr const char* engines[] = {"dmodc", "minhop", "updn", "sssp"};
  const std::string engine = engines[draw(0, 3)];
  const RouteResult routed = route(whole, engine);
  RC_PRE(std::holds_alternative<Routing>(routed));
  const Traffic traffic = make_traffic({whole, hosts}, draw(0, 1) == 0 ? "permutation" : "bisection");
  const Placement placement = place_linearly(hosts);
  const u64 seed = draw(0, 1000), samples = draw(1, 9);
  const auto made = SweepArrays::make(whole, std::get<Routing>(routed), traffic, placement, seed, samples);
  RC_PRE(std::holds_alternative<SweepArrays>(made));
  const auto& arrays = std::get<SweepArrays>(made);
  u32 cables = 0;
  whole.fabric.each_link([&](const Link& link) {
    cables += whole.fabric.is_switch(whole.fabric.from(link.a)) &&
              whole.fabric.is_switch(whole.fabric.from(link.b));
  });
  RC_PRE(cables > 0u);
  std::vector<SweepPatch> patches;
  std::vector<std::vector<RoundLoads>> expected;
  for (u32 i = draw(1, 5); i > 0; --i) {
    Topology rest = whole;
    const u32 links = std::min(draw(1, 3), cables), seed_of_faults = draw(1, 1000);
    const std::string faults = fmt::format("links={},seed={}", links, seed_of_faults);
    rest.fabric = fabric::without(whole.fabric, std::vector{faults});
    const RouteResult again = route(rest, engine);
    if (!std::holds_alternative<Routing>(again)) continue;
    auto patch = arrays.patch(rest.fabric, std::get<Routing>(again));
    if (!patch) continue;
    patches.push_back(std::move(*patch));
    expected.emplace_back(samples);
    LoadSampler(rest, std::get<Routing>(again), traffic, placement).run(seed, 0, expected.back());
  }
  const auto& calls = draw(0, 1) == 0 ? HostDevice<4>::calls() : HostDevice<8>::calls();
  DeviceSweep device(std::get<gpu::Device>(gpu::Device::find(calls)), arrays);
  std::vector<const SweepPatch*> pointers;
  for (const SweepPatch& patch : patches) pointers.push_back(&patch);
  const std::vector<u32> found = device.max_loads(pointers);
  u64 known = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == gpu::sweep_unknown) continue;
    RC_ASSERT(found[i] == expected[i / samples][i % samples].max_load);
    ++known;
  }
  RC_TAG(std::string(known == found.size() ? "all by the GPU" : "some left to processors"));
}

}  // namespace
}  // namespace banyan::tests
