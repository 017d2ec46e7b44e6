// Throughput and latency flit by flit, as banyan simulate measures them.
#include "ask/simulate.hpp"

#include <fmt/format.h>

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

Rows simulate(const Situation& at, const SimulateMode& options) {
  if (options.mode == Mode::saturation) return ask::rows_of(ask::saturation(at, options));
  ask::SimulateOptions once = options;
  once.complete = options.mode == Mode::complete;
  if (options.mode == Mode::load && options.max_flits > 0) {
    const Fabric& fabric = at.topology.fabric;
    const double in_a_cycle = std::min(options.messages.load, 0.3) * fabric.rails() * fabric.hosts();
    once.measure.max_cycles = static_cast<u64>(options.max_flits / in_a_cycle);
  }
  return ask::rows_of(ask::simulate(at, once));
}

// Throws InputError for values that the simulator would refuse.
void check_simulate(const Topology& topology, const Routing& routing, const SimulateMode& options) {
  if (options.mode == Mode::load) ask::check_load(options.messages.load);
  if (options.mode != Mode::load && options.max_flits > 0)
    throw InputError(fmt::format("max-flits counts what a load sends: mode {} takes max-cycles instead",
                                 option_text(options.mode)));
  ask::resolved(topology, routing, options);
}

// Engines with tables, four hops through switches. Most runs are precise after about 9,000 cycles.
double simulate_seconds(const Topology& t, const SimulateMode& options) {
  const double cycles = static_cast<double>(options.measure.cycles ? options.measure.cycles : 9'000);
  const double runs = options.mode == Mode::saturation ? 7 : 1;
  const double hosts = t.fabric.nics(), accepted = std::min(options.messages.load, 0.6);
  const double nanoseconds =
      14 + 20 * std::min(1.0, hosts / 2000);  // of a hop; large fabrics leave the caches
  return 5e-3 + 1e-9 * runs * cycles * hosts * accepted * 4 * nanoseconds;
}

}  // namespace

StudyMeasure simulate_measure() {
  return make_measure<simulate, simulate_seconds, check_simulate>(
      "simulate", "throughput and latency, flit by flit", Needs::traffic, "accepted");
}

}  // namespace banyan::study
