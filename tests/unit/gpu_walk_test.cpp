// load under tables and hashes: what a GPU counts is what processors do.
#include <gtest/gtest.h>

#include <sstream>

#include "ask/load.hpp"
#include "base/json_writer.hpp"
#include "engines/engine.hpp"
#include "support/host_device.hpp"

namespace banyan::tests {
namespace {

using ask::DeviceChoice;

class WalksOnGpu : public testing::Test {
 protected:
  static ask::Result<ask::LoadAnswer> asked(const std::string& fabric, const std::string& engine,
                                            const std::string& traffic, const ask::LoadOptions& options,
                                            DeviceChoice device, unsigned threads = 1,
                                            const gpu::DeviceCalls& calls = HostDevice<4>::calls()) {
    const Topology topology = make_topology(fabric);
    const Routing routing = std::get<Routing>(route(topology, engine));
    ask::Situation at{.topology = topology, .routing = &routing, .traffic = traffic};
    at.threads = threads;
    at.device = device;
    at.device_calls = &calls;
    return ask::load(at, options);
  }
  static std::string text(const ask::Result<ask::LoadAnswer>& result) {
    ask::LoadAnswer answer = std::get<ask::LoadAnswer>(result);
    answer.device.reset();
    std::ostringstream out;
    JsonWriter json(out, JsonWriter::Form::one_line);
    json.begin_object();
    ask::write_fields(json, answer);
    json.end_object();
    return out.str();
  }
  static std::string why(const ask::Result<ask::LoadAnswer>& result) {
    return std::get<NotApplicable>(result).why;
  }
  static void expect_same(const std::string& fabric, const std::string& engine, const std::string& traffic,
                          const ask::LoadOptions& options) {
    const auto here = asked(fabric, engine, traffic, options, DeviceChoice::cpu);
    const auto there = asked(fabric, engine, traffic, options, DeviceChoice::gpu);
    EXPECT_EQ(std::get<ask::LoadAnswer>(there).device, "loops") << fabric << engine << traffic;
    EXPECT_EQ(text(here), text(there)) << fabric << engine << traffic;
  }
};

TEST_F(WalksOnGpu, OfSamplesGiveTheSameAnswer) {
  for (const char* fabric : {"XGFT(2; 4,4; 1,3)", "HyperX(3x3)", "Dragonfly(2,4,2)"})
    for (const char* engine : {"minhop", "minhop:lmc=1", "ecmp", "ecmp:3"})
      for (const char* traffic : {"permutation", "bisection"})
        expect_same(fabric, engine, traffic, {.samples = 300});
}

TEST_F(WalksOnGpu, CountAllChannelsBetweenSwitches) {
  for (const char* engine : {"dmodk", "minhop", "ecmp:2"})
    for (const char* traffic : {"permutation", "bisection"})
      expect_same("XGFT(2; 4,4; 1,3)", engine, traffic, {.samples = 100, .histogram = true});
  const auto found = std::get<ask::LoadAnswer>(
      asked("XGFT(2; 4,4; 1,3)", "dmodk", "shift:4", {.histogram = true}, DeviceChoice::cpu));
  u64 channels = 0;
  double load = 0;
  for (const auto& range : found.histogram.value()) {
    channels += range.channels;
    load += range.from * static_cast<double>(range.channels);
  }
  EXPECT_EQ(channels, 24u);
  EXPECT_EQ(load, 32);  // 16 flows, each up and down
}

TEST_F(WalksOnGpu, UnderHashesGiveTheSameAnswer) {
  for (const char* fabric : {"XGFT(2; 4,4; 1,3)", "Dragonfly(2,4,2)"})
    for (const char* traffic : {"permutation", "shift:3", "uniform", "all-shifts:3", "hotspot"})
      expect_same(fabric, "ecmp:4", traffic, {.samples = 20, .hashes = 40});
}

TEST_F(WalksOnGpu, AreChosenForManyHashes) {
  const ask::LoadOptions options{.hashes = 40};
  const auto few = asked("XGFT(2; 4,4; 1,3)", "ecmp", "shift:3", options, DeviceChoice::automatic);
  const auto many = asked("XGFT(2; 4,4; 1,3)", "ecmp", "shift:3", options, DeviceChoice::automatic, 0);
  EXPECT_EQ(std::get<ask::LoadAnswer>(few).device, std::nullopt);
  EXPECT_EQ(std::get<ask::LoadAnswer>(many).device, "loops");
}

TEST_F(WalksOnGpu, ThatFailLeaveTheirWorkToProcessorsUnlessAGpuWasDemanded) {
  const ask::LoadOptions options{.hashes = 40};
  const auto& failing = HostDevice<4>::failing_calls();
  const auto open =
      asked("XGFT(2; 4,4; 1,3)", "ecmp", "shift:3", options, DeviceChoice::automatic, 0, failing);
  EXPECT_EQ(std::get<ask::LoadAnswer>(open).device_failure, "loops: it was told to");
  EXPECT_TRUE(std::get<ask::LoadAnswer>(open).hashes);
  EXPECT_EQ(why(asked("XGFT(2; 4,4; 1,3)", "ecmp", "shift:3", options, DeviceChoice::gpu, 1, failing)),
            "loops: it was told to");
  EXPECT_EQ(why(asked("HyperX(3x3)", "minhop", "permutation", {}, DeviceChoice::gpu, 1, failing)),
            "loops: it was told to");
}

TEST_F(WalksOnGpu, SayWhyTheyCannot) {
  const auto refusal = [](const std::string& engine, const std::string& traffic,
                          const ask::LoadOptions& options) {
    return why(asked("XGFT(2; 4,4; 1,3)", engine, traffic, options, DeviceChoice::gpu));
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(refusal("adaptive", "permutation", {}), "under tables"));
  EXPECT_TRUE(has(refusal("ecmp:seed=9", "permutation", {}), "the hash of --seed"));
  EXPECT_TRUE(has(refusal("minhop", "permutation", {.rates = true}), "no rates"));
  EXPECT_TRUE(has(refusal("minhop", "shift:1", {}), "permutations and bisections"));
}

}  // namespace
}  // namespace banyan::tests
