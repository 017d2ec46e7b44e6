// A GPU and the processors compute the same bits: random fat-trees, placements, patterns and seeds on both.
// Without a GPU it fails.
#include <fmt/format.h>

#include <cstdio>

#include "base/random.hpp"
#include "engines/engine.hpp"
#include "flow/device_sampler.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

// PGFT(h; m; w; p) with at most some 20,000 hosts.
std::string random_tree(Random& random) {
  const u32 h = 2 + static_cast<u32>(random.below(4));
  const u32 max_m = h == 2 ? 64 : h == 3 ? 24 : h == 4 ? 10 : 6;
  std::string m, w, p;
  for (u32 l = 0; l < h; ++l) {
    const char* comma = l > 0 ? "," : "";
    m += fmt::format("{}{}", comma, 1 + random.below(max_m));
    w += fmt::format("{}{}", comma, l == 0 ? 1 : 1 + random.below(h < 4 ? 12 : 4));
    p += fmt::format("{}{}", comma, 1 + random.below(l == 0 ? 1 : 3));
  }
  return fmt::format("PGFT({}; {}; {}; {})", h, m, w, p);
}

Placement random_placement(u32 hosts, Random& random) {
  std::vector<Host> all;
  for (u32 i = 0; i < hosts; ++i) all.push_back(Host{i});
  if (random.below(2) == 0) random.shuffle(std::span(all));
  if (random.below(2) == 0) all.resize(1 + random.below(hosts));
  Placement out;
  for (const Host host : all) out.push_back(host);
  return out;
}

enum class Outcome { same, different, refused };

Outcome compare(const gpu::Device& device, const std::string& fabric, const char* pattern, Random& random) {
  const Topology topology = make_topology(fabric);
  const auto routing = route(topology, "dmodk");
  const Placement placement = random_placement(topology.fabric.hosts(), random);
  const Traffic traffic = make_traffic({topology, static_cast<u32>(placement.size())}, pattern);
  const LoadSampler sampler(topology, std::get<Routing>(routing), traffic, placement);
  const auto made = DeviceSampler::make(device, sampler);
  if (std::holds_alternative<NotApplicable>(made)) return Outcome::refused;
  const u64 seed = random(), first = random.below(1000);
  std::vector<RoundLoads> here(200), there(here.size());
  sampler.run(seed, first, here);
  std::get<DeviceSampler>(made).run(seed, first, there);
  return here == there ? Outcome::same : Outcome::different;
}

int run_all(u64 cases) {
  const auto found = gpu::Device::find();
  if (const auto* reason = std::get_if<NotApplicable>(&found)) {
    std::puts(reason->why.c_str());
    return 1;
  }
  const auto& device = std::get<gpu::Device>(found);
  Random random(1);
  u64 same = 0, refused = 0;
  for (u64 i = 0; i < cases; ++i) {
    const std::string fabric = i == 0   ? "XGFT(3; 12,12,24; 1,12,12)"
                               : i == 1 ? "PGFT(3; 18,18,36; 1,18,18; 1,1,1)"
                                        : random_tree(random);
    for (const char* pattern : {"permutation", "bisection"}) {
      const Outcome outcome = compare(device, fabric, pattern, random);
      same += outcome == Outcome::same;
      refused += outcome == Outcome::refused;
      if (outcome == Outcome::different) {
        std::puts(fmt::format("{} under {}: results differ", pattern, fabric).c_str());
        return 1;
      }
    }
  }
  std::puts(
      fmt::format("{}: {} cases of 200 samples equal, {} refused", device.name(), same, refused).c_str());
  return same > 0 ? 0 : 1;
}

}  // namespace
}  // namespace banyan::tests

int main(int count, char** arguments) {
  return banyan::tests::run_all(count > 1 ? std::stoull(arguments[1]) : 150);
}
