// domke19: what its parts at flow level come to, as far as that is quick.
#include "papers/domke19/domke19.hpp"

#include <gtest/gtest.h>

#include "papers/domke19/applications.hpp"

namespace banyan::papers::domke19 {
namespace {

TEST(Domke19Flow, FourteenJobsTake664Hosts) {
  u32 hosts = 2 * 56, large = 2;  // with Multi-PingPong and EmDL
  for (const PaperApplication& app : paper_applications) hosts += app.hosts(), large += app.hosts() == 56;
  EXPECT_EQ(hosts, 664u);
  EXPECT_EQ(large, 9u);
}

// Section 3.2: which criteria hold for which quadrants.
TEST(Domke19Flow, TheCriteriaAreShownByQuadrants) {
  Reproduction out(statements_of(papers::papers().at("domke19")));
  facts(out, Machines(1));
  ASSERT_EQ(out.figures().size(), 1u);
  const Figure& figure = out.figures()[0];
  ASSERT_EQ(figure.panels.size(), 6u) << "three criteria, with and without all cables";
  for (u32 from = 0; from < 4; ++from)
    for (u32 to = 0; to < 4; ++to) {
      const bool diagonal = (from + 2) % 4 == to;
      const auto share = [&](std::size_t panel) { return figure.panels[panel].at(from, to).at(0); };
      EXPECT_EQ(share(0), 1) << "small messages, all cables";
      EXPECT_EQ(share(1), diagonal ? 0 : 1);
      EXPECT_EQ(share(2), diagonal ? 0 : 1);
      EXPECT_GT(share(3), 0.8) << "15 missing";
      EXPECT_EQ(share(4) == 0, diagonal);
      EXPECT_TRUE(diagonal || share(4) > 0.95);
    }
}

// The same demands and hosts, whatever the number of lanes: PARX is asked for anew and gives its own tables.
TEST(Domke19Flow, ParxRoutesForTheDemandsOfAJob) {
  const Machines m(1);
  const Profile profile = make_profile("milc", 32);
  const std::vector<domke19::Run> runs = {{&profile, m.placement(parx, 32, 1), {}}};
  const Routing anew = routing_for(m, parx, runs);
  EXPECT_EQ(anew.lmc, m.parx.lmc);
  domke19::Run plain = runs[0], aware = runs[0];
  time_alone(plain, m.hyperx.fabric, m.parx, parx);
  time_alone(aware, m.hyperx.fabric, anew, parx);
  EXPECT_EQ(plain.computing, aware.computing);
  EXPECT_LT(aware.sending, plain.sending) << "paths that carry much are kept apart";
}

}  // namespace
}  // namespace banyan::papers::domke19
