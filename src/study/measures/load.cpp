// Loads of channels and rates of flows: no packets.
#include "flow/bandwidth.hpp"
#include "flow/load_study.hpp"
#include "study/measure.hpp"

namespace banyan::study {
namespace {

struct LoadOptions {
  u64 samples = 0;
  static void fields(auto& self, auto&& f) {
    f("samples", self.samples, "of random traffic; 0: until the 99 % interval is within 1 % of the mean");
  }
};

Found measure_load(const Situation& at, const LoadOptions& options) {
  const auto [traffic, placement] = at.job();
  const LoadSampler sampler(at.topology, *at.routing, traffic, placement);
  const LoadStudy s = study_loads(
      sampler, {.samples = options.samples, .seed = at.seed, .threads = at.threads, .screen = {}});
  Found out;
  out.add("max_load", s.max_load.mean, "flows", s.max_load.half_width_99);
  out.add("max_load_least", s.least, "flows");
  out.add("max_load_worst", s.worst, "flows");
  out.add("samples", static_cast<double>(s.max_load.samples));
  out.add("rounds", static_cast<double>(s.rounds));
  out.add("flows", static_cast<double>(s.flows), "flows");
  out.add("undelivered", static_cast<double>(s.undelivered), "flows");
  if (!s.has_bound) return out;
  out.add("bound", s.bound_mean, "flows");
  out.add("ratio", s.ratio_mean);
  out.add("ratio_worst", s.ratio_worst);
  return out;
}

double load_seconds(const Topology& t, const LoadOptions& options) {
  return 6e-8 * static_cast<double>(options.samples ? options.samples : 4000) * t.fabric.hosts();
}

struct RatesOptions {
  std::string model = "max-min";
  u64 samples = 100;
  static void fields(auto& self, auto&& f) {
    f("model", self.model, "max-min or contention, such as max-min:link=4000,host=3250");
    f("samples", self.samples, "of random traffic");
  }
};

Found measure_rates(const Situation& at, const RatesOptions& options) {
  const auto [traffic, placement] = at.job();
  const Bandwidth b = bandwidth(at.topology.fabric, *at.routing, traffic, placement,
                                {read_rate_options(options.model), options.samples, at.seed, at.threads});
  Found out;
  out.add("mean_rate", b.mean_rate, "", b.half_width_99);
  out.add("min_rate", b.min_rate);
  out.add("mean_share", b.mean_share, "of a link", b.share_half_width_99);
  out.add("samples", static_cast<double>(b.samples));
  return out;
}

double rates_seconds(const Topology& t, const RatesOptions& options) {
  read_rate_options(options.model);
  return 4e-6 * static_cast<double>(options.samples) * t.fabric.hosts();
}

}  // namespace

StudyMeasure load_measure() {
  return make_measure<measure_load, load_seconds>(
      "load", "the heaviest load of a channel, and the least possible", Needs::traffic, "max_load");
}
StudyMeasure rates_measure() {
  return make_measure<measure_rates, rates_seconds>("rates", "the rates that flows get", Needs::traffic,
                                                    "mean_rate");
}

}  // namespace banyan::study
