// Rails by the names of adapters and the leaf switches they are cabled to.
#include "formats/rail_names.hpp"

#include <gtest/gtest.h>

#include "formats/infiniband_ids.hpp"

namespace banyan::tests {
namespace {

using AdapterLists = std::vector<std::vector<AdapterSeen>>;
using Rails = std::vector<std::optional<u32>>;

Rails rails(const FoundRails& found, std::size_t host) {
  Rails out;
  for (const RailPlace& place : found.hosts[host]) out.push_back(place.rail);
  return out;
}

std::vector<u32> slots(const FoundRails& found, std::size_t host) {
  std::vector<u32> out;
  for (const RailPlace& place : found.hosts[host]) out.push_back(place.slot);
  return out;
}

bool has_no_rails(const FoundRails& found) {
  for (const auto& host : found.hosts)
    for (const RailPlace& place : host)
      if (place.rail || place.guessed) return false;
  return found.rails == 0 && found.guessed == 0;
}

constexpr std::nullopt_t none = std::nullopt;
AdapterSeen on(std::string_view name, u32 leaf) { return {name, none, leaf}; }

// A host of a unit whose leaf for rail r is 10 * unit + r.
std::vector<AdapterSeen> host(const std::vector<std::string_view>& names, u32 unit) {
  std::vector<AdapterSeen> out;
  for (u32 r = 0; r < names.size(); ++r) out.push_back(on(names[r], 10 * unit + r));
  return out;
}
const std::vector<std::string_view> hca = {"HCA-1", "HCA-2", "HCA-5", "HCA-6"};
const std::vector<std::string_view> mlx = {"mlx5_0", "mlx5_1", "mlx5_4", "mlx5_5"};

TEST(AdapterNames, AreToldFromTheNameOfTheHost) {
  for (std::string_view name : {"HCA-1", "mlx5_0", "mlx5_ib2", "mlx5_bond_0", "hfi1_0", "qib0", "ib0", "ibs3",
                                "ibp24s0", "ibp24s0f1", "rocep1s0f0", "mthca0", "ipath0", "rail3"}) {
    const std::string description = "node 7 " + std::string(name);
    EXPECT_EQ(split_description(description).host, "node 7") << name;
    EXPECT_EQ(split_description(description).adapter, name);
  }
  EXPECT_EQ(split_description("H_7 HCA-2 (Mellanox HCA)").host, "H_7");
  EXPECT_EQ(split_description("H_7 HCA-2 (Mellanox HCA)").adapter, "HCA-2");
  for (std::string_view description : {"node7", "ib0", " ib0", "node7 HCA", "node7 ibx0", "node7 ib0x1",
                                       "node7 rack3", "Mellanox Technologies"}) {
    EXPECT_EQ(split_description(description).host, description);
    EXPECT_EQ(split_description(description).adapter, "");
  }
}

TEST(RailNames, TwoStylesOfNamesAreTheSameRails) {
  const auto found =
      find_rails(AdapterLists{host(hca, 0), host(hca, 0), host(mlx, 0), host(mlx, 1), host(mlx, 1)});
  EXPECT_EQ(found.rails, 4u);
  EXPECT_EQ(found.guessed, 0u);
  EXPECT_EQ(found.elsewhere, 0u);
  for (std::size_t h = 0; h < 5; ++h) EXPECT_EQ(rails(found, h), (Rails{0, 1, 2, 3}));
  EXPECT_EQ(found.how,
            "4 rails by names of adapters: HCA-1, mlx5_0; HCA-2, mlx5_1; HCA-5, mlx5_4; HCA-6, mlx5_5");
}

TEST(RailNames, AMissingAdapterLeavesAGap) {
  AdapterLists hosts = {host(hca, 0), host(hca, 0), host(hca, 0)};
  hosts[1].erase(hosts[1].begin() + 1);
  hosts[2].resize(1);
  const auto found = find_rails(hosts);
  EXPECT_EQ(rails(found, 0), (Rails{0, 1, 2, 3}));
  EXPECT_EQ(rails(found, 1), (Rails{0, 2, 3}));
  EXPECT_EQ(rails(found, 2), (Rails{0}));
  EXPECT_EQ(found.guessed, 0u);
}

TEST(RailNames, SlotsAreInNaturalOrderOfNames) {
  const auto found =
      find_rails(AdapterLists{{on("mlx5_10", 0), on("mlx5_2", 1), on("", 2), on("mlx5_1", 3), on("", 4)},
                              {{"", 1, 0}, {"", 0, 1}, {"", none, 2}}});
  EXPECT_EQ(slots(found, 0), (std::vector<u32>{2, 1, 3, 0, 4}));
  EXPECT_EQ(slots(found, 1), (std::vector<u32>{1, 0, 2}));
}

TEST(RailNames, RailsOfTheFileWin) {
  // Names and leaves say otherwise. The last host's rails follow from its names, the nameless one's from its
  // leaf.
  const auto found = find_rails(AdapterLists{{{"HCA-1", 3, 0}, {"HCA-2", 1, 1}},
                                             {{"HCA-1", 3, 0}, {"HCA-2", 1, 1}},
                                             {on("HCA-2", 7), on("HCA-1", 8)},
                                             {on("", 0)},
                                             {on("", 9)}});
  EXPECT_EQ(found.rails, 4u);
  EXPECT_EQ(rails(found, 0), (Rails{3, 1}));
  EXPECT_EQ(rails(found, 2), (Rails{1, 3}));
  EXPECT_EQ(rails(found, 3), (Rails{3}));
  EXPECT_EQ(rails(found, 4), (Rails{none}));
  EXPECT_FALSE(found.hosts[0][0].guessed);
  EXPECT_TRUE(found.hosts[2][0].guessed);
  EXPECT_EQ(found.guessed, 3u);
}

TEST(RailNames, AdaptersWithoutANameHaveTheRailOfTheirLeaf) {
  const auto found = find_rails(AdapterLists{host(hca, 0), host(hca, 0), {on("", 2)}, {on("", 77)}});
  EXPECT_EQ(rails(found, 2), (Rails{2}));
  EXPECT_TRUE(found.hosts[2][0].guessed);
  EXPECT_EQ(rails(found, 3), (Rails{none}));
  EXPECT_EQ(found.how,
            "4 rails by names of adapters: HCA-1; HCA-2; HCA-5; HCA-6; 1 adapter by the leaf switch");
}

TEST(RailNames, CrossedCablesKeepTheRailsOfTheirNames) {
  AdapterLists hosts(8, host(hca, 0));
  std::swap(hosts[3][2].leaf, hosts[3][3].leaf);
  const auto found = find_rails(hosts);
  EXPECT_EQ(rails(found, 3), (Rails{0, 1, 2, 3}));
  EXPECT_EQ(found.elsewhere, 2u);
  EXPECT_EQ(found.guessed, 0u);
}

TEST(RailNames, AHostOnOtherLeavesAltogetherHasTheirRails) {
  AdapterLists hosts(8, host(mlx, 0));
  hosts.push_back({on("mlx5_0", 2), on("mlx5_1", 3)});  // a manager on rails 2 and 3
  const auto found = find_rails(hosts);
  EXPECT_EQ(rails(found, 8), (Rails{2, 3}));
  EXPECT_EQ(found.guessed, 2u);
  EXPECT_EQ(found.elsewhere, 0u);
}

TEST(RailNames, LeavesDecideWhereStylesCountOtherwise) {
  // The second kind of host has its storage adapters among the others, and in another order.
  const std::vector<AdapterSeen> other = {on("mlx5_0", 1),  on("mlx5_1", 0), on("mlx5_2", 50),
                                          on("mlx5_3", 50), on("mlx5_4", 2), on("mlx5_5", 3)};
  const auto found =
      find_rails(AdapterLists{host(hca, 0), host(hca, 0), host(hca, 0), host(hca, 0), other, other});
  EXPECT_EQ(rails(found, 0), (Rails{0, 1, 2, 3}));
  EXPECT_EQ(rails(found, 4), (Rails{1, 0, none, none, 2, 3}));
  EXPECT_EQ(found.guessed, 8u);
}

TEST(RailNames, StorageAdaptersBesideRailsHaveNone) {
  const std::vector<AdapterSeen> with_storage = {on("mlx5_0", 0),  on("mlx5_1", 1), on("mlx5_2", 50),
                                                 on("mlx5_3", 50), on("mlx5_4", 2), on("mlx5_5", 3)};
  const auto found = find_rails(AdapterLists(4, with_storage));
  EXPECT_EQ(rails(found, 0), (Rails{0, 1, none, none, 2, 3}));
  EXPECT_EQ(found.rails, 4u);
  EXPECT_EQ(found.guessed, 0u);
}

TEST(RailNames, TwoKindsOfServersWithNamesByPciSlotAreAligned) {
  const std::vector<std::string_view> a = {"ibp24s0", "ibp64s0", "ibp79s0", "ibp154s0"};
  const std::vector<std::string_view> b = {"ibp24s0", "ibp41s0", "ibp64s0", "ibp154s0"};
  const auto found = find_rails(AdapterLists{host(a, 0), host(a, 0), host(a, 0), host(b, 1), host(b, 1)});
  EXPECT_EQ(found.rails, 4u);
  for (std::size_t h = 0; h < 5; ++h) EXPECT_EQ(rails(found, h), (Rails{0, 1, 2, 3}));
}

TEST(RailNames, WithoutNamesTheOrderOfTheFileIsAGuess) {
  const std::vector<std::string_view> nameless(4);
  AdapterLists hosts(3, host(nameless, 0));
  hosts.push_back({on("", 0), on("", 3)});
  const auto found = find_rails(hosts);
  EXPECT_EQ(rails(found, 0), (Rails{0, 1, 2, 3}));
  EXPECT_EQ(rails(found, 3), (Rails{0, 3}));
  EXPECT_EQ(found.guessed, 14u);
  EXPECT_EQ(found.how, "4 rails by the order of adapters in the file; 14 adapters by the leaf switch");
}

TEST(RailNames, OneAdapterOnEveryHostIsNoRail) {
  const auto found = find_rails(AdapterLists(6, {on("HCA-1", 0)}));
  EXPECT_TRUE(has_no_rails(found));
  EXPECT_EQ(found.how, "no rails: no host has several adapters");
}

TEST(RailNames, ASecondAdapterOfAFewHostsIsNoRail) {
  AdapterLists hosts(20, {on("HCA-1", 0)});
  hosts.push_back({on("HCA-1", 0), on("HCA-2", 1)});
  EXPECT_TRUE(has_no_rails(find_rails(hosts)));
  hosts.push_back({on("HCA-1", 0), on("HCA-2", 1)});
  const auto found = find_rails(hosts);
  EXPECT_TRUE(has_no_rails(found));
  EXPECT_EQ(found.how, "no rails: few hosts have several adapters");
}

TEST(RailNames, AllAdaptersOfAHostOnOneLeafAreNoRails) {
  AdapterLists hosts;
  for (u32 h = 0; h < 12; ++h) hosts.push_back({on("mlx5_0", h / 4), on("mlx5_1", h / 4)});
  const auto found = find_rails(hosts);
  EXPECT_TRUE(has_no_rails(found));
  EXPECT_EQ(found.how, "no rails: leaf switches do not keep the places of adapters apart");
}

TEST(RailNames, FourAdaptersOnTwoSwitchesOfARackAreNoRails) {
  AdapterLists hosts;
  for (u32 h = 0; h < 12; ++h)
    hosts.push_back({on("mlx5_0", h / 4 * 2), on("mlx5_1", h / 4 * 2 + 1), on("mlx5_2", h / 4 * 2),
                     on("mlx5_3", h / 4 * 2 + 1)});
  EXPECT_TRUE(has_no_rails(find_rails(hosts)));
}

TEST(RailNames, NothingHasNoRails) {
  EXPECT_TRUE(has_no_rails(find_rails(AdapterLists{})));
  EXPECT_TRUE(has_no_rails(find_rails(AdapterLists{{}, {}})));
  EXPECT_TRUE(
      has_no_rails(find_rails(AdapterLists{{{"eth0"}, {"eth1"}}, {{"eth0"}, {"eth1"}}})));  // no switches
  EXPECT_TRUE(has_no_rails(find_rails(AdapterLists{{on("a1", 0), on("a1", 0)}, {on("a1", 0), on("a1", 0)}})));
}

}  // namespace
}  // namespace banyan::tests
