// The families of fat-trees: all are special cases of PGFT and use its one construction.
#include <fmt/format.h>

#include <algorithm>

#include "topology/family.hpp"
#include "topology/shape_links.hpp"

namespace banyan::topology {

void propose_trees(const Proposals& out);  // pgft_proposals.cpp

namespace {

constexpr u32 max_levels = 16;

// The options that all trees take, and a check that the numbers stay sane.
Pgft finish(const Notation& n, Pgft tree) {
  n.allow_options({"hosts", "rails", "capacity", "latency"});
  tree.host_slots = tree.m[0];
  tree.m[0] = n.number("hosts", tree.host_slots);
  if (tree.m[0] > tree.host_slots)
    n.fail(fmt::format("hosts={}, but a leaf has room for {}", tree.m[0], tree.host_slots));
  tree.rails = n.number("rails", 1);
  tree.links = read_link_classes(n, tree.h());
  for (u32 l = 1; l <= tree.h(); ++l)
    if (tree.M(tree.h()) > largest_number ||
        saturating_multiply(tree.M(tree.h()) / tree.M(l), tree.W(l)) > largest_number ||
        u64{tree.m[l - 1]} * tree.p[l - 1] > largest_number ||
        u64{tree.w[l - 1]} * tree.p[l - 1] > largest_number)
      n.fail("too large");
  if (const u64 leaves = tree.M(tree.h()) / tree.m[0]; tree.w[0] != 1 && tree.rails > 1)
    n.fail("a rail-optimised tree has one leaf for each NIC: w_1 = 1");
  else if (leaves % tree.rails != 0)
    n.fail(fmt::format("{} leaves cannot be divided evenly among {} rails", leaves, tree.rails));
  return tree;
}

u32 read_height(const Notation& n, std::string_view form) {
  const auto numbers = n.numbers(0, "the height h first");
  if (numbers.size() != 1 || numbers[0] > max_levels)
    n.fail(fmt::format("expected {}, with one height h of 1 to {} first", form, max_levels));
  return numbers[0];
}

std::vector<u32> read_levels(const Notation& n, std::size_t group, u32 h, char letter) {
  auto numbers = n.numbers(group, fmt::format("{0}_1,...,{0}_{1}", letter, h));
  if (numbers.size() != h)
    n.fail(fmt::format("expected {} numbers {}_1,...,{}_{}, found {}", h, letter, letter, h, numbers.size()));
  return numbers;
}

void expect_groups(const Notation& n, std::size_t groups, std::string_view form) {
  if (n.groups.size() != groups) n.fail(fmt::format("expected {}", form));
}

FamilyResult k_ary_n_tree(const Notation& n) {
  const u32 k = n.numbers(0, "k")[0], h = n.numbers(1, "n")[0];
  if (h > max_levels) n.fail(fmt::format("expected n of 1 to {}", max_levels));
  Pgft tree{std::vector<u32>(h, k), std::vector<u32>(h, k), std::vector<u32>(h, 1), 0, 1, {}};
  tree.w[0] = 1;
  return finish(n, std::move(tree));
}

FamilyResult m_port_n_tree(const Notation& n) {
  const u32 ports = n.numbers(0, "m")[0], h = n.numbers(1, "n")[0];
  if (ports < 2 || ports % 2 != 0 || h > max_levels)
    n.fail(fmt::format("expected an even number of ports m and n of 1 to {}", max_levels));
  Pgft tree{std::vector<u32>(h, ports / 2), std::vector<u32>(h, ports / 2), std::vector<u32>(h, 1), 0, 1, {}};
  tree.m[h - 1] = ports;
  tree.w[0] = 1;
  return finish(n, std::move(tree));
}

FamilyResult gft(const Notation& n) {
  expect_groups(n, 3, "GFT(h; m; w)");
  const u32 h = read_height(n, "GFT(h; m; w)");
  const auto m = n.numbers(1, "m"), w = n.numbers(2, "w");
  if (m.size() != 1 || w.size() != 1) n.fail("expected GFT(h; m; w), with one m and one w");
  return finish(n, {std::vector<u32>(h, m[0]), std::vector<u32>(h, w[0]), std::vector<u32>(h, 1), 0, 1, {}});
}

FamilyResult xgft(const Notation& n) {
  expect_groups(n, 3, "XGFT(h; m_1,...,m_h; w_1,...,w_h)");
  const u32 h = read_height(n, "XGFT(h; m_1,...,m_h; w_1,...,w_h)");
  return finish(n, {read_levels(n, 1, h, 'm'), read_levels(n, 2, h, 'w'), std::vector<u32>(h, 1), 0, 1, {}});
}

FamilyResult pgft(const Notation& n) {
  expect_groups(n, 4, "PGFT(h; m_1,...,m_h; w_1,...,w_h; p_1,...,p_h)");
  const u32 h = read_height(n, "PGFT(h; m_1,...,m_h; w_1,...,w_h; p_1,...,p_h)");
  return finish(n,
                {read_levels(n, 1, h, 'm'), read_levels(n, 2, h, 'w'), read_levels(n, 3, h, 'p'), 0, 1, {}});
}

// The smallest one whose leaves can be divided evenly among the rails of that many hosts.
Pgft smallest_rlft_with_rails(const Notation& n, u32 ports, u32 hosts, u32 rails) {
  for (u64 nics = u64{hosts} * rails; nics <= largest_number;) {
    Pgft tree = smallest_rlft(ports, static_cast<u32>(nics));
    const u64 found = tree.M(tree.h());
    if (found / tree.m[0] % rails == 0) return tree;
    nics = found + 1;
  }
  n.fail(fmt::format("no RLFT of {}-port switches for {} hosts has leaves that divide evenly among {} rails",
                     ports, hosts, rails));
}

FamilyResult rlft(const Notation& n) {
  u32 ports = 0, hosts = 0;
  if (n.groups.size() == 1 && n.groups[0].size() == 2)
    for (const auto& number : n.groups[0]) {
      if (number.unit == "ports" || number.unit == "port") ports = number.value;
      if (number.unit == "hosts" || number.unit == "host") hosts = number.value;
    }
  if (ports == 0 || hosts == 0) n.fail("expected RLFT(P ports, N hosts)");
  if (ports % 2 != 0 || ports < 4) n.fail("an RLFT needs switches with an even number of ports, at least 4");
  Pgft tree = finish(n, smallest_rlft_with_rails(n, ports, hosts, n.number("rails", 1)));
  const u32 slots = tree.hosts() / tree.m[0] * tree.host_slots;
  std::string remark;
  if (slots != hosts)
    remark =
        fmt::format("no RLFT of {}-port switches has {} hosts{}; this is the next larger one, with {}", ports,
                    hosts, tree.rails > 1 ? fmt::format(" with {} rails", tree.rails) : "", slots);
  return {std::move(tree), std::move(remark)};
}

}  // namespace

Family k_ary_n_tree_family() {
  return {"-ary -tree",
          "k-ary n-tree",
          "4-ary 3-tree",
          "n levels of switches with k links down and k up",
          "petrini01; Petrini and Vanneschi, IPPS 1997",
          k_ary_n_tree};
}

Family m_port_n_tree_family() {
  return {"-port -tree",
          "m-port n-tree",
          "8-port 3-tree",
          "n levels of m-port switches, all ports used: 2 (m/2)^n hosts",
          "Lin, Chung and Huang, IPDPS 2004",
          m_port_n_tree};
}

Family gft_family() {
  return {"GFT",
          "GFT(h; m; w)",
          "GFT(3; 4; 2)",
          "every node has m children and w parents",
          "Oehring et al., IPPS 1995",
          gft};
}

Family xgft_family() {
  return {"XGFT",
          "XGFT(h; m_1,...,m_h; w_1,...,w_h)",
          "XGFT(3; 4,4,8; 1,4,4)",
          "children m_l and parents w_l chosen for each level",
          "mahapatra; Oehring et al., IPPS 1995",
          xgft};
}

Family pgft_family() {
  return {"PGFT",
          "PGFT(h; m_1,...; w_1,...; p_1,...)",
          "PGFT(2; 4,4; 1,2; 1,2)",
          "XGFT with p_l parallel cables between two nodes",
          "zahavi10",
          pgft,
          propose_trees};
}

Family rlft_family() {
  return {"RLFT",
          "RLFT(P ports, N hosts)",
          "RLFT(8 ports, 32 hosts)",
          "the PGFT of equal switches, all ports used, with constant bisection, for at least N hosts",
          "zahavi10",
          rlft};
}

}  // namespace banyan::topology
