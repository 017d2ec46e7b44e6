// A candidate of `size` looked at closely: it is built, routed, loaded and simulated, intact and with cables
// broken; and what a step of training takes on it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "ask/time.hpp"

namespace banyan::ask {

struct DeepOptions {
  std::string traffic = "permutation";
  double broken = 0.02;
  double load = 1;
  u32 cycles = 2000;
  u64 seed = 1;
  Length cable{};
  Duration switch_delay{};

  static void fields(auto& self, auto&& f) {
    f("traffic", self.traffic, "with --deep: who sends to whom ('banyan patterns' lists them)");
    f("broken", self.broken,
      "with --deep and --step: share of the cables between switches that break; 0: none");
    f("load", self.load, "with --deep: what hosts offer in the simulation, as a share of a link");
    f("cycles", self.cycles,
      "with --deep: cycles of a simulation, besides those that long cables and slow switches need until "
      "the network is full");
    f("seed", self.seed, "with --deep and --step: seed of everything that is drawn");
    f("cable", self.cable, "with --deep and --speed, and with --step: length of every cable, such as 5m");
    f("switch-delay", self.switch_delay,
      "with --deep and --speed, and with --step: time that a switch takes, such as 300ns");
  }
};

// What one routing makes of the traffic. Broken cables are drawn several times.
struct DeepState {
  std::string engine{};
  double broken = 0;
  u32 draws = 1;
  Interval max_load{unknown, unknown}, accepted{unknown, unknown}, packet_latency{unknown, unknown};
  std::optional<Interval> packet_latency_seconds{};
  double lost = 0;
  std::optional<std::string> remark{};

  static void fields(auto& self, auto&& f) {
    f("engine", self.engine, "", "that routes it");
    f("broken", self.broken, "", "share of the cables between switches that are missing");
    f("draws", self.draws, "", "of these cables; intervals are over draws where there are several");
    f("max_load", self.max_load, "flows",
      "maximum load of a channel, 99 % interval; over draws 95 %; null of adaptive routing");
    f("accepted", self.accepted, "of a link", "what arrives in the simulation, 95 % interval");
    f("packet_latency", self.packet_latency, "cycles", "mean, 95 % interval; null where it is saturated");
    f("packet_latency_seconds", self.packet_latency_seconds, "seconds", "with --speed: packet_latency");
    f("lost", self.lost, "", "share of the flows that do not arrive");
    f("remark", self.remark, "", "why it was not measured");
  }
};

struct DeepStep {
  std::string engine{};
  double broken = 0;
  u32 draws = 1;
  Interval seconds{unknown, unknown}, exposed_seconds{unknown, unknown};
  std::optional<std::string> remark{};

  static void fields(auto& self, auto&& f) {
    f("engine", self.engine, "", "that routes it");
    f("broken", self.broken, "", "share of the cables between switches that are missing");
    f("draws", self.draws, "", "of these cables");
    f("seconds", self.seconds, "seconds", "of a step of training; over draws, 95 % interval");
    f("exposed_seconds", self.exposed_seconds, "seconds", "of these, waiting for messages");
    f("remark", self.remark, "", "why it was not measured");
  }
};

// By the best static engine that applies, and by an adaptive one where there is one; intact and broken.
// `ranks` hosts send. With a speed of links, latencies are also in seconds. Progress is shown on `screen`, by
// default nowhere. Throws InputError.
std::vector<DeepState> look_deep(const std::string& fabric, u32 ranks, const DeepOptions& options, Speed link,
                                 unsigned threads, const Progress::Screen& screen = {});

// By the best static engine. `ranks`: accelerators. Cables and switches are those of `options`. Throws
// InputError.
std::vector<DeepStep> step_deep(const std::string& fabric, u32 ranks, const DeepOptions& options,
                                TimingOptions timing, const TrainingOptions& model, unsigned threads,
                                const Progress::Screen& screen = {});

}  // namespace banyan::ask
