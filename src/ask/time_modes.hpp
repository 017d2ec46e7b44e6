// What is timed, besides the options of it: a traffic, a collective at several sizes, a step of training, or
// a program.
#pragma once
#include <string>
#include <variant>

#include "ask/time.hpp"
#include "ask/was_given.hpp"

namespace banyan::ask {

struct TimeModes {
  std::string sizes{}, step{};
  FilePath program{};

  static void fields(auto& self, auto&& f) {
    f("sizes", self.sizes, "a collective at several sizes, as NCCL's tests print it: 8:8GiB:4, or 1KiB,1MiB");
    f("step", self.step,
      "a step of training instead of a traffic: tensor=8,pipeline=4,layers=80,hidden=8192");
    f("program", self.program,
      "a program whose ranks wait for each other: a file that ends with .goal, .et or .json; or step:MODEL, "
      "application:NAME or a collective as a program");
  }

  // The traffic that is timed, as a head names it, where that is not `traffic`.
  std::string traffic(const std::string& traffic) const;
};

// Throws InputError where what was given contradicts itself.
void refuse_contradictions(const TimeModes& modes, const WasGiven& given);

using AnyTimingAnswer = std::variant<TimingAnswer, TimesAnswer, StepAnswer, ProgramAnswer>;
// Throws InputError.
AnyTimingAnswer time(const Situation& at, const TimingOptions& options, const TimeModes& modes);

}  // namespace banyan::ask
