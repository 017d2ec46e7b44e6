// --traffic, --ranks, --placement and --job, as every verb takes them.
#pragma once
#include <string>
#include <vector>

#include "ask/situation.hpp"
#include "ask/traffic_options.hpp"
#include "cli/options_argument.hpp"

namespace banyan::cli {

class TrafficArgument {
 public:
  explicit TrafficArgument(std::string traffic = "") : default_(std::move(traffic)) {
    options_.show_default("traffic", default_);
  }

  void declare(Arguments& arguments);

  // Progress is shown on standard error. Throws InputError.
  ask::Situation situation(const Topology& topology, const Routing* routing, u64 seed) const;
  std::string text() const;              // as it was written, but for aliases of patterns
  std::string typed() const;             // what was given, as one would type it: " --traffic ring --ranks 4"
  bool has(std::string_view key) const;  // traffic, ranks, placement or job was given
  bool has_traffic() const { return has("traffic") || has("job"); }
  bool is_given() const { return options_.has_any() || has("job"); }

 private:
  std::string default_;
  OptionsArgument<ask::TrafficOptions> options_;
  std::vector<std::string> jobs_;
};

}  // namespace banyan::cli
