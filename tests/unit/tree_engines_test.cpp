// The closed-form engines of fat-trees: the worked example of mahapatra, and what each promises.
#include <gtest/gtest.h>

#include <set>

#include "base/permutation.hpp"
#include "engines/engine.hpp"

namespace banyan::tests {
namespace {

std::vector<u32> nodes_of_path(const Topology& t, const Routing& r, u32 from, u32 to, u32 way) {
  const auto& form = std::get<TreeForm>(r.forward);
  const Header header = r.source.way(Nic{from}, Nic{to}, 0, way);
  std::vector<u32> out = {from};
  while (out.back() != to)
    out.push_back(
        index(t.fabric.to(t.fabric.channel(Node{out.back()}, form.next(Node{out.back()}, header).port))));
  return out;
}

std::vector<std::vector<u32>> paths(std::string_view fabric, std::string_view engine, u32 from, u32 to) {
  const Topology t = make_topology(fabric);
  const Routing r = std::get<Routing>(route(t, engine));
  std::vector<std::vector<u32>> out;
  for (u32 i = 0; i < r.source.count(Nic{from}, Nic{to}, 0); ++i)
    out.push_back(nodes_of_path(t, r, from, to, i));
  return out;
}

using Paths = std::vector<std::vector<u32>>;
const std::vector<u32> path7 = {0, 64, 83, 103, 95, 79, 63}, path0 = {0, 64, 80, 96, 92, 79, 63},
                       path1 = {0, 64, 80, 97, 92, 79, 63}, path3 = {0, 64, 81, 99, 93, 79, 63},
                       path5 = {0, 64, 82, 101, 94, 79, 63};

TEST(TreeEngines, ReproduceTheWorkedExampleOfMahapatra) {
  const char* fabric = "XGFT(3; 4,4,4; 1,4,2)";
  EXPECT_EQ(paths(fabric, "dmodk", 0, 63), Paths{path7});
  EXPECT_EQ(paths(fabric, "shift1:3", 0, 63), (Paths{path7, path0, path1}));
  EXPECT_EQ(paths(fabric, "disjoint:paths=4", 0, 63), (Paths{path7, path1, path3, path5}));
  const auto all = paths(fabric, "umulti", 0, 63);
  EXPECT_EQ(all.size(), 8u);
  EXPECT_EQ(all[7], path7);
  EXPECT_EQ(all[0], path0);
}

TEST(TreeEngines, GiveDifferentPathsAndAllOfThemWhenAllowed) {
  for (const char* engine : {"shift1:99", "disjoint:99", "random:99", "random:paths=99,seed=5", "umulti"})
    for (const char* fabric : {"XGFT(3; 4,4,4; 1,4,2)", "PGFT(2; 4,4; 1,2; 1,3)", "PGFT(2; 2,3; 2,2; 2,1)"}) {
      const Topology t = make_topology(fabric);
      const Routing r = std::get<Routing>(route(t, engine));
      const Nic from{0}, to{t.fabric.hosts() - 1};
      std::set<u64> tags;
      for (u32 i = 0; i < r.source.count(from, to, 0); ++i) tags.insert(r.source.way(from, to, 0, i).tag);
      EXPECT_EQ(tags.size(), r.source.count(from, to, 0)) << engine << fabric;
      EXPECT_EQ(tags.size(), std::get<Pgft>(t.shape).up_paths_max()) << engine << fabric;
    }
}

TEST(TreeEngines, SayWhyTheyDoNotApply) {
  const auto why = [](std::string_view fabric, std::string_view engine) {
    return std::get<NotApplicable>(route(make_topology(fabric), engine)).why;
  };
  EXPECT_NE(why("HyperX(3x3)", "dmodk").find("needs a fat-tree"), std::string::npos);
  EXPECT_NE(why("4-ary 2-tree", "dor").find("HyperX"), std::string::npos);
  EXPECT_NE(why("XGFT(2; 2,2; 1,300)", "umulti").find("up ports"), std::string::npos);
}

TEST(TreeEngines, OptionsAreCheckedByName) {
  const Topology t = make_topology("4-ary 2-tree");
  const auto message = [&](std::string_view engine) -> std::string {
    try {
      (void)route(t, engine);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message("disjont").find("did you mean 'disjoint'"), std::string::npos);
  EXPECT_NE(message("disjoint:path=2").find("did you mean 'paths'"), std::string::npos);
  EXPECT_NE(message("disjoint:paths=x").find("whole number"), std::string::npos);
  EXPECT_NE(message("disjoint:0").find("at least 1"), std::string::npos);
  EXPECT_NE(message("umulti:3").find("takes no options"), std::string::npos);
  EXPECT_EQ(message("shift1:2"), "accepted");
}

TEST(Permutation, IsOne) {
  for (u64 n : {1, 2, 3, 17, 64, 1000}) {
    const Permutation p(n, 7);
    std::set<u64> seen;
    for (u64 i = 0; i < n; ++i) seen.insert(p(i));
    EXPECT_EQ(seen.size(), n);
    EXPECT_LT(*seen.rbegin(), n);
  }
}

}  // namespace
}  // namespace banyan::tests
