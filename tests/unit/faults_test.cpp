// Taking cables away: by name, by draw, and what stays the same.
#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"
#include "fabric/faults.hpp"
#include "fabric/names.hpp"
#include "support/shuffle.hpp"
#include "topology/recognise/recognise.hpp"
#include "topology/topology.hpp"

namespace banyan::tests {
namespace {

using Strings = std::vector<std::string>;

TEST(Faults, RenumberNothingAndAreRemembered) {
  const Fabric whole = make_topology("4-ary 3-tree").fabric;
  const Fabric broken = without(whole, Strings{"links=15,seed=7"});
  EXPECT_EQ(broken.taken().size(), 15u);
  EXPECT_EQ(broken.links() + 15, whole.links());
  for (Channel c : whole.channels()) {
    EXPECT_EQ(broken.from(c), whole.from(c));
    EXPECT_TRUE(!broken.cabled(c) || broken.to(c) == whole.to(c));
  }
  for (const Link& link : broken.taken()) {
    EXPECT_FALSE(broken.cabled(link.a) || broken.cabled(link.b));
    EXPECT_TRUE(whole.is_switch(whole.from(link.a))) << "only cables between switches unless told";
  }
}

TEST(Faults, AreTheSameForTheSameSeed) {
  const Fabric f = make_topology("HyperX(4x4; hosts=2)").fabric;
  EXPECT_EQ(choose_cables(f, "links=5,seed=7"), choose_cables(f, "seed=7,links=5"));
  EXPECT_NE(choose_cables(f, "links=5,seed=7"), choose_cables(f, "links=5,seed=8"));
  EXPECT_EQ(choose_cables(f, "share=0.25").size(), 12u);
  EXPECT_EQ(choose_cables(f, "share=0.1%").size(), 1u);
  EXPECT_EQ(choose_cables(f, "share=0").size(), 0u);
  EXPECT_EQ(choose_cables(f, "share=1,of=all").size(), 80u);
  EXPECT_EQ(choose_cables(f, "share=1,of=hosts").size(), 32u);
}

// A file has its own order of nodes and ports. The same words take the same cables, whether the fabric was
// brought into the numbers of its shape before or not.
TEST(Faults, AreDrawnInTheOrderInWhichTheFabricWasRead) {
  for (const char* notation :
       {"PGFT(2; 4,4; 1,4; 1,2)", "XGFT(2; 3,4; 1,4; rails=2)", "XGFT(2; 4,4; 1,4; nics=2)"}) {
    const Fabric original = make_topology(notation).fabric;
    Random random(5);
    const Fabric read = shuffled(original, undamaged(original), random).fabric;
    const auto answer = recognise(read);
    ASSERT_TRUE(std::holds_alternative<Recognition>(answer)) << notation;
    const Fabric renumbered = as_topology(read, std::get<Recognition>(answer)).fabric;
    // NICs may be called by another rail.
    const auto switch_ends = [](const Fabric& fabric) {
      std::set<std::string> out;
      fabric.each_link([&](const Link& link) {
        for (const Channel c : {link.a, link.b})
          if (fabric.is_switch(fabric.from(c))) out.insert(port_name(fabric, c));
      });
      return out;
    };
    const Strings faults = {"links=3,seed=7", "links=2,seed=1,of=hosts"};
    EXPECT_EQ(switch_ends(without(renumbered, faults, read)), switch_ends(without(read, faults))) << notation;
    EXPECT_EQ(without(renumbered, faults, read).links() + 5, read.links());
  }
}

TEST(Faults, ByNameTakeThatCableSwitchOrHost) {
  const Fabric f = make_topology("2 x XGFT(2; 4,4; 1,2)").fabric;
  EXPECT_EQ(choose_cables(f, "switch=r1s2-1").size(), 4u);
  EXPECT_EQ(choose_cables(f, "host=h3").size(), 2u);
  const auto one = choose_cables(f, "link=r0s1-0:5");
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(cable_name(f, one[0]), "r0s1-0:5 - r0s2-0:1");
  EXPECT_EQ(choose_cables(f, "link=r0s2-0:1"), one);
  EXPECT_EQ(without(f, Strings{"switch=r0s1-0", "link=r0s1-1:5"}).taken().size(), 7u);
}

TEST(Faults, SayWhatIsWrong) {
  const Fabric f = make_topology("4-ary 2-tree").fabric;
  const auto message = [&](std::string_view what) -> std::string {
    try {
      choose_cables(f, what);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message("link=4").find("NAME:PORT"), std::string::npos);
  EXPECT_NE(message("lnks=4").find("did you mean 'links'"), std::string::npos);
  EXPECT_NE(message("links=17").find("only 16"), std::string::npos);
  EXPECT_NE(message("switch=s9-9").find("no node called"), std::string::npos);
  EXPECT_NE(message("switch=h0").find("host=h0"), std::string::npos);
  EXPECT_NE(message("link=s1-0:99").find("no cable in port 99"), std::string::npos);
  EXPECT_NE(message("share=2").find("between 0 and 1"), std::string::npos);
  EXPECT_NE(message("links=1,share=0.1").find("just one"), std::string::npos);
  EXPECT_NE(message("").find("expected"), std::string::npos);
  EXPECT_NE(message("links=1,links=2").find("twice"), std::string::npos);
}

}  // namespace
}  // namespace banyan::tests
