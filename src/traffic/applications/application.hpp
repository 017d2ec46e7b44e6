// Profiles of applications: what an application computes and sends, phase by phase, as a function of the
// number of ranks and the problem size. Its calls and problem sizes come from domke19 (Table 2, sections 4.2
// and 4.3). How often it makes them and how long it computes are our estimates; each file explains how they
// were found. An application is a function and a line in applications.def.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.hpp"
#include "traffic/collectives/collectives.hpp"
#include "traffic/rank_grid.hpp"
#include "traffic/traffic.hpp"

namespace banyan::traffic {

// A phase, executed `repeats` times: every rank computes, then the rounds are sent one after another, in
// bytes.
struct Phase {
  std::string name;
  u64 repeats = 1;
  double seconds = 0;  // of computing
  std::vector<std::vector<Demand>> rounds = {};
};

struct Profile {
  u32 ranks = 1;
  std::vector<Phase> phases;

  double seconds() const;  // computing time of all repeats
  u64 messages() const;    // of all ranks and repeats
  double bytes() const;
  // The total amount by sender and receiver, as a profiler would record it.
  std::vector<Demand> totals() const;
};

// The messages of one phase, without repeats.
Traffic traffic_of(const Profile& profile, std::size_t phase);

struct Application {
  std::string_view name;
  std::string_view summary;
  std::string_view size_means;
  u32 size;  // the default: the paper's problem size
  Profile (*make)(u32 ranks, u32 size);
};

const Registry<Application>& applications();

// The profile of an application by name; size 0 means the paper's problem size.
Profile make_profile(std::string_view application, u32 ranks, u32 size = 0);

// The rates of one of domke19's hosts: two Westmere EP with six cores each. Peak is 140 Gflop/s, memory gives
// 40 GB/s. Dense algebra reaches 70 % of the peak, other code with some arithmetic 10 %.
constexpr double memory_rate = 40e9, dense_rate = 98e9, sparse_rate = 14e9;

// Builds a profile, phase by phase.
class ProfileMaker {
 public:
  explicit ProfileMaker(u32 ranks) : profile_{ranks, {}} {}

  // Begins a phase; rounds that are added next belong to it.
  ProfileMaker& phase(std::string name, u64 repeats, double seconds = 0);
  ProfileMaker& round(std::vector<Demand> messages);
  // Adds a round in which every rank sends bytes(step) to each neighbour.
  ProfileMaker& halo(const RankGrid& grid, const std::vector<std::vector<int>>& steps, bool periodic,
                     const std::function<double(const std::vector<int>&)>& bytes);
  // Adds a collective of all ranks, or of each group at the same time: make(group size) gives its messages.
  ProfileMaker& collective(const Chosen& chosen);
  ProfileMaker& in_groups(const std::vector<std::vector<u32>>& groups,
                          const std::function<Chosen(u32)>& make);
  Profile take() { return std::move(profile_); }

  u32 ranks() const { return profile_.ranks; }

 private:
  Profile profile_;
};

// The number of points of a box of n[0] x n[1] x ... that the neighbour at this step needs: those of a face,
// edge or corner.
double boundary(const std::vector<double>& n, const std::vector<int>& step);

inline Chosen allreduce_of(u32 ranks, u64 bytes) {
  return allreduce(ranks, AllreduceOptions{.bytes = bytes});
}
inline Chosen broadcast_of(u32 ranks, u64 bytes) {
  return broadcast(ranks, BroadcastOptions{.bytes = bytes});
}

}  // namespace banyan::traffic
