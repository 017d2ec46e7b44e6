// Cables whose ports count errors, ranked by what each would cost the others if it failed.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ask/fail.hpp"
#include "ask/was_given.hpp"
#include "formats/counters.hpp"

namespace banyan::ask {

struct CounterFile {
  FilePath counters{};

  static void fields(auto& self, auto&& f) {
    f("counters", self.counters,
      "counters of ports, from perfquery, ibqueryerrors or as CSV, or a folder of them: rank the cables with "
      "errors by what the others pay without each");
  }
};
// Throws InputError for what counters do not go with.
void refuse_beside_counters(const FailOptions& options, const WasGiven& given);

// Cables whose ports count errors, ranked by what each would cost the others if it failed.
struct CountersAnswer {
  struct Counter {
    std::string port{}, counter{};
    u64 value = 0;

    static void fields(auto& self, auto&& f) {
      f("port", self.port, "", "which counts");
      f("counter", self.counter, "", "as the file calls it");
      f("value", self.value, "", "what it says");
    }
  };
  struct Cable {
    std::string cable{};
    u64 errors = 0;
    std::vector<Counter> counters{};
    std::optional<u64> bytes{};
    double load = 0;
    std::optional<double> max_load{};
    u64 pairs_lost = 0;
    std::optional<std::string> not_applicable{};

    static void fields(auto& self, auto&& f) {
      f("cable", self.cable, "", "its two ends");
      f("errors", self.errors, "", "of both ends, all counters of errors together");
      f("counters", self.counters, "", "those of errors that are not 0");
      f("bytes", self.bytes, "bytes", "that its ends sent, where that was counted");
      f("load", self.load, "flows",
        "of the traffic on the cable while it is there: what suffers from the errors");
      f("max_load", self.max_load, "flows", "on the heaviest channel without the cable: what others pay");
      f("pairs_lost", self.pairs_lost, "", "that do not arrive without it");
      f("not_applicable", self.not_applicable, "", "why the engine cannot route without it");
    }
  };
  struct Port {
    u32 channel = 0;
    std::string port{};
    u64 errors = 0;
    std::optional<u64> bytes{};

    static void fields(auto& self, auto&& f) {
      f("channel", self.channel, "", "number of the channel that leaves the port");
      f("port", self.port, "", "its name");
      f("errors", self.errors, "", "all its counters of errors together");
      f("bytes", self.bytes, "bytes", "that it sent, where that was counted");
    }
  };
  u64 ports = 0;
  double max_load = 0;
  std::optional<u64> hashes{};
  std::vector<Cable> cables{};
  std::vector<Counter> uncabled{};
  std::vector<Port> by_port{};

  static void fields(auto& self, auto&& f) {
    f("ports", self.ports, "", "that have counters");
    f("max_load", self.max_load, "flows", "on the heaviest channel, with all cables");
    f("hashes", self.hashes, "", "where switches hash: hashes that loads are the mean over");
    f("cables", self.cables, "",
      "with errors: first those without which most pairs are lost, then by max_load, load and errors");
    f("uncabled", self.uncabled, "", "errors of ports that have no cable: one may have died there");
    f("by_port", self.by_port, "", "every port that has counters, in the order of the fabric");
  }
};
// What is asked of where no traffic was given: uniform, whose loads need no listing; where they do, on
// several rails or by hashes, permutations.
std::string traffic_for_counters(const Topology& topology, const Routing& routing);

// Of the options, those of several rails, and the hashes. Throws InputError where these change nothing.
Result<CountersAnswer> bad_cables(const Situation& at, const FabricRouter& router,
                                  const formats::PortCounters& counters, const FailOptions& options = {},
                                  const WasGiven& given = {});

}  // namespace banyan::ask
