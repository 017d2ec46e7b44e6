// How long a traffic in bytes takes, as banyan time says it.
#include "ask/time.hpp"
#include "study/measure.hpp"

namespace banyan::study {
namespace {

// Where routing and traffic share no channel, all messages of a round end at once; elsewhere the rates
// change with every end. Flit by flit, each byte is moved.
double time_seconds(const PointWork& work, const ask::TimingOptions& options) {
  const bool is_even = work.engine.starts_with("dmod") || work.engine == "ftree";
  const double microseconds = (is_even ? 0.4 : 12) + 0.05 * work.channels();
  const PointWork::Messages messages = work.messages();
  const double each_flit = options.level == ask::TimeLevel::flit
                               ? 0.1e-6 * work.channels() * messages.amount / options.flit_bytes
                               : 0;
  return 1e-3 + 1e-6 * microseconds * messages.count + each_flit;
}

std::string unused_in_time(const Topology&, const Routing&, const PluginText& text, std::string_view key) {
  const ask::TimeLevel level = read_options<ask::TimingOptions>(text).level;
  for (const std::string_view unused : ask::unused_options(level, false))
    if (unused == key) return ask::unused_text(key, level, false);
  return "";
}

}  // namespace

StudyMeasure time_measure() {
  StudyMeasure out = make_measure<ask::time, time_seconds>(
      "time", "how long a traffic in bytes takes, in seconds", Needs::traffic, "seconds");
  out.unused = unused_in_time;
  out.takes_bytes = true;
  return out;
}

}  // namespace banyan::study
