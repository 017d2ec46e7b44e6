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

// What questions have in common that a GPU answers in one launch, if they are about one routing: all options
// but the load and those that say how long to measure.
std::string alike_on_gpu(const SimulateOptions& options);

// Whether there are several runs at once, or one of a large fabric, and processors would take about a second
// or longer for all of them. Questions are about one fabric.
bool are_worth_a_gpu(std::span<const SimulateQuestion> questions);

// Measurements on a GPU, by question; why it cannot, if so. Questions are alike, about one routing, and wait
// at most for cables of the fabric that they are asked about. Says in `where` who simulated, or why it
// failed. Throws InputError.
std::optional<NotApplicable> measure_on_gpu(std::span<const SimulateQuestion> questions,
                                            std::vector<Measurement>& out, Where& where);

// Answers of questions that are alike and about one routing, in one launch on a GPU: those of simulate(), but
// for `where`. Not applicable: a GPU cannot do it; it failed; or at.device leaves the choice open and it is
// not worth a GPU. Options need not be resolved. Throws InputError.
struct AnswersTogether {
  Result<std::vector<SimulateAnswer>> answers;  // by question
  Where where{};
};
AnswersTogether simulate_together(std::vector<SimulateQuestion> questions);

}  // namespace banyan::ask
