// Recorded messages: what is read, what is refused, and that a simulation sends them at their times.
#include "traffic/message_trace.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "base/error.hpp"
#include "engines/engine.hpp"
#include "flit/measure.hpp"
#include "support/reference_simulator.hpp"
#include "traffic/placement.hpp"

namespace banyan::tests {
namespace {

MessageTrace trace_of(const std::string& text, u32 ranks = 16) {
  return MessageTrace(std::make_unique<std::istringstream>(text), "trace.csv", ranks);
}

std::vector<RecordedMessage> recorded_in(const std::string& text) {
  MessageTrace trace = trace_of(text);
  std::vector<RecordedMessage> out;
  while (const auto message = trace.next()) out.push_back(*message);
  return out;
}

std::string trace_refusal(const std::string& text) {
  try {
    recorded_in(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MessageTrace, ReadsColumnsInAnyOrder) {
  const std::vector<RecordedMessage> expected = {{0, Rank{1}, Rank{2}, 64}, {5, Rank{2}, Rank{1}, 0}};
  EXPECT_EQ(recorded_in("time,from,to,bytes\n0,1,2,64\n\n# later\n5,2,1,0\n"), expected);
  EXPECT_EQ(recorded_in("bytes, to, from, time\n64,2,1,0\n0,1,2,5\n"), expected);
}

TEST(MessageTrace, ReadsThePacketsOfNetrace) {
  const std::vector<RecordedMessage> expected = {{12, Rank{3}, Rank{4}, 8},
                                                 {12, Rank{4}, Rank{3}, 72},
                                                 {20, Rank{0}, Rank{1}, 100},
                                                 {21, Rank{0}, Rank{1}, 160}};
  EXPECT_EQ(recorded_in("  ID:1 CYC:12 SRC:3 DST:4 ADR:0x0000beef TYP:ReadReq NDEP:1 2\n"
                        "  ID:2 CYC:12 SRC:4 DST:3 ADR:0x0000beef TYP:ReadResp NDEP:0\n"
                        "CYC:20 SRC:0 DST:1 BYTES:100\n"
                        "CYC:21 SRC:0 DST:1 TYP:Foo BYTES:160 NDEP:0\n"),
            expected);
}

TEST(MessageTrace, RefusesWithFileAndLine) {
  EXPECT_NE(trace_refusal("").find("trace.csv"), std::string::npos);
  const std::string header = "time,from,to,bytes\n";
  for (const auto& [text, line] : {std::pair(header + "1,2,3\n", 2),
                                   {header + "0,1,2,64\n-1,2,3,4\n", 3},
                                   {header + "5,1,2,64\n4,2,3,4\n", 3},
                                   {header + "0,1,16,64\n", 2},
                                   {header + "0,1,2,4294967296\n", 2},
                                   {std::string("time,from,to\n"), 1},
                                   {std::string("time,from,to,size\n"), 1},
                                   {std::string("time,from,from,bytes\n"), 1},
                                   {std::string("CYC:1 SRC:1 DST:2\n"), 1},
                                   {std::string("CYC:1 SRC:1 DST:2 TYP:InvalidCmd\n"), 1}})
    EXPECT_NE(trace_refusal(text).find("trace.csv:" + std::to_string(line)), std::string::npos)
        << text << trace_refusal(text);
}

struct Recording {
  Topology topology = make_topology("4-ary 2-tree");
  Routing routing = std::get<Routing>(route(topology, "dmodk"));
  MessageOptions messages{.packet_flits = 4, .flit_bytes = 16};
  SimulationSetup setup{topology.fabric, routing, {}, messages};
  std::string text;

  Workload workload() const {
    return Workload::recorded(
        topology.fabric, [this] { return trace_of(text); }, place_linearly(16), messages);
  }
};

// Two messages of one host: the second waits at the source, and its latency counts from its time.
TEST(MessageTrace, MessagesAreSentAtTheirTimes) {
  Recording recording;
  recording.text = "time,from,to,bytes\n100,0,1,64\n101,0,1,64\n5000,3,3,64\n";
  const Measurement m = measure(recording.setup, recording.workload(), {});
  const u64 path = 2 + 1 + 3;  // channels, a switch, further flits
  EXPECT_EQ(m.counted.messages, 2u);
  EXPECT_EQ(m.counted.message_latency.sum(), path + (path + 3));
  EXPECT_EQ(m.completion_cycles, 104 + path);
}

// Bursts of messages, pauses longer than what is read at once, messages of several packets.
std::string long_recording() {
  std::string out = "time,from,to,bytes\n";
  u64 time = 0, x = 9;
  for (u32 i = 0; i < 160; ++i) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    if (i % 40 == 0) time += 1500;
    time += x >> 62;
    const u64 from = x >> 20 & 15;
    out += std::to_string(time) + ',' + std::to_string(from) + ',' + std::to_string(x >> 30 & 15) + ',' +
           std::to_string(x >> 40 & 255) + '\n';
  }
  return out;
}

TEST(MessageTrace, EnginesGiveTheBitsOfTheReference) {
  Recording recording;
  recording.text = long_recording();
  for (const FlowControl flow_control : {FlowControl::vct, FlowControl::wormhole}) {
    recording.setup.network.flow_control = flow_control;
    recording.setup.threads = 1;
    ReferenceSimulator reference(
        recording.setup, ReferenceWorkload::recorded(recording.topology.fabric, recorded_in(recording.text),
                                                     place_linearly(16), recording.messages));
    reference.advance(1700);
    const Tally first = reference.take_tally();
    reference.advance(6300);
    const Tally second = reference.take_tally();
    EXPECT_GT(second.messages, 80u);
    for (const unsigned threads : {1u, 3u}) {
      recording.setup.threads = threads;
      Simulation simulation(recording.setup, recording.workload());
      simulation.advance(1700);
      EXPECT_EQ(simulation.take_tally(), first);
      simulation.advance(6300);
      EXPECT_EQ(simulation.take_tally(), second);
      EXPECT_TRUE(simulation.is_done());
    }
  }
}

// Only what is due is read: of a file that goes wrong late, nothing is noticed before the first look is over.
TEST(MessageTrace, EveryLineIsLookedAtBeforeTheFirstCycle) {
  Recording recording;
  recording.text = "time,from,to,bytes\n0,0,1,64\n9000,0,77,64\n";
  EXPECT_THROW(recording.workload(), InputError);
  recording.text = "time,from,to,bytes\n0,1,1,64\n";
  EXPECT_THROW(recording.workload(), InputError);
}

}  // namespace
}  // namespace banyan::tests
