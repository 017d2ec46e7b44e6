// The part for GPUs: its kernels in loops over warps and lanes, what it refuses, and who takes its work then.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "ask/load.hpp"
#include "ask/simulate.hpp"
#include "base/json_writer.hpp"
#include "base/philox.hpp"
#include "base/shuffle.hpp"
#include "engines/engine.hpp"
#include "flow/device_sampler.hpp"
#include "support/host_device.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

using ask::DeviceChoice;

// By a block of warps; every position must be taken once, when its value is final.
template <u32 warps>
std::vector<u16> shuffled_by_block(u32 n, u64 seed, u64 stream, bool backwards) {
  std::vector<u16> out(n);
  std::iota(out.begin(), out.end(), u16{0});
  std::vector<std::pair<u32, u16>> taken;
  gpu::ShuffleMemory<warps - 1> memory;
  prepare_shuffle(gpu::HostBlock<warps>(backwards), memory);
  const auto take = [&](const auto&, u32 helper, u32 first, u32 last) {
    for (u32 i = first; helper == 0 && i < last; ++i) taken.emplace_back(i, out[i]);
  };
  gpu::shuffle_by_block(gpu::HostBlock<warps>(backwards), out.data(), n, philox_number(seed, stream, 0),
                        memory, take);
  std::sort(taken.begin(), taken.end());
  EXPECT_EQ(taken.size(), n);
  for (u32 i = 0; i < taken.size(); ++i) EXPECT_EQ(taken[i], std::pair(i, out[i]));
  for (const u32 refused : memory.refused) EXPECT_EQ(refused, memory.none);
  for (const auto& seen : memory.seen)
    EXPECT_EQ(std::count(std::begin(seen), std::end(seen), 0u), std::ssize(seen));
  return out;
}

TEST(Gpu, ABlockShufflesAsOneThreadDoes) {
  for (const u32 n : {0u, 1u, 2u, 4u, 5u, 8u, 9u, 33u, 129u, 388u, 389u, 900u, 11'664u, 65'535u})
    for (u64 stream = 0; stream < (n < 1000 ? 50 : 3); ++stream) {
      std::vector<u16> expected(n);
      std::iota(expected.begin(), expected.end(), u16{0});
      shuffle(std::span(expected), 7, stream);
      EXPECT_EQ(shuffled_by_block<4>(n, 7, stream, false), expected) << n;
      EXPECT_EQ(shuffled_by_block<8>(n, 7, stream, true), expected) << n;
    }
}

TEST(Gpu, DivisionByAnInverseIsExact) {
  for (const u32 divisor : {1u, 2u, 3u, 7u, 18u, 36u, 255u, 1000u, 32'767u, 65'535u})
    for (u32 x = 0; x < 65'536; ++x)
      ASSERT_EQ(gpu::divided(x, gpu::inverse_of(divisor)), x / divisor) << divisor;
}

// What `load` is asked on a small tree.
class LoadOnGpu : public testing::Test {
 protected:
  // Without processors, anything is worth a GPU.
  ask::Result<ask::LoadAnswer> ask(DeviceChoice device, const gpu::DeviceCalls* calls,
                                   unsigned threads = 1) const {
    ask::Situation at{.topology = topology, .routing = &routing, .traffic = "permutation"};
    at.threads = threads;
    at.device = device;
    at.device_calls = calls;
    return ask::load(at, {.samples = 2000});
  }
  static std::string why(const ask::Result<ask::LoadAnswer>& result) {
    return std::get<NotApplicable>(result).why;
  }

  const Topology topology = make_topology("XGFT(3; 4,4,8; 1,4,4)");
  const Routing routing = std::get<Routing>(route(topology, "dmodk"));
  const gpu::DeviceCalls* const loops = &HostDevice<4>::calls();
  const gpu::DeviceCalls* const failing = &HostDevice<4>::failing_calls();
};

TEST_F(LoadOnGpu, GivesTheSameAnswerAndNamesTheDevice) {
  const auto here = std::get<ask::LoadAnswer>(ask(DeviceChoice::cpu, loops));
  const auto there = std::get<ask::LoadAnswer>(ask(DeviceChoice::gpu, loops));
  EXPECT_EQ(here.max_load.mean, there.max_load.mean);
  EXPECT_EQ(here.max_load.half_width, there.max_load.half_width);
  EXPECT_EQ(here.ratio, there.ratio);
  EXPECT_EQ(here.flows, there.flows);
  EXPECT_EQ(here.device, std::nullopt);
  EXPECT_EQ(there.device, "loops");
}

TEST_F(LoadOnGpu, IsChosenForManySamplesOnly) {
  EXPECT_EQ(std::get<ask::LoadAnswer>(ask(DeviceChoice::automatic, loops)).device, std::nullopt);
  EXPECT_EQ(std::get<ask::LoadAnswer>(ask(DeviceChoice::automatic, loops, 0)).device, "loops");
}

TEST_F(LoadOnGpu, ThatFailsLeavesItsWorkToProcessorsUnlessItWasDemanded) {
  const auto found = std::get<ask::LoadAnswer>(ask(DeviceChoice::automatic, failing, 0));
  EXPECT_EQ(found.device, std::nullopt);
  EXPECT_EQ(found.device_failure, "loops: it was told to");
  EXPECT_EQ(found.max_load.mean, std::get<ask::LoadAnswer>(ask(DeviceChoice::cpu, nullptr)).max_load.mean);
  EXPECT_EQ(why(ask(DeviceChoice::gpu, failing)), "loops: it was told to");
}

TEST_F(LoadOnGpu, SaysWhyItCannot) {
  ask::Situation at{.topology = topology, .routing = &routing, .traffic = "shift:3"};
  at.device = DeviceChoice::gpu;
  at.device_calls = loops;
  EXPECT_NE(why(ask::load(at, {})).find("permutations and bisections"), std::string::npos);
  at.traffic = "permutation";
  EXPECT_NE(why(ask::load(at, {.rates = true})).find("no rates"), std::string::npos);
}

TEST(Gpu, RefusesWhatDoesNotFit) {
  std::vector<TagLevel> levels(1);
  levels[0] = {.fan = 2, .channels = 300, .subtree = {0, 1}, .offset = {0, 1}, .max_up = 256};
  const auto why = [&] {
    return std::get<NotApplicable>(TagArrays::make(levels, Traffic::Draw::permutation)).why;
  };
  EXPECT_EQ(why(), "a GPU counts loads up to 255; here is a channel of 256 flows at the worst");
  levels[0].max_up = 1;
  levels[0].subtree[0] = 70'000;
  EXPECT_NE(why().find("at most 65535 subtrees"), std::string::npos);
  levels.resize(6);
  EXPECT_EQ(why(), "a GPU takes fat-trees of 2 to 6 levels of switches, not of 7");
}

// What `simulate` is asked on a small tree, or on another fabric.
class SimulateOnGpu : public testing::Test {
 protected:
  static ask::Situation at(const Topology& of, const Routing& by, DeviceChoice device,
                           const gpu::DeviceCalls* calls) {
    ask::Situation out{.topology = of, .routing = &by, .traffic = "uniform"};
    out.device = device;
    out.device_calls = calls;
    return out;
  }
  ask::Result<ask::SimulateAnswer> ask(DeviceChoice device, const gpu::DeviceCalls* calls,
                                       const ask::SimulateOptions& options) const {
    return ask::simulate(at(topology, routing, device, calls), options);
  }
  std::string why(const ask::SimulateOptions& options) const {
    return std::get<NotApplicable>(ask(DeviceChoice::gpu, loops, options)).why;
  }
  // As JSON, but for where it was computed.
  template <class A>
  static std::string text(ask::Result<A> result) {
    A& answer = std::get<A>(result);
    answer.where = {};
    std::ostringstream out;
    JsonWriter json(out, JsonWriter::Form::one_line);
    json.begin_object();
    ask::write_fields(json, answer);
    json.end_object();
    return out.str();
  }

  const Topology topology = make_topology("2-ary 3-tree");
  const Routing routing = std::get<Routing>(route(topology, "dmodk"));
  const gpu::DeviceCalls* const loops = &HostDevice<4>::calls();
  const gpu::DeviceCalls* const failing = &HostDevice<4>::failing_calls();
};

TEST_F(SimulateOnGpu, GivesTheSameAnswerAndNamesTheDevice) {
  for (const u64 cycles : {0, 3000}) {
    ask::SimulateOptions options;
    options.messages.packet_flits = 5;
    options.network.lanes = 3;
    options.measure = {.cycles = cycles, .max_cycles = 60'000, .replicas = 3};
    const auto there = ask(DeviceChoice::gpu, loops, options);
    EXPECT_EQ(std::get<ask::SimulateAnswer>(there).where.device, "loops");
    EXPECT_EQ(text(ask(DeviceChoice::cpu, loops, options)), text(there));
  }
}

TEST_F(SimulateOnGpu, ACurveIsOneLaunchAndASearchSeveral) {
  ask::SimulateOptions options;
  options.measure.cycles = 2000;
  const auto here = at(topology, routing, DeviceChoice::cpu, nullptr);
  const auto there = at(topology, routing, DeviceChoice::gpu, loops);
  EXPECT_EQ(text(ask::curve(here, options, "0.2,0.5,0.9")), text(ask::curve(there, options, "0.2,0.5,0.9")));
  EXPECT_EQ(text(ask::saturation(here, options)), text(ask::saturation(there, options)));
}

// Two loads at once, then the third.
TEST_F(SimulateOnGpu, ACurveTellsItsPoints) {
  ask::SimulateOptions options;
  options.measure = {.cycles = 200, .replicas = 100};
  for (const auto device : {DeviceChoice::cpu, DeviceChoice::gpu}) {
    std::vector<std::pair<double, double>> told, expected;
    const auto found = ask::curve(at(topology, routing, device, loops), options, "0.2,0.9,0.5",
                                  [&](const ask::LoadPoint& point) {
                                    told.emplace_back(point.load, point.answer.accepted->half_width);
                                  });
    for (const auto& [load, answer] : std::get<ask::CurveAnswer>(found).points)
      expected.emplace_back(load, answer.accepted->half_width);
    EXPECT_EQ(told, expected);
    EXPECT_EQ(told.size(), 3u);
    EXPECT_GT(told[0].second, 0);
  }
  const auto here = at(topology, routing, DeviceChoice::cpu, nullptr);
  const auto there = at(topology, routing, DeviceChoice::gpu, loops);
  const auto ignore = [](const ask::LoadPoint&) {};
  EXPECT_EQ(text(ask::curve(here, options, "0.2,0.5,0.9")),
            text(ask::curve(there, options, "0.2,0.5,0.9", ignore)));
}

// Counts the replicas that the loops are given.
struct CountedLoops {
  static inline u64 replicas = 0;
  static const char* make(const gpu::ReplicaFabric* fabric, const gpu::ReplicaStart* start, void** out) {
    replicas += start->replicas;
    return HostDevice<4>::calls().make_replicas(fabric, start, out);
  }
};

// The last load alone is not worth a GPU: its three runs follow 85 loads that are told together.
TEST_F(SimulateOnGpu, ACurveThatTellsItsPointsIsOnOneDevice) {
  gpu::DeviceCalls calls = *loops;
  calls.make_replicas = CountedLoops::make;
  CountedLoops::replicas = 0;
  ask::SimulateOptions options;
  options.measure = {.cycles = 20, .replicas = 3};
  std::string loads = "0.01";
  for (u32 i = 2; i <= 86; ++i) loads += fmt::format(",{}", 0.01 * i);
  ask::Situation automatic = at(topology, routing, DeviceChoice::automatic, &calls);
  automatic.threads = 0;  // without processors, what is several runs is worth a GPU
  u32 told = 0;
  const auto found = ask::curve(automatic, options, loads, [&](const ask::LoadPoint&) { ++told; });
  EXPECT_EQ(std::get<ask::CurveAnswer>(found).where.device, "loops");
  EXPECT_EQ(told, 86u);
  EXPECT_EQ(CountedLoops::replicas, 3u * 86);
}

TEST_F(SimulateOnGpu, OneLargeNetworkTakesAllOfIt) {
  const Topology large = make_topology("XGFT(2; 96,96; 1,48)");  // too many hosts and ports for replicas
  const Routing by = std::get<Routing>(route(large, "dmodk"));
  ask::SimulateOptions options;
  options.messages.packet_flits = 10;
  options.messages.load = 0.7;
  options.measure.cycles = 150;
  const auto there = ask::simulate(at(large, by, DeviceChoice::gpu, loops), options);
  EXPECT_EQ(std::get<ask::SimulateAnswer>(there).where.device, "loops");
  EXPECT_EQ(text(ask::simulate(at(large, by, DeviceChoice::cpu, nullptr), options)), text(there));
  const auto failed = ask::simulate(at(large, by, DeviceChoice::gpu, failing), options);
  EXPECT_EQ(std::get<NotApplicable>(failed).why, "loops: it was told to");
  options.network.flow_control = FlowControl::wormhole;
  const auto refused = ask::simulate(at(large, by, DeviceChoice::gpu, loops), options);
  EXPECT_EQ(std::get<NotApplicable>(refused).why,
            "a GPU simulates one large network with virtual cut-through, not wormhole");
}

TEST_F(SimulateOnGpu, TakesWideSwitchesTablesAndLanesInClasses) {
  for (const auto& [fabric, engine] : {std::pair("XGFT(2; 18,3; 1,9)", "updn"),
                                       std::pair("Torus(5x4)", "dor"), std::pair("HyperX(4x3)", "dor")}) {
    const Topology other = make_topology(fabric);
    const Routing by = std::get<Routing>(route(other, engine));
    ask::SimulateOptions options;
    options.messages.load = 0.9;
    options.network.lanes = std::max(4u, by.lanes);
    options.measure.cycles = 1500;
    EXPECT_EQ(text(ask::simulate(at(other, by, DeviceChoice::cpu, nullptr), options)),
              text(ask::simulate(at(other, by, DeviceChoice::gpu, loops), options)))
        << fabric;
  }
}

TEST_F(SimulateOnGpu, KnowsTreesOfFourLanes) {
  for (const char* fabric : {"4-ary 2-tree", "8-ary 2-tree"})
    for (const FlowControl flow_control : {FlowControl::vct, FlowControl::wormhole})
      for (const u32 flits : {1, 10})
        for (const u32 replicas : {1, 2}) {  // with packets in fast memory, and without
          const Topology tree = make_topology(fabric);
          const Routing by = std::get<Routing>(route(tree, "dmodk"));
          ask::SimulateOptions options;
          options.messages = {.load = 0.95, .packet_flits = flits};
          options.network = {.flow_control = flow_control, .lanes = 4, .buffer_flits = 20};
          options.measure = {.cycles = 600, .replicas = replicas};
          EXPECT_EQ(text(ask::simulate(at(tree, by, DeviceChoice::cpu, nullptr), options)),
                    text(ask::simulate(at(tree, by, DeviceChoice::gpu, loops), options)))
              << fabric << ", " << flits << " flits";
        }
}

TEST_F(SimulateOnGpu, TakesPlacementsThatDifferBetweenReplicas) {
  ask::SimulateOptions options;
  options.measure = {.cycles = 1500, .replicas = 5};
  const auto found = [&](DeviceChoice device) {
    ask::Situation placed = at(topology, routing, device, loops);
    placed.placement = "random";
    placed.ranks = 5;
    return text(ask::simulate(placed, options));
  };
  EXPECT_EQ(found(DeviceChoice::cpu), found(DeviceChoice::gpu));
}

// What only the whole model has, one by one and together.
TEST_F(SimulateOnGpu, TakesTheWholeModel) {
  const auto is_same = [&](const ask::SimulateOptions& options, const Topology& on, const Routing& by) {
    const auto there = ask::simulate(at(on, by, DeviceChoice::gpu, loops), options);
    if (const auto* reason = std::get_if<NotApplicable>(&there)) return reason->why;
    const bool is = text(ask::simulate(at(on, by, DeviceChoice::cpu, nullptr), options)) == text(there);
    return std::string(is ? "" : "another answer");
  };
  ask::SimulateOptions usual;
  usual.messages = {.load = 0.8, .packet_flits = 5};
  usual.measure = {.cycles = 1200, .replicas = 2};
  std::vector<ask::SimulateOptions> all(9, usual);
  all[0].network.output_flits = 40;
  all[1].network.ejection = Ejection::unlimited;
  all[2].network.queueing = Queueing::voq;
  all[3].messages.message_packets = 3;
  all[4].messages.packet_lengths = "1:3,9:1";
  all[5].messages.burst = "100:300";
  all[6].network.buffer_flits = 41;  // packets are not the unit
  all[7].network = {.flow_control = FlowControl::wormhole, .lanes = 2, .buffer_flits = 256};
  all[8] = all[7];
  all[8].network.output_flits = 12;
  all[8].network.writers = 3;
  all[8].network.ejection = Ejection::unlimited;
  all[8].network.queueing = Queueing::voq;
  all[8].messages.sizes = Sizes::exponential;
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(is_same(all[i], topology, routing), "") << i;
  for (const auto& [fabric, engine] :
       {std::pair("4-ary 2-tree", "adaptive"), std::pair("4-ary 2-tree", "disjoint:paths=3"),
        std::pair("HyperX(4x3,2)", "minadaptive"), std::pair("HyperX(4x3,2)", "dal"),
        std::pair("Dragonfly(2,4,2)", "ugal"), std::pair("Torus(5x4)", "valiant")}) {
    const Topology other = make_topology(fabric);
    const auto by = route(other, engine);
    if (!std::holds_alternative<Routing>(by)) continue;
    ask::SimulateOptions options = usual;
    options.network.lanes = std::get<Routing>(by).lanes;
    EXPECT_EQ(is_same(options, other, std::get<Routing>(by)), "") << fabric << " under " << engine;
  }
}

TEST_F(SimulateOnGpu, SaysWhenQueuesBeforeHostsGrowTooLong) {
  ask::SimulateOptions options;
  options.network.ejection = Ejection::unlimited;
  options.messages.load = 0.9;
  options.measure.cycles = 500;
  HostModelCalls::max_packets = 9;
  const std::string reason = why(options);
  HostModelCalls::max_packets = ~u32{0};
  EXPECT_NE(reason.find("the queues before hosts hold more"), std::string::npos) << reason;
}

TEST_F(SimulateOnGpu, TellsThoseWhoWatch) {
  ask::SimulateOptions options;
  options.measure.cycles = 1000;
  std::vector<u64> here, there;
  const auto watched = [&](DeviceChoice device, std::vector<u64>& by) {
    return text(ask::simulate(at(topology, routing, device, loops), options, [&](const Batch& batch) {
      by.insert(by.end(), {batch.now, batch.counted.flits, batch.counted.packet_latency.sum()});
    }));
  };
  EXPECT_EQ(watched(DeviceChoice::cpu, here), watched(DeviceChoice::gpu, there));
  EXPECT_EQ(here, there);
  EXPECT_EQ(here.size(), 3 * 50u);
}

TEST_F(SimulateOnGpu, SaysWhyItCannot) {
  ask::SimulateOptions options;
  options.network.allocator = "islip";
  EXPECT_NE(why(options).find("allocator joint"), std::string::npos);
  options.network = {.path_choice = PathChoice::recycled};
  EXPECT_NE(why(options).find("do not remember paths"), std::string::npos);
  options.network = {.buffer_flits = 70'000};
  EXPECT_NE(why(options).find("up to 65535 flits"), std::string::npos);
  options.network = {};
  options.messages.reply_flits = 1;
  EXPECT_NE(why(options).find("without replies"), std::string::npos);
  options.messages = {};
  options.complete = true;
  EXPECT_NE(why(options).find("sent once"), std::string::npos);
  const Topology torus = make_topology("Torus(5x5)");
  const Routing circles = std::get<Routing>(route(torus, "minhop"));
  const auto found = ask::simulate(at(torus, circles, DeviceChoice::gpu, loops), {});
  EXPECT_NE(std::get<NotApplicable>(found).why.find("wait for each other in a circle"), std::string::npos);
}

TEST_F(SimulateOnGpu, ThatFailsLeavesItsWorkToProcessorsUnlessItWasDemanded) {
  ask::SimulateOptions options;
  options.measure = {.cycles = 1000, .replicas = 8};
  ask::Situation automatic = at(topology, routing, DeviceChoice::automatic, failing);
  automatic.threads = 0;  // without processors, anything is worth a GPU
  const auto found = std::get<ask::SimulateAnswer>(ask::simulate(automatic, options));
  EXPECT_EQ(found.where.device, std::nullopt);
  EXPECT_EQ(found.where.device_failure, "loops: it was told to");
  EXPECT_EQ(std::get<NotApplicable>(ask(DeviceChoice::gpu, failing, options)).why, "loops: it was told to");
}

}  // namespace
}  // namespace banyan::tests
