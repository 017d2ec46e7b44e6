// Several jobs on one fabric at once, each with its own hosts. A job is written
// 'ranks=14; traffic=ring; placement=clustered:0.8'; ranks may be left out of the last one, which then gets
// all hosts that are left; the placement, which is linear then.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "topology/topology.hpp"
#include "traffic/placement.hpp"
#include "traffic/traffic.hpp"

namespace banyan {

struct Job {
  Traffic traffic;
  Placement placement;
};

// Placed one after another on hosts that are free. The first job draws with the seed itself, so that one job
// alone is like a traffic and a placement; the others with seeds made from it. Throws InputError.
std::vector<Job> make_jobs(const Topology& topology, std::span<const std::string> texts, u64 seed);

// As many as the longest job has; the others begin again.
u64 rounds_of(std::span<const Job> jobs);

// All flows of a round, on the first rail: a function of its arguments alone.
void append_flows(std::span<const Job> jobs, u64 seed, u64 sample, u64 round, std::vector<Flow>& out);

}  // namespace banyan
