// What a question is asked about: all that decides its answer besides the question's own options. The
// program, studies, papers and bindings make one and ask; nobody else builds jobs, or decides what is left
// open.
#pragma once
#include <string>
#include <string_view>

#include "ask/device.hpp"
#include "base/progress.hpp"
#include "flit/exchange.hpp"
#include "routing/routing.hpp"
#include "topology/topology.hpp"
#include "traffic/jobs.hpp"

namespace banyan::gpu {
struct DeviceCalls;
}

namespace banyan::ask {

// References must outlive it.
struct Situation {
  const Topology& topology;
  const Routing* routing = nullptr;  // for questions about the fabric alone: none
  // Who sends to whom, as the patterns are written; or several jobs, 'ranks=4; traffic=ring |
  // traffic=shift:1', which bring their own ranks and placements.
  std::string traffic{}, placement = "linear";
  u32 ranks = 0;  // 0: all hosts, times the processes of a host
  u64 seed = 1;
  unsigned threads = 1;                // answers do not depend on it
  const Exchange* exchange = nullptr;  // to other processes that ask the same of the same
  Progress::Screen screen{};           // where progress is shown; by default nowhere
  const Job* made = nullptr;           // instead of traffic, placement and ranks: a job that was made by hand
  DeviceChoice device = DeviceChoice::cpu;         // answers do not depend on it
  const gpu::DeviceCalls* device_calls = nullptr;  // instead of those of libbanyan_gpu.so

  Situation on(const Topology& other) const;  // the same, asked about another fabric

  // Ranks that share a host follow each other. Throws InputError.
  Job job(ShorterJobs shorter = ShorterJobs::repeat, u32 processes = 1) const;
};

bool is_jobs(std::string_view traffic);  // several jobs, or one that is written like them

// The same traffic with every pattern under its own name (traffic/pattern.hpp), also those of jobs.
std::string with_own_names(std::string_view traffic);

}  // namespace banyan::ask
