// Loads of channels and rates of flows: no packets.
#include "ask/load.hpp"
#include "study/measure.hpp"

namespace banyan::study {
namespace {

double load_seconds(const Topology& t, const ask::LoadOptions& options) {
  return 6e-8 * static_cast<double>(options.samples ? options.samples : 4000) * t.fabric.hosts();
}

double rates_seconds(const Topology& t, const ask::RatesOptions& options) {
  read_rate_options(options.model);
  return 4e-6 * static_cast<double>(options.samples) * t.fabric.hosts();
}

}  // namespace

StudyMeasure load_measure() {
  return make_measure<ask::load, load_seconds>(
      "load", "the heaviest load of a channel, and the least possible", Needs::traffic, "max_load");
}
StudyMeasure rates_measure() {
  return make_measure<ask::rates, rates_seconds>("rates", "the rates that flows get", Needs::traffic,
                                                 "mean_rate");
}

}  // namespace banyan::study
