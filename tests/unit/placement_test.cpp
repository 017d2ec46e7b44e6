#include "traffic/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "traffic/jobs.hpp"

namespace banyan::tests {
namespace {

const Topology& tree() {
  static const Topology topology = make_topology("4-ary 3-tree");  // 64 hosts
  return topology;
}

std::vector<u32> hosts(std::string_view placement, u32 ranks, u64 seed = 1) {
  std::vector<u32> out;
  for (const Host host : place(tree().fabric, ranks, seed, placement)) out.push_back(index(host));
  return out;
}

TEST(Placement, LinearIsInOrder) { EXPECT_EQ(hosts("linear", 4), (std::vector<u32>{0, 1, 2, 3})); }

TEST(Placement, ClusteredHasGapsOfTheGeometricDistribution) {
  EXPECT_EQ(hosts("clustered:1", 64), hosts("linear", 64));
  // Strides are 1 / p on average, over many seeds.
  double total = 0;
  for (u64 seed = 0; seed < 1000; ++seed) total += hosts("clustered:0.8", 11, seed).back();
  EXPECT_NEAR(total / 1000 / 10, 1 / 0.8, 0.03);
  EXPECT_THROW(hosts("clustered:0", 4), InputError);
}

TEST(Placement, FilesNameHostsOrNumbers) {
  const std::string path = std::filesystem::temp_directory_path() / "banyan_placement_test";
  const auto with = [&](const std::string& text) {
    std::ofstream(path) << text;
    return hosts("file:" + path, 3);
  };
  const auto refused = [&](const std::string& text) {
    try {
      with(text);
    } catch (const InputError& error) {
      return std::string(error.what()).substr(path.size());
    }
    return std::string();
  };
  EXPECT_EQ(with("# hosts\nh9\n3\n\nh63\nwhat comes behind is not read"), (std::vector<u32>{9, 3, 63}));
  EXPECT_EQ(refused("h9\nh9\nh1\n"), ":2: found h9, expected a host that is still free");
  EXPECT_EQ(refused("h9\n64\n"), ":2: found '64', expected the name of a host or a number below 64");
  EXPECT_EQ(refused("h9\n"), ": found 1 hosts, expected 3, one for each rank");
  std::filesystem::remove(path);
}

TEST(Placement, RefusesMoreRanksThanHosts) {
  EXPECT_THROW(hosts("linear", 65), InputError);
  EXPECT_THROW(hosts("linaer", 4), InputError);
}

TEST(Jobs, EachHasItsOwnHosts) {
  const std::vector<std::string> texts = {"ranks=5; traffic=ring; placement=clustered:0.5",
                                          "ranks=20;traffic=all-shifts;placement=random", "traffic=shift:2"};
  const std::vector<Job> jobs = make_jobs(tree(), texts, 7);
  std::vector<u32> all;
  for (const Job& job : jobs)
    for (const Host host : job.placement) all.push_back(index(host));
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, hosts("linear", 64));
  EXPECT_EQ(jobs[2].traffic.ranks, 39u);
  const Job one = together(jobs, ShorterJobs::repeat);
  EXPECT_EQ(one.traffic.rounds, 19u);

  // Round 3 is all-shifts by 4; the others, of one round, begin again.
  std::vector<Flow> flows;
  std::vector<Demand> demands;
  one.traffic.list(7, 0, 3, demands);
  append_flows(demands, one.placement, flows);
  ASSERT_EQ(flows.size(), 64u);
  EXPECT_EQ(flows[4].to, Nic{index(jobs[0].placement[Rank{0}])});
  EXPECT_EQ(flows[5].to, Nic{index(jobs[1].placement[Rank{4}])});
  EXPECT_EQ(flows[63].to, Nic{index(jobs[2].placement[Rank{1}])});
}

TEST(Jobs, OneAloneIsATrafficAndAPlacement) {
  const std::vector<std::string> texts = {"traffic=permutation; placement=random"};
  const std::vector<Job> jobs = make_jobs(tree(), texts, 7);
  EXPECT_EQ(jobs[0].placement, place(tree().fabric, 64, 7, "random"));
  std::vector<Flow> flows;
  const Job all = together(jobs, ShorterJobs::repeat);
  std::vector<Demand> listed;
  all.traffic.list(7, 3, 0, listed);
  append_flows(listed, all.placement, flows);
  std::vector<Demand> demands;
  jobs[0].traffic.list(7, 3, 0, demands);
  for (u32 i = 0; i < 64; ++i) EXPECT_EQ(flows[i].to, Nic{index(jobs[0].placement[demands[i].to])});
}

TEST(Jobs, SaysWhatIsWrong) {
  const auto refused = [](std::vector<std::string> texts) {
    try {
      make_jobs(tree(), texts, 0);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused({"ranks=3; trafic=ring"}),
            "job 'ranks=3; trafic=ring': found 'trafic=ring', expected 'traffic=...'");
  EXPECT_EQ(refused({"ranks=3"}), "job 'ranks=3': expected traffic=...");
  EXPECT_EQ(refused({"traffic=ring", "traffic=ring"}),
            "job 'traffic=ring': expected ranks=..., which only the last job may leave out");
  EXPECT_EQ(refused({"ranks=60; traffic=ring", "ranks=5; traffic=ring"}),
            "found 5 ranks, expected at most the 4 hosts that are free");
}

}  // namespace
}  // namespace banyan::tests
