// The quick ways to loads against the plain one, on random fabrics, engines and patterns.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "engines/engine.hpp"
#include "flow/load_study.hpp"
#include "routing/table_form.hpp"
#include "support/plain_loads.hpp"
#include "support/random_topology.hpp"
#include "traffic/pattern.hpp"

namespace banyan {
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

void hold(const Topology& t, const Routing& r, const char* pattern) {
  const Placement placement = random_placement(t.fabric.hosts());
  const Traffic traffic = make_traffic({t, static_cast<u32>(placement.size())}, pattern);
  const bool rates = draw(0, 1) == 0;
  const LoadSampler sampler(t, r, traffic, placement, rates);
  const u64 seed = draw(0, 1000), first = draw(0, 5);
  std::vector<RoundLoads> found(traffic.is_random ? draw(1, 20) : 1);
  sampler.run(seed, first, found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const RoundLoads plain = plain_loads(t, r, sampler.listed().flows(seed, first + i), rates);
    RC_ASSERT(near(found[i].max_load, plain.max_load));
    RC_ASSERT(near(found[i].bound, plain.bound));
    RC_ASSERT(near(found[i].mean_rate, plain.mean_rate));
    RC_ASSERT(near(found[i].min_rate, plain.min_rate));
    RC_ASSERT(found[i].undelivered == 0u);
  }
}

const char* random_pattern() {
  static constexpr const char* all[] = {"permutation", "permutation", "bisection", "shift:3", "uniform"};
  return all[draw(0, 4)];
}

RC_GTEST_PROP(Loads, OfFatTreesAreThePlainOnes, ()) {
  const u32 planes = draw(1, 2);
  const Topology t = draw(0, 3) == 0 ? build(random_rail_optimised()) : build(random_pgft(6), planes);
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

// Larger than a block of channels, and with loads beyond a byte: the other counters.
RC_GTEST_PROP(Loads, OfLargerTreesAreThePlainOnes, ()) {
  Pgft tree{
      {draw(20, 40), draw(5, 10), draw(2, 10)}, {1, draw(1, 6), draw(1, 3)}, {1, 1, draw(1, 2)}, 0, 1, {}};
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
}  // namespace banyan
