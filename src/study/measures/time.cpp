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

// Where routing and traffic share no channel, all messages of a round end at once; elsewhere the rates
// change with every end.
double time_seconds(const PointWork& work, const TimeMeasureOptions& options) {
  read_rate_options(options.model);
  const bool is_even = work.engine.starts_with("dmod") || work.engine == "ftree";
  const double microseconds = (is_even ? 0.4 : 12) + 0.05 * work.channels();
  return 1e-3 + 1e-6 * microseconds * work.messages().count;
}

}  // namespace

StudyMeasure time_measure() {
  return make_measure<measure_time, time_seconds>("time", "how long a collective takes, without packets",
                                                  Needs::traffic, "total");
}

}  // namespace banyan::study
