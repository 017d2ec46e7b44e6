// Throughput and latency flit by flit, as banyan simulate measures them.
#include "ask/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ask/simulate_gpu.hpp"
#include "ask/simulate_modes.hpp"
#include "study/measure.hpp"

namespace banyan::study {
namespace {

enum class Mode : u8 { load, complete, saturation };
constexpr std::array<std::string_view, 3> option_names(Mode) { return {"load", "complete", "saturation"}; }

struct SimulateMode : ask::SimulateOptions {
  Mode mode = Mode::load;
  double max_flits = 0;

  static void fields(auto& self, auto&& f) {
    f("mode", self.mode,
      "load: at the load given; complete: the traffic once, to its end; saturation: search where it "
      "saturates");
    ask::SimulateOptions::fields(self, f);
    f("max-flits", self.max_flits,
      "with mode load: stop when so many could have been sent at the load, or at 0.3 if that is less; 0: as "
      "max-cycles says");
  }
};

// Of a mode that is one simulation.
ask::SimulateOptions one_simulation(const Fabric& fabric, const SimulateMode& options) {
  ask::SimulateOptions out = options;
  out.complete = options.mode == Mode::complete;
  if (options.mode == Mode::load && options.max_flits > 0) {
    const double in_a_cycle = std::min(options.messages.load, 0.3) * fabric.columns() * fabric.hosts();
    out.measure.max_cycles = static_cast<u64>(options.max_flits / in_a_cycle);
  }
  return out;
}

Rows simulate(const Situation& at, const SimulateMode& options) {
  if (options.mode == Mode::saturation) return ask::rows_of(ask::saturation(at, options));
  return ask::rows_of(ask::simulate(at, one_simulation(at.topology.fabric, options)));
}

std::string alike_simulations(const PluginText& text) {
  return std::string(option_text(read_options<SimulateMode>(text).mode));
}

OnGpu::Found simulate_on_gpu(std::span<const Situation> at, std::span<const PluginText> texts) {
  OnGpu::Found out;
  const auto leave_all = [&](const std::string& why) { out.rows.assign(at.size(), NotApplicable{why}); };
  if (read_options<SimulateMode>(texts.front()).mode == Mode::saturation)
    return leave_all("a GPU simulates points at a load; a search is for processors"), out;
  std::vector<ask::SimulateQuestion> questions;
  for (std::size_t i = 0; i < at.size(); ++i)
    questions.push_back({at[i], one_simulation(at[i].topology.fabric, read_options<SimulateMode>(texts[i]))});
  ask::AnswersTogether found;
  std::vector<std::string> wrong(at.size());
  try {
    found = ask::simulate_together(questions);
  } catch (const InputError&) {  // of some point; the others are asked again
    std::vector<ask::SimulateQuestion> others;
    for (std::size_t i = 0; i < at.size(); ++i)
      if ((wrong[i] = ask::input_error_of(questions[i])).empty()) others.push_back(questions[i]);
    found = ask::simulate_together(std::move(others));
  }
  out.device = found.where.device;
  out.failure = found.where.device_failure;
  auto next = found.answers.begin();
  for (const std::string& error : wrong)
    if (!error.empty())
      out.rows.emplace_back(failed_rows(error));
    else if (const auto& answer = *next++; const auto* reason = std::get_if<NotApplicable>(&answer))
      out.rows.emplace_back(*reason);
    else
      out.rows.emplace_back(ask::rows_of(std::get<ask::SimulateAnswer>(answer)));
  return out;
}

// Throws InputError for values that the simulator would refuse.
void check_simulate(const Topology& topology, const Routing& routing, const SimulateMode& options) {
  if (options.mode == Mode::load && options.trace.empty()) ask::check_load(options.messages.load);
  if (options.mode == Mode::saturation && !options.trace.empty())
    throw InputError("a trace has no load to search for: it takes no mode saturation");
  if (options.mode != Mode::load && options.max_flits > 0)
    throw InputError(fmt::format("max-flits counts what a load sends: mode {} takes max-cycles instead",
                                 option_text(options.mode)));
  ask::SimulateOptions once = options;
  once.complete = options.mode == Mode::complete;
  ask::resolved(topology, routing, once);
}

std::string unused_in_simulation(const Topology& topology, const Routing& routing, const PluginText& text,
                                 std::string_view key) {
  const auto options = read_options<SimulateMode>(text);
  ask::SimulateOptions once = options;
  once.complete = options.mode == Mode::complete;
  if (key == "load" && (options.mode != Mode::load || once.ends()))
    return fmt::format("load changes nothing {}", once.trace.empty()
                                                      ? fmt::format("with mode {}", option_text(options.mode))
                                                      : "with trace");
  if (key == "cycles" && once.ends()) return "cycles changes nothing for traffic that is sent once";
  try {
    ask::refuse_unused(ask::resolved(topology, routing, once), topology, routing,
                       [&](std::string_view other) { return other == key; });
  } catch (const InputError& error) {
    return std::string(error.what()).substr(2);  // without its dashes
  }
  return "";
}

// Flows of a random permutation on the busiest channel between switches, about: the most that one of as many
// Poisson variables reaches with even odds.
double flows_on_the_busiest(const PointWork& work) {
  const Fabric& fabric = work.topology.fabric;
  u64 channels = 0;
  for (const Channel c : fabric.channels())
    channels += fabric.cabled(c) && fabric.is_switch(fabric.from(c)) && fabric.is_switch(fabric.to(c));
  if (channels == 0) return 1;
  const double mean = work.hosts() * std::max(0.0, work.ways.distance - 2) / static_cast<double>(channels);
  double at_least = 1, exactly = std::exp(-mean);  // of `flows` or more, of just so many
  double flows = 0;
  for (; static_cast<double>(channels) * at_least >= 0.5 && flows < 1000; ++flows) {
    at_least -= exactly;
    exactly *= mean / (flows + 1);
  }
  return std::max(1.0, flows - 1);
}

// Close to where the busiest channel is full, queues grow long and shrink slowly: until the latency is
// precise, a run takes fifty times as long there as elsewhere.
double patience(const PointWork& work, const SimulateMode& options) {
  const bool is_adaptive = work.effort() == EngineEffort::adaptive || work.effort() == EngineEffort::detours;
  if (options.mode != Mode::load || options.measure.cycles > 0 || is_adaptive ||
      work.traffic != "permutation")
    return 1;
  const double utilisation = options.messages.load * flows_on_the_busiest(work);
  return utilisation > 1 && utilisation < 1.4 ? 50 : 1;
}

// Flits that hosts send. Most runs are precise after about 9,000 cycles; a search for saturation makes seven
// runs, and those close to it end after about 1e8 flits of all hosts, or with max-cycles.
double sent_flits(const PointWork& work, const SimulateMode& options) {
  const u64 cycles = options.measure.cycles, max_cycles = options.measure.max_cycles;
  const double hosts = work.nics();
  if (options.mode == Mode::complete) {
    const PointWork::Messages messages = work.messages();
    return messages.in_bytes
               ? messages.amount / options.messages.flit_bytes
               : messages.amount * options.messages.packet_flits * options.messages.message_packets;
  }
  const double each = static_cast<double>(cycles ? cycles : 9'000);
  if (options.mode == Mode::load) return std::min(options.messages.load, 0.6) * hosts * each;
  const double close = cycles ? 0 : std::min(1e8 / hosts, 2 * static_cast<double>(max_cycles));
  return 0.6 * hosts * (7 * each + close);
}

// Where packets that wait choose again in every cycle: past saturation those at the front of all lanes do,
// each among about as many hops as its switch has ports.
double choosing_seconds(const PointWork& work, const SimulateMode& options) {
  if (work.engine != "surepath" && work.engine != "tera") return 0;
  constexpr double nanoseconds = 5, loaded = 0.5;  // of a hop; below that load few packets wait
  if (options.mode != Mode::load || options.messages.load < loaded) return 0;
  const Fabric& fabric = work.topology.fabric;
  double choices = 0;
  for (const Channel c : fabric.channels())
    if (fabric.cabled(c) && fabric.is_switch(fabric.to(c)))
      choices += static_cast<double>(fabric.ports(fabric.to(c)));
  const double lanes = std::max<u32>(2, options.network.lanes);
  const double cycles = static_cast<double>(options.measure.cycles ? options.measure.cycles : 9'000);
  return 1e-9 * nanoseconds * choices * lanes * cycles;
}

double simulate_seconds(const PointWork& work, const SimulateMode& options) {
  constexpr std::array<double, 6> slower = {1, 1.2, 1.2, 1.2, 2.4, 2.2};  // by EngineEffort
  const double nanoseconds =
      14 + 20 * std::min(1.0, work.nics() / 2000);  // of a hop; large fabrics leave the caches
  const double rails = work.topology.fabric.columns() > 1 ? 5 : 1;  // their NICs do more
  const double moving = 1e-9 * nanoseconds * rails * slower[static_cast<std::size_t>(work.effort())] *
                        std::max(1.0, work.ways.distance - 1) * sent_flits(work, options) *
                        patience(work, options);
  return 1e-3 + (moving + choosing_seconds(work, options)) * options.measure.replicas;
}

}  // namespace

StudyMeasure simulate_measure() {
  StudyMeasure out = make_measure<simulate, simulate_seconds, check_simulate>(
      "simulate", "throughput and latency, flit by flit", Needs::traffic, "accepted");
  out.unused = unused_in_simulation;
  out.on_gpu = {alike_simulations, simulate_on_gpu, true};
  return out;
}

}  // namespace banyan::study
