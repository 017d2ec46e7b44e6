// How long the rounds of a collective take at flow level, as banyan load --time says it.
#include "ask/rates.hpp"
#include "study/measure.hpp"

namespace banyan::study {
namespace {

struct TimeMeasureOptions {
  std::string model = "max-min";
  TimeOptions time;
  static void fields(auto& self, auto&& f) {
    f("model", self.model, "max-min or contention, such as max-min:link=4e9: bytes in a unit of time");
    TimeOptions::fields(self.time, f);
  }
};

ask::TimeAnswer measure_time(const Situation& at, const TimeMeasureOptions& options) {
  TimeOptions time = options.time;
  time.rates = read_rate_options(options.model);
  return ask::time(at, time);
}

double time_seconds(const Topology& t, const TimeMeasureOptions& options) {
  read_rate_options(options.model);
  return 1e-4 * t.fabric.hosts();
}

}  // namespace

StudyMeasure time_measure() {
  return make_measure<measure_time, time_seconds>("time", "how long a collective takes, without packets",
                                                  Needs::traffic, "total");
}

}  // namespace banyan::study
