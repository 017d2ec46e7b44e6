#include "traffic/demand_file.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "base/error.hpp"

namespace banyan::tests {
namespace {

DemandFile read(const std::string& text) {
  std::istringstream in(text);
  return read_demands(in, "f");
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const std::vector<Demand> three = {{Rank{0}, Rank{1}, 5}, {Rank{1}, Rank{0}, 7}, {Rank{2}, Rank{1}, 9}};

TEST(DemandFile, FourWaysToSayTheSame) {
  for (const char* text :
       {"from,to,amount\n0,1,5\n1,0,7\n2,1,9\n", "0,5,0\n7,0,0\n0,9,0\n", "0 5 0\n7 0 0\n0 9 0\n",
        "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 5\n2 1 7\n3 2 9\n"}) {
    const DemandFile file = read(text);
    EXPECT_EQ(file.ranks, 3u);
    EXPECT_EQ(file.demands, three) << text;
    EXPECT_EQ(file.round_end, std::vector<std::size_t>{3});
    EXPECT_FALSE(file.in_bytes);
  }
}

TEST(DemandFile, LinesOfHosts) {
  std::istringstream in("# a job\nh0 h1 5\nh1 h0 7 # back\nh2 h1 9 h0 0\n");
  const DemandFile file = read_demands(in, "f", [](const std::string& name) -> std::optional<u32> {
    return name.size() == 2 && name[0] == 'h' ? std::optional<u32>(name[1] - '0') : std::nullopt;
  });
  EXPECT_EQ(file.ranks, 3u);
  EXPECT_EQ(file.demands, three);
  EXPECT_EQ(file.round_end, std::vector<std::size_t>{3});
  EXPECT_FALSE(file.in_bytes);
}

TEST(DemandFile, RoundsInAnyOrderAndSomeWithoutDemands) {
  const DemandFile file = read("round,from,to,bytes\n2,2,1,9\n0,0,1,5\n0,1,0,7\n");
  EXPECT_EQ(file.demands, three);
  EXPECT_EQ(file.round_end, (std::vector<std::size_t>{2, 2, 3}));
  EXPECT_TRUE(file.in_bytes);
}

TEST(DemandFile, SymmetricMatrices) {
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n2 2\n").demands,
            (std::vector<Demand>{{Rank{1}, Rank{0}}, {Rank{0}, Rank{1}}, {Rank{1}, Rank{1}}}));
  EXPECT_EQ(read("%%MatrixMarket matrix array real symmetric\n2 2\n0\n3\n0\n").demands,
            (std::vector<Demand>{{Rank{1}, Rank{0}, 3}, {Rank{0}, Rank{1}, 3}}));
}

// As `mpirun --mca pml_monitoring_enable 2` writes it, the files of both ranks one behind the other.
TEST(DemandFile, WhatOpenMpiRecorded) {
  const DemandFile file = read(
      "# POINT TO POINT\n"
      "E\t0\t1\t108 bytes\t27 msgs sent\t0,0,27\n"
      "I\t0\t2\t8 bytes\t1 msgs sent\t0,1,0\n"
      "# OSC\n"
      "S\t0\t1\t4096 bytes\t1 msgs sent\n"
      "R\t0\t2\t512 bytes\t1 msgs sent\n"
      "# COLLECTIVES\n"
      "C\t0\t0\t1 bytes\t1 msgs sent\n"
      "C\t0\t1\t16750 bytes\t30 msgs sent\n"
      "D\tMPI_COMM_WORLD\tprocs: 0,1,2\n"
      "A2A\t0\t276 bytes\t15 msgs sent\n"
      "# POINT TO POINT\n"
      "E\t2\t0\t0 bytes\t3 msgs sent\t3,0,0\n");
  EXPECT_EQ(file.ranks, 3u);
  EXPECT_TRUE(file.in_bytes);
  EXPECT_EQ(file.demands, (std::vector<Demand>{{Rank{0}, Rank{1}, 108},
                                               {Rank{0}, Rank{2}, 8},
                                               {Rank{0}, Rank{1}, 4096},
                                               {Rank{2}, Rank{0}, 512}}));
  EXPECT_EQ(refusal("E\t0\t1\t8 things\n"),
            "f:1: found 'E\t0\t1\t8 things', expected 'N bytes' in the fourth column");
  EXPECT_EQ(refusal("E\t0\t1\t8 bytes\nhello\n"),
            "f:2: found 'hello', expected a line of Open MPI's monitoring");
}

TEST(DemandFile, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(refusal("0 1\n256 0\n"), "f:2: found '256' for a demand, expected a whole number from 0 to 255");
  EXPECT_EQ(refusal("0 1\n2 0\n3 3\n"), "f:3: found more than 2 rows, expected as many as columns");
  EXPECT_EQ(refusal("0,1\n2\n"), "f:2: found 1 numbers, expected 2 as in the first row");
  EXPECT_EQ(refusal("from,to,amount\n0,1,-2\n"), "f:2: found '-2', expected an amount of 0 or more");
  EXPECT_EQ(refusal("from,too\n"), "f:1: found column 'too', expected from, to, amount, bytes or round");
  EXPECT_EQ(refusal("# nothing\n"),
            "f:1: found nothing, expected demands as CSV, Matrix Market, a matrix or lines of hosts");
  EXPECT_EQ(refusal("h0 h1\n"), "f:1: found 'h0 h1', expected a host, then hosts each with a weight");
  EXPECT_EQ(refusal("%%MatrixMarket matrix coordinate real general\n3 2 1\n"),
            "f:2: found 3 rows and 2 columns, expected a square matrix");
  EXPECT_EQ(refusal("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 4\n"),
            "f:3: found '3' for a row, expected a whole number from 1 to 2");
  EXPECT_EQ(refusal("%%MatrixMarket matrix coordinate real general\n2 2 2\n2 1 4\n"),
            "f:3: found the end after 1 entries, expected 2");
  EXPECT_NE(refusal("%%MatrixMarket matrix coordinate complex general\n"), "");
  EXPECT_NE(refusal("%%MatrixMarket matrix array pattern general\n"), "");
}

}  // namespace
}  // namespace banyan::tests
