// What an application does between its messages, and sends: phases, from the number of ranks and the size of
// the problem. Which calls it makes and how large its problem is stands in domke19 (Table 2, section 4.2
// and 4.3); how often it makes them and how long it computes are ours, and each file says how they were
// found. An application is a function, and a line in applications.def.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "traffic/collectives/collectives.hpp"
#include "traffic/rank_grid.hpp"
#include "traffic/traffic.hpp"

namespace banyan::traffic {

// Done `repeats` times: everyone computes, then sends what the rounds say, one after another, in bytes.
struct Phase {
  std::string name;
  u64 repeats = 1;
  double seconds = 0;  // of computing
  std::vector<std::vector<Demand>> rounds = {};
};

struct Profile {
  u32 ranks = 1;
  std::vector<Phase> phases;

  double seconds() const;  // of computing, all repeats
  u64 messages() const;    // of all ranks and repeats
  double bytes() const;
  // What each rank sends each other in all, by sender and receiver: what a profiler would record.
  std::vector<Demand> totals() const;
};

// A phase's messages once.
Traffic traffic_of(const Profile& profile, std::size_t phase);

struct Application {
  std::string_view name;
  std::string_view summary;
  std::string_view size_means;
  u32 size;  // the paper's
  Profile (*make)(u32 ranks, u32 size);
};

const std::vector<Application>& applications();
const Application& application_named(std::string_view name);  // throws InputError, naming the nearest one

// "amg", for the paper's problem where size is 0.
Profile make_profile(std::string_view application, u32 ranks, u32 size = 0);

// One of domke19's hosts: two Westmere EP with six cores each. Peak is 140 Gflop/s, memory gives 40 GB/s;
// dense algebra reaches 70 % of the former, anything else with some arithmetic 10 %.
constexpr double memory_rate = 40e9, dense_rate = 98e9, sparse_rate = 14e9;

// Puts a profile together, phase by phase.
class ProfileMaker {
 public:
  explicit ProfileMaker(u32 ranks) : profile_{ranks, {}} {}

  // What is added next belongs to it.
  ProfileMaker& phase(std::string name, u64 repeats, double seconds = 0);
  ProfileMaker& round(std::vector<Demand> messages);
  // Every rank to each neighbour in a round, as many bytes as bytes(step) says.
  ProfileMaker& halo(const RankGrid& grid, const std::vector<std::vector<int>>& steps, bool periodic,
                     const std::function<double(const std::vector<int>&)>& bytes);
  // A collective of all, or of each group at once: group(ranks of it) gives its messages.
  ProfileMaker& collective(const Chosen& chosen);
  ProfileMaker& in_groups(const std::vector<std::vector<u32>>& groups,
                          const std::function<Chosen(u32)>& make);
  Profile take() { return std::move(profile_); }

  u32 ranks() const { return profile_.ranks; }

 private:
  Profile profile_;
};

// The points of a box of n[0] x n[1] x ... that a neighbour at a step needs: those of a face, edge or corner.
double boundary(const std::vector<double>& n, const std::vector<int>& step);

inline Chosen allreduce_of(u32 ranks, u64 bytes) {
  return allreduce(ranks, AllreduceOptions{.bytes = bytes});
}
inline Chosen broadcast_of(u32 ranks, u64 bytes) {
  return broadcast(ranks, BroadcastOptions{.bytes = bytes});
}

}  // namespace banyan::traffic
