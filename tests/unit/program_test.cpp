// Programs that wait for each other: what is read, what is refused, and how long they take.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <sstream>

#include "ask/program_check.hpp"
#include "ask/program_levels.hpp"
#include "ask/time.hpp"
#include "engines/engine.hpp"
#include "flit/workload.hpp"
#include "flow/program_time.hpp"
#include "support/plain_loggops.hpp"
#include "traffic/pattern.hpp"
#include "traffic/programs/chakra.hpp"
#include "traffic/programs/from_rounds.hpp"
#include "traffic/programs/goal.hpp"
#include "traffic/programs/open.hpp"

namespace banyan::tests {
namespace {

Program goal(const std::string& text) {
  std::istringstream in(text);
  return read_goal(in, "a.goal");
}

std::string program_refusal(const std::string& text) {
  try {
    require_end(goal(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string goal_text(const Program& program) {
  std::ostringstream out;
  write_goal(out, program);
  return out.str();
}

const std::string ping_pong =
    "num_ranks 2\n"
    "rank 0 {\n l1: calc 100\n l2: send 1001b to 1 tag 5\n l3: recv 1001b from 1 tag 6\n"
    " l2 requires l1\n l3 requires l2\n}\n"
    "rank 1 {\n l1: recv 1001b from 0 tag 5\n l2: send 1001b to 0 tag 6\n l2 requires l1\n}\n";

struct Hosts {
  Topology topology;
  Routing routing;

  explicit Hosts(const std::string& notation)
      : topology(make_topology(notation)), routing(std::get<Routing>(route(topology, "dmodk"))) {}
  const Fabric& fabric() const { return topology.fabric; }
  ask::ProgramAnswer time(const Program& program, ask::TimingOptions options) const {
    return ask::program_time({.topology = topology, .routing = &routing}, options, program);
  }
};

ask::TimingOptions at_level(ask::TimeLevel level) {
  ask::TimingOptions out;
  out.level = level;
  out.link = {1e9};
  return out;
}

TEST(Program, GoalIsReadLineByLine) {
  const Program p = goal(
      "// a comment\nnum_ranks 2 /* and\none over lines */\n"
      "rank 1 { l1: recv 10 b from 0 tag 5 cpu 2 nic 1; l2: calc 7 cpu 1; l1 irequires l2 }\n"
      "rank 0 {\nsend 10b to 1 tag 5\n}\n");
  EXPECT_EQ(p.ranks, 2u);
  ASSERT_EQ(p.size(), 3u);
  EXPECT_EQ(p.kind[0], Program::Kind::receive);
  EXPECT_EQ(p.partner[0], 2u);
  EXPECT_EQ(p.where[0].stream, 2);
  EXPECT_EQ(p.where[0].nic, 1);
  EXPECT_DOUBLE_EQ(p.amount[1], 7e-9);
  EXPECT_EQ(p.line[2], 6u);
  ASSERT_EQ(p.next.size(), 1u);
  EXPECT_EQ(p.next[0], 1u);  // operation 0 waits for the beginning of operation 1
  EXPECT_EQ(p.messages(), 1u);
  EXPECT_EQ(p.bytes(), 10);
}

TEST(Program, GoalThatIsWrittenReadsTheSame) {
  const std::string weighted =
      "num_ranks 2\nrank 0 {\nsend 7b to 1 weight 3\n}\nrank 1 {\nrecv 7b from 0\n}\n";
  EXPECT_EQ(goal(goal_text(goal(weighted))).weight, (std::vector<u32>{3, 1}));
  const std::string text = goal_text(goal(ping_pong));
  EXPECT_EQ(goal_text(goal(text)), text);
}

TEST(Program, ChakraHoldsWhatGoalHolds) {
  const Program program = goal(
      "num_ranks 3\nrank 0 {\nl1: calc 1500 cpu 1\nl2: send 70000b to 1 tag 9 cpu 2 nic 3 weight 5\nl2 "
      "irequires "
      "l1\n}\n"
      "rank 1 {\nl1: recv 70000b from 0 tag 9\nl2: calc 33\nl2 requires l1\n}\n");
  std::stringstream wire, json;
  write_chakra(wire, program);
  write_chakra_json(json, program);
  EXPECT_EQ(goal_text(read_chakra(std::array{ChakraSource{wire, "a.et"}})), goal_text(program));
  EXPECT_EQ(goal_text(read_chakra_json(std::array{ChakraSource{json, "a.json"}})), goal_text(program));
}

// Protobuf of less than 128 bytes: what follows its length, an attribute of a node, the metadata.
std::string wire_message(const std::string& bytes) {
  return std::string(1, static_cast<char>(bytes.size())) + bytes;
}
std::string wire_attribute(const std::string& name, char value, char of = '\x52') {
  return of + wire_message(std::string("\x0a") + wire_message(name) + std::string("\x48") + value);
}
const std::string wire_metadata = wire_message(std::string("\x0a") + wire_message("0.0.4"));

// As Chakra's own tools write them: a file for each rank, dependencies that stand together in one field.
TEST(Program, ChakraFilesOfSingleRanksAreOneProgram) {
  const std::string compute = wire_message(std::string("\x08\x01\x18\x04\x38\x05", 6));
  const std::string send = wire_message(std::string("\x08\x02\x18\x05\x2a\x01\x01", 7) +
                                        wire_attribute("comm_dst", 1) + wire_attribute("comm_size", 100));
  const std::string receive = wire_message(std::string("\x08\x07\x18\x06", 4) +
                                           wire_attribute("comm_src", 0) + wire_attribute("comm_size", 100));
  std::istringstream first(wire_metadata + compute + send), second(wire_metadata + receive);
  const Program p = read_chakra(std::array{ChakraSource{first, "a.0.et"}, ChakraSource{second, "a.1.et"}});
  ASSERT_EQ(p.size(), 3u);
  EXPECT_EQ(p.ranks, 2u);
  EXPECT_DOUBLE_EQ(p.amount[0], 5e-6);
  EXPECT_EQ(p.amount[1], 100);
  EXPECT_EQ(p.partner[1], 2u);
  EXPECT_EQ(p.rank[2], 1u);
  ASSERT_EQ(p.next.size(), 1u);
  EXPECT_EQ(p.next[0], 2u);  // the send waits for the end of what is computed
}

// What the files say, one for each rank, is refused so.
std::string wire_refusal(const std::vector<std::string>& files) {
  std::vector<std::istringstream> in;
  std::vector<ChakraSource> sources;
  for (const std::string& file : files) in.emplace_back(file);
  for (std::size_t i = 0; i < files.size(); ++i)
    sources.push_back({in[i], files.size() == 1 ? "a.et" : "a." + std::to_string(i) + ".et"});
  try {
    require_end(read_chakra(sources));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// The metadata has 8 bytes: the next message begins at byte 8, its content at byte 9.
TEST(Program, BrokenProtobufIsRefusedWithItsByte) {
  const std::string compute("\x08\x01\x18\x04", 4);  // node 1
  EXPECT_EQ(wire_refusal({wire_metadata + wire_message(compute)}), "");
  EXPECT_EQ(wire_refusal({""}),
            "a.et: message 1 at byte 0: found nothing, expected the metadata of a Chakra trace");
  EXPECT_EQ(wire_refusal({wire_metadata + "\x50" + compute}),
            "a.et: message 2 at byte 8: it ends too early: 4 of its 80 bytes are there");
  EXPECT_EQ(
      wire_refusal({wire_metadata + wire_message(compute), wire_metadata + wire_message(compute) + "\x85"}),
      "a.1.et: message 3 (rank 1) at byte 13: its length ends too early");
  EXPECT_EQ(wire_refusal({wire_metadata + std::string(9, '\xff')}),
            "a.et: message 2 at byte 8: its length has too many bytes");
  EXPECT_EQ(wire_refusal({wire_metadata + "\xff\xff\xff\xff\x7f"}),
            "a.et: message 2 at byte 8: it has 34359738367 bytes; expected at most 67108864");
  EXPECT_EQ(wire_refusal({wire_metadata + wire_message(compute + "\x38" + std::string(9, '\xff') + "\x7f")}),
            "a.et: message 2 at byte 14: a number has more than 64 bits");
  EXPECT_EQ(wire_refusal({wire_metadata + wire_message(compute + "\x38\x85")}),
            "a.et: message 2 at byte 14: a number ends too early");
  EXPECT_EQ(wire_refusal({wire_metadata + wire_message(compute + "\x52\x7f")}),
            "a.et: message 2 at byte 13: a field says that it has 127 bytes, and 0 are left");
  EXPECT_EQ(wire_refusal({wire_metadata + wire_message(compute + "\x0a\x01\x01")}),
            "a.et: message 2 at byte 13: found wire type 2 of field 1, expected 0");
  EXPECT_EQ(wire_refusal({wire_metadata + wire_message(compute + "\x3f")}),
            "a.et: message 2 at byte 13: found wire type 7, expected 0, 1, 2 or 5");
  EXPECT_EQ(wire_refusal({wire_metadata + wire_message(compute + std::string("\x00\x01", 2))}),
            "a.et: message 2 at byte 13: found field 0, expected 1 to 536870911");
}

TEST(Program, BrokenTracesOfChakraAreRefusedWithRankAndNode) {
  const auto node = [](char id, char type, const std::string& more) {
    return wire_message(std::string("\x08") + id + "\x18" + type + more);
  };
  const std::string compute = node(1, 4, ""), to_1 = wire_attribute("comm_dst", 1),
                    from_0 = wire_attribute("comm_src", 0);
  EXPECT_EQ(wire_refusal({wire_metadata + compute, wire_metadata + node(2, 6, from_0)}),
            "a.RANK.et:1: rank 1 receives from rank 0 with tag 0, and rank 0 has no send for it");
  EXPECT_EQ(wire_refusal({wire_metadata + compute + node(2, 5, to_1), wire_metadata + compute}),
            "a.RANK.et:2: rank 0 sends to rank 1 with tag 0, and rank 1 has no receive for it");
  EXPECT_EQ(wire_refusal({wire_metadata + node(9, 5, to_1)}),
            "a.et: node 9 (rank 0): found rank 1, expected one below 1");
  EXPECT_EQ(wire_refusal({wire_metadata + node(9, 4, wire_attribute("rank", 3))}),
            "a.et: node 9 (rank 3): found rank 3, expected one below 1");
  EXPECT_EQ(wire_refusal({wire_metadata + compute + compute}),
            "a.et: node 1 (rank 0): found two nodes with this id");
  EXPECT_EQ(wire_refusal({wire_metadata + compute, wire_metadata + node(7, 4, std::string("\x28\x05"))}),
            "a.1.et: node 7 (rank 1) waits for node 5, which is not there");
  EXPECT_EQ(wire_refusal({wire_metadata + node(7, 5, "")}),
            "a.et: node 7 (rank 0): found a send without comm_dst");
  EXPECT_EQ(
      wire_refusal({wire_metadata + node(7, 99, "")}),
      "a.et: node 7 (rank 0): found type 99, expected computing, memory, a send, a receive or a collective");
  EXPECT_EQ(wire_refusal(
                {wire_metadata + node(1, 4, std::string("\x28\x02")) + node(2, 4, std::string("\x28\x01"))}),
            "a.et:2: operations wait for each other in a circle: rank 0, line 2: calc of 0 ns; which waits "
            "for rank 0, "
            "line 1: calc of 0 ns; which waits for the first");
  EXPECT_EQ(wire_refusal({wire_message(std::string("\x0a") + wire_message("0.0.4") +
                                       wire_attribute("num_ranks", 0, '\x12'))}),
            "a.et: message 1 at byte 10: found 0 for num_ranks, expected 1 to 16777216");
}

TEST(Program, ChakraRefusesNumbersThatDoNotFit) {
  const auto refused = [](const std::string& attribute, const std::string& value) -> std::string {
    std::istringstream in(
        "{\"global_metadata\": {}, \"nodes\": [{\"id\": 3, \"type\": \"COMP_NODE\", \"attr\": [{\"name\": "
        "\"" +
        attribute + "\", \"int64_val\": " + value + "}]}]}");
    try {
      read_chakra_json(std::array{ChakraSource{in, "a.json"}});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused("stream", "65536"), "");
  EXPECT_EQ(refused("stream", "4294967296"),
            "a.json:1: node 3 (rank 0): found 4294967296 for stream, expected at most 4294967295");
  EXPECT_NE(refused("nic", "4294967296"), "");
  EXPECT_NE(refused("comm_tag", "4294967296"), "");
  EXPECT_EQ(refused("comm_tag", "1.5"),
            "a.json:1: node 3 (rank 0): found 1.5 for comm_tag, expected a whole number");
  EXPECT_EQ(refused("comm_tag", "-1"),
            "a.json:1: node 3 (rank 0): found -1 for comm_tag, expected a whole number");
}

// Nodes of JSON have lines; files of single ranks are named with the rank.
TEST(Program, ChakraInJsonIsRefusedWithItsLine) {
  const auto refused = [](const std::vector<std::string>& texts) -> std::string {
    std::vector<std::istringstream> in;
    std::vector<ChakraSource> sources;
    for (const std::string& text : texts) in.emplace_back(text);
    for (std::size_t i = 0; i < in.size(); ++i)
      sources.push_back({in[i], in.size() == 1 ? "a.json" : "a." + std::to_string(i) + ".json"});
    try {
      require_end(read_chakra_json(sources));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string head = "{\"extra\": [{},\n{}],\n\"nodes\": [\n{\"id\": 0, \"type\": \"COMP_NODE\"},\n";
  const std::string send =
      "\n{\"id\": 1, \"type\": \"COMM_SEND_NODE\", \"attr\": [\n{\"name\": \"comm_dst\", \"int64_val\": ";
  EXPECT_EQ(refused({head + send + "0}]}]}"}),
            "a.json:6: rank 0 sends to rank 0 with tag 0, and rank 0 has no receive for it");
  EXPECT_EQ(refused({head + send + "1}]}]}"}),
            "a.json:6: node 1 (rank 0): found rank 1, expected one below 1");
  EXPECT_EQ(refused({head + "{\"id\": 1,,"}),
            "a.json:5: found what is no JSON, expected a Chakra trace with nodes");
  EXPECT_EQ(refused({head + send + "1}]}]}", head + send + "0}]}]}"}),
            "a.RANK.json:6: rank 0 sends to rank 1 with tag 0, and rank 1 has no receive for it");
  EXPECT_EQ(
      refused({head + "{\"id\": 1, \"type\": 4, \"data_deps\": [2]},\n"
                      "{\"id\": 2, \"type\": 4, \"data_deps\": [1]}]}"}),
      "a.json:6: operations wait for each other in a circle: rank 0, line 6: calc of 0 ns; which waits for "
      "rank 0, line 5: calc of 0 ns; which waits for the first");
}

// A collective of every rank between two computations becomes its messages, and takes the time they take.
TEST(Program, ChakraCollectivesBecomeMessages) {
  const auto trace = [](int type) {
    return "{\"global_metadata\": {\"attr\": [{\"name\": \"num_ranks\", \"int64_val\": 1}]}, \"nodes\": ["
           "{\"id\": 1, \"type\": \"COMP_NODE\", \"duration_micros\": 5},"
           "{\"id\": 2, \"type\": \"COMM_COLL_NODE\", \"data_deps\": [1], \"attr\": ["
           "{\"name\": \"comm_type\", \"int64_val\": " +
           std::to_string(type) +
           "}, {\"name\": \"comm_size\", \"int64_val\": 1000000}]},"
           "{\"id\": 3, \"type\": \"COMP_NODE\", \"duration_micros\": 7, \"data_deps\": [2]}]}";
  };
  const auto read = [&](std::array<int, 4> types) {
    std::vector<std::istringstream> in;
    std::vector<ChakraSource> sources;
    for (const int type : types) in.emplace_back(trace(type));
    for (std::size_t rank = 0; rank < in.size(); ++rank)
      sources.push_back({in[rank], "a." + std::to_string(rank) + ".json"});
    return read_chakra_json(sources);
  };
  const Program p = read({0, 0, 0, 0});
  const Program made = open_program("allreduce:bytes=1000000", 4);
  EXPECT_EQ(p.messages(), made.messages());
  EXPECT_EQ(p.bytes(), made.bytes());
  const Hosts hosts("XGFT(1; 4; 1)");
  const ask::TimingOptions options = at_level(ask::TimeLevel::fluid);
  EXPECT_NEAR(hosts.time(p, options).seconds, hosts.time(made, options).seconds + 12e-6, 1e-12);
  EXPECT_THROW(read({0, 0, 2, 0}), InputError);      // ranks do not agree
  EXPECT_THROW(read({10, 10, 10, 10}), InputError);  // there is no such collective
}

// Two groups of two of four ranks: what one sends is for its group, and its root is a rank of the trace.
TEST(Program, ChakraCollectivesOfAProcessGroupAreOfItsRanks) {
  const auto trace = [](const std::string& group, int type, int root) {
    return "{\"nodes\": [{\"id\": 2, \"type\": \"COMM_COLL_NODE\", \"attr\": [{\"name\": \"comm_type\", "
           "\"int64_val\": " +
           std::to_string(type) + "}, {\"name\": \"root\", \"int64_val\": " + std::to_string(root) +
           "}, {\"name\": \"comm_size\", \"int64_val\": 1000000}, {\"name\": \"pg_name\", " + group + "}]}]}";
  };
  const auto read = [](const std::vector<std::string>& traces) {
    std::vector<std::istringstream> in;
    std::vector<ChakraSource> sources;
    for (const std::string& text : traces) in.emplace_back(text);
    for (std::size_t rank = 0; rank < in.size(); ++rank)
      sources.push_back({in[rank], "a." + std::to_string(rank) + ".json"});
    return read_chakra_json(sources);
  };
  const std::string even = "\"string_val\": \"a\"", odd = "\"int64_val\": 7";
  const Program p = read({trace(even, 5, 2), trace(odd, 0, 0), trace(even, 5, 2), trace(odd, 0, 0)});
  const u32 of_two = open_program("allreduce:bytes=1000000", 2).messages();
  EXPECT_EQ(p.messages(), of_two + 1);
  for (Op op = 0; op < p.size(); ++op) {
    if (p.kind[op] != Program::Kind::send) continue;
    const u32 from = p.rank[op], to = p.rank[p.partner[op]];
    EXPECT_EQ(from % 2, to % 2);
    EXPECT_TRUE(from % 2 == 1 || from == 2);  // the root sends
  }
  EXPECT_THROW(read({trace(even, 5, 1), trace(odd, 0, 0), trace(even, 5, 1), trace(odd, 0, 0)}), InputError);
  // Written as Chakra's tools write it: a text in an attribute of protobuf.
  const auto field = [](char number, const std::string& text) {
    return std::string{number, static_cast<char>(text.size())} + text;
  };
  const auto with = [&](const std::string& name, const std::string& value) {
    return field(0x52, field(0x0a, name) + value);
  };
  const auto wire = [&](const std::string& group) {
    const std::string node =
        std::string("\x08\x01\x18\x07", 4) + with("comm_type", std::string("\x48\x00", 2)) +
        with("comm_size", std::string("\x48\x64", 2)) +
        with("pg_name", "\xea\x01" + std::string{static_cast<char>(group.size())} + group);
    return std::string(1, '\0') + std::string{static_cast<char>(node.size())} + node;
  };
  std::vector<std::istringstream> in;
  std::vector<ChakraSource> sources;
  for (const char* group : {"x", "y", "x", "y"}) in.emplace_back(wire(group));
  for (std::size_t rank = 0; rank < 4; ++rank) sources.push_back({in[rank], "a.et"});
  const Program both = read_chakra(sources);
  EXPECT_EQ(both.messages(), 2 * open_program("allreduce:bytes=100", 2).messages());
}

TEST(Program, ReceivesOfAnotherSizeAreCounted) {
  const Program p = goal("num_ranks 2\nrank 0 {\nsend 10b to 1\n}\nrank 1 {\nrecv 20b from 0\n}\n");
  EXPECT_EQ(ask::check_program(p).unequal_sizes, 1u);
  EXPECT_EQ(ask::check_program(p).first_unequal,
            "rank 1, line 6: recv 20b from 0 tag 0, and its send has 10b");
  EXPECT_EQ(p.bytes(), 10);
  EXPECT_EQ(ask::check_program(goal(ping_pong)).unequal_sizes, 0u);
}

// What is made here knows that four ranks share a host: the same messages as the algorithm that knows it.
TEST(Program, WhatIsMadeKnowsItsHosts) {
  EXPECT_EQ(goal_text(open_program("allreduce:bytes=1MiB", 16, 4)),
            goal_text(open_program("allreduce:bytes=1MiB,algorithm=rail-rings", 16, 4)));
  const std::string step = "step:tensor=8,layers=1,hidden=64";
  EXPECT_NE(goal_text(open_program(step, 16, 4)), goal_text(open_program(step, 16, 1)));
}

// A stream and a NIC for each message of a round, also where a rank has more than 2^16 of them.
TEST(Program, ManyMessagesOfARoundHaveStreamsOfTheirOwn) {
  constexpr u32 ranks = 70000;
  std::vector<Demand> messages;
  for (u32 rank = 1; rank < ranks; ++rank) messages.push_back({Rank{rank}, Rank{0}, 1});
  RoundsBuilder builder(ranks);
  builder.round(messages);
  const Program p = builder.take();
  std::set<u32> streams;
  for (Op op = 0; op < p.size(); ++op)
    if (p.kind[op] == Program::Kind::receive) streams.insert(p.where[op].stream);
  EXPECT_EQ(streams.size(), ranks - 1);
}

TEST(Program, BrokenTracesAreRefusedWithRankAndLine) {
  EXPECT_EQ(program_refusal("num_ranks 2\nrank 0 {\nl1: recv 8b from 1 tag 4\n}\n"),
            "a.goal:3: rank 0 receives from rank 1 with tag 4, and rank 1 has no send for it");
  EXPECT_EQ(program_refusal(
                "num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 4\n}\nrank 1 {\nrecv 8b from 0 tag 5\n}\n"),
            "a.goal:3: rank 0 sends to rank 1 with tag 4, and rank 1 has no receive for it");
  EXPECT_EQ(program_refusal("num_ranks 2\nrank 2 {\n}\n"),
            "a.goal:2: found rank 2, expected one below num_ranks, which is 2");
  EXPECT_EQ(program_refusal("num_ranks 2\nrank 1 {\nsend 8b to 2 tag 0\n}\n"),
            "a.goal:3: rank 1: found rank 2, expected one below num_ranks, which is 2");
  EXPECT_EQ(program_refusal("num_ranks 1\nrank 0 {\na: calc 1\na requires b\n}\n"),
            "a.goal:4: rank 0: found no label 'b'");
  const std::string cycle =
      program_refusal("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}\n");
  EXPECT_NE(cycle.find("wait for each other in a circle: rank 0, line"), cycle.npos) << cycle;
  EXPECT_EQ(program_refusal("rank 0 {\n}\n"), "a.goal:1: found 'rank', expected 'num_ranks' first");
  EXPECT_EQ(program_refusal("num_ranks 1\nrank 0 {\n"),
            "a.goal:2: found the end within rank 0, expected '}'");
}

// Each receives before it sends: a circle through both ranks.
TEST(Program, ACircleThroughMessagesIsFound) {
  const std::string text =
      "num_ranks 2\nrank 0 {\na: recv 8b from 1\nb: send 8b to 1\nb requires a\n}\n"
      "rank 1 {\na: recv 8b from 0\nb: send 8b to 0\nb requires a\n}\n";
  const ask::ProgramCheckAnswer found = ask::check_program(goal(text));
  EXPECT_FALSE(found.deadlock_free);
  EXPECT_EQ(found.cycle.size(), 4u);
}

// Each sends before it receives: fine with buffers, and a circle without.
TEST(Program, SendsThatWaitForReceivesCanBeACircle) {
  const std::string text =
      "num_ranks 2\nrank 0 {\na: send 100000b to 1\nb: recv 100000b from 1\nb requires a\n}\n"
      "rank 1 {\na: send 100000b to 0\nb: recv 100000b from 0\nb requires a\n}\n";
  const Program program = goal(text);
  const ask::ProgramCheckAnswer found = ask::check_program(program);
  EXPECT_TRUE(found.deadlock_free);
  EXPECT_FALSE(found.deadlock_free_unbuffered);
  EXPECT_EQ(found.cycle.size(), 4u);
  const Hosts hosts("XGFT(1; 2; 1)");
  EXPECT_THROW(hosts.time(program, at_level(ask::TimeLevel::fluid)), InputError);
  ask::TimingOptions buffered = at_level(ask::TimeLevel::fluid);
  buffered.eager = 100000;
  EXPECT_DOUBLE_EQ(hosts.time(program, buffered).seconds, 1e-4);
}

// 2 (o + L + (s - 1) G + o) and what is computed first (Alexandrov et al. 1995).
TEST(Program, LogGopsOfAPingPong) {
  ask::TimingOptions options = at_level(ask::TimeLevel::loggops);
  options.overhead = {2e-6};  // both sides together
  options.latency = {5e-6};
  options.byte_gap = {2e-9};
  const ask::ProgramAnswer found = Hosts("XGFT(1; 2; 1)").time(goal(ping_pong), options);
  EXPECT_NEAR(found.seconds, 100e-9 + 2 * (1e-6 + 5e-6 + 1000 * 2e-9 + 1e-6), 1e-15);
  EXPECT_DOUBLE_EQ(found.critical_path_seconds, found.seconds);
  EXPECT_EQ(found.flow_events, 0u);
}

// Two messages of one rank: the second starts a gap and (s - 1) G after the first.
TEST(Program, LogGopsKeepsTheGapBetweenMessages) {
  const Program program = goal(
      "num_ranks 3\nrank 0 {\nsend 101b to 1\nsend 101b to 2\n}\nrank 1 {\nrecv 101b from 0\n}\n"
      "rank 2 {\nrecv 101b from 0\n}\n");
  ask::TimingOptions options = at_level(ask::TimeLevel::loggops);
  options.overhead = {2e-6};
  options.latency = {5e-6};
  options.gap = {3e-6};
  options.byte_gap = {1e-8};
  const double message = 1e-6 + 5e-6 + 100 * 1e-8 + 1e-6;
  const ask::ProgramAnswer found = Hosts("XGFT(1; 3; 1)").time(program, options);
  EXPECT_NEAR(found.seconds, 3e-6 + 100 * 1e-8 + message, 1e-15);
  EXPECT_NEAR(found.critical_path_seconds, message, 1e-15);
}

// O on both sides; where it is more than G, the receiver's copying decides. L is at least G.
TEST(Program, LogGopsCopiesWhileBytesArrive) {
  const Program program = goal("num_ranks 2\nrank 0 {\nsend 101b to 1\n}\nrank 1 {\nrecv 101b from 0\n}\n");
  ask::TimingOptions options = at_level(ask::TimeLevel::loggops);
  options.overhead = {2e-6};
  options.byte_gap = {1e-8};
  options.byte_overhead = {1e-9};
  const Hosts hosts("XGFT(1; 2; 1)");
  EXPECT_NEAR(hosts.time(program, options).seconds, 1e-6 + 101 * 1e-8 + 1e-6, 1e-15);
  options.byte_overhead = {1e-7};
  EXPECT_NEAR(hosts.time(program, options).seconds, 1e-6 + 1e-8 + 1e-6 + 100 * 1e-7, 1e-15);
}

// The send of a long message ends when it has left and is awaited.
TEST(Program, LongSendsWaitForTheirReceives) {
  const Program program = goal(
      "num_ranks 2\nrank 0 {\na: send 1001b to 1\nb: calc 1000\nb requires a\n}\n"
      "rank 1 {\na: calc 50000\nb: recv 1001b from 0\nb requires a\n}\n");
  ask::TimingOptions options = at_level(ask::TimeLevel::loggops);
  const Hosts hosts("XGFT(1; 2; 1)");
  EXPECT_NEAR(hosts.time(program, options).seconds, 50e-6, 1e-15);
  options.eager = 1000;
  EXPECT_NEAR(hosts.time(program, options).seconds, 51e-6, 1e-15);
}

TEST(Program, OneMessageTakesItsBytesOverTheLinkAndItsLatencies) {
  const Program program =
      goal("num_ranks 2\nrank 0 {\nsend 1000000b to 1\n}\nrank 1 {\nrecv 1000000b from 0\n}\n");
  ask::TimingOptions options = at_level(ask::TimeLevel::fluid);
  options.overhead = {2e-6};
  options.latency = {1e-6};
  options.cable = {100};
  options.switch_delay = {3e-7};
  const ask::ProgramAnswer found = Hosts("XGFT(1; 2; 1)").time(program, options);
  EXPECT_DOUBLE_EQ(found.seconds, 2e-6 + 1e-3 + 1e-6 + 2 * 100 * 5e-9 + 3e-7);
  EXPECT_DOUBLE_EQ(found.critical_path_seconds, found.seconds);
  EXPECT_EQ(found.flow_events, 2u);
}

// Two messages into one host share its link; LogGOPS's receiver takes them one after another, whatever `nic`
// its receives name.
TEST(Program, FluidSharesWhereMessagesMeet) {
  const Program program = goal(
      "num_ranks 3\nrank 0 {\nrecv 1000b from 1 cpu 0 nic 0\nrecv 1000b from 2 cpu 1 nic 1\n}\n"
      "rank 1 {\nsend 1000b to 0\n}\nrank 2 {\nsend 1000b to 0\n}\n");
  const Hosts hosts("XGFT(1; 3; 1)");
  EXPECT_DOUBLE_EQ(hosts.time(program, at_level(ask::TimeLevel::fluid)).seconds, 2e-6);
  EXPECT_NEAR(hosts.time(program, at_level(ask::TimeLevel::loggops)).seconds, 2e-6, 1e-15);
}

// Each of 16 hosts sends 15 messages of 32 KiB through one NIC, at every level.
TEST(Program, ANicCarriesNoMoreThanItsSpeed) {
  const Hosts hosts("XGFT(1; 16; 1)");
  const ask::Situation at{.topology = hosts.topology,
                          .routing = &hosts.routing,
                          .traffic = "alltoall:algorithm=linear,bytes=32KiB"};
  for (const ask::TimeLevel level : {ask::TimeLevel::loggops, ask::TimeLevel::fluid}) {
    EXPECT_NEAR(ask::time(at, at_level(level)).seconds, 15 * 32768e-9, 1e-12);
    EXPECT_NEAR(hosts.time(open_program(at.traffic, 16, 1), at_level(level)).seconds, 15 * 32768e-9, 1e-12);
  }
  EXPECT_GE(ask::time(at, at_level(ask::TimeLevel::flit)).seconds, 15 * 32768e-9);
}

// Accelerators share the NICs next to them: of eight on two rails, four each. Every rank sends to the four of
// the other host that are on its rail, and those on the other rail by its own.
TEST(Program, RanksOfAHostShareItsNics) {
  const Hosts hosts("2 x XGFT(1; 2; 1)");
  const ask::Situation at{.topology = hosts.topology,
                          .routing = &hosts.routing,
                          .traffic = "alltoall:algorithm=linear,bytes=1000"};
  for (const ask::TimeLevel level : {ask::TimeLevel::loggops, ask::TimeLevel::fluid}) {
    ask::TimingOptions options = at_level(level);
    options.accelerators = 8;
    EXPECT_NEAR(ask::time(at, options).seconds, 4 * 8 * 1e-6, 1e-12);
    options.nic = {0.5e9};
    EXPECT_NEAR(ask::time(at, options).seconds, 2 * 4 * 8 * 1e-6, 1e-12);
  }
}

// Rank 2 sends 5000 bytes when it has those of rank 1, which leave after 500 ns. Rank 0 sends to it as well,
// after a first message to rank 3. If that one is short, its second message is at rank 2 before that of
// rank 1.
Program who_comes_first(u32 first_bytes, const char* second_queue = "") {
  return goal(
      fmt::format("num_ranks 4\n"
                  "rank 0 {{\nsend {0}b to 3\nsend 1000b to 2{1}\n}}\n"
                  "rank 1 {{\nsend 0b to 3\na: calc 500\nb: send 1000b to 2\nb requires a\n}}\n"
                  "rank 2 {{\nrecv 1000b from 0 cpu 1\na: recv 1000b from 1\nb: send 5000b to 3\n"
                  "b requires a\n}}\n"
                  "rank 3 {{\nrecv {0}b from 0\nrecv 0b from 1\nrecv 5000b from 2\n}}\n",
                  first_bytes, second_queue));
}

TEST(Program, LongerMessagesMayTakeLessTime) {
  const Hosts hosts("XGFT(1; 4; 1)");
  const auto seconds = [&](ask::TimeLevel level, u32 first_bytes) {
    return hosts.time(who_comes_first(first_bytes), at_level(level)).seconds;
  };
  EXPECT_NEAR(seconds(ask::TimeLevel::loggops, 100), 7.1e-6, 1e-14);
  EXPECT_NEAR(seconds(ask::TimeLevel::loggops, 1000), 6.5e-6, 1e-14);
  EXPECT_NEAR(seconds(ask::TimeLevel::fluid, 100), 7.1e-6, 1e-14);
  EXPECT_NEAR(seconds(ask::TimeLevel::fluid, 1000), 7.0e-6, 1e-14);
}

// In a queue of its own and on the second rail, the second message of rank 0 need not wait for the first: it
// is at rank 2 before the other.
TEST(Program, TwoRailsMayTakeMoreTime) {
  const Program program = who_comes_first(1000, " cpu 1 nic 1");
  const ask::TimingOptions options = at_level(ask::TimeLevel::loggops);
  EXPECT_NEAR(Hosts("XGFT(1; 4; 1)").time(program, options).seconds, 6.5e-6, 1e-14);
  EXPECT_NEAR(Hosts("2 x XGFT(1; 4; 1)").time(program, options).seconds, 7.0e-6, 1e-14);
}

// Inside a host an accelerator sends one message after another, at the speed that is given.
TEST(Program, AcceleratorsCarryNoMoreThanTheirSpeed) {
  const Hosts hosts("XGFT(1; 2; 1)");
  const ask::Situation at{.topology = hosts.topology,
                          .routing = &hosts.routing,
                          .traffic = "alltoall:algorithm=linear,bytes=1000",
                          .ranks = 4};
  for (const ask::TimeLevel level : {ask::TimeLevel::loggops, ask::TimeLevel::fluid}) {
    ask::TimingOptions options = at_level(level);
    options.accelerators = 4;
    options.inside = {2e9};
    EXPECT_NEAR(ask::time(at, options).seconds, 3 * 0.5e-6, 1e-12);
  }
}

// The NIC of a host keeps the gap, whichever of its ranks sends.
TEST(Program, LogGopsKeepsTheGapOfAHostsNic) {
  const Hosts hosts("XGFT(1; 2; 1)");
  const ask::Situation at{
      .topology = hosts.topology, .routing = &hosts.routing, .traffic = "alltoall:algorithm=linear,bytes=1"};
  ask::TimingOptions options = at_level(ask::TimeLevel::loggops);
  options.accelerators = 4;
  options.gap = {1e-6};
  EXPECT_NEAR(ask::time(at, options).seconds, 15 * 1e-6 + 1e-9, 1e-15);
}

// Operations of one stream wait for each other, those of two do not.
// Two messages of 1 ms meet before rank 2. The one of weight 3 has three quarters of the link until it has
// left after 4/3 ms; the other has 2/3 ms of its bytes left then.
TEST(Program, FluidSharesByWeight) {
  const std::string text =
      "num_ranks 3\nrank 0 {\nsend 1000000b to 2 weight 3\n}\nrank 1 {\nsend 1000000b to 2\n}\n"
      "rank 2 {\nrecv 1000000b from 0\nrecv 1000000b from 1 cpu 1\n}\n";
  const Hosts hosts("XGFT(1; 3; 1)");
  const Program program = goal(text);
  ProgramLog log(program);
  flow::ProgramOptions how;
  how.network.rates.link = 1e9;
  fluid_time(hosts.fabric(), hosts.routing, program, place_linearly(3), how, &log);
  EXPECT_NEAR(log.end[2], 4e-3 / 3, 1e-12);
  EXPECT_NEAR(log.end[3], 2e-3, 1e-12);
  EXPECT_NEAR(hosts.time(program, at_level(ask::TimeLevel::loggops)).critical_path_seconds, 1e-3, 1e-8);
  EXPECT_THROW(hosts.time(program, at_level(ask::TimeLevel::flit)), InputError);
}

TEST(Program, WeightsThatAreNoneAreRefused) {
  const auto with = [](const std::string& weight) {
    return program_refusal("num_ranks 2\nrank 0 {\nsend 7b to 1 weight " + weight +
                           "\n}\nrank 1 {\nrecv 7b from 0\n}\n");
  };
  EXPECT_EQ(with("0"), "a.goal:3: found a weight of 0, expected at least 1");
  EXPECT_EQ(with("1000001"), "a.goal:3: found '1000001' for a weight, expected a whole number up to 1000000");
  EXPECT_EQ(with("-1"), "a.goal:3: found '-1' for a weight, expected a whole number up to 1000000");
  EXPECT_EQ(with("1"), "");
}

// The same two messages, without weights: half a link each from 0 to 2 ms, and nothing afterwards.
TEST(Program, ChannelsCarryWhatFlowsGetThen) {
  const Hosts hosts("XGFT(1; 3; 1)");
  const Program program = goal(
      "num_ranks 3\nrank 0 {\na: calc 1000000\nb: send 1000000b to 2\nb requires a\n}\n"
      "rank 1 {\nsend 2000000b to 2\n}\nrank 2 {\nrecv 1000000b from 0\nrecv 2000000b from 1 cpu 1\n}\n");
  const ask::ProgramAnswer found =
      ask::program_time({.topology = hosts.topology, .routing = &hosts.routing},
                        at_level(ask::TimeLevel::fluid), program, {.at = "2.5ms, 0.5ms,1ms,3ms"});
  ASSERT_EQ(found.moments->size(), 4u);
  const auto to = [&](std::size_t moment, u32 host) {
    const auto& one = (*found.moments)[moment];
    double out = 0;
    for (std::size_t i = 0; i < one.channels.size(); ++i)
      if (hosts.fabric().name(hosts.fabric().to(one.channels[i])) == fmt::format("h{}", host))
        out += one.rates[i];
    return out;
  };
  EXPECT_EQ((*found.moments)[0].time, 0.5e-3);
  EXPECT_EQ((*found.moments)[0].flows, 1u);
  EXPECT_EQ((*found.moments)[0].channels.size(), 2u);
  EXPECT_NEAR(to(0, 2), 1e9, 1);
  EXPECT_EQ((*found.moments)[1].flows, 2u);  // what begins then has begun
  EXPECT_EQ((*found.moments)[1].channels.size(), 3u);
  EXPECT_NEAR((*found.moments)[1].rates[0], 0.5e9, 1);
  EXPECT_NEAR(to(1, 2), 1e9, 1);
  EXPECT_EQ((*found.moments)[2].flows, 2u);
  EXPECT_EQ((*found.moments)[3].flows, 0u);  // what ends then has ended
  EXPECT_TRUE((*found.moments)[3].channels.empty());
}

TEST(Program, StreamsRunOneOperationAtATime) {
  const Hosts hosts("XGFT(1; 2; 1)");
  const auto seconds = [&](const std::string& cpu) {
    return hosts
        .time(goal("num_ranks 1\nrank 0 {\ncalc 100 cpu 0\ncalc 100 cpu " + cpu + "\n}\n"),
              at_level(ask::TimeLevel::fluid))
        .seconds;
  };
  EXPECT_DOUBLE_EQ(seconds("0"), 200e-9);
  EXPECT_DOUBLE_EQ(seconds("1"), 100e-9);
}

// Held to a reference that looks at all operations again and again.
TEST(Program, LogGopsIsThatOfThePlainOne) {
  const Hosts hosts("XGFT(1; 8; 1)");
  for (const char* pattern : {"allreduce:algorithm=ring,bytes=8000", "alltoall:algorithm=pairwise,bytes=100",
                              "broadcast:algorithm=binomial,bytes=5000", "allgather:algorithm=bruck,bytes=70",
                              "alltoall:algorithm=linear,bytes=100"}) {
    const Program program = program_of(make_traffic({hosts.topology, 8}, pattern), Rounds::exchange);
    flow::ProgramOptions options;
    options.network.overhead = 3e-6;
    options.network.gap = 4e-6;
    options.latency = 5e-6;
    options.byte_gap = 1e-9;
    options.byte_overhead = 2e-10;
    options.eager_bytes = 900;
    EXPECT_NEAR(loggops_time(hosts.fabric(), hosts.routing, program, place_linearly(8), options).total,
                plain_loggops(program, place_linearly(8), options), 1e-13)
        << pattern;
  }
}

// Where all ranks do the same in every round, rounds are synchronous.
TEST(Program, CollectivesTakeTheTimeOfTheirRounds) {
  const Hosts hosts("XGFT(2; 4,4; 1,4)");
  for (const char* pattern :
       {"allreduce:algorithm=ring,bytes=160000", "allreduce:algorithm=recursive-doubling,bytes=100000",
        "alltoall:algorithm=pairwise,bytes=70000", "allgather:algorithm=ring,bytes=70000",
        "reduce-scatter:algorithm=ring,bytes=160000", "barrier:algorithm=recursive-doubling"}) {
    const ask::Situation at{.topology = hosts.topology, .routing = &hosts.routing, .traffic = pattern};
    ask::TimingOptions options = at_level(ask::TimeLevel::fluid);
    options.overhead = {2e-6};
    const Program program = program_of(at.job().traffic, Rounds::exchange);
    EXPECT_NEAR(hosts.time(program, options).seconds, ask::time(at, options).seconds, 1e-12) << pattern;
  }
}

TEST(Program, CollectivesNeverTakeMoreThanTheirRounds) {
  const Hosts hosts("XGFT(2; 4,4; 1,4)");
  for (const char* pattern :
       {"broadcast:algorithm=binomial,bytes=100000", "reduce:algorithm=binomial,bytes=100000",
        "gather:algorithm=binomial,bytes=7000", "scatter:algorithm=binomial,bytes=7000",
        "allreduce:algorithm=tree,bytes=100000,segment=10000",
        "allreduce:algorithm=rabenseifner,bytes=100000",
        "broadcast:algorithm=pipeline,bytes=100000,segment=10000", "allgather:algorithm=bruck,bytes=9000",
        "alltoall:algorithm=linear,bytes=1000", "barrier:algorithm=tree"}) {
    const ask::Situation at{.topology = hosts.topology, .routing = &hosts.routing, .traffic = pattern};
    ask::TimingOptions options = at_level(ask::TimeLevel::fluid);
    options.eager = 0;  // as in rounds, a rank waits until its messages have left
    options.overhead = {2e-6};
    const Program program = program_of(at.job().traffic, Rounds::exchange);
    EXPECT_LE(hosts.time(program, options).seconds, ask::time(at, options).seconds * (1 + 1e-9)) << pattern;
  }
}

// In its second round rank 1 sends a message of 1 us to rank 2, and so does rank 0 in the first: without a
// barrier they share a link, rank 2 has its first message after 2 us, and begins what it sends then.
TEST(Program, MayTakeLongerThanItsRounds) {
  const Hosts hosts("XGFT(1; 4; 1)");
  const std::vector<std::vector<Demand>> rounds = {{{Rank{0}, Rank{2}, 1000}},
                                                   {{Rank{1}, Rank{2}, 1000}, {Rank{2}, Rank{3}, 1000}}};
  const Traffic traffic{.ranks = 4,
                        .list = [&](u64, u64, u64 round, std::vector<Demand>& out) { out = rounds[round]; },
                        .rounds = 2,
                        .in_bytes = true};
  flow::ProgramOptions options;
  options.network.rates.link = 1e9;
  const double with_barriers =
      collective_time(hosts.fabric(), hosts.routing, traffic, place_linearly(4), options.network, 1).total;
  EXPECT_DOUBLE_EQ(with_barriers, 2e-6);
  for (const double eager : {0.0, 65535.0}) {
    options.eager_bytes = eager;
    const flow::ProgramTime found = fluid_time(
        hosts.fabric(), hosts.routing, program_of(traffic, Rounds::exchange), place_linearly(4), options);
    EXPECT_DOUBLE_EQ(found.total, 3e-6);
    EXPECT_DOUBLE_EQ(found.critical_path, 2e-6);
  }
}

TEST(Program, ATrainingStepComputesAndSendsWhatItsPhasesSay) {
  const TrainingOptions model{.tensor = 2, .pipeline = 2, .layers = 4, .hidden = 64, .sequence = 32};
  const TrainingStep step = training_step(8, model);
  const Program program = program_of(8, model);
  double bytes = 0, computing = 0;
  for (const TrainingPhase& phase : step.phases) {
    std::vector<Demand> demands;
    for (u64 round = 0; round < phase.traffic.rounds; ++round) phase.traffic.list(0, 0, round, demands);
    double once = 0;
    for (const Demand& d : demands) once += d.amount;
    // Every micro-batch passes each pair of stages once in either direction.
    bytes += once * (phase.name == "pipeline" ? step.micro_batches : phase.times);
  }
  for (Op op = 0; op < program.size(); ++op)
    if (program.kind[op] == Program::Kind::compute) computing += program.amount[op];
  EXPECT_NEAR(program.bytes(), bytes, 1e-6 * bytes);
  EXPECT_NEAR(computing, 8 * step.computing, 1e-9 * computing);
  EXPECT_TRUE(find_cycle(program, Buffering::none).empty());
}

TEST(Program, ApplicationsBecomePrograms) {
  const Profile profile = make_profile("hpcg", 8);
  const Program program = program_of(profile);
  EXPECT_EQ(program.messages(), profile.messages());
  EXPECT_NEAR(program.bytes(), profile.bytes(), 1e-6 * profile.bytes());
}

// A message of one packet on an idle fabric, and a long one: flits cost what fluid does and the cycles of the
// way.
TEST(Program, FlitsComeCloseToTheFluid) {
  const Hosts hosts("XGFT(2; 2,2; 1,2)");
  const Program program = goal(
      "num_ranks 4\nrank 0 {\na: calc 1000\nb: send 102400b to 2\nb requires a\n}\n"
      "rank 2 {\na: recv 102400b from 0\nb: calc 5000\nb requires a\n}\n");
  ask::TimingOptions options = at_level(ask::TimeLevel::flit);
  const ask::ProgramAnswer flit = hosts.time(program, options);
  const ask::ProgramAnswer fluid = hosts.time(program, at_level(ask::TimeLevel::fluid));
  EXPECT_DOUBLE_EQ(fluid.seconds, 1e-6 + 102.4e-6 + 5e-6);
  EXPECT_GE(flit.seconds, fluid.seconds);
  EXPECT_LE(flit.seconds, fluid.seconds + 64 * 256e-9);
}

// As each level says it alone; the most exact one is what others differ from.
TEST(Program, LevelsStandBesideEachOther) {
  const Hosts hosts("XGFT(2; 2,2; 1,2)");
  const ask::Situation at{.topology = hosts.topology, .routing = &hosts.routing};
  const Program program = open_program("allreduce:bytes=100kB", 4, 1);
  const ask::LevelsAnswer found =
      program_levels(at, at_level(ask::TimeLevel::fluid), program, ask::read_levels("flit, loggops,fluid"));
  ASSERT_EQ(found.levels.size(), 3u);
  EXPECT_EQ(found.messages, program.messages());
  const std::array order{ask::TimeLevel::loggops, ask::TimeLevel::fluid, ask::TimeLevel::flit};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ask::LevelsAnswer::Level& one = found.levels[i];
    const ask::ProgramAnswer alone = hosts.time(program, at_level(order[i]));
    EXPECT_EQ(one.level, order[i]);
    EXPECT_EQ(one.seconds, alone.seconds);
    EXPECT_EQ(one.flow_events, alone.flow_events);
    EXPECT_EQ(one.cycles, alone.cycles.value_or(0));
    EXPECT_DOUBLE_EQ(one.difference, alone.seconds / found.levels[2].seconds - 1);
    EXPECT_GE(one.cpu_seconds, 0);
  }
  EXPECT_EQ(ask::read_levels("all").size(), 3u);
  EXPECT_THROW(ask::read_levels("fluid"), InputError);
  EXPECT_THROW(ask::read_levels("fluid,fluid"), InputError);
  EXPECT_THROW(ask::read_levels("fluid,solid"), InputError);
}

// Who is answered, and when, if two messages for rank 0 arrive in cycle 20.
std::vector<std::pair<Seat, u64>> answers_to(bool first_comes_first) {
  const Program program = goal(
      "num_ranks 3\n"
      "rank 0 {\n l1: recv 10b from 1 tag 1\n l2: recv 10b from 2 tag 2\n"
      " l3: send 10b to 1 tag 3\n l4: send 10b to 2 tag 4\n l3 requires l1\n l4 requires l2\n}\n"
      "rank 1 {\n l1: send 10b to 0 tag 1\n l2: recv 10b from 0 tag 3\n}\n"
      "rank 2 {\n l1: send 10b to 0 tag 2\n l2: recv 10b from 0 tag 4\n}\n");
  const Hosts hosts("2-ary 2-tree");
  Workload workload = Workload::program(hosts.fabric(), program, place_linearly(3), {}, {.overhead = 5}, 0);
  std::vector<u32> sent;
  for (const Seat seat : {Seat{1}, Seat{2}}) {
    workload.idle(seat, 10);
    sent.push_back(workload.take(seat, 10).round);
  }
  if (!first_comes_first) std::swap(sent[0], sent[1]);
  for (const u32 round : sent) workload.arrived(Seat{0}, round, 20);
  std::vector<std::pair<Seat, u64>> out;
  for (u64 now = 20; now < 60; ++now) {
    workload.idle(Seat{0}, now);
    if (workload.when(Seat{0}) > now) continue;
    const Workload::Post post = workload.take(Seat{0}, now);
    out.emplace_back(post.to, post.created);
  }
  return out;
}

// They come through several ports of a NIC, of which one engine asks another one first.
TEST(Program, TheOrderInWhichMessagesOfACycleAreHeardDoesNotMatter) {
  EXPECT_EQ(answers_to(true).size(), 2u);
  EXPECT_EQ(answers_to(true), answers_to(false));
}

}  // namespace
}  // namespace banyan::tests
