// Flows followed hop by hop as a GPU does it, in loops, against the processors' samples and hashes: the same
// bits.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <string>

#include "ask/hash_forecast.hpp"
#include "engines/engine.hpp"
#include "fabric/faults.hpp"
#include "flow/device_sampler.hpp"
#include "routing/flow_hash.hpp"
#include "support/host_device.hpp"
#include "support/random_topology.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

gpu::Device some_device() {
  return std::get<gpu::Device>(
      gpu::Device::find(draw(0, 1) == 0 ? HostDevice<4>::calls() : HostDevice<8>::calls()));
}

Topology walked_topology() {
  Topology out = draw(0, 1) == 0 ? build_in_planes(random_pgft(5), 2) : random_topology();
  if (draw(0, 1) == 0) out.fabric = broken_somewhere(out.fabric, 30);
  return out;
}

Placement walked_placement(u32 hosts) {
  std::vector<Host> all;
  for (u32 i = 0; i < hosts; ++i) all.push_back(Host{i});
  Random(draw(0, 1000)).shuffle(std::span(all));
  if (draw(0, 1) == 0) all.resize(draw(1, hosts));
  Placement out;
  for (const Host host : all) out.push_back(host);
  return out;
}

RC_GTEST_PROP(Walks, OfSamplesHaveTheLoadsOfProcessors, ()) {
  const Topology t = walked_topology();
  static constexpr const char* engines[] = {"minhop",
                                            "dmodc",
                                            "updn",
                                            "sssp",
                                            "ecmp",
                                            "ecmp:3",
                                            "ecmp:2",
                                            "minhop:lmc=1",
                                            "ecmp:hash=crc32",
                                            "ecmp:hash=crc16,seeds=same",
                                            "ecmp:hash=xor16",
                                            "ecmp:paths=2,hash=crc16"};
  const RouteResult result = route(t, engines[draw(0, 11)]);
  RC_PRE(std::holds_alternative<Routing>(result));
  const Placement placement = walked_placement(t.fabric.hosts());
  const Traffic traffic =
      make_traffic({t, static_cast<u32>(placement.size())}, draw(0, 1) == 0 ? "permutation" : "bisection");
  const LoadSampler sampler(t, std::get<Routing>(result), traffic, placement);
  const auto made = DeviceSampler::make(some_device(), sampler);
  RC_TAG(std::string(std::holds_alternative<DeviceSampler>(made) ? "compared" : "refused"));
  if (std::holds_alternative<NotApplicable>(made)) return;
  const u64 seed = draw(0, 1000), first = draw(0, 5);
  std::vector<RoundLoads> expected(draw(1, 12)), found(expected.size());
  sampler.run(seed, first, expected);
  std::get<DeviceSampler>(made).run(seed, first, found);
  RC_ASSERT(found == expected);
}

RC_GTEST_PROP(Walks, OfSamplesHaveTheHistogramOfProcessors, ()) {
  const Topology t = walked_topology();
  static constexpr const char* engines[] = {"minhop", "updn", "ecmp:3", "minhop:lmc=1"};
  const RouteResult result = route(t, engines[draw(0, 3)]);
  RC_PRE(std::holds_alternative<Routing>(result));
  const Placement placement = walked_placement(t.fabric.hosts());
  const Traffic traffic =
      make_traffic({t, static_cast<u32>(placement.size())}, draw(0, 1) == 0 ? "permutation" : "bisection");
  const LoadSampler sampler(t, std::get<Routing>(result), traffic, placement);
  const auto made = DeviceWalks::make(some_device(), sampler, 1);
  RC_TAG(std::string(std::holds_alternative<DeviceWalks>(made) ? "compared" : "refused"));
  if (std::holds_alternative<NotApplicable>(made)) return;
  const u64 seed = draw(0, 1000), first = draw(0, 5), count = draw(1, 12);
  RC_ASSERT(std::get<DeviceWalks>(made).histogram(seed, first, count) ==
            load_histogram(sampler.listed(), seed, first, count, 2));
}

// With weights of next hops, now and then.
Routing weighed(const Topology& t, const Routing& routing) {
  PortSets sets = std::get<HashedNextHops>(routing.forward).sets();
  for (u32 nic = 0; nic < t.fabric.nics(); ++nic)
    for (const Node node : t.fabric.switch_nodes()) {
      const PortSets::Exits exits = sets.exits(node, Nic{nic});
      if (!exits.words || exits.sums || draw(0, 2) > 0) continue;
      u32 count = 0;
      for (u32 i = 0; i < sets.words(); ++i) count += static_cast<u32>(std::popcount(exits.words[i]));
      std::vector<u32> weights;
      for (u32 i = 0; i < count; ++i) weights.push_back(draw(1, 5));
      sets.weigh(sets.group(Nic{nic}), index(node) - sets.first_node(), weights);
    }
  return {HashedNextHops(std::move(sets)), routing.source};
}

std::vector<Flow> equal_flows(u32 nics) {
  static constexpr double demands[] = {1, 0.1, 3, 1.0 / 7};
  const double demand = demands[draw(0, 3)];
  std::vector<Flow> out(draw(0, 60));
  for (Flow& flow : out) flow = {Nic{draw(0, nics - 1)}, Nic{draw(0, nics - 1)}, demand};
  return out;
}

RC_GTEST_PROP(Walks, UnderHashesHaveTheLoadsOfProcessors, ()) {
  const Topology t = walked_topology();
  static constexpr const char* hashes[] = {"mix", "crc32", "crc16", "xor16"};
  const std::string engine = fmt::format("ecmp:hash={}", hashes[draw(0, 3)]);
  Routing routing = std::get<Routing>(route(t, engine + (draw(0, 1) == 0 ? "" : ",seeds=same")));
  if (draw(0, 1) == 0) routing = weighed(t, routing);
  std::vector<std::vector<Flow>> rounds(draw(1, 3));
  for (auto& flows : rounds) flows = equal_flows(t.fabric.nics());
  const gpu::Device device = some_device();
  const auto made = DeviceHashes::make(device, t.fabric, routing, rounds, Measure::demand);
  RC_TAG(std::string(std::holds_alternative<DeviceHashes>(made) ? "compared" : "refused"));
  if (std::holds_alternative<NotApplicable>(made)) return;
  ask::HashForecast forecast{t, routing, rounds, Measure::demand, draw(1, 9), draw(0, 1000)};
  const u32 queue_pairs = draw(1, 4);
  const auto expected = ask::hash_loads(forecast, queue_pairs);
  forecast.device = &std::get<DeviceHashes>(made);
  const auto found = ask::hash_loads(forecast, queue_pairs);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    RC_ASSERT(found[i].max_load == expected[i].max_load);
    RC_ASSERT(found[i].undelivered == expected[i].undelivered);
  }
}

}  // namespace
}  // namespace banyan::tests
