// --rates: the rates that flows get, for people and for machines.
#pragma once
#include <iosfwd>
#include <string>

#include "base/json_writer.hpp"
#include "cli/verb.hpp"
#include "flow/bandwidth.hpp"

namespace banyan {

struct RatesArgument {
  bool wanted = false;
  std::string model;  // given with --rate-model, which implies --rates

  void declare(Arguments& arguments);
  bool is_wanted() const { return wanted || !model.empty(); }
  BandwidthOptions options(u64 samples, u64 seed, unsigned threads) const;  // throws InputError
};

struct RatesAnswer {
  RateOptions options;
  Bandwidth traffic;
  Bandwidth bisection;  // of the same ranks
};

// Bisections are drawn as often as random traffic is; where the traffic is that itself, once is enough.
RatesAnswer answer_rates(const Topology& topology, const Routing& routing, const Traffic& traffic,
                         const Placement& placement, const BandwidthOptions& options);

void print_rates(std::ostream& out, const RatesAnswer& answer);
void write_rates(JsonWriter& json, const RatesAnswer& answer);  // as fields of the object that is open

// The key mpigraph: a line for each sender.
void write_matrix(JsonWriter& json, const BandwidthMatrix& matrix, const Fabric& fabric,
                  const Placement& placement);

}  // namespace banyan
