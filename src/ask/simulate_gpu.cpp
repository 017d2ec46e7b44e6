#include "ask/simulate_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ask/any_hash.hpp"
#include "flit/device_measure.hpp"
#include "flit/replicas.hpp"

namespace banyan::ask {
namespace {

u64 cycles_of(const MeasureOptions& until) { return std::max(until.cycles, until.max_cycles); }

// All replicas of all questions, in this order.
std::vector<DeviceRun> runs_of(std::span<const SimulateQuestion> questions) {
  std::vector<DeviceRun> out;
  for (const auto& [at, options] : questions) {
    check_load(options.messages.load);
    for (u32 replica = 0; replica < options.measure.replicas; ++replica) {
      Situation own = at;
      own.seed += replica;
      const auto [traffic, placement] = own.job(ShorterJobs::repeat, 1);
      out.push_back({Workload::open(at.topology.fabric, traffic, placement, options.messages, own.seed),
                     options.measure});
    }
  }
  return out;
}

u64 planned_cycles(std::span<const DeviceRun> runs) {
  u64 out = 0;
  for (const auto& [workload, until] : runs) out += until.cycles ? until.cycles : until.max_cycles;
  return out;
}

// The runs of each question, as one measurement.
std::vector<Measurement> combined(std::span<const SimulateQuestion> questions,
                                  std::vector<Measurement> runs) {
  std::vector<Measurement> out;
  auto next = runs.begin();
  for (const SimulateQuestion& question : questions) {
    const auto first = next;
    next += static_cast<std::ptrdiff_t>(question.options.measure.replicas);
    out.push_back(combined_replicas({std::make_move_iterator(first), std::make_move_iterator(next)}));
  }
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

// Appends the measurements; why it cannot, if so. Throws gpu::DeviceFailure.
std::optional<NotApplicable> measure_on(const gpu::Device& device,
                                        std::span<const SimulateQuestion> questions,
                                        std::vector<Measurement>& out) {
  const Situation& at = questions.front().at;
  const std::vector<DeviceRun> runs = runs_of(questions);
  const SimulationSetup setup = setup_of(at.topology.fabric, *at.routing, questions.front().options);
  Progress progress("cycles", planned_cycles(runs), at.screen);
  auto measured = measure_on_device(device, setup, runs, &progress);
  if (auto* reason = std::get_if<NotApplicable>(&measured)) return std::move(*reason);
  for (Measurement& m : combined(questions, std::get<std::vector<Measurement>>(std::move(measured))))
    out.push_back(std::move(m));
  return std::nullopt;
}

// Why no GPU answers them, as far as options say it.
std::optional<NotApplicable> gpu_refusal(std::span<const SimulateQuestion> questions) {
  const auto& [at, options] = questions.front();
  u64 max_cycles = 0, replicas = 1;
  for (const SimulateQuestion& question : questions) {
    max_cycles = std::max(max_cycles, cycles_of(question.options.measure));
    replicas = std::max<u64>(replicas, question.options.measure.replicas);
    if (question.options.ends())
      return NotApplicable{"a GPU simulates messages at a load, not traffic that is sent once"};
  }
  if (replicas > 1 && hashes(*at.routing))
    return NotApplicable{"a GPU simulates all replicas under one hash, and each has its own"};
  SimulationSetup setup = setup_of(at.topology.fabric, *at.routing, options);
  setup.exchange = at.exchange;
  return device_refusal(setup, max_cycles);
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

bool are_worth_a_gpu(std::span<const SimulateQuestion> questions) {
  constexpr double flit_hops_in_a_second = 3e7, usual_cycles = 9000, usual_hops = 4;
  constexpr u64 several = 8;
  if (questions.empty()) return false;
  const Situation& at = questions.front().at;
  double flits = 0;  // of a host, in all runs
  u64 runs = 0;
  for (const auto& [own, options] : questions) {
    const MeasureOptions& until = options.measure;
    const double cycles = until.cycles > 0 ? static_cast<double>(until.cycles) : usual_cycles;
    flits += options.messages.load * until.replicas * cycles;
    runs += until.replicas;
  }
  const u32 hosts = at.topology.fabric.hosts();
  return (runs >= several || hosts >= large_network_hosts) &&
         flits * hosts * usual_hops > flit_hops_in_a_second * at.threads;
}

std::optional<NotApplicable> measure_on_gpu(std::span<const SimulateQuestion> questions,
                                            std::vector<Measurement>& out, Where& where) {
  const Situation& at = questions.front().at;
  const auto find = [&] {
    return at.device_calls ? gpu::Device::find(*at.device_calls) : gpu::Device::find();
  };
  if (at.device == DeviceChoice::automatic)  // without one, no time is spent on reasons
    if (const auto none = find(); std::holds_alternative<NotApplicable>(none))
      return std::get<NotApplicable>(none);
  if (auto reason = gpu_refusal(questions)) return reason;
  const auto found = find();
  if (const auto* reason = std::get_if<NotApplicable>(&found)) return *reason;
  const auto& device = std::get<gpu::Device>(found);
  try {
    while (!questions.empty()) {
      const auto some = questions.first(questions_at_once(questions));
      if (auto reason = measure_on(device, some, out)) return reason;
      questions = questions.subspan(some.size());
    }
    where.device = device.name();
    return std::nullopt;
  } catch (const gpu::DeviceFailure& failure) {
    where.device_failure = fmt::format("{}: {}", device.name(), failure.what());
    return NotApplicable{where.device_failure};
  }
}

}  // namespace banyan::ask
