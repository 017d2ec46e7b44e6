// The answer of banyan load, for people, for machines and as files.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/rates_output.hpp"
#include "cli/time_output.hpp"
#include "cli/worst_traffic.hpp"
#include "flow/load_study.hpp"
#include "flow/load_summary.hpp"

namespace banyan::cli {

// A round, the heaviest of all unless another was asked for, looked at closely.
struct WorstRound {
  WorstRound(const Topology& topology, const LoadSampler& sampler, u64 number, u64 seed, u32 hottest,
             unsigned threads);

  std::vector<Flow> flows;  // left empty where the traffic is uniform: they are many, and all alike
  IdVector<Channel, double> loads;
  std::vector<ChannelKind> kinds;
  std::vector<LoadRange> ranges;
  std::vector<HotChannel> hot;

  // Then the contention that the sampler counts is a number of flows.
  bool asks_for_one_each() const;
};

struct LoadAnswer {
  const Topology& topology;
  const Job& job;
  const LoadStudy& study;
  WorstRound worst;
  std::string fabric_text, engine_text, traffic_text, rails_text;  // the last: a rail policy, or empty
  u64 seed = 1;
  Measure measure = Measure::demand;
  std::optional<RatesAnswer> rates{};
  std::optional<TimeAnswer> time{};
  std::optional<double> optimum{};  // of the worst round
  std::optional<WorstPermutation> permutation{};
  std::optional<ObliviousRatio> oblivious{};
  u64 looked_at = 0;  // the number of the round in `worst`
  bool lists_channels = false;
  std::vector<double> by_round{};    // maximum loads of the first sample
  std::vector<std::string> files{};  // that were written
};

void print_text(const LoadAnswer& answer);
void print_json(const LoadAnswer& answer);

// loads.csv: every channel in the worst round; mpigraph.csv and rounds.csv where they were asked for. The
// folder is made if need be. Gives the paths.
std::vector<std::string> write_files(const LoadAnswer& answer, const std::string& folder);

}  // namespace banyan::cli
