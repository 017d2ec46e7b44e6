// The simulator's table of hops says what dimension order says.
#include "flit/hop_table.hpp"

#include <gtest/gtest.h>

#include "engines/engine.hpp"

namespace banyan::tests {
namespace {

HopTable table_of(const Topology& t, const Routing& routing) {
  return {Layout(t.fabric, NetworkOptions{.lanes = 2}, Share{}), routing};
}

TEST(HopTable, SaysWhatDimensionOrderSays) {
  for (const char* name : {"HyperX(3x4x2; hosts=2)", "Mesh(5x4)", "2 x HyperX(3x4; hosts=2)", "Torus(5x4)",
                           "Torus(6x2x3; hosts=2)", "2 x Torus(4x3)"}) {
    const Topology t = make_topology(name);
    const Routing routing = std::get<Routing>(route(t, "dor"));
    const HopTable table = table_of(t, routing);
    const auto& forward = std::get<DimensionOrder>(routing.forward);
    for (const Node v : t.fabric.nodes())
      for (u32 to = 0; to < t.fabric.nics(); ++to) {
        if (v == t.fabric.node(Nic{to})) continue;
        for (u32 state = 0; state < 8; ++state) {  // datelines that were crossed
          Header header = routing.source.way(Nic{0}, Nic{to}, 0, 0);
          header.state = static_cast<u8>(state);
          ASSERT_TRUE(table.has(header)) << name;
          const Hop said = table.next(v, header), expected = forward.next(v, header);
          ASSERT_EQ(said.port, expected.port) << name;
          ASSERT_EQ(said.lanes, expected.lanes) << name;
          ASSERT_EQ(said.state, expected.state) << name;
        }
      }
  }
}

TEST(HopTable, IsEmptyWhereTagsMatterOrItWouldBeLarge) {
  for (const auto& [name, engine] :
       {std::pair("4-ary 2-tree", "dmodk"), std::pair("HyperX(3x4; hosts=2; trunk=2)", "dor"),
        std::pair("HyperX(16x16; hosts=8)", "dor"), std::pair("Torus(20x20)", "dor")}) {
    const Topology t = make_topology(name);
    const Routing routing = std::get<Routing>(route(t, engine));
    EXPECT_FALSE(table_of(t, routing).has({.to = Address{0}})) << name;
  }
}

}  // namespace
}  // namespace banyan::tests
