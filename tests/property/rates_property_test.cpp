// Rates on random fabrics, engines and traffic, held against the plain ones and against the definition.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engines/engine.hpp"
#include "flow/fluid.hpp"
#include "flow/program_time.hpp"
#include "support/plain_rates.hpp"
#include "support/random_topology.hpp"
#include "traffic/programs/program_run.hpp"

namespace banyan::tests {
namespace {

Routing some_routing(const Topology& topology) {
  const auto& all = engines::engines();
  for (u32 i = draw(0, static_cast<u32>(all.size()) - 1);; i = (i + 1) % static_cast<u32>(all.size())) {
    PluginText text{std::string(all[i].name), {}};
    for (const OptionInfo& option : all[i].options)
      if (option.key == "paths") text.set("paths", std::to_string(draw(1, 4)));
    RouteResult result = route(topology, text);
    auto* routing = std::get_if<Routing>(&result);  // hop by hop: too many paths to list
    if (routing && !std::holds_alternative<IncrementalHops>(routing->forward)) return std::move(*routing);
  }
}

std::vector<Flow> some_flows(const Fabric& fabric) {
  std::vector<Flow> out(draw(0, 40));
  for (Flow& flow : out) {
    const u32 rail = draw(0, fabric.columns() - 1);
    flow.from = fabric.nic(Host{draw(0, fabric.hosts() - 1)}, rail);
    flow.to = fabric.nic(Host{draw(0, fabric.hosts() - 1)}, rail);
  }
  return out;
}

RateOptions some_options(RateModel model) {
  RateOptions out{.model = model, .link = draw(0, 1) ? 1 : 4000.0};
  if (draw(0, 1)) out.host = out.link * 0.25 * draw(1, 5);
  return out;
}

std::vector<double> some_limits(const std::vector<Flow>& flows, double link) {
  std::vector<double> out;
  if (draw(0, 1)) return out;
  for (std::size_t i = 0; i < flows.size(); ++i) out.push_back(link * 0.1 * draw(0, 12));
  return out;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  RC_ASSERT(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    RC_ASSERT(found[i] == expected[i] || std::abs(found[i] - expected[i]) <= 1e-9 * expected[i]);
}

RC_GTEST_PROP(Rates, MaxMinIsThePlainOneAndKeepsTheDefinition, ()) {
  const Topology topology = random_topology();
  const Routing routing = some_routing(topology);
  const std::vector<Flow> flows = some_flows(topology.fabric);
  const RateOptions options = some_options(RateModel::max_min);
  const std::vector<double> limits = some_limits(flows, options.link);

  RateSolver solver(topology.fabric, options);
  const Incidence listed = incidence(topology.fabric, routing, flows);
  const std::vector<double> found = solver.solve(listed, limits);
  const PlainRates plain(topology.fabric, routing, flows, options, limits);
  expect_near(found, plain.max_min());
  RC_ASSERT(plain.are_max_min(found));
  RC_ASSERT(solver.solve(listed, limits) == found);  // nothing of the first call is left behind
}

RC_GTEST_PROP(Rates, ContentionIsThePlainOneAndNeverAboveMaxMin, ()) {
  const Topology topology = random_topology();
  const Routing routing = some_routing(topology);
  const std::vector<Flow> flows = some_flows(topology.fabric);
  const RateOptions options = some_options(RateModel::contention);
  const std::vector<double> limits = some_limits(flows, options.link);
  const Incidence listed = incidence(topology.fabric, routing, flows);
  const std::vector<double> found = RateSolver(topology.fabric, options).solve(listed, limits);
  expect_near(found, PlainRates(topology.fabric, routing, flows, options, limits).contention());
  if (!limits.empty()) return;
  RateOptions fair = options;
  fair.model = RateModel::max_min;
  const std::vector<double> more = RateSolver(topology.fabric, fair).solve(listed);
  for (std::size_t f = 0; f < flows.size(); ++f) RC_ASSERT(found[f] <= more[f] * (1 + 1e-9));
}

// When messages of these sizes that begin at these times have left: a list of what is under way, and rates
// from the plain solver for it at every event. A flow of weight 3 is three that share its bytes.
std::vector<double> plain_ends(const Topology& topology, const Routing& routing,
                               const std::vector<Flow>& flows, const std::vector<double>& starts,
                               const std::vector<double>& weights) {
  std::vector<double> left, ends = starts;
  for (const Flow& flow : flows) left.push_back(flow.from == flow.to ? 0 : flow.demand);
  for (double now = 0;;) {
    std::vector<Flow> active;
    std::vector<std::size_t> number;
    double next = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (starts[f] > now) next = std::min(next, starts[f]);
      if (left[f] > 0 && starts[f] <= now) active.push_back(flows[f]), number.push_back(f);
    }
    std::vector<Flow> single;
    for (std::size_t i = 0; i < active.size(); ++i)
      for (u32 copy = 0; copy < weights[number[i]]; ++copy) single.push_back(active[i]);
    const auto each = PlainRates(topology.fabric, routing, single, {}, {}).max_min();
    std::vector<double> rate;
    for (std::size_t i = 0, at = 0; i < active.size(); ++i) {
      rate.push_back(each[at] * weights[number[i]]);
      at += static_cast<std::size_t>(weights[number[i]]);
    }
    for (std::size_t i = 0; i < active.size(); ++i) next = std::min(next, now + left[number[i]] / rate[i]);
    if (next == std::numeric_limits<double>::infinity()) return ends;
    for (std::size_t i = 0; i < active.size(); ++i) {
      double& rest = left[number[i]];
      rest -= rate[i] * (next - now);
      if (rest < 1e-9) rest = 0, ends[number[i]] = next;
    }
    now = next;
  }
}

RC_GTEST_PROP(Fluid, EndsWhereThePlainOneDoes, ()) {
  const Topology topology = random_topology();
  const Routing routing = some_routing(topology);
  std::vector<Flow> flows = some_flows(topology.fabric);
  flows.resize(std::min<std::size_t>(flows.size(), 12));
  std::vector<double> starts, weights;
  const u32 max_weight = draw(1, 4);
  for (Flow& flow : flows) {
    flow.demand = draw(0, 5);
    starts.push_back(0.7 * draw(0, 4));
    weights.push_back(draw(1, max_weight));
  }
  const Incidence listed = incidence(topology.fabric, routing, flows);
  Fluid fluid(topology.fabric, {}, listed, flows, 0,
              max_weight > 1 ? std::span<const double>(weights) : std::span<const double>());
  for (u32 f = 0; f < flows.size(); ++f) fluid.begin(f, starts[f]);
  std::vector<double> ends(flows.size(), -1);
  double last = 0;
  fluid.run([&](u32 flow, double time) {
    RC_ASSERT(ends[flow] == -1 && time >= last * (1 - 1e-9));
    last = ends[flow] = time;
  });
  const std::vector<double> expected = plain_ends(topology, routing, flows, starts, weights);
  for (std::size_t f = 0; f < flows.size(); ++f)
    RC_ASSERT(std::abs(ends[f] - expected[f]) <= 1e-6 * (1 + expected[f]));
}

// Each message has two ranks of its own, and is sent when the first has computed until its start.
struct TimedMessages {
  static constexpr double unit = 1e6;  // bytes, so that all are long messages
  std::vector<Flow> flows;             // in units
  std::vector<double> starts, weights;
  Program program;
  Placement placement;
  std::vector<Op> receives;

  explicit TimedMessages(const Fabric& fabric) : flows(some_flows(fabric)) {
    flows.resize(std::min<std::size_t>(flows.size(), 12));
    ProgramBuilder builder(static_cast<u32>(2 * flows.size()));
    for (u32 f = 0; f < flows.size(); ++f) {
      const Host from{draw(0, fabric.hosts() - 1)}, to{draw(0, fabric.hosts() - 1)};
      flows[f] = {fabric.nic(from, 0), fabric.nic(to, 0), static_cast<double>(draw(0, 5))};
      starts.push_back(0.7 * draw(0, 4));
      weights.push_back(draw(1, 4));
      const Op send = builder.send(2 * f, 2 * f + 1, unit * flows[f].demand, 0);
      builder.weigh(send, static_cast<u32>(weights[f]));
      builder.wait(send, builder.compute(2 * f, starts[f]));
      receives.push_back(builder.receive(2 * f + 1, 2 * f, unit * flows[f].demand, 0));
      placement.push_back(from);
      placement.push_back(to);
    }
    program = builder.take();
  }
  flow::ProgramOptions options() const {
    flow::ProgramOptions out;
    out.network.rates.link = unit;
    out.network.rates.inside.accelerators = static_cast<u32>(2 * flows.size());
    return out;
  }
};

// Messages of a program have weights: they end where the plain fluid says, and between two events a channel
// carries what plain rates put on it.
RC_GTEST_PROP(ProgramFluid, WeightedMessagesAreThePlainOnes, ()) {
  const Topology topology = random_topology();
  const Fabric& fabric = topology.fabric;
  const Routing routing = some_routing(topology);
  const TimedMessages sent(fabric);
  ProgramLog log(sent.program);
  fluid_time(fabric, routing, sent.program, sent.placement, sent.options(), &log);
  const std::vector<double> ends = plain_ends(topology, routing, sent.flows, sent.starts, sent.weights);
  for (std::size_t f = 0; f < ends.size(); ++f)
    RC_ASSERT(std::abs(log.end[sent.receives[f]] - ends[f]) <= 1e-6 * (1 + ends[f]));
  const double time = 0.1 * draw(0, 99) + 0.0123;
  for (const auto& events : {sent.starts, ends})
    for (const double event : events) RC_PRE(std::abs(event - time) > 1e-6);
  std::vector<Flow> single;
  u64 active = 0;
  for (std::size_t f = 0; f < ends.size(); ++f) {
    if (sent.starts[f] > time || ends[f] < time) continue;
    ++active;
    for (u32 copy = 0; copy < sent.weights[f]; ++copy) single.push_back(sent.flows[f]);
  }
  const PlainRates plain(fabric, routing, single, {}, {});
  const std::vector<double> rate = plain.max_min();
  const std::vector<flow::Moment> found =
      moments(fabric, routing, sent.program, sent.placement, sent.options(), std::array{time});
  RC_ASSERT(found.size() == 1 && found[0].flows == active);
  std::vector<double> carried(fabric.channels().size(), 0);
  for (std::size_t i = 0; i < found[0].channels.size(); ++i)
    carried[index(found[0].channels[i])] = found[0].rates[i] / TimedMessages::unit;
  for (u32 c = 0; c < carried.size(); ++c)
    RC_ASSERT(std::abs(carried[c] - plain.load({PlainPort::channel, c}, rate)) <= 1e-9);
}

// Every flow that has a limit has a bottleneck: a full channel of its own on which no flow is faster.
void expect_bottlenecks(const LocalRates& rates, const RateSolver& solver, const Incidence& listed,
                        const std::vector<bool>& is_active) {
  for (u32 f = 0; f < listed.flows(); ++f) {
    if (!is_active[f]) continue;
    const u32 stops = rates.bottleneck(f);
    if (rates.rate(f) == std::numeric_limits<double>::infinity()) {
      RC_ASSERT(stops == LocalRates::none_stops);
      continue;
    }
    const auto channels = listed.channels_of(f);
    RC_ASSERT(std::find(channels.begin(), channels.end(), Channel{stops}) != channels.end());
    RC_ASSERT(rates.carried(stops) >= solver.capacities()[stops] * (1 - 1e-9));
    for (u32 other = 0; other < listed.flows(); ++other) {
      const auto others = listed.channels_of(other);
      if (is_active[other] && std::find(others.begin(), others.end(), Channel{stops}) != others.end())
        RC_ASSERT(rates.rate(other) <= rates.rate(f) * (1 + 1e-9));
    }
  }
}

// Flows come and go, several at a time, and channels get other capacities, also none or no limit: after every
// event the rates are those that the plain solver finds for the flows that are there.
RC_GTEST_PROP(LocalRates, AreThePlainOnesAfterEveryEvent, ()) {
  const Topology topology = random_topology();
  const Routing routing = some_routing(topology);
  std::vector<Flow> flows = some_flows(topology.fabric);
  std::erase_if(flows, [](const Flow& flow) { return flow.from == flow.to; });
  const RateOptions options = some_options(draw(0, 4) ? RateModel::max_min : RateModel::contention);
  RateSolver solver(topology.fabric, options);
  const Incidence direct = incidence(topology.fabric, routing, flows);
  const Incidence listed = solver.limits_nics() ? solver.with_nics(direct) : direct;
  LocalRates rates(solver, listed);
  std::vector<bool> is_active(flows.size());
  for (u32 event = 0; event < 30 && !flows.empty(); ++event) {
    for (u32 several = draw(1, 3); several > 0; --several) {
      const u32 flow = draw(0, static_cast<u32>(flows.size()) - 1);
      is_active[flow] ? rates.remove(flow) : rates.add(flow);
      is_active[flow] = !is_active[flow];
    }
    if (draw(0, 3) == 0) {
      const Channel changed = listed.channels[draw(0, static_cast<u32>(listed.channels.size()) - 1)];
      const u32 quarters = draw(0, 7);  // 7: no limit
      solver.set_capacity(
          changed, quarters == 7 ? std::numeric_limits<double>::infinity() : options.link * 0.25 * quarters);
      rates.resize(index(changed));
    }
    const u64 before = rates.filled();
    rates.update();
    const auto active = static_cast<u64>(std::count(is_active.begin(), is_active.end(), true));
    RC_ASSERT(rates.filled() - before <= 2 * active);  // never much more than computing all
    PlainRates plain(topology.fabric, routing, {}, options, {});
    std::vector<double> found;
    for (u32 f = 0; f < flows.size(); ++f) {
      if (!is_active[f]) continue;
      found.push_back(rates.rate(f));
      plain.maximum.push_back(std::numeric_limits<double>::infinity());
      auto& shares = plain.shares.emplace_back();
      for (u64 i = listed.first[f]; i < listed.first[f + 1]; ++i) {
        const PlainPort port{PlainPort::channel, index(listed.channels[i])};
        shares[port] += listed.shares[i];
        plain.capacity[port] = solver.capacity(listed.channels[i]);
      }
    }
    expect_near(found, options.model == RateModel::max_min ? plain.max_min() : plain.contention());
    if (options.model == RateModel::max_min) expect_bottlenecks(rates, solver, listed, is_active);
  }
}

// Hundreds of flows on few channels: whether an update follows what differs or computes all, the rates are
// those of a full computation. Weights and capacities differ.
RC_GTEST_PROP(LocalRates, OfManyFlowsAreThoseOfAFullComputation, ()) {
  const Topology topology = make_topology(draw(0, 1) ? "XGFT(2; 6,6; 1,2)" : "HyperX(4x4; hosts=2)");
  const Routing routing = std::get<Routing>(route(topology, "minhop"));
  std::vector<Flow> flows(draw(100, 600));
  for (Flow& flow : flows) {
    flow.from = Nic{draw(0, topology.fabric.hosts() - 1)};
    flow.to = Nic{(index(flow.from) + draw(1, topology.fabric.hosts() - 1)) % topology.fabric.hosts()};
  }
  Incidence listed = incidence(topology.fabric, routing, flows);
  for (u32 f = 0; f < flows.size(); ++f)
    for (u64 i = listed.first[f], weight = draw(1, 3); i < listed.first[f + 1]; ++i)
      listed.shares[i] *= static_cast<double>(weight);
  RateSolver solver(topology.fabric, {});
  LocalRates rates(solver, listed);
  std::vector<bool> is_active(flows.size());
  for (u32 event = 0; event < 40; ++event) {
    const bool is_first = event == 0;
    for (u32 f = 0; is_first && f < flows.size(); f += 1 + f % 2) rates.add(f), is_active[f] = true;
    const u32 flow = draw(0, static_cast<u32>(flows.size()) - 1);
    is_active[flow] ? rates.remove(flow) : rates.add(flow);
    is_active[flow] = !is_active[flow];
    rates.update();
    std::vector<u32> active;
    std::vector<double> found;
    for (u32 f = 0; f < flows.size(); ++f)
      if (is_active[f]) active.push_back(f), found.push_back(rates.rate(f));
    Incidence selected;
    select(listed, active, selected);
    expect_near(found, solver.solve(selected));
  }
}

// A flow that asks for three times as much gets what three flows would.
RC_GTEST_PROP(Rates, OfWeightedFlowsAreThoseOfAsManyFlows, ()) {
  const Topology topology = random_topology();
  const Routing routing = some_routing(topology);
  std::vector<Flow> flows = some_flows(topology.fabric), single;
  for (Flow& flow : flows) {
    flow.demand = draw(0, 4);
    for (u32 i = 0; i < flow.demand; ++i) single.push_back({flow.from, flow.to});
  }
  const RateOptions options = some_options(RateModel::max_min);
  const std::vector<double> each = rates(topology.fabric, routing, single, options);
  std::vector<double> sums;
  std::size_t at = 0;
  for (const Flow& flow : flows) {
    sums.push_back(0);
    for (u32 i = 0; i < flow.demand; ++i) sums.back() += each[at++];
  }
  expect_near(rates(topology.fabric, routing, flows, options), sums);
}

}  // namespace
}  // namespace banyan::tests
