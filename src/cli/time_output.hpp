// --time: how long a traffic in bytes takes, round by round, for people and for machines.
#pragma once
#include <iosfwd>

#include "base/json_writer.hpp"
#include "cli/options_argument.hpp"
#include "flow/message_time.hpp"
#include "traffic/jobs.hpp"

namespace banyan::cli {

class TimeArgument {
 public:
  void declare(Arguments& arguments);
  bool is_wanted() const { return wanted_ || terms_.is_given(); }  // a term implies --time
  TimeOptions options(const RateOptions& rates) const;             // throws InputError

 private:
  bool wanted_ = false;
  OptionsArgument<TimeOptions> terms_;
};

struct TimeAnswer {
  struct Round {
    u64 messages = 0;
    double bytes = 0, ends = 0;
  };
  TimeOptions options;
  double total = 0;
  std::vector<Round> rounds;
};

// Of sample 0. Throws InputError for traffic that is not in bytes.
TimeAnswer answer_time(const Fabric& fabric, const Routing& routing, const Job& job,
                       const TimeOptions& options, u64 seed);

void print_time(std::ostream& out, const TimeAnswer& answer);
void write_time(JsonWriter& json, const TimeAnswer& answer);  // as a field of the object that is open
void write_rounds_csv(std::ostream& out, const TimeAnswer& answer);

}  // namespace banyan::cli
