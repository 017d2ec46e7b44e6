// --rates: the rates that flows get, for people and for machines.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>

#include "base/json_writer.hpp"
#include "cli/verb.hpp"
#include "flow/bandwidth.hpp"
#include "traffic/jobs.hpp"

namespace banyan::cli {

struct RatesArgument {
  bool wanted = false;
  std::string model;  // given with --rate-model

  void declare(Arguments& arguments);
  RateOptions rates() const;  // throws InputError
};

struct RatesAnswer {
  RateOptions options;
  Bandwidth traffic;
  Bandwidth bisection;                    // of the same ranks
  std::optional<BandwidthMatrix> matrix;  // of mpigraph and all-shifts
  bool is_random = false;
};

// Bisections are drawn as often as random traffic is; where the traffic is that itself, once is enough.
RatesAnswer answer_rates(const Topology& topology, const Routing& routing, const Job& job,
                         const BandwidthOptions& options);

void print_rates(std::ostream& out, const RatesAnswer& answer);
void write_rates(JsonWriter& json, const RatesAnswer& answer);  // as fields of the object that is open
// A line for each sender, a column for each receiver.
void write_matrix(JsonWriter& json, const BandwidthMatrix& matrix, const Fabric& fabric,
                  const Placement& placement);

// The key mpigraph: a line for each sender.
void write_matrix(JsonWriter& json, const BandwidthMatrix& matrix, const Fabric& fabric,
                  const Placement& placement);

}  // namespace banyan::cli
