// What applications send, against counts done by hand for 8 ranks, a grid of 2 x 2 x 2 (4 x 2, 2 x 2 x 2 x
// 1).
#include "traffic/applications/application.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "topology/topology.hpp"
#include "traffic/pattern.hpp"

namespace banyan::tests {
namespace {

Phase phase(const Profile& profile, std::string_view name) {
  for (const Phase& p : profile.phases)
    if (p.name == name) return p;
  throw std::out_of_range(std::string(name));
}

struct Sum {
  u64 messages = 0;
  double bytes = 0;
  bool operator==(const Sum&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Sum& s) { return out << s.messages << ", " << s.bytes; }

// Of one repeat.
Sum sum(const Phase& p) {
  Sum out;
  for (const auto& round : p.rounds)
    for (const Demand& d : round) out.messages += 1, out.bytes += d.amount;
  return out;
}

// In a 2 x 2 x 2 grid with borders every rank has 3 neighbours by a face, 3 by an edge, 1 by a corner.
double box_halo(double n) { return 8 * 8 * (3 * n * n + 3 * n + 1); }  // doubles, 8 ranks
constexpr Sum small_allreduce{8 * 3, 8 * 3 * 8};  // recursive doubling of 8 bytes: 3 rounds of 8 messages

TEST(Applications, Amg) {
  const Profile p = make_profile("amg", 8);
  const Phase it = phase(p, "iteration");
  // Cubes of 256, 128 ... 2: eight levels with four exchanges each, one of conjugate gradients, three sums.
  double bytes = box_halo(256) + 3 * small_allreduce.bytes;
  for (double n : {256, 128, 64, 32, 16, 8, 4, 2}) bytes += 4 * box_halo(n);
  EXPECT_EQ(sum(it), (Sum{33 * 8 * 7 + 3 * 24, bytes}));
  EXPECT_EQ(it.repeats, 20u);
}

TEST(Applications, Comd) {
  const Profile p = make_profile("comd", 8);
  const Phase step = phase(p, "step");
  // 262,144 atoms: 145.76 Angstrom an edge, 25 boxes of 16.777216 atoms; both neighbours in a ring of 2 are
  // one.
  const double atom = 56 * 262144.0 / 15625;
  EXPECT_EQ(step.rounds.size(), 3u);
  EXPECT_EQ(sum(step).messages, 8u * 2 * 3);
  EXPECT_EQ(step.rounds[0][0].amount, std::floor(25 * 25 * atom + 0.5));
  EXPECT_EQ(step.rounds[1][0].amount, std::floor(25 * 27 * atom + 0.5));
  EXPECT_EQ(step.rounds[2][0].amount, std::floor(27 * 27 * atom + 0.5));
  EXPECT_EQ(sum(phase(p, "energy")), (Sum{24, 24 * 16}));
}

TEST(Applications, Minife) {
  const Phase it = phase(make_profile("minife", 8), "iteration");
  // 200 elements, 201 points an edge: 101 for a rank.
  EXPECT_EQ(sum(it), (Sum{8 * 7 + 2 * 24, box_halo(101) + 2 * small_allreduce.bytes}));
  EXPECT_EQ(it.repeats, 200u);
}

TEST(Applications, Swfft) {
  const Phase t = phase(make_profile("swfft", 8), "transform");
  // Three dimensions there and back, each rank half of its 2^24 numbers of 16 bytes to its one partner.
  EXPECT_EQ(sum(t), (Sum{6 * 8, 6 * 8 * 16777216.0 * 8}));
  EXPECT_EQ(t.repeats, 32u);
}

TEST(Applications, Ffvc) {
  const Profile p = make_profile("ffvc", 8);
  const double face = 128 * 128 * 2 * 4;
  EXPECT_EQ(sum(phase(p, "pressure")), (Sum{8 * 3 + 24, 8 * 3 * face + small_allreduce.bytes}));
  EXPECT_EQ(phase(p, "pressure").repeats, 1000u);
  EXPECT_EQ(phase(p, "velocity").rounds[0].size(), 24u);
  EXPECT_EQ(phase(p, "velocity").rounds[0][0].amount, 3 * face);
  EXPECT_EQ(phase(make_profile("ffvc", 128), "velocity").rounds[0][0].amount, 3 * face / 4) << "64^3 cells";
}

TEST(Applications, Mvmc) {
  const Profile p = make_profile("mvmc", 8);
  const Phase step = phase(p, "step");
  EXPECT_EQ(step.rounds[0].size(), 8u);
  EXPECT_EQ(step.rounds[0][7], (Demand{Rank{7}, Rank{0}, 8000}));
  // A ring; 16,000 bytes summed by halving and doubling (three rounds there, three back); seven messages of
  // 8 MB up a tree; 8,000 bytes to seven.
  const Sum ring{8, 64000}, halving{2 * 3 * 8, 2 * 8 * (8000 + 4000 + 2000)}, tree{7, 7 * 8e6},
      spread{7, 56000};
  EXPECT_EQ(sum(step), (Sum{ring.messages + halving.messages + tree.messages + spread.messages,
                            ring.bytes + halving.bytes + tree.bytes + spread.bytes}));
  EXPECT_EQ(step.repeats, 50u);
  EXPECT_EQ(sum(phase(p, "start")).bytes, 4096 * 7 + 4096 * (3 + 1 + 1))
      << "a binomial tree of 8: 4, 2, 1 parts";
}

TEST(Applications, Ntchem) {
  const Profile p = make_profile("ntchem", 8);
  const Phase shift = phase(p, "shift");
  const double block = 8.0 * 164 * 800 * 4000 / 8;
  EXPECT_EQ(shift.repeats, 7u);
  EXPECT_EQ(sum(shift), (Sum{8, 8 * block}));
  // Strong scaling: all of the computing is shared out.
  EXPECT_NEAR(make_profile("ntchem", 16).seconds() * 16, p.seconds() * 8, 1e-6);
  EXPECT_EQ(make_profile("ntchem", 1).messages(), 0u);
}

TEST(Applications, Milc) {
  const Phase it = phase(make_profile("milc", 8), "iteration");
  // 2 x 2 x 2 x 1, a torus: six messages a rank, none in the fourth dimension; 16^3 sites a face, half of
  // them, four layers of 24 bytes; two applications; two sums.
  EXPECT_EQ(sum(it), (Sum{2 * 8 * 6 + 2 * 24, 2 * 8 * 6 * 4096.0 / 2 * 4 * 24 + 2 * small_allreduce.bytes}));
}

TEST(Applications, Qball) {
  const Profile p = make_profile("qball", 8);
  const Phase t = phase(p, "transform");
  // 64 atoms, 576 states, 96^3 points; columns of 4 ranks, two of them: 288 states each.
  EXPECT_EQ(t.repeats, 10u * 288);
  EXPECT_EQ(sum(t).bytes, 2 * 8 * 3 * std::floor(16 * 884736.0 / 16));
}

TEST(Applications, Hpl) {
  const Profile p = make_profile("hpl", 8);
  EXPECT_EQ(p.phases.size(), 16u);
  // 2^30 numbers: 32768 columns in 170 panels, 10 a stage; 2 rows of 4 ranks. In the first stage 31744 are
  // left.
  const Phase& first = p.phases[0];
  EXPECT_EQ(first.repeats, 10u);
  const double panel = 8.0 * 192 * 31744 / 2, rows = 8.0 * 192 * 31744 / 8;
  EXPECT_EQ(sum(first), (Sum{3 * 2 + 8, 3 * 2 * panel + 8 * rows}));
  EXPECT_EQ(first.rounds[0][0], (Demand{Rank{0}, Rank{1}, panel}));
}

TEST(Applications, Hpcg) {
  const Phase it = phase(make_profile("hpcg", 8), "iteration");
  const double bytes = 4 * box_halo(192) + 3 * box_halo(96) + 3 * box_halo(48) + box_halo(24);
  EXPECT_EQ(sum(it), (Sum{11 * 8 * 7 + 3 * 24, bytes + 3 * small_allreduce.bytes}));
  EXPECT_EQ(it.repeats, 50u);
}

TEST(Applications, Graph500) {
  const Phase level = phase(make_profile("graph500", 8), "level");
  // 4 x 2 ranks: bit maps of 2^22 vertices between the two of a column; finds among the four of a row.
  const double bitmap = 4194304 / 8.0, found = std::floor(8 * 16 * 4194304 / 10.0 / 7 / 4);
  EXPECT_EQ(sum(level).bytes, 8 * bitmap + 8 * 3 * found + small_allreduce.bytes);
  EXPECT_EQ(level.repeats, 112u);
}

TEST(Applications, MultiPingpong) {
  const Profile p = make_profile("multi_pingpong", 8);
  EXPECT_EQ(p.phases.size(), 24u) << "0, 1, 2, 4 ... 4 MiB";
  EXPECT_EQ(sum(phase(p, "1024 bytes")), (Sum{8, 8 * 1024}));
  EXPECT_EQ(phase(p, "1024 bytes").repeats, 1000u);
  EXPECT_EQ(phase(p, "4194304 bytes").repeats, 10u);
  EXPECT_EQ(phase(p, "4 bytes").rounds[1][2], (Demand{Rank{6}, Rank{2}, 4}));
}

TEST(Applications, Emdl) {
  const Profile p = make_profile("emdl", 8);
  EXPECT_EQ(p.phases.size(), 21u) << "4 bytes to 4 MiB";
  EXPECT_EQ(sum(phase(p, "4 bytes")), (Sum{24, 96}));
  EXPECT_DOUBLE_EQ(p.seconds(), 21 * 10 * 0.1);
}

TEST(Applications, WorkForAnyNumberOfRanksAndNameNobodyElse) {
  for (const Application& app : applications())
    for (u32 ranks : {1u, 2u, 3u, 7u, 12u, 32u, 56u, 100u}) {
      const Profile p = make_profile(app.name, ranks, app.size > 64 ? 64 : 8);
      for (const Demand& d : p.totals()) {
        EXPECT_LT(index(d.from), ranks) << app.name;
        EXPECT_LT(index(d.to), ranks) << app.name;
        EXPECT_NE(d.from, d.to) << app.name;
      }
      EXPECT_EQ(p.messages() == 0, ranks == 1) << app.name << ranks;
    }
  EXPECT_THROW((void)applications().at("amb"), InputError);
}

TEST(Applications, AsPatterns) {
  const Topology t = make_topology("4-ary 2-tree");
  const Traffic once = make_traffic({t, 8}, "app:hpcg"), all = make_traffic({t, 8}, "app:name=hpcg,total=1");
  EXPECT_TRUE(once.in_bytes);
  const Profile p = make_profile("hpcg", 8);
  EXPECT_EQ(once.rounds, p.phases[0].rounds.size() + p.phases[1].rounds.size());
  EXPECT_EQ(make_traffic({t, 8}, "app:name=hpcg,repeats=3").rounds,
            p.phases[0].rounds.size() + 3 * p.phases[1].rounds.size());
  std::vector<Demand> totals;
  ASSERT_EQ(all.rounds, 1u);
  all.list(1, 0, 0, totals);
  EXPECT_EQ(totals, p.totals());
  EXPECT_THROW(make_traffic({t, 8}, "app"), InputError);
}

}  // namespace
}  // namespace banyan::tests
