// What a GPU does, beside the bars: one line for each, as name, figure, unit, bar. Figures are means of five
// runs after one to warm up; results are in this machine's memory when the clock stops. Status 3 without a
// GPU. An argument: only those with this text in their name.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "engines/engine.hpp"
#include "flow/device_sampler.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

struct Bar {
  const char *name, *fabric, *pattern;
  u64 samples;  // of a run
  double bar;   // millions a second; 0: none
};
constexpr Bar bars[] = {
    {"permutations, 3,456 hosts", "XGFT(3; 12,12,24; 1,12,12)", "permutation", 20'000'000, 25},
    {"permutations, 11,664 hosts", "PGFT(3; 18,18,36; 1,18,18; 1,1,1)", "permutation", 6'000'000, 7},
    {"permutations, 1,944 hosts", "PGFT(3; 18,18,6; 1,18,3; 1,1,6)", "permutation", 30'000'000, 0},
    {"bisections, 3,456 hosts", "XGFT(3; 12,12,24; 1,12,12)", "bisection", 10'000'000, 0},
    {"bisections, 11,664 hosts", "PGFT(3; 18,18,36; 1,18,18; 1,1,1)", "bisection", 3'000'000, 0},
};

double seconds_of(const auto& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void measure(const gpu::Device& device, const Bar& bar) {
  const Topology topology = make_topology(bar.fabric);
  const Routing routing = std::get<Routing>(route(topology, "dmodk"));
  const Placement placement = place_linearly(topology.fabric.hosts());
  const Traffic traffic = make_traffic({topology, topology.fabric.hosts()}, bar.pattern);
  const LoadSampler sampler(topology, routing, traffic, placement);
  const auto arrays = std::get<TagArrays>(TagArrays::make(sampler.tags()->levels(), traffic.draw));
  const gpu::TagSampler samples(device, arrays.data());
  std::vector<gpu::TagLoads> found(bar.samples);
  constexpr u32 runs = 5;
  double sum = 0;
  for (u32 run = 0; run <= runs; ++run) {
    const double seconds = seconds_of([&] { samples.run(run + 1, 0, found); });
    if (run > 0) sum += static_cast<double>(bar.samples) / seconds / runs;
  }
  std::puts(fmt::format("{}\t{:.2f}\tM/s\t{}", bar.name, sum / 1e6,
                        bar.bar > 0 ? fmt::format("{:g}", bar.bar) : "-")
                .c_str());
  std::fflush(stdout);
}

int run_all(const std::string& only) {
  const auto found = gpu::Device::find();
  if (const auto* reason = std::get_if<NotApplicable>(&found)) {
    std::puts(reason->why.c_str());
    return 3;
  }
  for (const Bar& bar : bars)
    if (std::string_view(bar.name).find(only) != std::string_view::npos)
      measure(std::get<gpu::Device>(found), bar);
  return 0;
}

}  // namespace
}  // namespace banyan::tests

int main(int count, char** arguments) { return banyan::tests::run_all(count > 1 ? arguments[1] : ""); }
