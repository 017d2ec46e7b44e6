// Hosts with different NICs under every rail policy: shares add up, name NICs that are there, and are what
// the simulator moves.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "ask/load.hpp"
#include "ask/simulate.hpp"
#include "ask/time.hpp"
#include "engines/engine.hpp"
#include "flit/rails/policy.hpp"
#include "flit/simulation.hpp"
#include "support/uneven_fabric.hpp"

namespace banyan::tests {
namespace {

// Each plane is two switches with a cable between. The first host has a NIC in each; one NIC in ten of the
// others has no cable.
Topology railed_topology(u32 max_planes = 2) {
  const u32 planes = draw(1, max_planes);
  std::vector<HostLabel> labels = random_hosts(5, 4);
  if (labels.size() == 1) labels.push_back({});
  for (HostLabel& host : labels) host.role = Role::host;
  labels[0].nics.resize(std::max<std::size_t>(planes, labels[0].nics.size()));
  const Endpoints endpoints(labels);
  FabricBuilder builder(endpoints);
  for (u32 i = 0; i < 2 * planes; ++i) builder.add_switch(endpoints.nics() + 1);
  const u8 link = builder.add_class({});
  const auto switch_node = [&](u32 number) { return Node{endpoints.nics() + number}; };
  for (u32 plane = 0; plane < planes; ++plane)
    builder.connect(switch_node(2 * plane), Port{endpoints.nics()}, switch_node(2 * plane + 1),
                    Port{endpoints.nics()}, link);
  for (u32 nic = 0; nic < endpoints.nics(); ++nic) {
    const u32 slot = endpoints.slot(Nic{nic});
    const bool is_fixed = index(endpoints.host(Nic{nic})) == 0 && slot < planes;
    if (!is_fixed && draw(0, 9) == 0) continue;
    const u32 plane = is_fixed ? slot : draw(0, planes - 1);
    const u32 half = draw(0, 1);
    builder.connect(Node{nic}, Port{0}, switch_node(2 * plane + half), Port{nic}, link);
  }
  return {std::move(builder).build(), Irregular{}, 1, "", ""};
}

bool has_cable(const Fabric& fabric, Nic nic) {
  return nic != none<Nic> && fabric.cabled_ports(fabric.node(nic)) > 0;
}

// Whether a NIC of the one reaches a NIC of the other.
bool are_connected(const Fabric& fabric, Host a, Host b) {
  for (u32 i = 0; i < fabric.nics(a); ++i)
    for (u32 j = 0; j < fabric.nics(b); ++j) {
      const Nic one = fabric.nic(a, i), other = fabric.nic(b, j);
      if (has_cable(fabric, one) && has_cable(fabric, other) && fabric.plane(one) == fabric.plane(other))
        return true;
    }
  return false;
}

bool is_even(const Fabric& fabric) {
  bool out = fabric.nics() == fabric.hosts() * fabric.columns();
  for (const Node node : fabric.nic_nodes())
    out &= fabric.column(fabric.nic(node)) == fabric.slot(fabric.nic(node));
  return out;
}

std::string any_policy() {
  const auto& all = rail_policies();
  const std::string name(all[draw(0, static_cast<u32>(all.size()) - 1)].name);
  return name == "static" ? "basic" : name;
}

RC_GTEST_PROP(UnevenRails, SharesAddUpAndNameNicsThatReachEachOther, ()) {
  const Topology t = railed_topology();
  const Fabric& fabric = t.fabric;
  const u32 processes = draw(1, 6);
  const double stripe = 0.25 * draw(0, 4);
  const std::string policy = any_policy();
  const ReadyPolicy ready = prepare_policy(policy, rail_rules(fabric, stripe, processes));
  const RailSplit expected = rail_split(ready), single = message_split(ready);
  RC_LOG() << policy << ", stripe " << stripe << ", processes " << processes << std::endl;
  for (u32 a = 0; a < fabric.hosts(); ++a)
    for (u32 b = 0; b < fabric.hosts(); ++b)
      for (u32 process = 0; a != b && process < processes; ++process)
        for (const RailSplit& split : {expected, single}) {
          const RankPair ranks{Host{a}, process, Host{b}, draw(0, processes - 1)};
          u32 turn = 0;
          double sum = 0;
          for (const RailShare& share : split(ranks, turn)) {
            const Nic from = fabric.in_column(ranks.from, share.rail);
            const Nic to = fabric.in_column(ranks.to, share.to_rail);
            RC_ASSERT(has_cable(fabric, from));
            RC_ASSERT(has_cable(fabric, to));
            RC_ASSERT(fabric.plane(from) == fabric.plane(to));
            sum += share.share;
          }
          RC_ASSERT(std::abs(sum - (are_connected(fabric, Host{a}, Host{b}) ? 1 : 0)) < 1e-12);
        }
}

RC_GTEST_PROP(UnevenRails, StaticWantsHostsThatAreAlike, ()) {
  const Topology t = railed_topology();
  if (is_even(t.fabric)) return;
  RC_ASSERT_THROWS_AS(prepare_policy("static", rail_rules(t.fabric, 0, 1)), InputError);
}

// What a simulation of some messages moves between columns, by those of sender and receiver.
std::vector<u64> simulated(const Topology& t, const Routing& routing, const RailOptions& rails,
                           const std::vector<Demand>& demands) {
  const MessageOptions messages{.packet_flits = 4, .message_packets = 15};
  Placement placement;
  Traffic traffic;
  traffic.ranks = t.fabric.hosts() * rails.processes;
  for (u32 rank = 0; rank < traffic.ranks; ++rank) placement.push_back(Host{rank / rails.processes});
  traffic.list = [&](u64, u64, u64, std::vector<Demand>& out) {
    out.insert(out.end(), demands.begin(), demands.end());
  };
  NetworkOptions network;
  network.lanes = std::max(2u, routing.lanes);
  Simulation simulation({t.fabric, routing, network, messages, 1, 1, Granularity::automatic, rails},
                        Workload::closed(t.fabric, traffic, placement, messages, 1, rails.processes));
  for (u32 i = 0; i < 4000 && !simulation.is_done(); ++i) simulation.advance(50);
  RC_ASSERT(simulation.is_done());
  return simulation.take_tally().rail_flits;
}

// The same at flow level, message by message.
std::vector<double> split_up(const Topology& t, const RailOptions& rails,
                             const std::vector<Demand>& demands) {
  const u32 columns = t.fabric.columns();
  const RailSplit split =
      message_split(prepare_policy(rails.policy, rail_rules(t.fabric, rails.stripe, rails.processes)));
  std::vector<double> out(columns * columns);
  std::vector<u32> turns(t.fabric.hosts());
  for (const Demand& demand : demands) {
    const u32 from = index(demand.from), to = index(demand.to);
    const RankPair ranks{Host{from / rails.processes}, from % rails.processes, Host{to / rails.processes},
                         to % rails.processes};
    for (const RailShare& share : split(ranks, turns[index(ranks.from)]))
      out[share.rail * columns + share.to_rail] += 60 * share.share;
  }
  return out;
}

// All demands between processes of hosts that reach each other, in order.
std::vector<Demand> possible_demands(const Fabric& fabric, u32 processes) {
  std::vector<Demand> out;
  for (u32 from = 0; from < fabric.hosts() * processes; ++from)
    for (u32 to = 0; to < fabric.hosts() * processes; ++to)
      if (const Host a{from / processes}, b{to / processes}; a != b && are_connected(fabric, a, b))
        out.push_back({Rank{from}, Rank{to}, 1});
  return out;
}

void assert_equal(const std::vector<u64>& found, const std::vector<double>& expected) {
  RC_ASSERT(found.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    RC_ASSERT(std::abs(static_cast<double>(found[i]) - expected[i]) < 1e-6);
}

RailOptions any_rails() {
  RailOptions out;
  out.policy = any_policy();
  out.stripe = 0.25 * draw(0, 4);
  out.processes = draw(1, 4);
  out.nic_cycles = 5;
  out.bus = Bus::full;
  return out;
}

// Those that reserve NICs take what they are granted of the rails that the policy may use.
void assert_among(const std::vector<u64>& found, const Topology& t, const RailOptions& rails,
                  const Demand& demand) {
  RailOptions every = rails;
  every.stripe = 1;
  const std::vector<double> possible = split_up(t, every, {demand});
  u64 sum = 0;
  for (std::size_t i = 0; i < possible.size(); ++i) {
    RC_ASSERT(found[i] == 0u || possible[i] > 0);
    sum += found[i];
  }
  RC_ASSERT(sum == 60u);
}

// One message has the NICs that flow level gives it, whoever sends it to whom.
RC_GTEST_PROP(UnevenRails, AMessageGoesByTheNicsOfFlowLevel, ()) {
  const Topology t = railed_topology();
  const RailOptions rails = any_rails();
  const Routing routing = std::get<Routing>(route(t, "minhop"));
  const std::vector<Demand> all = possible_demands(t.fabric, rails.processes);
  if (all.empty()) return;
  const std::vector<Demand> one = {all[draw(0, static_cast<u32>(all.size()) - 1)]};
  RC_LOG() << rails.policy << ", stripe " << rails.stripe << ", processes " << rails.processes
           << ", from rank " << index(one[0].from) << " to " << index(one[0].to) << std::endl;
  const std::vector<u64> found = simulated(t, routing, rails, one);
  if (rail_policies().at(rails.policy).control)
    assert_among(found, t, rails, one[0]);
  else
    assert_equal(found, split_up(t, rails, one));
}

// All messages together, of policies that look at nothing but who sends to whom.
RC_GTEST_PROP(UnevenRails, FlowLevelAndSimulatorMoveTheSame, ()) {
  const Topology t = railed_topology();
  RailOptions rails = any_rails();
  if (rail_policies().at(rails.policy).in_turn) rails.policy = "own";
  const Routing routing = std::get<Routing>(route(t, "minhop"));
  const std::vector<Demand> all = possible_demands(t.fabric, rails.processes);
  if (all.empty()) return;
  RC_LOG() << rails.policy << ", stripe " << rails.stripe << ", processes " << rails.processes << std::endl;
  assert_equal(simulated(t, routing, rails, all), split_up(t, rails, all));
}

// Loads, times and simulations of hosts with one NIC and with several, by every policy.
RC_GTEST_PROP(UnevenRails, EveryQuestionIsAnsweredByEveryPolicy, ()) {
  const Topology t = railed_topology(1);
  const std::string policy = any_policy();
  const u32 processes = draw(1, 3);
  const Routing routing = std::get<Routing>(route(t, "minhop"));
  const std::vector<Demand> all = possible_demands(t.fabric, processes);
  if (all.size() < u64{t.fabric.hosts()} * (t.fabric.hosts() - 1) * processes * processes) return;
  const ask::Situation at{
      .topology = t, .routing = &routing, .traffic = "alltoall:algorithm=linear,bytes=6000"};
  RC_LOG() << policy << ", processes " << processes << std::endl;
  const u32 ranks = t.fabric.hosts() * processes;
  const double between = 6000.0 * ranks * (ranks - processes);
  const auto sum = [](const std::optional<ask::RailTraffic>& rails) {
    double out = 0;
    for (const auto& row : rails->bytes)
      for (const double bytes : row) out += bytes;
    return out;
  };
  if (t.fabric.columns() == 1) return;
  const auto load =
      std::get<ask::LoadAnswer>(ask::load(at, {.rails_policy = policy, .processes = processes}));
  RC_ASSERT(load.undelivered == 0u);
  RC_ASSERT(std::abs(sum(load.rails) / between - 1) < 1e-9);
  ask::TimingOptions timing;
  timing.accelerators = processes, timing.rails_policy = policy;
  const ask::TimingAnswer time = ask::time(at, timing);
  RC_ASSERT(time.seconds > 0);
  RC_ASSERT(std::abs(sum(time.rails) / between - 1) < 1e-9);
  timing.level = ask::TimeLevel::flit;
  RC_ASSERT(ask::time(at, timing).seconds > 0);
}

}  // namespace
}  // namespace banyan::tests
