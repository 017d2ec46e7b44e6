// Distances: the search against a slow, obvious one on broken fabrics, and the formulas against the search.
#include "topology/distances.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "support/random_topology.hpp"

namespace banyan::tests {
namespace {

// From one NIC to all others, channel by channel; NICs do not forward.
std::vector<PairDistance> distances_from(const Fabric& fabric, Nic start) {
  std::vector<PairDistance> at(fabric.nodes().size());
  std::vector<Node> queue = {fabric.node(start)};
  at[index(start)].paths = 1;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Node node = queue[i];
    if (i > 0 && !fabric.is_switch(node)) continue;
    for (Channel c : fabric.channels(node)) {
      const Node to = fabric.to(c);
      if (to == none<Node>) continue;
      PairDistance& there = at[index(to)];
      if (there.paths == 0) {
        there.channels = at[index(node)].channels + 1;
        queue.push_back(to);
      }
      if (there.channels == at[index(node)].channels + 1)
        there.paths = saturating_add(there.paths, at[index(node)].paths);
    }
  }
  return at;
}

u32 reached(const PairDistance& d) { return d.paths == 0 ? ~0U : d.channels; }

// Of one NIC to all NICs of a host that are so far away, together.
u64 paths_across(const std::vector<PairDistance>& from, const Fabric& fabric, Host to, u32 channels) {
  u64 out = 0;
  for (u32 slot = 0; slot < fabric.nics(to); ++slot)
    if (const PairDistance d = from[index(fabric.nic(to, slot))]; reached(d) == channels)
      out = saturating_add(out, d.paths);
  return out;
}

Distances plain_distances(const Fabric& fabric) {
  Distances out;
  u64 sum = 0, pairs = 0;
  for (Host a : IdRange<Host>(fabric.hosts())) {
    std::vector<std::vector<PairDistance>> from;
    for (u32 rail = 0; rail < fabric.columns(); ++rail)
      from.push_back(distances_from(fabric, fabric.nic(a, rail)));
    for (Host b : IdRange<Host>(index(a) + 1, fabric.hosts())) {
      u32 least = ~0U;
      u64 paths = 0;
      for (u32 rail = 0; rail < fabric.columns(); ++rail) {
        const PairDistance d = from[rail][index(fabric.nic(b, rail))];
        if (d.paths == 0 || d.channels > least) continue;
        paths = d.channels < least ? d.paths : std::max(paths, d.paths);
        least = d.channels;
      }
      for (u32 rail = 0; paths == 0 && rail < fabric.columns();
           ++rail)  // across rails, where no rail leads there
        for (u32 other = 0; other < fabric.columns(); ++other)
          least = std::min(least, reached(from[rail][index(fabric.nic(b, other))]));
      if (paths == 0 && least != ~0U)
        for (u32 rail = 0; rail < fabric.columns(); ++rail)
          paths = std::max(paths, paths_across(from[rail], fabric, b, least));
      if (paths == 0) {
        ++out.unreachable_pairs;
        continue;
      }
      sum += least;
      ++pairs;
      out.diameter = std::max(out.diameter, least);
      out.shortest_paths_max = std::max(out.shortest_paths_max, paths);
    }
  }
  if (pairs > 0) out.average = static_cast<double>(sum) / static_cast<double>(pairs);
  return out;
}

void expect_same(const Distances& a, const Distances& b) {
  RC_ASSERT(a.diameter == b.diameter);
  RC_ASSERT(a.shortest_paths_max == b.shortest_paths_max);
  RC_ASSERT(a.unreachable_pairs == b.unreachable_pairs);
  RC_ASSERT(std::abs(a.average - b.average) < 1e-9);
}

RC_GTEST_PROP(Distances, SearchEqualsTheSlowOneOnBrokenFabrics, ()) {
  const Fabric fabric = broken_somewhere(random_topology().fabric, 40);
  expect_same(search_distances(fabric, draw(1, 3)), plain_distances(fabric));
}

RC_GTEST_PROP(Distances, OfAPairEqualTheSlowOne, ()) {
  const Fabric fabric = broken_somewhere(random_topology().fabric, 40);
  const Host a{draw(0, fabric.hosts() - 1)}, b{draw(0, fabric.hosts() - 1)};
  const u32 rail = draw(0, fabric.columns() - 1);
  const PairDistance slow = distances_from(fabric, fabric.nic(a, rail))[index(fabric.nic(b, rail))];
  RC_ASSERT(search_distance(fabric, fabric.nic(a, rail), fabric.nic(b, rail)) ==
            (a == b ? PairDistance{} : slow));
}

RC_GTEST_PROP(Distances, FormulaEqualsSearch, ()) {
  const Topology topology = random_topology();
  const auto formula = std::visit(
      [](const auto& shape) -> std::optional<Distances> {
        if constexpr (requires { shape.distances(); })
          return shape.distances();
        else
          return std::nullopt;
      },
      topology.shape);
  if (!formula) RC_DISCARD("no formula");
  expect_same(*formula, search_distances(topology.fabric, 1));
}

std::vector<int> slow_nic_distances(const Fabric& fabric) {
  std::vector<int> out;
  for (const Nic nic : IdRange<Nic>(fabric.nics())) {
    const std::vector<PairDistance> from = distances_from(fabric, nic);
    for (u32 to = 0; to < fabric.nics(); ++to)
      out.push_back(from[to].paths == 0 ? -1 : static_cast<int>(from[to].channels));
  }
  return out;
}

std::vector<int> nic_distances(const Fabric& fabric) {
  std::vector<int> out(std::size_t{fabric.nics()} * fabric.nics());
  search_nic_distances(fabric, out, 2);
  return out;
}

TEST(Distances, OfNicsEqualTheSlowOnes) {
  for (const Family& family : families())
    for (u32 percent : {0, 30}) {
      const Fabric fabric = broken(make_topology(family.example).fabric, percent, 1);
      if (fabric.nics() > 300) continue;
      EXPECT_EQ(nic_distances(fabric), slow_nic_distances(fabric)) << family.example << percent;
    }
}

TEST(Distances, SearchEqualsTheSlowOneForEveryFamily) {
  for (const Family& family : families())
    for (u32 percent : {0, 3, 30}) {
      const Fabric fabric = broken(make_topology(family.example).fabric, percent, 1);
      EXPECT_EQ(search_distances(fabric), plain_distances(fabric))
          << family.example << " without " << percent << " %";
    }
}

TEST(Distances, TwoHostsMayBeCabledWithoutASwitch) {
  FabricBuilder builder(4);
  builder.nic_ports(Nic{0}, 2);
  const Node leaf = builder.add_switch(3);
  builder.connect(Node{0}, Port{0}, Node{1}, Port{0}, 0);
  builder.connect(Node{0}, Port{1}, leaf, Port{0}, 0);
  builder.connect(Node{2}, Port{0}, leaf, Port{1}, 0);
  builder.connect(Node{3}, Port{0}, leaf, Port{2}, 0);
  const Fabric fabric = std::move(builder).build();
  EXPECT_EQ(search_distances(fabric), plain_distances(fabric));
  EXPECT_EQ(nic_distances(fabric), slow_nic_distances(fabric));
  EXPECT_EQ(search_distances(fabric).unreachable_pairs, 2);  // host 1 and the two behind the switch
}

}  // namespace
}  // namespace banyan::tests
