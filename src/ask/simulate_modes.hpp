// What is simulated, besides the options of one simulation: one run, a run to the end of the traffic, runs at
// several loads, a search, or a benchmark of a NIC.
#pragma once
#include <string>
#include <vector>

#include "ask/simulate.hpp"
#include "ask/was_given.hpp"

namespace banyan::ask {

struct SimulateModes {
  bool complete = false, saturation = false, follow = false;
  std::string curve{}, nic{};

  static void fields(auto& self, auto&& f) {
    f("complete", self.complete, "send the traffic once, round by round, and run to its end");
    f("curve", self.curve,
      "measure once at each of these loads, 0.1,0.2,0.3 or 0.1:0.9:0.1; auto or auto:N: loads that it "
      "chooses, "
      "dense where the latency rises");
    f("saturation", self.saturation, "search for the load at which the network saturates");
    f("follow", self.follow,
      "print JSON for a program that watches: a line for each batch as it ends, then a line with the key "
      "`answer`; with --curve a line for each point, then one with the key `curve`");
    f("nic", self.nic, "elan3 or elan3:key=value,...: run a benchmark of QsNET (--traffic bench:NAME)");
  }
};

// Throws InputError where what was given contradicts itself.
void refuse_contradictions(const SimulateModes& modes, const SimulateOptions& options, const WasGiven& given);
// The same where an option was given that changes nothing; `options` are resolved.
void refuse_unused(const SimulateOptions& options, const Topology& topology, const Routing& routing,
                   const WasGiven& given);

}  // namespace banyan::ask
