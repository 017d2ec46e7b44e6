// Simulations that a GPU runs at once: those of one question at several loads or with several seeds, and
// those of several questions whose networks and messages are alike.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ask/simulate.hpp"

namespace banyan::ask {

// A simulation at a load, with all its replicas. The options are resolved.
struct SimulateQuestion {
  Situation at;
  SimulateOptions options;
};

SimulationSetup setup_of(const Fabric& fabric, const Routing& routing, const SimulateOptions& options);

// What questions have in common that are one group of a device's, if they are about one routing: all options
// but the load and those that say how long to measure.
std::string alike_on_gpu(const SimulateOptions& options);

// What is wrong with a question at a load, as simulate() would say it; empty: nothing. Options need not be
// resolved.
std::string input_error_of(const SimulateQuestion& question);

// Whether there are several runs at once, or one of a large fabric, and processors would take about a second
// or longer for all of them.
bool are_worth_a_gpu(std::span<const SimulateQuestion> questions);

// By question: its measurement on a GPU, or why it cannot be made there. They may be about different fabrics
// and routings and with different options, and are simulated at the same time; those about one fabric wait at
// most for its cables. Says in `where` who simulated, or why it failed. Throws InputError.
std::vector<Result<Measurement>> measure_on_gpu(std::span<const SimulateQuestion> questions, Where& where,
                                                const Watch& watch = {});

// Answers of questions at the same time on a GPU: those of simulate(), but for `where`. Not applicable: a GPU
// cannot do it; it failed; or at.device leaves the choice open and all of them together are not worth a GPU.
// Options need not be resolved. Throws InputError.
struct AnswersTogether {
  std::vector<Result<SimulateAnswer>> answers;  // by question
  Where where{};
};
AnswersTogether simulate_together(std::vector<SimulateQuestion> questions);

}  // namespace banyan::ask
