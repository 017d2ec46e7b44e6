// Several jobs on one fabric at once, each with its own hosts. A job is written 'ranks=14; traffic=ring;
// placement=clustered:0.8'. The last job may omit ranks; it then gets all remaining hosts. The default
// placement is linear.
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

// Parses the jobs and places them one after another on free hosts. The first job uses the seed itself, so a
// single job gives the same result as a traffic and a placement; the others use seeds derived from it. Throws
// InputError.
std::vector<Job> make_jobs(const Topology& topology, std::span<const std::string> texts, u64 seed);

// Combines jobs into one, with the ranks of one job after those of the other, so that code for one traffic
// and one placement handles several. The random choices of a job do not depend on the others. Jobs with fewer
// rounds than the longest repeat or end.
enum class ShorterJobs : u8 { repeat, end };
Job together(std::vector<Job> jobs, ShorterJobs shorter);

}  // namespace banyan::traffic
