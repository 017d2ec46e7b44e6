// The quick ways to loads against the plain one, on random fabrics, engines and patterns.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "engines/engine.hpp"
#include "flow/device_sampler.hpp"
#include "flow/load_study.hpp"
#include "routing/table_form.hpp"
#include "support/host_device.hpp"
#include "support/plain_loads.hpp"
#include "support/random_topology.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)); }

// Fewer ranks than hosts, anywhere, half of the time.
Placement random_placement(u32 hosts) {
  std::vector<Host> all;
  for (u32 i = 0; i < hosts; ++i) all.push_back(Host{i});
  if (draw(0, 1) == 0) Random(draw(0, 1000)).shuffle(std::span(all));
  if (draw(0, 1) == 0) all.resize(draw(1, hosts));
  Placement out;
  for (const Host host : all) out.push_back(host);
  return out;
}

void hold(const Topology& t, const Routing& r, const Placement& placement, const Traffic& traffic) {
  const bool rates = draw(0, 1) == 0;
  const LoadSampler sampler(t, r, traffic, placement, rates);
  const u64 seed = draw(0, 1000), first = draw(0, 5);
  std::vector<RoundLoads> found(traffic.is_random ? draw(1, t.fabric.nics() > 200 ? 3 : 20) : 1);
  sampler.run(seed, first, found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::vector<Flow> flows = sampler.listed().flows(seed, first + i);
    const RoundLoads plain = plain_loads(t, r, flows, rates);
    RC_ASSERT(near(found[i].max_load, plain.max_load));
    RC_ASSERT(near(found[i].bound, plain.bound));
    RC_ASSERT(near(found[i].mean_rate, plain.mean_rate));
    RC_ASSERT(near(found[i].min_rate, plain.min_rate));
    RC_ASSERT(found[i].undelivered == plain.undelivered);
    RC_ASSERT(found[i].flows == plain.flows);
  }
}

void hold(const Topology& t, const Routing& r, const char* pattern) {
  const Placement placement = random_placement(t.fabric.hosts());
  hold(t, r, placement, make_traffic({t, static_cast<u32>(placement.size())}, pattern));
}

// Some pairs, more than once too, that ask for different amounts.
Traffic unequal_demands(u32 ranks) {
  const auto list = [ranks](u64 seed, u64 sample, u64, std::vector<Demand>& out) {
    Random random(seed, sample);
    for (u32 i = 0; i < 2 * ranks; ++i) {
      const u32 from = static_cast<u32>(random.below(ranks)), to = static_cast<u32>(random.below(ranks));
      out.push_back({Rank{from}, Rank{to}, static_cast<double>(random.below(40)) / 8});
    }
  };
  return {.ranks = ranks, .list = list, .is_random = true};
}

const char* random_pattern() {
  static constexpr const char* all[] = {"permutation", "permutation", "bisection",
                                        "shift:3",     "uniform",     "hotspot:share=0.5"};
  return all[draw(0, 5)];
}

RC_GTEST_PROP(Loads, OfFatTreesAreThePlainOnes, ()) {
  const u32 planes = draw(1, 2);
  const Topology t = draw(0, 3) == 0 ? build(random_several_nics()) : build(random_pgft(6), planes);
  static constexpr const char* engines[] = {"dmodk",  "smodk",  "shift1:3", "disjoint:4", "random:2",
                                            "umulti", "minhop", "dmodc",    "updn:lmc=1", "ecmp:3"};
  const char* engine = engines[draw(0, 1) == 0 ? 0 : draw(0, 9)];
  const RouteResult result = route(t, engine);
  RC_PRE(std::holds_alternative<Routing>(result));
  hold(t, std::get<Routing>(result), random_pattern());
}

RC_GTEST_PROP(Loads, OfOtherFabricsAreThePlainOnes, ()) {
  const Topology t = random_topology();
  static constexpr const char* engines[] = {"minhop", "sssp", "dfsssp", "updn", "nue", "dor", "minhop:lmc=2"};
  const RouteResult result = route(t, engines[draw(0, 6)]);
  RC_PRE(std::holds_alternative<Routing>(result));
  hold(t, std::get<Routing>(result), random_pattern());
}

// The kernels of a device, run in loops.
RC_GTEST_PROP(Loads, OnADeviceAreThoseOfProcessorsBitByBit, ()) {
  const Topology t = build_in_planes(random_pgft(draw(0, 3) == 0 ? 9 : 6), 2);
  const RouteResult result = route(t, "dmodk");
  RC_PRE(std::holds_alternative<Routing>(result));
  const Placement placement = random_placement(t.fabric.hosts());
  const Traffic traffic =
      make_traffic({t, static_cast<u32>(placement.size())}, draw(0, 1) == 0 ? "permutation" : "bisection");
  const LoadSampler sampler(t, std::get<Routing>(result), traffic, placement);
  RC_PRE(sampler.tags() && !sampler.tags()->levels().empty());
  const auto& calls = draw(0, 1) == 0 ? HostDevice<4>::calls() : HostDevice<8>::calls();
  const auto made = DeviceSampler::make(std::get<gpu::Device>(gpu::Device::find(calls)), sampler);
  const u64 seed = draw(0, 1000), first = draw(0, 5);
  std::vector<RoundLoads> expected(draw(1, 20)), found(expected.size());
  sampler.run(seed, first, expected);
  std::get<DeviceSampler>(made).run(seed, first, found);
  RC_ASSERT(found == expected);
}

// Few paths, since the plain way lists every one of them.
Topology random_adaptive() {
  if (draw(0, 2) == 0) return build(random_pgft(3));
  return draw(0, 1) == 0 ? build(random_hyperx(2, 3)) : make_topology("Dragonfly(1,2,1)");
}

RC_GTEST_PROP(Loads, OfAdaptiveRoutingsAreThePlainOnes, ()) {
  const Topology t = random_adaptive();
  RC_PRE(t.fabric.nics() <= 30u);
  static constexpr const char* engines[] = {"adaptive", "dal", "ugal", "valiant"};
  const RouteResult result = route(t, engines[draw(0, 3)]);
  RC_PRE(std::holds_alternative<Routing>(result));
  hold(t, std::get<Routing>(result), random_pattern());
}

RC_GTEST_PROP(Loads, OfDegradedFabricsAreThePlainOnes, ()) {
  Topology t = draw(0, 1) == 0 ? build(random_pgft(5)) : random_topology();
  t.fabric = broken_somewhere(t.fabric, 40);
  static constexpr const char* engines[] = {"minhop", "dmodc", "updn", "sssp", "minhop:lmc=1", "ecmp:3"};
  const RouteResult result = route(t, engines[draw(0, 5)]);
  RC_PRE(std::holds_alternative<Routing>(result));
  hold(t, std::get<Routing>(result), random_pattern());
}

RC_GTEST_PROP(Loads, OfUnequalDemandsAreThePlainOnes, ()) {
  const Topology t = random_topology();
  static constexpr const char* engines[] = {"minhop", "disjoint:3", "dmodk", "umulti", "updn:lmc=1"};
  const RouteResult result = route(t, engines[draw(0, 4)]);
  RC_PRE(std::holds_alternative<Routing>(result));
  const Placement placement = random_placement(t.fabric.hosts());
  hold(t, std::get<Routing>(result), placement, unequal_demands(static_cast<u32>(placement.size())));
}

// Channel by channel, with the flows on the hottest ones; bit by bit the same on any number of threads.
RC_GTEST_PROP(Loads, OfUniformTrafficAreThePlainOnes, ()) {
  const Topology t = draw(0, 1) == 0 ? build(random_pgft(4)) : random_topology();
  static constexpr const char* engines[] = {"minhop", "disjoint:3", "dmodk", "smodk", "umulti", "updn:lmc=1"};
  const RouteResult result = route(t, engines[draw(0, 5)]);
  RC_PRE(std::holds_alternative<Routing>(result));
  const Routing& r = std::get<Routing>(result);
  const Placement placement = random_placement(t.fabric.hosts());
  const u32 ranks = static_cast<u32>(placement.size());
  RC_PRE(ranks > 1u);
  const LoadSampler sampler(t, r, make_traffic({t, ranks}, "uniform"), placement);
  const auto found = sampler.uniform()->loads(1).load;
  RC_ASSERT(found == UniformKernel(t, r, placement, Measure::demand).loads(3).load);
  const std::vector<Flow> flows = sampler.listed().flows(0, 0);
  const auto plain = plain_channel_loads(t, flows, plain_paths(t, r, flows));
  for (const Channel c : found.ids()) RC_ASSERT(near(found[c], plain[c]));
  LoadMeter meter = sampler.listed().meter();
  auto ours = hottest(found, 3), listed = ours;
  sampler.uniform()->add_flows(ours);
  add_flows(listed, meter, flows);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    RC_ASSERT(ours[i].flows.size() == listed[i].flows.size());
    const auto less = [](const auto& a, const auto& b) {
      return std::pair(a.from, a.to) < std::pair(b.from, b.to);
    };
    std::sort(listed[i].flows.begin(), listed[i].flows.end(), less);
    for (std::size_t f = 0; f < ours[i].flows.size(); ++f) {
      RC_ASSERT(ours[i].flows[f].from == listed[i].flows[f].from);
      RC_ASSERT(ours[i].flows[f].to == listed[i].flows[f].to);
      RC_ASSERT(near(ours[i].flows[f].load, listed[i].flows[f].load));
    }
  }
}

// Larger than a block of channels, and with loads beyond a byte: the other counters.
RC_GTEST_PROP(Loads, OfLargerTreesAreThePlainOnes, ()) {
  Pgft tree{{draw(20, 40), draw(5, 10), draw(2, 10)}, {1, draw(1, 6), draw(1, 3)}, {1, 1, draw(1, 2)}};
  tree.host_slots = tree.m[0];
  tree.links.resize(3);
  const Topology t = build(tree);
  hold(t, std::get<Routing>(route(t, "dmodk")), draw(0, 1) == 0 ? "permutation" : "bisection");
}

RC_GTEST_PROP(Loads, DoNotDependOnTheNumberOfThreads, ()) {
  const Topology t = build(random_pgft(5));
  static constexpr const char* engines[] = {"dmodk", "disjoint:3", "minhop"};
  const RouteResult result = route(t, engines[draw(0, 2)]);
  RC_PRE(std::holds_alternative<Routing>(result));
  const Placement placement = random_placement(t.fabric.hosts());
  const Traffic traffic = make_traffic({t, static_cast<u32>(placement.size())}, "permutation");
  const LoadSampler sampler(t, std::get<Routing>(result), traffic, placement, true);
  const u64 samples = draw(1, 100);
  std::vector<LoadStudy> found;
  for (const unsigned threads : {1, 2, 3})
    found.push_back(study_loads(sampler, {.samples = samples, .threads = threads, .screen = {}}));
  for (const LoadStudy& other : found) {
    RC_ASSERT(other.max_load.mean == found[0].max_load.mean);
    RC_ASSERT(other.max_load.samples == samples);
    RC_ASSERT(other.worst == found[0].worst && other.worst_sample == found[0].worst_sample);
    RC_ASSERT(other.ratio_mean == found[0].ratio_mean && other.mean_rate == found[0].mean_rate);
  }
}

}  // namespace
}  // namespace banyan::tests
