// Throughput and latency flit by flit, as banyan simulate measures them.
#include "flit/measure.hpp"
#include "study/measure.hpp"
#include "traffic/pattern.hpp"

namespace banyan::study {
namespace {

enum class Mode : u8 { load, complete, saturation };
constexpr std::array<std::string_view, 3> option_names(Mode) { return {"load", "complete", "saturation"}; }

struct SimulateOptions {
  Mode mode = Mode::load;
  MessageOptions messages;
  NetworkOptions network{.lanes = 0};
  MeasureOptions measure;
  RailOptions rails;

  static void fields(auto& self, auto&& f) {
    f("mode", self.mode,
      "load: at the load given; complete: the traffic once, to its end; saturation: search where it "
      "saturates");
    MessageOptions::fields(self.messages, f);
    NetworkOptions::fields(self.network, f);  // lanes 0: as many as the routing needs
    MeasureOptions::fields(self.measure, f);
    RailOptions::fields(self.rails, f);
  }
};

void check_load(double load) {
  const bool is_share = load > 0 && load <= 1;
  if (!is_share) throw InputError(fmt::format("load is {}; expected more than 0 and at most 1", load));
}

// One that says nothing of rails has hosts of one NIC without a bus.
bool has_rails(const Fabric& fabric, const SimulateOptions& options) {
  return fabric.rails() > 1 || options.rails != RailOptions{};
}

// The ranks of a host follow each other.
Job job_of(const Situation& at, u32 processes, ShorterJobs shorter) {
  Job job = at.job(shorter);
  if (processes <= 1) return job;
  if (is_jobs(at.traffic)) throw InputError("several jobs have one rank on a host; expected processes = 1");
  Placement all;
  for (const Host host : job.placement)
    for (u32 i = 0; i < processes; ++i) all.push_back(host);
  return {make_traffic({at.topology, static_cast<u32>(all.size())}, at.traffic), std::move(all)};
}

Measurement measured(const Situation& at, const SimulateOptions& options, double load) {
  const Fabric& fabric = at.topology.fabric;
  MessageOptions messages = options.messages;
  messages.load = load;
  check_load(load);
  NetworkOptions network = options.network;
  if (network.lanes == 0) network.lanes = at.routing->lanes;
  const bool ends = options.mode == Mode::complete;
  const auto [traffic, placement] =
      job_of(at, options.rails.processes, ends ? ShorterJobs::end : ShorterJobs::repeat);
  SimulationSetup setup{fabric, *at.routing, network, messages, at.seed, at.threads};
  if (has_rails(fabric, options)) setup.rails = options.rails;
  if (ends) return measure_rounds(setup, traffic, placement, options.measure);
  Workload workload =
      Workload::open(fabric, traffic, placement, messages, at.seed, setup.rails ? setup.rails->processes : 0);
  return flit::measure(setup, std::move(workload), options.measure);
}

void add_counts(Found& out, const Measurement& m) {
  out.add("packet_latency", m.counted.packet_latency.mean(), "cycles", m.packet_latency.half_width);
  out.add("packet_latency_p50", static_cast<double>(m.counted.packet_latency.percentile(0.5)), "cycles");
  out.add("packet_latency_p99", static_cast<double>(m.counted.packet_latency.percentile(0.99)), "cycles");
  out.add("message_latency", m.counted.message_latency.mean(), "cycles");
  out.add("message_latency_p99", static_cast<double>(m.counted.message_latency.percentile(0.99)), "cycles");
  out.add("packets", static_cast<double>(m.counted.packets));
  out.add("flit_hops", static_cast<double>(m.counted.flit_hops));
  out.add("cycles", static_cast<double>(m.counted.cycles));
  out.add("max_channel_utilisation", m.max_channel_utilisation);
  out.add("deadlock", m.deadlock.has_value());
  if (m.deadlock) out.texts.emplace_back("deadlock", *m.deadlock);
}

Found simulate(const Situation& at, const SimulateOptions& options) {
  Found out;
  if (options.mode == Mode::saturation) {
    const Saturation s = find_saturation([&](double load) { return measured(at, options, load); });
    out.add("accepted", s.throughput, "of a link");
    out.add("saturation_load", s.load, "of a link");
    return out;
  }
  const Measurement m = measured(at, options, options.messages.load);
  if (options.mode == Mode::complete) {
    if (m.completion_cycles) out.add("completion", static_cast<double>(*m.completion_cycles), "cycles");
    out.add("completed", m.completion_cycles.has_value());
  } else {
    out.add("offered", m.offered, "of a link");
    out.add("accepted", m.accepted.mean, "of a link", m.accepted.half_width);
    out.add("saturated", m.saturated);
  }
  add_counts(out, m);
  return out;
}

// Throws InputError for values that the simulator would refuse.
void check(const Topology& topology, const Routing& routing, const SimulateOptions& options) {
  if (options.mode == Mode::load) check_load(options.messages.load);
  NetworkOptions network = options.network;
  if (network.lanes == 0) network.lanes = routing.lanes;
  SimulationSetup setup{topology.fabric, routing, network, options.messages};
  if (has_rails(topology.fabric, options)) setup.rails = options.rails;
  check_setup(setup);
  check_measure(options.measure);
}

double simulate_seconds(const Topology& t, const SimulateOptions& options) {
  const double cycles = static_cast<double>(options.measure.cycles ? options.measure.cycles : 30'000);
  const double runs = options.mode == Mode::saturation ? 7 : 1;
  return 1e-3 + runs * cycles * t.fabric.hosts() * options.messages.load * 1e-7;
}

}  // namespace

StudyMeasure simulate_measure() {
  return make_measure<simulate, simulate_seconds, check>("simulate", "throughput and latency, flit by flit",
                                                         Needs::traffic, "accepted");
}

}  // namespace banyan::study
