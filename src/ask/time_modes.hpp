// What is timed, besides the options of it: a traffic, a collective at several sizes, a step of training, or
// a program, which may run at several levels, as many jobs, and while cables are lost. The rules on what may
// be asked together stand here alone.
#pragma once
#include <string>
#include <variant>

#include "ask/jobs_time.hpp"
#include "ask/program_levels.hpp"
#include "ask/time.hpp"
#include "ask/was_given.hpp"

namespace banyan::ask {

struct TimeModes {
  std::string sizes{}, step{};
  FilePath program{};
  std::string levels{};
  FilePath jobs{}, timeline{};
  JobsOptions how{};
  ProgramLooks looks{};

  static void fields(auto& self, auto&& f) {
    f("sizes", self.sizes, "a collective at several sizes, as NCCL's tests print it: 8:8GiB:4, or 1KiB,1MiB");
    f("step", self.step,
      "a step of training instead of a traffic: tensor=8,pipeline=4,layers=80,hidden=8192");
    f("program", self.program,
      "a program whose ranks wait for each other: a file that ends with .goal, .et or .json; or step:MODEL, "
      "application:NAME or a collective as a program");
    f("levels", self.levels,
      "of a program: at several levels, how far they are apart and what each costs: all, or loggops,fluid");
    f("jobs", self.jobs,
      "a list of jobs in SWF: each runs --program when its time has come and hosts are free");
    f("timeline", self.timeline,
      "cables that are lost and regained while programs run: '1.5ms lose link=s3:2'");
    JobsOptions::fields(self.how, f);
    ProgramLooks::fields(self.looks, f);
  }

  // The traffic that is timed, as a head names it, where that is not `traffic`.
  std::string traffic(const std::string& traffic) const;
};

// Throws InputError where what was given contradicts itself, or would change nothing. `given` knows the keys
// of all three structs, and job, out and report, which write files.
void refuse_contradictions(const TimeModes& modes, const TimingOptions& options, const WasGiven& given);

// The timeline that was named, if any, and who routes again. `router` and `result` are those of the
// whole fabric; where `auto` chose the engine, they become those of timeline_router(). Throws
// InputError.
Timeline open_timeline(const TimeModes& modes, const RoutingOptions& by, const Topology& whole,
                       FabricRouter& router, RouteResult& result);

using AnyTimingAnswer =
    std::variant<TimingAnswer, TimesAnswer, StepAnswer, ProgramAnswer, LevelsAnswer, JobsAnswer>;
// Throws InputError.
AnyTimingAnswer time(const Situation& at, const TimingOptions& options, const TimeModes& modes,
                     const Timeline& timeline);

}  // namespace banyan::ask
