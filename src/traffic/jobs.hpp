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

namespace banyan::traffic {

struct Job {
  Traffic traffic;
  Placement placement;
};

// Placed one after another on hosts that are free. The first job draws with the seed itself, so that one job
// alone is like a traffic and a placement; the others with seeds made from it. Throws InputError.
std::vector<Job> make_jobs(const Topology& topology, std::span<const std::string> texts, u64 seed);

// All of them as one job, whose ranks are theirs, one job's after the other's: whoever handles a traffic and
// a placement handles several. What a job does with a seed does not depend on the others. Jobs with fewer
// rounds than the longest begin again, or are over.
enum class ShorterJobs : u8 { repeat, end };
Job together(std::vector<Job> jobs, ShorterJobs shorter);

}  // namespace banyan::traffic
