#include "ask/program_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "base/text.hpp"

namespace banyan::ask {
namespace {

constexpr std::array levels_by_exactness{TimeLevel::loggops, TimeLevel::fluid, TimeLevel::flit};

LevelsAnswer::Level at_level(const Situation& at, TimingOptions options, const Program& program,
                             TimeLevel level, LevelsAnswer& out) {
  options.level = level;
  const std::clock_t start = std::clock();
  const ProgramAnswer found = [&] {
    try {
      return program_time(at, options, program);
    } catch (const InputError& error) {
      throw InputError(fmt::format("level {}: {}", option_text(level), error.what()));
    }
  }();
  const double cpu = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  out.rails_policy = found.rails_policy;
  out.algorithm = found.algorithm;
  out.unequal_sizes = found.unequal_sizes;
  return {level, found.seconds, 0, found.critical_path_seconds, found.flow_events, found.cycles.value_or(0),
          cpu};
}

}  // namespace

std::vector<TimeLevel> read_levels(std::string_view text) {
  if (text == "all") return {levels_by_exactness.begin(), levels_by_exactness.end()};
  std::vector<TimeLevel> named, out;
  for (const std::string_view piece : split(text, ',')) {
    read_option_value("levels", trim(piece), named.emplace_back());
    if (std::count(named.begin(), named.end(), named.back()) > 1)
      throw InputError(
          fmt::format("levels is '{}'; expected each level once: {} is there twice", text, trim(piece)));
  }
  if (named.size() < 2)
    throw InputError(fmt::format("levels is '{}'; expected all, or several such as loggops,fluid", text));
  for (const TimeLevel level : levels_by_exactness)
    if (std::count(named.begin(), named.end(), level) > 0) out.push_back(level);
  return out;
}

LevelsAnswer program_levels(const Situation& at, const TimingOptions& options, const Program& program,
                            const std::vector<TimeLevel>& levels) {
  LevelsAnswer out{.hosts = at.topology.fabric.hosts(),
                   .ranks = program.ranks,
                   .operations = program.size(),
                   .messages = program.messages(),
                   .bytes = program.bytes(),
                   .link = options.link.value};
  for (const TimeLevel level : levels) out.levels.push_back(at_level(at, options, program, level, out));
  const double last = out.levels.back().seconds;
  for (LevelsAnswer::Level& one : out.levels) one.difference = last > 0 ? one.seconds / last - 1 : 0;
  return out;
}

}  // namespace banyan::ask
