// An adaptive forward answers through visit_forward as it does itself.
#include "routing/visit_forward.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <set>
#include <string>
#include <utility>

#include "support/routed.hpp"

namespace banyan::tests {
namespace {

using routing::AnyAdaptive;

// Whether a visitor is given the forward itself.
bool is_given_itself(const Routing& routing) {
  return routing::visit_forward([]<class F>(const F&) { return !std::same_as<F, AnyAdaptive>; },
                                routing.forward);
}

TEST(VisitForward, ADeterministicForwardIsGivenItself) {
  for (const char* engine : {"dmodk", "minhop", "ecmp"})
    EXPECT_TRUE(is_given_itself(routed("4-ary 2-tree", engine))) << engine;
  EXPECT_TRUE(is_given_itself(routed("Torus(3x3)", "dor")));
  EXPECT_FALSE(is_given_itself(routed("4-ary 2-tree", "adaptive")));
}

// Compares what a forward offers at a node with what it offers through an AnyAdaptive, and what either says
// of the hops.
template <class F>
void compare(const F& own, const AnyAdaptive& any, Node node, Header header, u32 depth) {
  Hops expected, offered;
  own.hops(node, header, expected);
  any.hops(node, header, offered);
  ASSERT_TRUE(std::ranges::equal(offered, expected));
  for (const Hop& hop : expected) {
    if constexpr (routing::MayHaveEscape<F>) {
      if (own.has_escape()) {
        ASSERT_EQ(any.is_escape(hop), own.is_escape(hop));
      }
    }
    if (depth == 0) continue;
    header.state = hop.state;
    compare(own, any, node, header, depth - 1);
  }
}

// All eight adaptive forwards, at each switch, for each destination, in states that their own hops lead to.
TEST(VisitForward, AnAdaptiveForwardAnswersThroughItAsItDoesItself) {
  const std::pair<const char*, const char*> cases[] = {
      {"4-ary 2-tree", "adaptive"}, {"HyperX(3x3)", "minadaptive"},
      {"HyperX(3x3)", "ugal"},      {"Dragonfly(1,3,1)", "ugal"},
      {"SlimFly(5)", "valiant"},    {"Torus(3x3)", "valiant"},
      {"HyperX(3x3)", "surepath"},  {"HyperX(2x2) + Torus(2x2)", "minadaptive + dor"}};
  std::set<std::size_t> kinds;
  for (const auto& [notation, engine] : cases) {
    SCOPED_TRACE(std::string(notation) + " by " + engine);
    const Topology topology = make_topology(notation);
    const Routing routing = routed(topology, engine);
    kinds.insert(routing.forward.index());
    const auto ask = [&]<class F>(const F& own) {
      if constexpr (routing::Adaptive<F>) {
        const AnyAdaptive any(own);
        EXPECT_EQ(any.enters_alike(), routing::enters_alike(own));
        EXPECT_EQ(any.leads_alike(), routing::leads_alike(own));
        EXPECT_EQ(any.has_escape(), routing::has_escape(own));
        for (const Node node : topology.fabric.switch_nodes())
          for (u32 to = 1; to < topology.fabric.nics(); ++to)
            if (topology.fabric.plane(Nic{to}) == topology.fabric.plane(Nic{0}))
              compare(own, any, node, routing.source.way(Nic{0}, Nic{to}, 0, 0), 1);
      } else {
        ADD_FAILURE() << "it is not adaptive";
      }
    };
    std::visit(ask, routing.forward);
  }
  EXPECT_EQ(kinds.size(), std::size(cases));
}

}  // namespace
}  // namespace banyan::tests
