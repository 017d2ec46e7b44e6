#include "ask/time_modes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ask/timing.hpp"
#include "base/file.hpp"
#include "traffic/programs/open.hpp"

namespace banyan::ask {
namespace {

// A table of levels is of one program on a fabric that stays as it is.
void refuse_of_levels(const WasGiven& given) {
  for (const std::string_view key : {"level", "jobs", "timeline", "report", "picture", "at"})
    if (given(key)) throw InputError(fmt::format("--levels takes no --{}", key));
}

// The first option that was given and changes nothing at any of the levels.
void refuse_unused(const std::vector<TimeLevel>& levels, bool is_program, const WasGiven& given) {
  for (const std::string_view key : unused_options(levels[0], is_program)) {
    const auto is_unused = [&](TimeLevel level) {
      const auto unused = unused_options(level, is_program);
      return std::find(unused.begin(), unused.end(), key) != unused.end();
    };
    if (given(key) && std::all_of(levels.begin(), levels.end(), is_unused))
      throw InputError(levels.size() == 1
                           ? "--" + unused_text(key, levels[0], is_program)
                           : fmt::format("--{} changes nothing for a program at any of these levels", key));
  }
}

// Of a program: what its special cases take.
void refuse_of_program(const TimeModes& modes, const TimingOptions& options, const WasGiven& given) {
  const bool has_jobs = !modes.jobs.empty(), has_timeline = !modes.timeline.empty();
  if (!modes.sizes.empty() || !modes.step.empty() || given("traffic") || given("job") ||
      (given("out") && !has_jobs && modes.levels.empty()))
    throw InputError("--program takes no --traffic, no --job, no --sizes, no --step and no --out");
  if (!modes.levels.empty()) refuse_of_levels(given);
  if ((has_jobs || has_timeline) && options.level != TimeLevel::fluid)
    throw InputError("a list of jobs and a timeline are for level=fluid");
  if (!has_timeline && given("reroute-delay")) throw InputError("--reroute-delay is for --timeline");
  if (!has_jobs && given("repeats")) throw InputError("--repeats is for --jobs");
  if (has_jobs && given("ranks")) throw InputError("--jobs has ranks of its own: it takes no --ranks");
  for (const std::string_view key : {"report", "picture", "at"}) {
    if (!given(key)) continue;
    if (has_jobs) throw InputError(fmt::format("--{} is for one program: it takes no --jobs", key));
    if (has_timeline)
      throw InputError(
          fmt::format("--{} shows a program on a fabric that stays as it is: it takes no --timeline", key));
  }
  if (given("report") && options.level == TimeLevel::flit)
    throw InputError("--report: a page of a program is for levels loggops and fluid");
}

}  // namespace

std::string TimeModes::traffic(const std::string& traffic) const {
  if (!program.empty()) return "program:" + program.path;
  return step.empty() ? traffic : "step:" + step;
}

void refuse_contradictions(const TimeModes& modes, const TimingOptions& options, const WasGiven& given) {
  const bool is_program = !modes.program.empty();
  if (given("cross-rail") &&
      (!modes.jobs.empty() || !modes.levels.empty() || !modes.sizes.empty() || !modes.step.empty()))
    throw InputError(
        "--cross-rail is for one traffic or program: it takes no --sizes, --step, --levels or --jobs");
  refuse_unused(modes.levels.empty() ? std::vector{options.level} : read_levels(modes.levels), is_program,
                given);
  if (is_program) return refuse_of_program(modes, options, given);
  for (const std::string_view key :
       {"levels", "jobs", "timeline", "report", "repeats", "reroute-delay", "picture", "at"})
    if (given(key)) throw InputError(fmt::format("--{} needs --program", key));
  if (options.level == TimeLevel::flit && modes.step.empty() && modes.sizes.empty() && given("out"))
    throw InputError("--out writes the rounds of a traffic: a simulation has none to write");
  if (modes.step.empty()) return;
  if (!modes.sizes.empty()) throw InputError("--step has sizes of its own: it takes no --sizes");
  if (given("traffic") || given("job"))
    throw InputError("--step has traffic of its own: it takes no --traffic");
}

Timeline open_timeline(const TimeModes& modes, const RoutingOptions& by, const Topology& whole,
                       FabricRouter& router, RouteResult& result) {
  Timeline out{{}, &router};
  if (modes.timeline.empty()) return out;
  std::ifstream in = open_input(modes.timeline);
  out.changes = fabric::read_timeline(in, modes.timeline, whole.fabric);
  if (!router.is_chosen) return out;
  router = timeline_router(router, by, whole, out.changes);
  result = router.route(whole);
  return out;
}

AnyTimingAnswer time(const Situation& at, const TimingOptions& options, const TimeModes& modes,
                     const Timeline& timeline) {
  if (!modes.jobs.empty()) {
    std::ifstream in = open_input(modes.jobs);
    return jobs_time(at, options, modes.how, read_swf(in, modes.jobs), modes.program, timeline);
  }
  if (!modes.program.empty()) {
    const Program program =
        open_program(modes.program, ranks_for(at, options.accelerators), options.accelerators);
    if (!modes.levels.empty()) return program_levels(at, options, program, read_levels(modes.levels));
    return modes.timeline.empty() ? program_time(at, options, program, modes.looks)
                                  : program_time(at, options, program, modes.how, timeline);
  }
  if (!modes.step.empty())
    return step(at, options, read_options<TrainingOptions>(parse_plugin("step:" + modes.step)));
  if (!modes.sizes.empty()) return times(at, options, read_sizes(modes.sizes));
  return time(at, options);
}

}  // namespace banyan::ask
