// What we write, other people's tools understand; what they write of it, we do.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <sstream>

#include "formats/open.hpp"
#include "support/fabric_text.hpp"

namespace banyan::tests {
namespace {

// The standard output of a command.
std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out += static_cast<char>(c);
  pclose(pipe);
  return out;
}

class Tools : public testing::Test {
 protected:
  Tools() { std::filesystem::create_directory(folder_); }
  ~Tools() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ / name; }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      (std::string("banyan-") + testing::UnitTest::GetInstance()->current_test_info()->name());
  const FabricFile file_{make_topology("2 x PGFT(2; 3,2; 1,2; 1,2; hosts=2, capacity=1/2)"), {}};
};

TEST_F(Tools, NetworkxReadsAndWritesOurGraphml) {
  ASSERT_EQ(output_of("/usr/bin/python3 -c 'import networkx; print(1)'"), "1\n") << "networkx is missing";
  write_fabric(file_, path("a.graphml"));
  const std::string counts =
      output_of("/usr/bin/python3 -c \"import networkx as n; g = n.read_graphml('" + path("a.graphml") +
                "', force_multigraph=True); " + "n.write_graphml(g, '" + path("b.graphml") +
                "'); print(len(g), g.number_of_edges(), g.nodes['h3.r1']['rail'])\"");
  const Fabric& fabric = file_.topology.fabric;
  EXPECT_EQ(counts, std::to_string(fabric.nodes().size()) + " " + std::to_string(fabric.links()) + " 1\n");
  EXPECT_EQ(fabric_text(open_fabric(path("b.graphml")).topology.fabric, true), fabric_text(fabric, true));
}

TEST_F(Tools, GraphvizReadsAndWritesOurDot) {
  ASSERT_NE(output_of("command -v dot"), "") << "Graphviz is missing";
  write_fabric(file_, path("a.dot"));
  for (const std::string tool : {"dot -Tdot", "nop", "dot -Tcanon"}) {
    std::istringstream in(output_of(tool + " " + path("a.dot")));
    EXPECT_EQ(fabric_text(read_fabric(in, tool).topology.fabric, true),
              fabric_text(file_.topology.fabric, true))
        << tool;
  }
}

}  // namespace
}  // namespace banyan::tests
