// The families of fat-trees: all are special cases of PGFT and use its one construction.
#include <fmt/format.h>

#include <algorithm>

#include "topology/family.hpp"
#include "topology/shape_links.hpp"

namespace banyan::topology {

void propose_trees(const Proposals& out);  // pgft_proposals.cpp

namespace {

constexpr u32 max_levels = 16;

HostNics read_nics(const Notation& n) {
  const u32 rails = n.number("rails", 1), count = n.number("nics", 1), leaves = n.number("leaves", 1);
  if (n.word("rails") && (n.word("nics") || n.word("leaves")))
    n.fail(
        "rails=R says both how many NICs a host has and on how many leaves; expected it without nics= and "
        "leaves=");
  if (std::max(rails, count) > max_nics_of_a_host)
    n.fail(fmt::format("a host has up to {} NICs", max_nics_of_a_host));
  if (count % leaves != 0)
    n.fail(fmt::format("nics={} cannot be divided evenly among leaves={}", count, leaves));
  return n.word("rails") ? HostNics::on_rails(rails) : HostNics::plain(count, leaves);
}

// The NIC ports of a leaf, and those that hosts use.
void set_hosts(const Notation& n, Pgft& tree) {
  const u32 on_leaf = tree.nics.on_leaf(), room = tree.m[0] / on_leaf;
  tree.host_slots = tree.m[0];
  if (!n.word("hosts") && tree.m[0] % on_leaf != 0)
    n.fail(fmt::format(
        "m_1 = {} NICs of a leaf cannot be divided evenly among hosts with {} each; hosts=H says how "
        "many hosts a leaf has, here up to {}",
        tree.m[0], on_leaf, room));
  const u32 hosts = n.number("hosts", room);
  if (hosts > room) n.fail(fmt::format("hosts={}, but a leaf has room for {}", hosts, room));
  tree.m[0] = hosts * on_leaf;
}

void check_leaves(const Notation& n, const Pgft& tree) {
  const u64 leaves = tree.M(tree.h()) / tree.m[0];
  const bool rails = tree.nics.are_rails();
  if (tree.w[0] != 1 && tree.nics.leaves() > 1)
    n.fail(rails ? "a rail-optimised tree has one leaf for each NIC: w_1 = 1"
                 : "a NIC of a host on several leaves has one of them: w_1 = 1");
  if (leaves % tree.nics.leaves() != 0)
    n.fail(fmt::format("{} leaves cannot be divided evenly {} {}{}", leaves,
                       rails ? "among" : "into groups of", tree.nics.leaves(), rails ? " rails" : ""));
}

// The options that all trees take, and a check that the numbers stay sane.
Pgft finish(const Notation& n, Pgft tree) {
  n.allow_options({"hosts", "rails", "nics", "leaves", "capacity", "latency"});
  tree.nics = read_nics(n);
  set_hosts(n, tree);
  tree.links = read_link_classes(n, tree.h());
  for (u32 l = 1; l <= tree.h(); ++l)
    if (tree.M(tree.h()) > largest_number ||
        saturating_multiply(tree.M(tree.h()) / tree.M(l), tree.W(l)) > largest_number ||
        u64{tree.m[l - 1]} * tree.p[l - 1] > largest_number ||
        u64{tree.w[l - 1]} * tree.p[l - 1] > largest_number)
      n.fail("too large");
  check_leaves(n, tree);
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
  Pgft tree{std::vector<u32>(h, k), std::vector<u32>(h, k), std::vector<u32>(h, 1)};
  tree.w[0] = 1;
  return finish(n, std::move(tree));
}

FamilyResult m_port_n_tree(const Notation& n) {
  const u32 ports = n.numbers(0, "m")[0], h = n.numbers(1, "n")[0];
  if (ports < 2 || ports % 2 != 0 || h > max_levels)
    n.fail(fmt::format("expected an even number of ports m and n of 1 to {}", max_levels));
  Pgft tree{std::vector<u32>(h, ports / 2), std::vector<u32>(h, ports / 2), std::vector<u32>(h, 1)};
  tree.m[h - 1] = ports;
  tree.w[0] = 1;
  return finish(n, std::move(tree));
}

FamilyResult gft(const Notation& n) {
  expect_groups(n, 3, "GFT(h; m; w)");
  const u32 h = read_height(n, "GFT(h; m; w)");
  const auto m = n.numbers(1, "m"), w = n.numbers(2, "w");
  if (m.size() != 1 || w.size() != 1) n.fail("expected GFT(h; m; w), with one m and one w");
  return finish(n, {std::vector<u32>(h, m[0]), std::vector<u32>(h, w[0]), std::vector<u32>(h, 1)});
}

FamilyResult xgft(const Notation& n) {
  expect_groups(n, 3, "XGFT(h; m_1,...,m_h; w_1,...,w_h)");
  const u32 h = read_height(n, "XGFT(h; m_1,...,m_h; w_1,...,w_h)");
  return finish(n, {read_levels(n, 1, h, 'm'), read_levels(n, 2, h, 'w'), std::vector<u32>(h, 1)});
}

FamilyResult pgft(const Notation& n) {
  expect_groups(n, 4, "PGFT(h; m_1,...,m_h; w_1,...,w_h; p_1,...,p_h)");
  const u32 h = read_height(n, "PGFT(h; m_1,...,m_h; w_1,...,w_h; p_1,...,p_h)");
  return finish(n, {read_levels(n, 1, h, 'm'), read_levels(n, 2, h, 'w'), read_levels(n, 3, h, 'p')});
}

// The smallest one for that many hosts whose leaves form groups. A single switch has ports for all NICs of
// its hosts; where leaves have not, set_hosts() refuses.
Pgft smallest_rlft_for(const Notation& n, u32 ports, u32 hosts, const HostNics& nics) {
  const auto fits = [&](const Pgft& tree) {
    return tree.M(tree.h()) / tree.m[0] % nics.leaves() == 0 &&
           (tree.h() > 1 || n.word("hosts") || tree.m[0] % nics.on_leaf() == 0);
  };
  for (u64 endpoints = u64{hosts} * nics.count(); endpoints <= largest_number;) {
    Pgft tree = smallest_rlft(ports, static_cast<u32>(endpoints));
    if (fits(tree)) return tree;
    endpoints = tree.M(tree.h()) + 1;
  }
  n.fail(fmt::format("no RLFT of {}-port switches for {} hosts has leaves that divide evenly {} {}{}", ports,
                     hosts, nics.are_rails() ? "among" : "into groups of", nics.leaves(),
                     nics.are_rails() ? " rails" : ""));
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
  Pgft tree = finish(n, smallest_rlft_for(n, ports, hosts, read_nics(n)));
  const HostNics& nics = tree.nics;
  const u32 slots = tree.hosts() / tree.hosts_of_leaf() * (tree.host_slots / nics.on_leaf());
  std::string remark;
  if (slots != hosts)
    remark = fmt::format(
        "no RLFT of {}-port switches has {} hosts{}; this is the next larger one, with {}", ports, hosts,
        nics.count() > 1 ? fmt::format(" with {} {}", nics.count(), nics.are_rails() ? "rails" : "NICs") : "",
        slots);
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
