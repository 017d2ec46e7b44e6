// Programs of what comes in rounds: collectives, patterns in bytes, applications, steps of training.
#pragma once
#include "traffic/applications/application.hpp"
#include "traffic/applications/training_step.hpp"
#include "traffic/programs/program.hpp"
#include "traffic/rounds.hpp"

namespace banyan::traffic {

// Appends rounds to what ranks do already. A rank begins its next round when its own messages have ended and,
// unless rounds are independent, those to it have arrived. The messages of a round have a stream and
// a NIC each: their overheads do not add up, and they share the links of their rank. A program has no barrier
// between ranks.
class RoundsBuilder {
 public:
  explicit RoundsBuilder(u32 ranks, Rounds rounds = Rounds::exchange);

  void compute(u32 rank, double seconds);
  void round(const std::vector<Demand>& messages);
  void pass(const Demand& message);         // its sender does not wait for it
  void take_passed(const Demand& message);  // its receiver does
  Program take() { return builder_.take(); }

 private:
  struct Course {          // of a rank
    std::vector<Op> last;  // what the next operations wait for
    std::vector<Op> open;  // of the round that is being added
    u32 streams = 0;
  };
  void wait_for_last(u32 rank, Op op);
  Program::Where next_place(u32 rank);
  void close(u32 rank);

  ProgramBuilder builder_;
  Rounds rounds_;
  std::vector<Course> of_rank_;
  std::vector<u32> in_round_;
};

// The traffic's rounds; it must be in bytes.
Program program_of(const Traffic& traffic, Rounds rounds, u64 seed = 1);

// All phases with their repeats.
Program program_of(const Profile& profile);

// Every stage does its micro-batches one forward, one backward (Narayanan et al. 2021); gradients are summed
// after the last one.
// `of_host` ranks share a host, and collectives know it.
Program program_of(u32 ranks, const TrainingOptions& options, u32 of_host = 1);

}  // namespace banyan::traffic
