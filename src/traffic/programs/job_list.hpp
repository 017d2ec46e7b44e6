// Lists of jobs in the Standard Workload Format (Feitelson, Tsafrir, Krakov 2014): a line for each job, 18
// numbers, -1 where one is not known; what follows a ; is a comment.
#pragma once
#include <istream>
#include <string>
#include <vector>

#include "traffic/programs/program.hpp"

namespace banyan::traffic {

struct ListedJob {
  u64 number = 0;
  double submitted = 0;  // seconds
  double waited = 0;     // seconds until it began; 0 where it is not known
  double seconds = 0;    // that it ran; 0 where it is not known
  u32 ranks = 0;         // processors that it had, or else asked for
};
struct JobList {
  std::vector<ListedJob> jobs{};  // in the order of the times at which they begin
  u64 without_processors = 0;     // that had none and asked for none, such as cancelled ones: left out
  u64 without_time = 0;           // of the jobs: run times that are not known
};

// Throws InputError with file and line, also for a list without jobs.
JobList read_swf(std::istream& in, const std::string& file);

// The program so many times, one after the other on each rank; every rank computes for `seconds` before each.
Program repeated(const Program& program, u32 times, double seconds);

}  // namespace banyan::traffic
