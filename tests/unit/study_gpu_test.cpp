// Points of a study on a GPU: the same rows as on processors, at the same time, alike or not.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "study/run.hpp"
#include "support/host_device.hpp"

namespace banyan::tests {
namespace {

using ask::DeviceChoice;

class StudyOnGpu : public testing::Test {
 protected:
  // A store that is gone after the test.
  class Kept {
   public:
    explicit Kept(const std::string& name)
        : path_((std::filesystem::temp_directory_path() /
                 ("banyan-study-gpu-" + name + std::to_string(getpid())))
                    .string()),
          store(path_) {}
    ~Kept() { std::filesystem::remove_all(path_); }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;

   private:
    const std::string path_;

   public:
    Store store;
  };

  // Every row and text of every point.
  static std::vector<std::string> rows(const Store& store) {
    std::vector<std::string> out;
    for (const StoredPoint& point : store.read()) {
      for (const ask::Row& row : point.rows)
        out.push_back(
            fmt::format("{} {} {} {} {}", point.point, row.metric, row.value, row.unit, row.half_width));
      for (const auto& [key, text] : point.texts)
        out.push_back(fmt::format("{} {} {}", point.point, key, text));
    }
    return out;
  }
  static std::optional<NotApplicable> run(StudyPlan& plan, Store& store, DeviceChoice choice,
                                          const gpu::DeviceCalls& calls = HostDevice<4>::calls()) {
    return plan.run(store, 2, nullptr, {choice, &calls});
  }

  const std::string head =
      "fabrics = ['2-ary 3-tree', '4-ary 2-tree']\nengines = ['dmodk', 'minhop']\nseeds = [1, 2]\n";
  const std::string alike = head +
                            "traffic = ['uniform', 'shift:1']\nwithout = ['', 'links=1,seed=3']\n"
                            "skip_inapplicable = true\n[simulate]\nload = [0.2, 0.7]\nmax-cycles = 400\n"
                            "kind = [{packet-flits = 5, lanes = 2}, {packet-flits = 1, max-flits = 3000}]\n";
};

TEST_F(StudyOnGpu, GivesTheSameRowsAndMeasuresEachPointOnce) {
  const Study study = read_study(alike, "s.toml");
  Kept here("here"), there("there");
  StudyPlan by_processors(study, &here.store, 2), by_gpu(study, &there.store, 2);
  run(by_processors, here.store, DeviceChoice::cpu);
  EXPECT_EQ(run(by_gpu, there.store, DeviceChoice::gpu), std::nullopt);
  EXPECT_EQ(rows(here.store), rows(there.store));
  EXPECT_EQ(by_gpu.on_gpu().device, "loops");
  EXPECT_EQ(by_gpu.on_gpu().points, by_gpu.points().size());
  EXPECT_EQ(by_processors.on_gpu().device, std::nullopt);
  EXPECT_EQ(StudyPlan(study, &there.store, 2).missing(), 0u);
}

// Fabrics, faults, engines, packet lengths and queueing differ.
TEST_F(StudyOnGpu, MixesWhatDiffers) {
  const Study study = read_study(
      "fabrics = ['2-ary 3-tree', 'HyperX(3x3,2)']\nengines = ['dmodk', 'adaptive', 'minadaptive', 'dor']\n"
      "traffic = 'uniform'\nwithout = ['', 'links=1,seed=3']\nskip_inapplicable = true\n"
      "[simulate]\nload = [0.3, 0.9]\ncycles = 300\nlanes = 4\n"
      "kind = [{packet-flits = 1}, {packet-flits = 10, queueing = 'voq'}, {packet-lengths = '1:3,9:1'}]\n",
      "s.toml");
  Kept here("here"), there("there");
  StudyPlan by_processors(study, &here.store, 2), mixed(study, &there.store, 1);
  run(by_processors, here.store, DeviceChoice::cpu);
  EXPECT_EQ(run(mixed, there.store, DeviceChoice::gpu), std::nullopt);
  EXPECT_EQ(rows(here.store), rows(there.store));
  EXPECT_EQ(mixed.on_gpu().points, mixed.points().size());
}

// What is wrong with a point is said in its row, and the others are measured.
TEST_F(StudyOnGpu, WritesWhatIsWrongWithAPoint) {
  const Study study = read_study(
      "fabrics = '2-ary 3-tree'\nengines = 'dmodk'\ntraffic = ['uniform', 'shift:1']\nranks = [1, 4]\n"
      "[simulate]\ncycles = 100\n",
      "s.toml");
  Kept here("here"), there("there");
  StudyPlan by_processors(study, &here.store, 1), by_gpu(study, &there.store, 1);
  run(by_processors, here.store, DeviceChoice::cpu);
  EXPECT_EQ(run(by_gpu, there.store, DeviceChoice::gpu), std::nullopt);
  EXPECT_EQ(rows(here.store), rows(there.store));
  EXPECT_NE(fmt::format("{}", fmt::join(rows(there.store), "\n")).find("no rank sends anything"),
            std::string::npos);
}

TEST_F(StudyOnGpu, TakesLoadsToo) {
  const Study study = read_study(
      "fabrics = '4-ary 2-tree'\nengines = 'dmodk'\nseeds = [1, 2]\ntraffic = ['permutation', 'bisection']\n"
      "[load]\nsamples = [50, 70]\n",
      "s.toml");
  Kept here("here"), there("there");
  StudyPlan by_processors(study, &here.store, 2), by_gpu(study, &there.store, 2);
  run(by_processors, here.store, DeviceChoice::cpu);
  EXPECT_EQ(run(by_gpu, there.store, DeviceChoice::gpu), std::nullopt);
  EXPECT_EQ(rows(here.store), rows(there.store));
  EXPECT_EQ(by_gpu.on_gpu().points, 8u);
}

// Of 64 points at one setup a GPU is chosen, and takes another along; of a verdict and of a search never.
TEST_F(StudyOnGpu, IsChosenForManyPointsThatAreAlike) {
  const Study study = read_study(
      "fabrics = '4-ary 3-tree'\nengines = 'dmodk'\ntraffic = 'uniform'\n"
      "[[part]]\nname = 'a'\n[part.verdict]\n"
      "[[part]]\nname = 'b'\n[part.simulate]\nload = '0.02:0.98:0.015'\nmax-cycles = 200\n"
      "[[part]]\nname = 'c'\n[part.simulate]\nload = 0.5\nlanes = 3\nmax-cycles = 200\n"
      "[[part]]\nname = 'd'\n[part.simulate]\nmode = 'saturation'\ncycles = 200\n",
      "s.toml");
  Kept here("here"), there("there");
  StudyPlan by_processors(study, &here.store, 2), chosen(study, &there.store, 1);
  run(by_processors, here.store, DeviceChoice::cpu);
  EXPECT_EQ(chosen.run(there.store, 1, nullptr, {DeviceChoice::automatic, &HostDevice<4>::calls()}),
            std::nullopt);
  EXPECT_EQ(rows(here.store), rows(there.store));
  EXPECT_EQ(chosen.on_gpu().points, 66u);
  EXPECT_EQ(chosen.points().size(), 68u);
}

TEST_F(StudyOnGpu, ThatWasDemandedSaysWhichPointItCannotMeasure) {
  const auto why = [&](const std::string& text, const gpu::DeviceCalls& calls = HostDevice<4>::calls()) {
    const Study study = read_study(text, "s.toml");
    Kept kept("why");
    StudyPlan plan(study, &kept.store, 1);
    const auto reason = run(plan, kept.store, DeviceChoice::gpu, calls);
    return reason ? reason->why : "";
  };
  EXPECT_EQ(
      why("fabrics = '4-ary 2-tree'\nengines = 'dmodk'\n[verdict]\n"),
      "verdict | 4-ary 2-tree | intact | dmodk: a GPU measures load and simulate; verdict is for processors");
  const std::string one = "fabrics = '4-ary 2-tree'\nengines = 'dmodk'\ntraffic = 'uniform'\n";
  EXPECT_NE(why(one + "[simulate]\nmode = 'saturation'\n").find("a search is for processors"),
            std::string::npos);
  EXPECT_NE(why(one + "[simulate]\nmode = 'complete'\n").find("sent once"), std::string::npos);
  EXPECT_NE(why(one + "[simulate]\nallocator = 'islip'\n").find("seed=1: "), std::string::npos);
  EXPECT_NE(why(one + "[load]\n").find("permutations and bisections"), std::string::npos);
  EXPECT_NE(why(one + "[simulate]\ncycles = 100\n", HostDevice<4>::failing_calls()).find("it was told to"),
            std::string::npos);
}

TEST_F(StudyOnGpu, ThatFailsLeavesItsPointsToProcessors) {
  const Study study = read_study(
      "fabrics = '4-ary 3-tree'\nengines = 'dmodk'\ntraffic = 'uniform'\n"
      "[simulate]\nload = '0.02:0.98:0.015'\nmax-cycles = 200\n",
      "s.toml");
  Kept here("here"), there("there");
  StudyPlan by_processors(study, &here.store, 1), failing(study, &there.store, 1);
  run(by_processors, here.store, DeviceChoice::cpu);
  EXPECT_EQ(failing.run(there.store, 1, nullptr, {DeviceChoice::automatic, &HostDevice<4>::failing_calls()}),
            std::nullopt);
  EXPECT_EQ(rows(here.store), rows(there.store));
  EXPECT_EQ(failing.on_gpu().points, 0u);
  EXPECT_EQ(failing.on_gpu().failure, "loops: it was told to");
}

}  // namespace
}  // namespace banyan::tests
