// Every entry of the tables of fabrics whose hosts have several NICs is made wrong, one after the other. The
// judge must find each that a pair of NICs uses, whatever their rails, and count exactly the pairs that use
// it.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "formats/open.hpp"
#include "routing/table_form.hpp"
#include "support/plain_judge.hpp"
#include "support/routed.hpp"

namespace banyan::tests {
namespace {

// A file of switches s0, s1, ... with one NIC on each: the i-th pair is the host and the slot of that on s_i.
struct OneNicOnEachSwitch {
  std::string text = "from,to,from_kind,to_kind,from_rail,to_rail\n";

  explicit OneNicOnEachSwitch(const std::vector<std::pair<char, u32>>& nics) {
    for (u32 s = 0; s < nics.size(); ++s)
      text += fmt::format("{},s{},host,switch,n{},\n", nics[s].first, s, nics[s].second);
  }
  void cable(u32 a, u32 b) { text += fmt::format("s{},s{},switch,switch,,\n", a, b); }
  Topology read() const {
    std::istringstream in(text);
    return formats::read_fabric(in, "uneven.csv").topology;
  }
};

Topology uneven_ring() {
  OneNicOnEachSwitch file({{'a', 0}, {'a', 1}, {'b', 0}, {'a', 2}, {'b', 1}, {'c', 0}});
  for (u32 s = 0; s < 6; ++s) file.cable(s, (s + 1) % 6);
  return file.read();
}

Topology uneven_hyperx() {
  OneNicOnEachSwitch file(
      {{'a', 0}, {'b', 0}, {'a', 1}, {'a', 2}, {'c', 0}, {'b', 1}, {'a', 3}, {'c', 1}, {'d', 0}});
  for (u32 s = 0; s < 9; ++s)
    for (u32 r = s + 1; r < 9; ++r)
      if (s / 3 == r / 3 || s % 3 == r % 3) file.cable(s, r);
  return file.read();
}

class EntriesInTurn {
 public:
  EntriesInTurn(Topology topology, std::string_view engine)
      : topology_(std::move(topology)),
        routing_(std::get<Routing>(routing::tables_of(topology_, routed(topology_, engine)))) {
    for (const Nic from : IdRange<Nic>(fabric().nics()))
      for (const Nic to : IdRange<Nic>(fabric().nics()))
        if (from != to) count_uses(from, to);
  }

  void run() {
    EXPECT_TRUE(judge(fabric(), routing_).yes());
    EXPECT_EQ(judge(fabric(), routing_).pairs, u64{fabric().nics()} * (fabric().nics() - 1));
    for (const Nic to : IdRange<Nic>(fabric().nics()))
      for (const Node v : fabric().switch_nodes()) {
        plant(v, to, Tables::no_port);
        if (const auto port = another_nic(v, to)) plant(v, to, *port);
        if (const auto port = back(v, to)) plant(v, to, *port);
      }
    EXPECT_GE(found_, uses_.size());
  }

 private:
  const Fabric& fabric() const { return topology_.fabric; }
  Tables& tables() { return std::get<Tables>(routing_.forward); }
  Node behind(Node v, u8 port) const { return fabric().to(fabric().channel(v, Port{port})); }

  void count_uses(Nic from, Nic to) {
    for (Node v = behind(fabric().node(from), 0); v != fabric().node(to);) {
      ++uses_[{v, to}];
      v = behind(v, tables()(v, Address{index(to)}));
    }
  }

  // A port of the switch to a NIC that is not the destination.
  std::optional<u8> another_nic(Node v, Nic to) const {
    for (u32 port = 0; port < fabric().ports(v); ++port)
      if (const Node w = behind(v, static_cast<u8>(port)); !fabric().is_switch(w) && w != fabric().node(to))
        return static_cast<u8>(port);
    return std::nullopt;
  }

  // A port to a switch that sends packets for the destination back.
  std::optional<u8> back(Node v, Nic to) {
    for (u32 port = 0; port < fabric().ports(v); ++port)
      if (const Node w = behind(v, static_cast<u8>(port)); fabric().is_switch(w))
        if (const u8 on = tables()(w, Address{index(to)}); on != Tables::no_port && behind(w, on) == v)
          return static_cast<u8>(port);
    return std::nullopt;
  }

  void plant(Node v, Nic to, u8 wrong) {
    u8& entry = tables()(v, Address{index(to)});
    const u8 right = std::exchange(entry, wrong);
    const Verdict verdict = judge(fabric(), routing_, {.threads = 1});
    const auto users = uses_.find({v, to});
    const u64 expected = users == uses_.end() ? 0 : users->second;
    EXPECT_EQ(verdict.failing_pairs, expected)
        << fabric().name(v) << " sends what is for " << fabric().name(fabric().node(to)) << " to port "
        << u32{wrong};
    EXPECT_EQ(verdict.reachable, expected == 0);
    if (fabric().nics() < 10) {  // the plain judge is slow
      EXPECT_EQ(figures(verdict), figures(plain_judge(fabric(), routing_)));
    }
    found_ += !verdict.yes();
    entry = right;
  }

  Topology topology_;
  Routing routing_;
  std::map<std::pair<Node, Nic>, u64> uses_;  // of entries, by ordered pairs of NICs
  std::size_t found_ = 0;
};

TEST(WrongEntries, OfARailOptimisedTreeAreFound) {
  EntriesInTurn(make_topology("XGFT(2; 4,8; 1,4; rails=2)"), "dmodk").run();
}

TEST(WrongEntries, OfATreeWithTwoNicsOnALeafAreFound) {
  EntriesInTurn(make_topology("XGFT(2; 4,4; 1,4; nics=2)"), "dmodk").run();
}

TEST(WrongEntries, OfARingOfUnevenHostsAreFound) { EntriesInTurn(uneven_ring(), "updn").run(); }

TEST(WrongEntries, OfAHyperXOfUnevenHostsAreFound) { EntriesInTurn(uneven_hyperx(), "updn").run(); }

}  // namespace
}  // namespace banyan::tests
