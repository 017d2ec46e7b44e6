// fail --sweep with a traffic: what a GPU counts is what processors do.
#include <gtest/gtest.h>

#include <sstream>

#include "ask/load.hpp"
#include "ask/sweep.hpp"
#include "base/json_writer.hpp"
#include "formats/load.hpp"
#include "support/host_device.hpp"

namespace banyan::tests {
namespace {

using ask::DeviceChoice;
using ask::Sweep;

class SweepOnGpu : public testing::Test {
 protected:
  static ask::Result<ask::SweepAnswer> swept(const Topology& topology, const std::string& engine,
                                             const ask::FailOptions& options, DeviceChoice device,
                                             const gpu::DeviceCalls& calls = HostDevice<4>::calls(),
                                             const std::string& traffic = "permutation", bool lays = true,
                                             unsigned threads = 2) {
    ask::Situation at{.topology = topology, .traffic = traffic};
    at.seed = 7;
    at.threads = threads;
    at.device = device;
    at.device_calls = &calls;
    return ask::sweep(at, ask::FabricRouter{engines::engines().bind(engine)}, options, lays);
  }
  static std::string text(const ask::Result<ask::SweepAnswer>& result) {
    ask::SweepAnswer answer = std::get<ask::SweepAnswer>(result);
    answer.device.reset();
    std::ostringstream out;
    JsonWriter json(out, JsonWriter::Form::one_line);
    json.begin_object();
    ask::write_fields(json, answer);
    json.end_object();
    return out.str();
  }
};

TEST_F(SweepOnGpu, GivesTheSameAnswerAndNamesTheDevice) {
  for (const char* fabric : {"4-ary 2-tree", "PGFT(3; 3,2,3; 1,2,2; 1,1,2)"})
    for (const Sweep sweep : {Sweep::links, Sweep::all, Sweep::switches, Sweep::pairs})
      for (const char* traffic : {"permutation", "bisection"}) {
        const Topology tree = make_topology(fabric);
        const ask::FailOptions options{.samples = 20, .sweep = sweep, .pairs = 60};
        const auto here = swept(tree, "dmodc", options, DeviceChoice::cpu, HostDevice<4>::calls(), traffic);
        const auto there = swept(tree, "dmodc", options, DeviceChoice::gpu, HostDevice<4>::calls(), traffic);
        EXPECT_EQ(std::get<ask::SweepAnswer>(there).device, "loops");
        EXPECT_EQ(std::get<ask::SweepAnswer>(here).device, std::nullopt);
        EXPECT_EQ(text(here), text(there));
      }
}

// The answer of `load` on the fabric without the cable.
TEST_F(SweepOnGpu, LoadsAreThoseOfTheFabricWithoutTheVictim) {
  const Topology tree = make_topology("4-ary 2-tree");
  const auto found = std::get<ask::SweepAnswer>(
      swept(tree, "dmodc", {.samples = 30, .sweep = Sweep::links}, DeviceChoice::gpu));
  EXPECT_EQ(found.samples, 30u);
  for (const auto& cable : found.cables) {
    const Topology rest =
        load_fabric("4-ary 2-tree", {"link=" + cable.cable.substr(0, cable.cable.find(' '))}).topology;
    const Routing routing = std::get<Routing>(route(rest, "dmodc"));
    ask::Situation at{.topology = rest, .routing = &routing, .traffic = "permutation"};
    at.seed = 7;
    const auto load = std::get<ask::LoadAnswer>(ask::load(at, {.samples = 30}));
    EXPECT_EQ(cable.cost->load->max_load, load.max_load.mean);
    EXPECT_EQ(cable.cost->load->max_load_worst, load.max_load_worst);
  }
}

TEST_F(SweepOnGpu, IsChosenForManyFlowsOnly) {
  const Topology tree = make_topology("4-ary 2-tree");
  const auto found = swept(tree, "dmodc", {.samples = 10, .sweep = Sweep::links}, DeviceChoice::automatic);
  EXPECT_EQ(std::get<ask::SweepAnswer>(found).device, std::nullopt);
}

TEST_F(SweepOnGpu, SaysWhyItCannot) {
  const Topology tree = make_topology("4-ary 2-tree");
  const ask::FailOptions links{.samples = 5, .sweep = Sweep::links};
  const auto why = [](const ask::Result<ask::SweepAnswer>& result) {
    return std::get<NotApplicable>(result).why;
  };
  const auto& loops = HostDevice<4>::calls();
  EXPECT_NE(
      why(swept(tree, "dmodc", links, DeviceChoice::gpu, loops, "ring")).find("permutations and bisections"),
      std::string::npos);
  EXPECT_NE(why(swept(tree, "minhop:lmc=1", links, DeviceChoice::gpu)).find("one way"), std::string::npos);
  EXPECT_NE(why(swept(tree, "dmodc", links, DeviceChoice::gpu, loops, "", false)).find("expected samples"),
            std::string::npos);
  EXPECT_EQ(why(swept(tree, "dmodc", links, DeviceChoice::gpu, HostDevice<4>::failing_calls())),
            "loops: it was told to");
}

TEST_F(SweepOnGpu, ThatFailsLeavesItsWorkToProcessors) {
  const Topology tree = make_topology("4-ary 2-tree");
  const ask::FailOptions options{.samples = 5, .sweep = Sweep::pairs, .pairs = 20};
  const auto here = swept(tree, "dmodc", options, DeviceChoice::cpu);
  const auto there = swept(tree, "dmodc", options, DeviceChoice::automatic, HostDevice<4>::failing_calls(),
                           "permutation", true, 0);  // without processors, anything is worth a GPU
  EXPECT_EQ(std::get<ask::SweepAnswer>(there).device_failure, "loops: it was told to");
  EXPECT_EQ(std::get<ask::SweepAnswer>(there).left_to_processors, 20u);
  EXPECT_EQ(text(here), text(there));
}

}  // namespace
}  // namespace banyan::tests
