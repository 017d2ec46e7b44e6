#include "ask/simulate_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "ask/any_hash.hpp"
#include "ask/on_gpu.hpp"
#include "flit/device_measure.hpp"
#include "flit/replicas.hpp"

namespace banyan::ask {
namespace {

u64 cycles_of(const MeasureOptions& until) { return std::max(until.cycles, until.max_cycles); }

// Questions that are simulated as one group: of one routing and one fabric, and alike.
using QuestionGroup = std::vector<std::size_t>;
std::vector<QuestionGroup> groups_of(std::span<const SimulateQuestion> questions) {
  std::vector<QuestionGroup> out;
  std::map<std::tuple<const void*, const void*, std::string>, std::size_t> known;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto& [at, options] = questions[i];
    const auto key =
        std::tuple<const void*, const void*, std::string>(&at.topology, at.routing, alike_on_gpu(options));
    const auto [found, is_new] = known.try_emplace(key, out.size());
    if (is_new) out.emplace_back();
    out[found->second].push_back(i);
  }
  return out;
}

// All replicas of all questions of a group, in this order.
DeviceGroup device_group(std::span<const SimulateQuestion> questions, const QuestionGroup& group,
                         const Watch& watch) {
  const SimulateQuestion& first = questions[group.front()];
  DeviceGroup out{setup_of(first.at.topology.fabric, *first.at.routing, first.options), {}};
  out.setup.threads = first.at.threads;
  for (const std::size_t i : group) {
    const auto& [at, options] = questions[i];
    check_load(options.messages.load);
    for (u32 replica = 0; replica < options.measure.replicas; ++replica) {
      Situation own = at;
      own.seed += replica;
      const auto [traffic, placement] = own.job(ShorterJobs::repeat, 1);
      out.runs.push_back({Workload::open(at.topology.fabric, traffic, placement, options.messages, own.seed),
                          options.measure, own.seed, watch});
    }
  }
  return out;
}

u64 planned_cycles(std::span<const DeviceGroup> groups) {
  u64 out = 0;
  for (const DeviceGroup& group : groups)
    for (const DeviceRun& run : group.runs) out += run.until.cycles ? run.until.cycles : run.until.max_cycles;
  return out;
}

// Questions whose hosts do not take too much memory of this machine, at least one.
std::size_t questions_at_once(std::span<const SimulateQuestion> questions) {
  constexpr u64 max_hosts = u64{1} << 22;
  u64 hosts = 0;
  std::size_t out = 0;
  for (const auto& [at, options] : questions) {
    hosts += u64{options.measure.replicas} * at.topology.fabric.hosts();
    if (out > 0 && hosts > max_hosts) break;
    ++out;
  }
  return out;
}

// Why no GPU answers the questions of a group, as far as options say it.
std::optional<NotApplicable> gpu_refusal(std::span<const SimulateQuestion> questions,
                                         const QuestionGroup& group) {
  const auto& [at, options] = questions[group.front()];
  u64 max_cycles = 0, replicas = 1;
  for (const std::size_t i : group) {
    max_cycles = std::max(max_cycles, cycles_of(questions[i].options.measure));
    replicas = std::max<u64>(replicas, questions[i].options.measure.replicas);
    if (questions[i].options.ends())
      return NotApplicable{"a GPU simulates messages at a load, not traffic that is sent once"};
  }
  if (replicas > 1 && hashes(*at.routing))
    return NotApplicable{"a GPU simulates all replicas under one hash, and each has its own"};
  SimulationSetup setup = setup_of(at.topology.fabric, *at.routing, options);
  setup.exchange = at.exchange;
  return device_refusal(setup, max_cycles);
}

// Writes the measurements of some questions, or why a GPU cannot make them. Throws gpu::DeviceFailure.
void measure_some(const gpu::Device& device, std::span<const SimulateQuestion> questions, const Watch& watch,
                  std::span<Result<Measurement>> out) {
  std::vector<DeviceGroup> runs;
  std::vector<QuestionGroup> asked;
  for (const QuestionGroup& group : groups_of(questions)) {
    if (const auto reason = gpu_refusal(questions, group)) {
      for (const std::size_t i : group) out[i] = *reason;
      continue;
    }
    runs.push_back(device_group(questions, group, watch));
    asked.push_back(group);
  }
  Progress progress("cycles", planned_cycles(runs), questions.front().at.screen);
  std::vector<GroupMeasured> found = measure_on_device(device, runs, &progress);
  for (std::size_t g = 0; g < asked.size(); ++g) {
    auto* const measured = std::get_if<std::vector<Measurement>>(&found[g]);
    std::ptrdiff_t next = 0;
    for (const std::size_t i : asked[g]) {
      if (!measured) {
        out[i] = std::get<NotApplicable>(found[g]);
        continue;
      }
      const auto first = std::make_move_iterator(measured->begin() + next);
      next += static_cast<std::ptrdiff_t>(questions[i].options.measure.replicas);
      out[i] = combined_replicas({first, std::make_move_iterator(measured->begin() + next)});
    }
  }
}

}  // namespace

SimulationSetup setup_of(const Fabric& fabric, const Routing& routing, const SimulateOptions& options) {
  SimulationSetup out{fabric, routing, options.network, options.messages};
  out.granularity = options.granularity;
  if (options.with_rails) out.rails = options.rails;
  return out;
}

std::string alike_on_gpu(const SimulateOptions& options) {
  SimulateOptions rest = options;
  rest.messages.load = 0;
  rest.measure = {};
  std::string out;
  for (const auto& [key, value] : option_texts(rest)) out += fmt::format("{}={}\n", key, value);
  return out;
}

std::string input_error_of(const SimulateQuestion& question) {
  try {
    const SimulateOptions options = resolved(question.at.topology, *question.at.routing, question.options);
    const std::vector<SimulateQuestion> alone = {{question.at, options}};
    const DeviceGroup group = device_group(alone, {0}, {});
    for (const DeviceRun& run : group.runs) OpenMeasurement(group.setup, run.workload, run.until);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool are_worth_a_gpu(std::span<const SimulateQuestion> questions) {
  constexpr double flit_hops_in_a_second = 3e7, usual_cycles = 9000, usual_hops = 4;
  constexpr u64 several = 8;
  if (questions.empty()) return false;
  double flits = 0;  // of all hosts, in all runs
  u64 runs = 0;
  u32 hosts = 0;
  for (const auto& [at, options] : questions) {
    const MeasureOptions& until = options.measure;
    const double cycles = until.cycles > 0 ? static_cast<double>(until.cycles) : usual_cycles;
    flits += options.messages.load * until.replicas * cycles * at.topology.fabric.hosts();
    runs += until.replicas;
    hosts = std::max(hosts, at.topology.fabric.hosts());
  }
  return (runs >= several || hosts >= large_network_hosts) &&
         flits * usual_hops > flit_hops_in_a_second * questions.front().at.threads;
}

std::vector<Result<Measurement>> measure_on_gpu(std::span<const SimulateQuestion> questions, Where& where,
                                                const Watch& watch) {
  const Situation& at = questions.front().at;
  std::vector<Result<Measurement>> out(questions.size());
  const auto leave_all = [&](const NotApplicable& reason) {
    std::ranges::fill(out, reason);
    return out;
  };
  if (at.device == DeviceChoice::automatic)  // without one, no time is spent on reasons
    if (const auto none = find_gpu(at); std::holds_alternative<NotApplicable>(none))
      return leave_all(std::get<NotApplicable>(none));
  if (const auto groups = groups_of(questions); groups.size() == 1)
    if (const auto reason = gpu_refusal(questions, groups.front())) return leave_all(*reason);
  const auto measure = [&](const gpu::Device& device) -> std::optional<NotApplicable> {
    for (std::size_t first = 0; first < questions.size();) {
      const std::size_t count = questions_at_once(questions.subspan(first));
      measure_some(device, questions.subspan(first, count), watch, std::span(out).subspan(first, count));
      first += count;
    }
    return std::nullopt;
  };
  if (const auto reason = on_gpu(at, where, measure)) return leave_all(*reason);
  if (std::ranges::none_of(out, [](const auto& one) { return std::holds_alternative<Measurement>(one); }))
    where.device.reset();
  return out;
}

}  // namespace banyan::ask
