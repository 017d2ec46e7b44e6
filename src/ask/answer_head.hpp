// What was asked: the fields that every answer of the program begins with.
#pragma once
#include <optional>
#include <string>

#include "ask/answer.hpp"
#include "base/version.hpp"

namespace banyan::ask {

struct AnswerHead {
  u64 seed = 0;
  std::optional<std::string> fabric{}, engine{}, tables{}, nic{}, traffic{};  // where the verb repeats them

  static void fields(auto& self, auto&& f) {
    f("version", std::string(version()), "", "version of the program");
    f("seed", self.seed, "", "seed of everything that was drawn; 0: nothing was drawn");
    f("fabric", self.fabric, "", "the fabric, as it was given");
    f("engine", self.engine, "", "the engine that routed; where `auto` was given, the one that was chosen");
    f("tables", self.tables, "", "the file of tables, where they were given instead of an engine");
    f("nic", self.nic, "", "the NIC, as it was given");
    f("traffic", self.traffic, "",
      "the traffic, as it was given, with aliases of patterns replaced by their names");
  }
};

// Options, as an object of their own in an answer.
template <class Options>
struct OptionValues {
  Options options{};
  static void fields(auto& self, auto&& f) { option_fields(self.options, f); }
};

}  // namespace banyan::ask
