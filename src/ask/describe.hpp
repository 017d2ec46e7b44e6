// What a fabric is: counts, distances, bisection, and the shape that was recognised in its cables; and what
// two of its hosts are to each other.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "ask/situation.hpp"
#include "formats/load.hpp"
#include "topology/properties.hpp"

namespace banyan::ask {

// A switch of a shape that has none of its cables.
struct DeadSwitchAnswer {
  std::string name{};
  u64 cables = 0;
  std::vector<std::string> beside{};

  static void fields(auto& self, auto&& f) {
    f("name", self.name, "", "in the fabric; in parentheses where it was not seen");
    f("cables", self.cables, "", "that the shape gives it; all are missing");
    f("beside", self.beside, "", "the nodes that they lead to, each once, where they were seen");
  }
};

// A shape that was recognised; nodes and ports by their names in the fabric as it was found.
struct RecognisedAnswer {
  std::vector<std::vector<std::string>> missing_cables{}, wrong_cables{};  // two ends each
  std::vector<std::vector<std::string>> other_missing{};  // of these, those that no dead switch explains
  std::vector<DeadSwitchAnswer> dead_switches{};
  std::vector<std::string> undecided{}, doubts{};

  static void fields(auto& self, auto&& f) {
    f("missing_cables", self.missing_cables, "",
      "cables that the shape has and the fabric has not, as two ends each");
    f("wrong_cables", self.wrong_cables, "",
      "cables that the fabric has and the shape has not, as two ends each");
    f("dead_switches", self.dead_switches, "",
      "switches that have none of the cables that the shape gives them");
    f("undecided", self.undecided, "", "nodes without a certain place in the shape");
    f("doubts", self.doubts, "", "what could not be decided, in words");
  }
};

// A cable that runs slower than those beside it.
struct SlowLinkAnswer {
  std::vector<std::string> ends{};
  double capacity = 0, usual = 0;
  std::string text{};  // "leaf:5 - spine:3 runs at 8G, 32G is usual there"

  static void fields(auto& self, auto&& f) {
    f("ends", self.ends, "", "its two ports");
    f("capacity", self.capacity, "", "what it has, as capacities of this file are counted");
    f("usual", self.usual, "", "what most cables of its kind have at its switches");
    f("text", self.text, "", "the same in words");
  }
};

struct DescribeAnswer : Properties {
  u32 switches_without_cables = 0;
  std::vector<std::string> without{};  // as the caller has it
  u64 skipped_lines = 0;
  std::vector<SlowLinkAnswer> slow_links{};
  u32 unnamed_adapters = 0;
  bool rails_guessed = false;
  std::string rails_how{};  // in words; empty where the file says rails, or there are none
  // Of a fabric that came without a shape.
  std::optional<bool> recognised{};
  std::optional<std::string> unrecognised_because{};
  std::optional<RecognisedAnswer> found{};

  static void fields(auto& self, auto&& f) {
    Properties::fields(self, f);
    f("switches_without_cables", self.switches_without_cables, "", "of the switches: dead or unplugged");
    f("skipped_lines", self.skipped_lines, "", "of a file: messages of the tool that wrote it");
    f("slow_links", self.slow_links, "", "of a file: cables that run slower than those beside them");
    f("unnamed_adapters", self.unnamed_adapters, "", "adapters whose description names no host");
    f("rails_guessed", self.rails_guessed, "",
      "whether rails of some NICs were decided by their leaves alone");
    f("without", self.without, "", "faults that were requested");
    f("recognised", self.recognised, "", "of a file: whether a shape was recognised in its cables");
    f("unrecognised_because", self.unrecognised_because, "", "why no shape was recognised");
    part(self.found, f);
  }
};

DescribeAnswer describe(const Situation& at, const NoOptions&);
DescribeAnswer describe_loaded(const Loaded& loaded, unsigned threads);

struct PairOptions {
  std::string a{}, b{};  // hosts, by number or name
  u32 rail = 0;

  static void fields(auto& self, auto&& f) {
    f("rail", self.rail, "rail on which --pair looks at the hosts");
  }
};

struct PairAnswer {
  std::string a{}, b{};
  u32 rail = 0;
  std::optional<u32> distance{}, minimal_different_index{};
  u64 shortest_paths = 0;
  std::vector<std::string> nearest_common_ancestors{};

  static void fields(auto& self, auto&& f) {
    f("a", self.a, "", "a host");
    f("b", self.b, "", "another");
    f("rail", self.rail, "", "on which they are looked at");
    f("distance", or_null(self.distance), "channels", "null: they cannot reach each other");
    f("shortest_paths", self.shortest_paths, "", "between them");
    f("minimal_different_index", or_null(self.minimal_different_index), "",
      "of trees: the first digit in which they differ, the most significant being 0");
    f("nearest_common_ancestors", self.nearest_common_ancestors, "", "of trees: where they meet");
  }
};

// Throws InputError where there is no such host or rail.
PairAnswer describe_pair(const Loaded& loaded, const PairOptions& options);

}  // namespace banyan::ask
