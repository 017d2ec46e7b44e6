// Rail policies without a simulator: Tables 1 and 2 cell by cell, the algorithms, and every interleaving of
// small cases.
#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "flit/rails/explore.hpp"
#include "flit/rails/reservation.hpp"

namespace banyan::tests {
namespace {

using nic_sends::local_cts;
using nic_sends::local_nack;
using nic_sends::nothing;
using enum NicStatus;
using enum NicEvent;
using Cell = NicStep::Cell;

constexpr NicStatus all_statuses[] = {NicStatus::free, receiving, sending, reserved, receiving_out_rts};

void expect_cell(NicEvent event, NicStatus status, u8 sends, NicStatus next) {
  EXPECT_EQ(nic_step(status, event), (NicStep{sends, next, Cell::printed}))
      << "event " << int(event) << " in status " << int(status);
}

TEST(RailTable, LocalRts) {
  expect_cell(local_rts, NicStatus::free, nic_sends::remote_rts, reserved);
  for (const NicStatus status : {receiving, sending, reserved, receiving_out_rts})
    expect_cell(local_rts, status, local_nack, status);
}

TEST(RailTable, LocalAck) {
  expect_cell(local_ack, receiving, nic_sends::remote_ack, NicStatus::free);
  expect_cell(local_ack, receiving_out_rts, nic_sends::remote_ack, reserved);
}

TEST(RailTable, LocalAbort) { expect_cell(local_abort, sending, nic_sends::remote_abort, NicStatus::free); }

TEST(RailTable, RemoteRts) {
  expect_cell(NicEvent::remote_rts, NicStatus::free, nic_sends::remote_cts, receiving);
  for (const NicStatus status : {receiving, sending, receiving_out_rts})
    expect_cell(NicEvent::remote_rts, status, nic_sends::remote_nack, status);
  EXPECT_EQ(nic_step(reserved, NicEvent::remote_rts).cell, Cell::contest);
}

TEST(RailTable, RemoteAbort) {
  expect_cell(NicEvent::remote_abort, receiving, nothing, NicStatus::free);
  expect_cell(NicEvent::remote_abort, receiving_out_rts, nothing, reserved);
}

TEST(RailTable, RemoteCts) {
  expect_cell(NicEvent::remote_cts, NicStatus::free, local_cts, sending);
  expect_cell(NicEvent::remote_cts, reserved, local_cts, sending);
  expect_cell(NicEvent::remote_cts, receiving, nic_sends::remote_abort | local_nack, receiving);
  // Blank in the paper, needed by Figure 2(b).
  EXPECT_EQ(nic_step(receiving_out_rts, NicEvent::remote_cts),
            (NicStep{nic_sends::remote_abort | local_nack, receiving, Cell::filled}));
}

TEST(RailTable, RemoteAck) { expect_cell(NicEvent::remote_ack, sending, nothing, NicStatus::free); }

TEST(RailTable, RemoteNack) {
  expect_cell(NicEvent::remote_nack, reserved, local_nack, NicStatus::free);
  expect_cell(NicEvent::remote_nack, receiving_out_rts, local_nack, receiving);
  for (const NicStatus status : {NicStatus::free, receiving, sending})
    expect_cell(NicEvent::remote_nack, status, local_nack, status);
}

// Each has its argument in docs/rails.md.
TEST(RailTable, BlankCells) {
  const std::vector<std::pair<NicEvent, std::vector<NicStatus>>> blank = {
      {local_ack, {NicStatus::free, sending, reserved}},
      {local_abort, {NicStatus::free, receiving, reserved, receiving_out_rts}},
      {NicEvent::remote_abort, {NicStatus::free, sending, reserved}},
      {NicEvent::remote_cts, {sending}},
      {NicEvent::remote_ack, {NicStatus::free, receiving, reserved, receiving_out_rts}}};
  u32 count = 0;
  for (u32 event = 0; event < nic_events; ++event)
    for (const NicStatus status : all_statuses)
      count += nic_step(status, NicEvent(event)).cell == Cell::impossible;
  u32 expected = 0;
  for (const auto& [event, statuses] : blank)
    for (const NicStatus status : statuses) {
      EXPECT_EQ(nic_step(status, event).cell, Cell::impossible);
      ++expected;
    }
  EXPECT_EQ(count, expected);
}

TEST(RailTable, Table2) {
  const Contest wins = nic_contest(3, Host{5}, 2, Host{1}, TieRule::strict);
  EXPECT_EQ(wins.step.sends, nic_sends::remote_nack);
  EXPECT_EQ(wins.step.next, reserved);
  EXPECT_EQ(wins.counter, 2);
  const Contest loses = nic_contest(1, Host{0}, 2, Host{1}, TieRule::strict);
  EXPECT_EQ(loses.step.sends, nic_sends::remote_cts);
  EXPECT_EQ(loses.step.next, receiving_out_rts);
  EXPECT_EQ(loses.counter, 2);
}

// The lower node wins a tie; as printed both do.
TEST(RailTable, TiesAreDecidedByTheOrderOfNodes) {
  const auto wins = [](u32 local, u32 remote, TieRule tie) {
    return nic_contest(4, Host{local}, 4, Host{remote}, tie).step.sends == nic_sends::remote_nack;
  };
  EXPECT_TRUE(wins(1, 2, TieRule::strict));
  EXPECT_FALSE(wins(2, 1, TieRule::strict));
  EXPECT_TRUE(wins(1, 2, TieRule::as_printed));
  EXPECT_TRUE(wins(2, 1, TieRule::as_printed));
}

// --- selection and policies

struct Fixture {
  ReadyPolicy ready;
  RailHost host;
  RailActions actions;

  Fixture(std::string_view policy, u32 rails, double stripe = 0, u32 processes = 2, u32 hosts = 4)
      : ready(prepare_policy(
            policy, {.hosts = hosts, .rails = rails, .processes = processes, .stripe = stripe, .live = {}})),
        host(Host{0}, rails, processes) {}

  // Rails that a message goes out on at once.
  std::vector<u32> post(u32 process, u32 to, u32 flits, u64 bytes = 1 << 20, u32 to_process = 0) {
    host.processes[process] = {
        .ticket = ++ticket, .to = Host{to}, .to_process = to_process, .flits = flits, .bytes = bytes};
    actions.clear();
    ready.policy->posted(host, ready.rules, process, actions);
    return sends();
  }
  std::vector<u32> sends() const {
    std::vector<u32> out;
    for (const RailAction& a : actions)
      if (a.kind == RailAction::Kind::send) out.push_back(a.rail);
    return out;
  }
  std::vector<ControlKind> controls() const {
    std::vector<ControlKind> out;
    for (const RailAction& a : actions)
      if (a.kind == RailAction::Kind::control) out.push_back(a.control);
    return out;
  }
  void control(u32 rail, ControlKind kind, u32 from) {
    actions.clear();
    ready.policy->control(host, ready.rules, rail, {kind, Host{from}, rail, 0}, actions);
  }
  void data(u32 rail, DataEvent::Kind kind, bool is_reserved) {
    actions.clear();
    ready.policy->data(host, ready.rules, rail, {kind, is_reserved}, actions);
  }
  u32 ticket = 0;
};

using Rails = std::vector<u32>;

TEST(RailPolicies, BasicTakesRailsInTurnBusyOrNot) {
  Fixture f("basic", 3);
  EXPECT_EQ(f.post(0, 1, 10), (Rails{0}));
  EXPECT_EQ(f.post(1, 1, 10), (Rails{1}));
  EXPECT_EQ(f.post(0, 2, 10), (Rails{2}));
  EXPECT_EQ(f.post(0, 2, 10), (Rails{0}));
}

TEST(RailPolicies, StripesAddUp) {
  Fixture f("basic", 4, 1);
  f.post(0, 1, 10);
  u32 sum = 0;
  for (const RailAction& a : f.actions) sum += a.flits;
  EXPECT_EQ(f.sends(), (Rails{0, 1, 2, 3}));
  EXPECT_EQ(sum, 10u);
  EXPECT_EQ(f.post(0, 1, 2).size(), 2u) << "no stripe without a flit";
  Fixture half("basic", 4, 0.5);
  EXPECT_EQ(half.post(0, 1, 10), (Rails{0, 1}));
  EXPECT_EQ(half.post(0, 1, 10), (Rails{2, 3}));
}

TEST(RailPolicies, LocalDynamicWaitsForARailThatNeitherSendsNorReceives) {
  Fixture f("local-dynamic", 2, 1, 2);
  f.data(1, DataEvent::Kind::arriving, false);
  EXPECT_EQ(f.post(0, 1, 10), (Rails{0}));
  EXPECT_EQ(f.post(1, 1, 10), (Rails{}));
  f.data(1, DataEvent::Kind::received, false);
  EXPECT_EQ(f.sends(), (Rails{1}));
}

TEST(RailPolicies, DynamicAsksAllFreeNicsAndAbortsWhatItDoesNotNeed) {
  Fixture f("dynamic", 3);
  EXPECT_EQ(f.post(0, 1, 10), (Rails{}));
  EXPECT_EQ(f.controls(), (std::vector{ControlKind::rts, ControlKind::rts, ControlKind::rts}));
  f.control(0, ControlKind::cts, 1);
  f.control(1, ControlKind::nack, 1);
  EXPECT_TRUE(f.sends().empty()) << "not all have replied";
  f.control(2, ControlKind::cts, 1);
  EXPECT_EQ(f.sends(), (Rails{0}));
  EXPECT_EQ(f.controls(), (std::vector{ControlKind::abort}));
  EXPECT_EQ(f.host.nics[0].status, sending);
  EXPECT_EQ(f.host.nics[2].status, NicStatus::free);
  f.control(0, ControlKind::ack, 1);
  EXPECT_EQ(f.host.nics[0].status, NicStatus::free);
}

TEST(RailPolicies, ATimeoutTakesWhatWasGrantedAndALateCtsIsAborted) {
  Fixture f("dynamic", 2, 1);
  f.post(0, 1, 10);
  f.control(0, ControlKind::cts, 1);
  f.actions.clear();
  f.ready.policy->expired(f.host, f.ready.rules, 0, 1, 1, f.actions);
  EXPECT_EQ(f.sends(), (Rails{0}));
  f.control(1, ControlKind::cts, 1);
  EXPECT_EQ(f.controls(), (std::vector{ControlKind::abort}));
  EXPECT_EQ(f.host.nics[1].status, NicStatus::free);
}

TEST(RailPolicies, AnOldTimeoutDoesNothing) {
  Fixture f("dynamic", 1, 1);
  f.post(0, 1, 10);
  f.control(0, ControlKind::nack, 1);  // and asks again
  EXPECT_EQ(f.controls(), (std::vector{ControlKind::rts}));
  f.actions.clear();
  f.ready.policy->expired(f.host, f.ready.rules, 0, 1, 1, f.actions);
  EXPECT_TRUE(f.actions.empty());
}

// Algorithm 5: up to the threshold one free rail in turn, never striped, nobody is asked; above it, dynamic.
TEST(RailPolicies, HybridFollowsAlgorithm5) {
  Fixture f("hybrid:4096", 3, 1);
  EXPECT_EQ(f.post(0, 1, 10, 4096), (Rails{0}));
  EXPECT_TRUE(f.controls().empty());
  EXPECT_EQ(f.host.nics[0].status, sending);
  EXPECT_EQ(f.post(0, 1, 10, 100), (Rails{1}));
  EXPECT_EQ(f.post(0, 1, 10, 4097), (Rails{}));
  EXPECT_EQ(f.controls(), (std::vector{ControlKind::rts})) << "only the third is free";
  EXPECT_EQ(f.post(1, 1, 10, 100), (Rails{})) << "none is free";
  f.data(1, DataEvent::Kind::arriving, false);
  f.data(1, DataEvent::Kind::sent, false);
  EXPECT_EQ(f.sends(), (Rails{1})) << "a short message that arrives does not keep the NIC";
}

TEST(RailPolicies, RanksAndHashesStayWithTheirRail) {
  Fixture same("same-slot", 4, 0, 8);  // two processes for each NIC
  EXPECT_EQ(same.post(2, 1, 10), (Rails{1}));
  EXPECT_EQ(same.post(2, 3, 10, 64, 7), (Rails{1})) << "whoever receives";
  EXPECT_EQ(same.post(7, 3, 10), (Rails{3}));
  Fixture local("rail-local", 4, 0, 8);
  EXPECT_EQ(local.post(2, 1, 10, 64, 7), (Rails{3}));
  EXPECT_EQ(local.post(0, 1, 10, 64, 7), (Rails{3})) << "whoever sends";
  Fixture hash("hash", 4, 0, 8, 64);
  u64 used = 0;
  for (u32 to = 1; to < 64; ++to) {
    const Rails first = hash.post(0, to, 10);
    EXPECT_EQ(hash.post(0, to, 10), first);
    used |= u64{1} << first.at(0);
  }
  EXPECT_EQ(used, 0b1111u);
}

TEST(RailPolicies, StaticHasItsBound) {
  const auto prepared = [](u32 rails, u32 hosts) {
    return prepare_policy("static", {.hosts = hosts, .rails = rails, .live = {}});
  };
  EXPECT_NO_THROW(prepared(6, 20));
  EXPECT_NO_THROW(prepared(6, 16));
  try {
    prepared(5, 16);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("C(r, floor(r/2))"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("10 by 5; expected at least 6 rails"), std::string::npos)
        << error.what();
  }
}

TEST(RailPolicies, StaticConnectsEveryPairAndNoNicDoesBoth) {
  const ReadyPolicy ready = prepare_policy("static", {.hosts = 20, .rails = 6, .live = {}});
  std::vector<u64> sends(20), receives(20);
  for (u32 from = 0; from < 20; ++from)
    for (u32 to = 0; to < 20; ++to) {
      if (from == to) continue;
      const auto shares = ready.policy->split(ready.rules, {Host{from}, 0, Host{to}, 0});
      ASSERT_FALSE(shares.empty());
      for (const RailShare& share : shares) {
        sends[from] |= u64{1} << share.rail;
        receives[to] |= u64{1} << share.rail;
      }
    }
  for (u32 host = 0; host < 20; ++host) EXPECT_EQ(sends[host] & receives[host], 0u);
}

TEST(RailPolicies, SharesAddUpToOne) {
  for (const RailPolicy& policy : rail_policies()) {
    const ReadyPolicy ready =
        prepare_policy(policy.name, {.hosts = 6, .rails = 5, .stripe = 0.6, .live = {}});
    for (u32 to = 1; to < 6; ++to) {
      double sum = 0;
      for (const RailShare& share : policy.split(ready.rules, {Host{0}, 1, Host{to}, 1})) {
        EXPECT_LT(share.rail, 5u);
        EXPECT_LT(share.to_rail, 5u);
        sum += share.share;
      }
      EXPECT_NEAR(sum, 1, 1e-12) << policy.name;
    }
  }
}

// Flow level splits a demand as messages are split, one after the other; those that reserve do so in time
// only.
TEST(RailPolicies, SharesAreWhatMessagesGet) {
  for (const RailPolicy& policy : rail_policies())
    for (const double stripe : {0.0, 0.5, 1.0}) {
      if (policy.control != nullptr) continue;
      const ReadyPolicy ready =
          prepare_policy(policy.name, {.hosts = 6, .rails = 4, .processes = 3, .stripe = stripe, .live = {}});
      RailHost host(Host{1}, 4, 3);
      std::map<std::pair<u32, u32>, double> got, expected;  // by the rails of sender and receiver
      for (u32 i = 0; i < 24; ++i) {
        RailActions actions;
        host.processes[2] = {.ticket = i + 1, .to = Host{5}, .to_process = 1, .flits = 4, .bytes = 64};
        policy.posted(host, ready.rules, 2, actions);
        for (const RailAction& action : RailActions(actions)) {
          if (action.kind != RailAction::Kind::send) continue;
          got[{action.rail, action.to_rail}] += action.flits / (24 * 4.0);
          policy.data(host, ready.rules, action.rail, {DataEvent::Kind::sent}, actions);
        }
      }
      for (const RailShare& share : policy.split(ready.rules, {Host{1}, 2, Host{5}, 1}))
        expected[{share.rail, share.to_rail}] += share.share;
      EXPECT_EQ(got.size(), expected.size()) << policy.name << ' ' << stripe;
      for (const auto& [rails, share] : expected)
        EXPECT_NEAR(got[rails], share, 1e-12) << policy.name << ' ' << stripe << ' ' << rails.first;
    }
}

// Which NICs a policy takes from process `process` of host 0 to process `to_process` of host 1.
using Pairs = std::vector<std::pair<u32, u32>>;
Pairs pairs(std::string_view policy, const RailRules& rules, u32 process, u32 to_process) {
  const ReadyPolicy ready = prepare_policy(policy, rules);
  Pairs out;
  for (const RailShare& share : ready.policy->split(ready.rules, {Host{0}, process, Host{1}, to_process}))
    out.emplace_back(share.rail, share.to_rail);
  return out;
}

// Host 0 has NICs on rails 0 to 3, host 1 on all but rail 2. A process for each of four accelerators: those
// of host 1 own the NICs on rails 0, 0, 1 and 3.
RailRules with_a_gap(double stripe = 0) {
  std::vector<HostLabel> hosts(2);
  hosts[0].nics = {{.rail = 0}, {.rail = 1}, {.rail = 2}, {.rail = 3}};
  hosts[1].nics = {{.rail = 0}, {.rail = 1}, {.rail = 3}};
  FabricBuilder builder{Endpoints(hosts)};
  const Node only = builder.add_switch(7);
  const u8 link = builder.add_class({});
  for (u32 nic = 0; nic < 7; ++nic) builder.connect(Node{nic}, Port{0}, only, Port{nic}, link);
  return rail_rules(std::move(builder).build(), stripe, 4);
}

TEST(RailPolicies, OwnNicsAreThoseThatAHostHas) {
  const RailRules rules = with_a_gap();
  for (u32 process = 0; process < 4; ++process) EXPECT_EQ(rules.own(Host{0}, process), process);
  EXPECT_EQ(rules.own(Host{1}, 0), 0u);
  EXPECT_EQ(rules.own(Host{1}, 1), 0u);
  EXPECT_EQ(rules.own(Host{1}, 2), 1u);
  EXPECT_EQ(rules.own(Host{1}, 3), 3u);
}

TEST(RailPolicies, RailLocalTakesTheRailOfTheReceiver) {
  EXPECT_EQ(pairs("rail-local", with_a_gap(), 0, 3), (Pairs{{3, 3}}));
  EXPECT_EQ(pairs("rail-local", with_a_gap(), 2, 1), (Pairs{{0, 0}}));
  EXPECT_EQ(pairs("rail-local", with_a_gap(1), 2, 2), (Pairs{{0, 0}, {1, 1}, {3, 3}}));
}

TEST(RailPolicies, OwnCrossesRails) {
  EXPECT_EQ(pairs("own", with_a_gap(), 2, 3), (Pairs{{2, 3}}));
  EXPECT_EQ(pairs("own", with_a_gap(), 0, 1), (Pairs{{0, 0}}));
  EXPECT_EQ(pairs("own", with_a_gap(1), 2, 3), (Pairs{{2, 3}, {3, 0}, {0, 1}}))
      << "the NICs after the one send to those after the other";
}

TEST(RailPolicies, SameSlotTakesTheNextRailIfTheReceiverLacksIt) {
  EXPECT_EQ(pairs("same-slot", with_a_gap(), 1, 3), (Pairs{{1, 1}}));
  EXPECT_EQ(pairs("same-slot", with_a_gap(), 2, 0), (Pairs{{3, 3}}));
}

TEST(RailPolicies, AllTakesEveryCommonRail) {
  EXPECT_EQ(pairs("all", with_a_gap(), 1, 3), (Pairs{{0, 0}, {1, 1}, {3, 3}}));
}

// The receiver's own NIC has lost its cable: the next one of its host is its own; none is on the sender's.
TEST(RailPolicies, WithoutTheRailOfTheReceiverRailLocalIsOwn) {
  RailRules rules = with_a_gap();
  rules.live[0] = 0b0111;
  EXPECT_EQ(pairs("rail-local", rules, 1, 3), (Pairs{{1, 3}})) << "the sender has no NIC on rail 3";
  rules.live[1] = 0b0011;
  EXPECT_EQ(pairs("rail-local", rules, 1, 3), (Pairs{{0, 0}})) << "the one after it";
}

TEST(RailPolicies, NoNicReachesAnotherPlane) {
  RailRules rules{.hosts = 2, .rails = 3, .processes = 3, .live = {0b011, 0b111}};
  rules.planes = {0, 1, 2};  // by rail
  EXPECT_EQ(pairs("own", rules, 0, 1), (Pairs{{1, 1}})) << "by the rail of the receiver";
  EXPECT_EQ(pairs("own", rules, 0, 2), (Pairs{{0, 0}})) << "any that both have";
  rules.live[1] = 0b100;
  for (const RailPolicy& policy : rail_policies()) {
    if (policy.name == "static") continue;
    EXPECT_TRUE(pairs(policy.name, rules, 0, 2).empty()) << policy.name;
  }
}

// Two hosts without a common rail still reach each other in one plane.
TEST(RailPolicies, HostsWithoutACommonRailCross) {
  const RailRules rules{.hosts = 2, .rails = 4, .processes = 2, .live = {0b0011, 0b1000}};
  for (const char* policy : {"basic", "local-dynamic", "dynamic", "hybrid", "all"})
    EXPECT_EQ(pairs(policy, rules, 0, 0), (Pairs{{0, 3}, {1, 3}})) << policy;
  EXPECT_EQ(pairs("own", rules, 1, 1), (Pairs{{0, 3}}));
}

TEST(RailPolicies, StaticNeedsHostsThatAreAlike) {
  EXPECT_THROW(prepare_policy("static", with_a_gap()), InputError);
}

TEST(RailPolicies, BadInputIsRefused) {
  EXPECT_THROW(prepare_policy("dynamik", {.hosts = 2, .rails = 2, .live = {}}), InputError);
  EXPECT_THROW(prepare_policy("basic:3", {.hosts = 2, .rails = 2, .live = {}}), InputError);
  EXPECT_THROW(prepare_policy("basic", {.hosts = 2, .rails = 2, .stripe = 1.5, .live = {}}), InputError);
  EXPECT_THROW(prepare_policy("basic", {.hosts = 2, .rails = 65, .live = {}}), InputError);
}

// --- every interleaving

void expect_good(const Exploration& what, u64 least_states) {
  const Explored found = explore(what);
  EXPECT_FALSE(found.violation) << *found.violation;
  EXPECT_FALSE(found.deadlock) << *found.deadlock;
  EXPECT_FALSE(found.livelock) << *found.livelock;
  EXPECT_TRUE(found.is_good());
  EXPECT_GE(found.states, least_states);
  std::cout << found.states << " states, " << found.steps << " steps\n";
}

TEST(RailExploration, ThreeNicsInACycle) { expect_good(cycle_of(3), 1000); }
TEST(RailExploration, TwoNicsThatWantEachOther) { expect_good(cycle_of(2), 80); }
TEST(RailExploration, FourNicsInACycle) {
  Exploration what = cycle_of(4);
  what.has_timeouts = false;
  expect_good(what, 5000);
}

TEST(RailExploration, AllWantOne) {
  Exploration what;
  what.wishes = {{1, 0, 0}, {2, 0, 0}, {0, 0, 1}};
  expect_good(what, 100);
}

TEST(RailExploration, TwoMessagesEach) {
  Exploration what = cycle_of(2);
  for (u32 host = 0; host < 2; ++host) what.wishes.push_back({host, 0, 1 - host});
  expect_good(what, 200);
}

TEST(RailExploration, TwoRailsWithStriping) {
  Exploration what = cycle_of(2);
  what.rails = 2;
  what.stripe = 1;
  for (auto& wish : what.wishes) wish.flits = 2;
  expect_good(what, 10000);
}

TEST(RailExploration, TwoProcessesOfAHost) {
  Exploration what;
  what.hosts = 2, what.processes = 2;
  what.wishes = {{0, 0, 1}, {0, 1, 1}, {1, 0, 0}};
  expect_good(what, 500);
}

TEST(RailExploration, ShortAndLongMessagesOfHybrid) {
  Exploration what = cycle_of(3);
  what.policy = "hybrid:4096";
  what.wishes[1].bytes = 64;
  expect_good(what, 300);
}

TEST(RailExploration, OtherPolicies) {
  for (const RailPolicy& policy : rail_policies()) {
    if (policy.control != nullptr) continue;
    Exploration what = cycle_of(3);
    what.policy = policy.name;
    if (policy.name == "static") what.rails = 3;
    expect_good(what, 20);
  }
}

TEST(RailExploration, RanksThatCrossRails) {
  for (const char* policy : {"rail-local", "own", "same-slot", "all"}) {
    Exploration what;
    what.policy = policy;
    what.hosts = 2, what.rails = 2, what.processes = 2;
    what.wishes = {{0, 0, 1, 2, 64, 1}, {0, 1, 1, 2, 64, 0}, {1, 0, 0, 2, 64, 1}};
    expect_good(what, 20);
  }
}

// Host 1 has another rail than the others: a reservation is of a NIC on each.
TEST(RailExploration, ReservationsAcrossRails) {
  Exploration what = cycle_of(3);
  what.rails = 2;
  what.live = {0b01, 0b10, 0b01};
  expect_good(what, 1000);
  what = cycle_of(2);
  what.rails = 3;
  what.live = {0b011, 0b100};
  expect_good(what, 80);
}

// As printed, both sides of a tie win: all say NACK, and ask again, for ever.
TEST(RailExploration, TheTieRuleAsPrintedNeverEnds) {
  for (const u32 hosts : {2u, 3u}) {
    Exploration what = cycle_of(hosts);
    what.tie = TieRule::as_printed;
    const Explored found = explore(what);
    ASSERT_TRUE(found.livelock.has_value());
    EXPECT_NE(found.livelock->find("NACK from host 0"), std::string::npos) << *found.livelock;
    EXPECT_EQ(found.livelock->find("CTS"), std::string::npos) << *found.livelock;
  }
}

// The search meets no cell that is impossible, and does meet what Figure 2(b) needs.
TEST(RailExploration, CellsThatARunComesTo) {
  const Explored found = explore(cycle_of(3));
  const auto count = [&](NicEvent event, NicStatus status) {
    return found.cells[static_cast<u32>(event)][static_cast<u32>(status)];
  };
  EXPECT_GT(count(NicEvent::remote_cts, receiving_out_rts), 0u);
  EXPECT_GT(count(NicEvent::remote_rts, reserved), 0u);
  EXPECT_GT(count(NicEvent::remote_abort, receiving), 0u);
  EXPECT_EQ(count(NicEvent::remote_cts, NicStatus::free), 0u) << "a reply is always awaited";
}

}  // namespace
}  // namespace banyan::tests
