// What the answers of ask/ say as JSON and as rows. That they are right is tested where they are computed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "ask/check.hpp"
#include "ask/compare.hpp"
#include "ask/describe.hpp"
#include "ask/diff.hpp"
#include "ask/draw.hpp"
#include "ask/load.hpp"
#include "ask/path.hpp"
#include "ask/route.hpp"
#include "ask/sweep.hpp"
#include "engines/engine.hpp"
#include "fabric/faults.hpp"
#include "flit/rails/policy.hpp"
#include "flow/bound.hpp"
#include "routing/hashed_next_hops.hpp"

namespace banyan::tests {
namespace {

nlohmann::json json_of(const auto& answer) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object();
  ask::write_fields(json, answer);
  json.end_object();
  return nlohmann::json::parse(out.str());
}

bool has_row(const ask::Rows& rows, std::string_view metric) {
  return std::any_of(rows.rows.begin(), rows.rows.end(),
                     [&](const ask::Row& row) { return row.metric == metric; });
}

// Every number of the JSON is a row of the same name.
void expect_same_names(const nlohmann::json& json, const ask::Rows& rows) {
  for (const auto& [key, value] : json.items())
    EXPECT_EQ(has_row(rows, key), value.is_number() || value.is_boolean()) << key;
}

TEST(Questions, DescribeSaysTheSameInJsonAndInRows) {
  const Topology tree = make_topology("PGFT(2; 4,4; 1,2; 1,2)"), grid = make_topology("Mesh(3x3)");
  const auto json = json_of(ask::describe({tree}, {}));
  EXPECT_EQ(json["hosts"], 16);
  EXPECT_EQ(json["rlft"], true);
  expect_same_names(json, ask::rows_of(ask::describe({tree}, {})));
  EXPECT_TRUE(json_of(ask::describe({grid}, {}))["rlft"].is_null());
  expect_same_names(json_of(ask::describe({grid}, {})), ask::rows_of(ask::describe({grid}, {})));
}

TEST(Questions, ACounterexampleIsATextWhereThereIsOne) {
  const Topology torus = make_topology("Torus(4x4)");
  const Routing good = std::get<Routing>(route(torus, "dor")),
                bad = std::get<Routing>(route(torus, "minhop"));
  const auto yes = std::get<Verdict>(ask::verdict({torus, &good}, {})),
             no = std::get<Verdict>(ask::verdict({torus, &bad}, {}));
  EXPECT_TRUE(json_of(yes)["counterexample"].is_null());
  EXPECT_TRUE(ask::rows_of(yes).texts.empty());
  EXPECT_EQ(json_of(no)["yes"], false);
  EXPECT_EQ(json_of(no)["evidence"][0]["kind"], "deadlock");
  EXPECT_EQ(ask::rows_of(no).texts.at(0).first, "counterexample");
  expect_same_names(json_of(no), ask::rows_of(no));
}

TEST(Questions, ShiftsNameTheWorstChannelAndItsFlows) {
  const Topology tree = make_topology("XGFT(2; 4,4; 1,2)");
  const Routing routing = std::get<Routing>(route(tree, "dmodk"));
  const auto answer = std::get<ask::ShiftsAnswer>(ask::shifts({tree, &routing}, {}));
  const auto json = json_of(answer);
  EXPECT_EQ(json["worst_shift_load"], 2);
  EXPECT_EQ(json["flows"].size(), json["worst_channel_flows"]);
  EXPECT_EQ(json["flows"][0]["share"], 1);
}

TEST(Questions, APathIsItsChannels) {
  const Topology tree = make_topology("4-ary 2-tree");
  const Routing routing = std::get<Routing>(route(tree, "dmodk"));
  ask::PathOptions options;
  options.source = "0", options.destination = "15", options.why = true, options.all = 2;
  const auto answer = ask::path({tree, &routing}, options);
  EXPECT_TRUE(answer.all_arrive());
  const auto json = json_of(answer);
  EXPECT_EQ(json["paths"][0]["channels"].size(), 4u);
  EXPECT_EQ(json["paths"][0]["reasons"].size(), 4u);
  EXPECT_EQ(json["paths"][0]["names"][0], "h0");
  EXPECT_EQ(json["shortest"].size(), 2u);
  EXPECT_EQ(json["shortest_paths"], 4);
  options.rail = 1;
  EXPECT_THROW(ask::path({tree, &routing}, options), InputError);
}

TEST(Questions, TablesSayHowManyAddressesTheyTake) {
  const Topology tree = make_topology("4-ary 2-tree");
  const Routing routing = std::get<Routing>(route(tree, "disjoint:4"));
  const auto answer = std::get<ask::RouteAnswer>(ask::route({tree, &routing}, {}));
  EXPECT_EQ(json_of(answer)["addresses_per_nic"], 4);
  EXPECT_TRUE(answer.verdict.yes());
}

TEST(Questions, WhatACableCostsIsTheSameAloneAndInASweep) {
  const Topology tree = make_topology("4-ary 2-tree");
  const ask::FabricRouter router{engines::engines().bind("dmodc")};
  const auto all = std::get<ask::SweepAnswer>(ask::sweep({tree}, router, {.sweep = ask::Sweep::links}));
  EXPECT_EQ(all.cables.size(), 16u);
  EXPECT_TRUE(all.all_yes());
  Topology rest = tree;
  const std::string dearest = all.cables[0].cable;
  rest.fabric = without(tree.fabric, {"link=" + dearest.substr(0, dearest.find(' '))});
  const auto one = std::get<ask::FailAnswer>(ask::fail({tree, nullptr, "ring"}, rest, router, {}));
  EXPECT_EQ(one.links_taken, 1u);
  EXPECT_EQ(one.pairs_lost, all.cables[0].cost->pairs_lost);
  EXPECT_EQ(one.entries_changed, all.cables[0].cost->entries_changed);
  EXPECT_EQ(json_of(one)["after"]["max_destinations_per_channel"],
            json_of(all)["cables"][0]["max_destinations_per_channel"]);
}

// Where switches hash, entries are groups of next hops.
TEST(Questions, GroupsThatACableChangesAreTheSameAloneAndInASweep) {
  const Topology tree = make_topology("4-ary 2-tree");
  const ask::FabricRouter router{engines::engines().bind("ecmp")};
  const auto all = std::get<ask::SweepAnswer>(ask::sweep({tree}, router, {.sweep = ask::Sweep::links}));
  Topology rest = tree;
  rest.fabric = without(tree.fabric, {"link=s1-0:5"});
  const auto one = std::get<ask::FailAnswer>(ask::fail({tree, nullptr, "ring"}, rest, router, {}));
  EXPECT_EQ(one.entries_changed, 28u);
  for (const auto& cable : all.cables) EXPECT_EQ(cable.cost->entries_changed, 28u) << cable.cable;
}

// A full graph of so many switches has more next hops without a cable than can be listed.
TEST(Questions, ASweepSaysWhereTooManyNextHopsAreLeft) {
  const Topology graph = make_topology("HyperX(515; hosts=1)");
  const ask::FabricRouter router{engines::engines().bind("ecmp")};
  const auto found =
      std::get<ask::SweepAnswer>(ask::sweep({graph}, router, {.sweep = ask::Sweep::pairs, .pairs = 1}));
  ASSERT_EQ(found.cables.size(), 1u);
  EXPECT_FALSE(found.cables[0].cost);
  EXPECT_NE(found.cables[0].not_applicable.value_or("").find("at most 512"), std::string::npos);
}

TEST(Questions, WeightsOfNextHopsAreComparedHoweverFine) {
  const Topology tree = make_topology("2-ary 2-tree");
  const auto weighed = [&](u32 left, u32 right) {
    PortSets sets = shortest_port_sets(tree.fabric);
    const u32 first = tree.fabric.nics() - sets.first_node(), group = sets.group(Nic{3});
    sets.weigh(group, first, std::vector<u32>{left, right});  // of the first leaf
    return Routing{HashedNextHops(std::move(sets)), std::get<Routing>(route(tree, "ecmp")).source};
  };
  const ask::Situation at{.topology = tree, .traffic = "shift:2"};
  const auto changed = [&](const Routing& one, const Routing& other) {
    const auto found = std::get<ask::FailAnswer>(ask::compare(at, one, other, {}));
    EXPECT_EQ(found.comparison->pairs_moved, 2 * *found.entries_changed);  // the leaf has two hosts
    return *found.entries_changed / 2;
  };
  EXPECT_EQ(changed(weighed(1, 1), weighed(3, 3)), 0u);
  EXPECT_EQ(changed(weighed(1, 2), weighed(100, 199)), 1u);
  EXPECT_EQ(changed(weighed(1, 2), weighed(500, 501)), 1u);
  EXPECT_EQ(changed(weighed(500, 503), weighed(500, 501)), 1u);
}

// Three of four spines of a rail are gone, whichever rail it is.
TEST(Questions, AFaultOfAnyRailIsInTheLoad) {
  const Topology whole = make_topology("4 x XGFT(2; 4,4; 1,4)");
  const ask::FabricRouter by = ask::router({.engine = "dmodc"}, whole);
  const auto failed = [&](u32 rail) {
    std::vector<std::string> gone;
    for (u32 spine = 0; spine < 3; ++spine) gone.push_back(fmt::format("switch=r{}s2-{}", rail, spine));
    Topology rest = whole;
    rest.fabric = fabric::without(whole.fabric, gone);
    return std::get<ask::FailAnswer>(ask::fail({.topology = whole, .traffic = "shift:4"}, rest, by, {}));
  };
  for (const u32 rail : {0u, 3u}) {
    const ask::FailAnswer found = failed(rail);
    EXPECT_EQ(*found.rails_policy, "basic");
    EXPECT_DOUBLE_EQ(found.before.max_load.mean, 0.25);  // a quarter of a flow goes by each rail
    EXPECT_DOUBLE_EQ(found.after.max_load.mean, 1);
    EXPECT_EQ(found.pairs_lost, 0u);
    EXPECT_EQ(*found.host_pairs_lost, 0u);
  }
}

// A host that has lost all its NICs is cut off; one that has lost some is not.
TEST(Questions, HostsArePartedWhenNoRailIsLeft) {
  const Topology whole = make_topology("2 x XGFT(2; 4,4; 1,4)");
  const ask::FabricRouter by = ask::router({.engine = "dmodc"}, whole);
  Topology rest = whole;
  rest.fabric = fabric::without(whole.fabric, std::vector<std::string>{"host=h3", "link=h5.r0:1"});
  const auto found =
      std::get<ask::FailAnswer>(ask::fail({.topology = whole, .traffic = "shift:1"}, rest, by, {}));
  EXPECT_EQ(found.links_taken, 3u);
  EXPECT_EQ(found.host_links_taken, 3u);
  EXPECT_EQ(found.pairs_lost, 2u * (2 * 15 + 14));  // h3 on both rails, h5 on one
  EXPECT_EQ(*found.host_pairs_lost, 2u * 15);
  EXPECT_TRUE(found.after.verdict.yes());
  EXPECT_EQ(found.after.verdict.disconnected_pairs, found.pairs_lost);
  EXPECT_EQ(found.after.undelivered, 2u);  // to h3 and from it; the flows of h5 use the other rail
  const Topology one = make_topology("4-ary 2-tree");
  EXPECT_THROW(ask::fail({.topology = one, .traffic = "shift:1"}, one, by, {.stripe = 1}), InputError);
}

// A study asks for rates alone; they are those of `load --rates`.
TEST(Questions, RatesOfSeveralRailsAreThoseOfLoad) {
  const Topology all = make_topology("4 x XGFT(2; 3,4; 1,2)");
  const Routing routing = std::get<Routing>(route(all, "minhop"));
  const ask::Situation at{.topology = all, .routing = &routing, .traffic = "permutation"};
  for (const std::string policy : {"basic", "rail-local", "hash"}) {
    const auto load = std::get<ask::LoadAnswer>(
        ask::load(at, {.samples = 5, .rails_policy = policy, .stripe = 0.5, .processes = 2, .rates = true}));
    const auto alone = ask::rates(at, {.samples = 5, .rails_policy = policy, .stripe = 0.5, .processes = 2});
    EXPECT_EQ(alone.mean_rate.mean, load.rates->mean_rate.mean) << policy;
    EXPECT_EQ(alone.min_rate, load.rates->min_rate) << policy;
  }
  EXPECT_GT(ask::rates(at, {.samples = 5, .rails_policy = "basic", .stripe = 1}).mean_rate.mean,
            2 * ask::rates(at, {.samples = 5}).mean_rate.mean);
  EXPECT_THROW(ask::rates(at, {.stripe = 1}), InputError);
}

// The policy says what goes by which rail; there, each plane is a fabric of its own.
TEST(Questions, TheOptimumOfSeveralRailsIsThatOfTheWorst) {
  for (const std::string plane : {"HyperX(3x2; hosts=2)", "XGFT(2; 3,4; 1,2)"})
    for (const std::string policy : {"basic", "rail-local", "hash"})
      for (const std::string traffic : {"shift:3", "permutation", "uniform"}) {
        const Topology one = make_topology(plane), all = make_topology("4 x " + plane);
        const Routing routing = std::get<Routing>(route(all, "minhop"));
        const ask::Situation at{.topology = all, .routing = &routing, .traffic = traffic};
        const auto found = std::get<ask::LoadAnswer>(
            ask::load(at, {.samples = 1, .rails_policy = policy, .processes = 2, .optimum = true}));
        const RailSplit split = rail_split(prepare_policy(policy, rail_rules(all.fabric, 0, 2)));
        const auto job = at.job(ShorterJobs::repeat, 2);
        std::vector<Demand> demands;
        job.traffic.list(at.seed, 0, 0, demands);
        std::vector<std::vector<Flow>> by_rail(4);
        for (const Demand& demand : demands) {
          const Host from = job.placement[demand.from], to = job.placement[demand.to];
          u32 turn = 0;
          if (from == to) continue;
          for (const RailShare& share : split({from, index(demand.from) % 2, to, index(demand.to) % 2}, turn))
            by_rail[share.rail].push_back({Nic{index(from)}, Nic{index(to)}, demand.amount * share.share});
        }
        double worst = 0;
        for (const auto& flows : by_rail)
          worst = std::max(worst, std::get<double>(optimum_by_program(one.fabric, flows)));
        EXPECT_NEAR(*found.worst_optimum, worst, 1e-6) << plane << ", " << policy << ", " << traffic;
        EXPECT_GE(found.max_load_worst, worst - 1e-6);
      }
}

TEST(Questions, TwoRoutingsOfOneFabricAreCompared) {
  const Topology tree = make_topology("XGFT(2; 4,4; 1,4)");
  const Routing one = std::get<Routing>(route(tree, "dmodk")),
                other = std::get<Routing>(route(tree, "smodk"));
  const ask::Situation at{.topology = tree, .traffic = "shift:4"};
  const auto same = std::get<ask::FailAnswer>(ask::compare(at, one, one, {}));
  EXPECT_EQ(same.comparison->worth, ask::Worth::same);
  EXPECT_EQ(same.comparison->pairs_moved, 0u);
  EXPECT_EQ(same.entries_changed, 0u);
  const auto found = std::get<ask::FailAnswer>(ask::compare(at, one, other, {}));
  EXPECT_EQ(found.comparison->pairs_moved, 16u * 12 * 3 / 4);  // a quarter have the same digit at both ends
  EXPECT_EQ(found.pairs_lost + found.comparison->pairs_gained, 0u);
  // Tables that lack what is cut off: the others serve more pairs.
  Topology cut = tree;
  cut.fabric = without(tree.fabric, {"link=s1-0:5"});
  const Routing mended = std::get<Routing>(route(cut, "dmodc"));
  const ask::Situation left{.topology = cut, .traffic = "shift:4"};
  const auto better = std::get<ask::FailAnswer>(ask::compare(left, one, mended, {}));
  EXPECT_EQ(better.comparison->worth, ask::Worth::better);
  EXPECT_GT(better.comparison->pairs_gained, 0u);
  EXPECT_EQ(std::get<ask::FailAnswer>(ask::compare(left, mended, one, {})).comparison->worth,
            ask::Worth::worse);
}

// One hash of a ring may be free of deadlock; all next hops together are not.
TEST(Questions, AVerdictOnHashesHoldsForEveryHash) {
  const Topology ring = make_topology("Torus(4)");
  u32 free = 0;
  for (u64 seed = 1; seed <= 8; ++seed) {
    const Routing one = std::get<Routing>(route(ring, fmt::format("ecmp:seed={}", seed)));
    free += judge(ring.fabric, one).yes();
    EXPECT_FALSE(std::get<Verdict>(ask::verdict({ring, &one}, {})).deadlock_free) << seed;
    EXPECT_FALSE(std::get<ask::CheckAnswer>(ask::check({ring, &one})).verdict.yes()) << seed;
  }
  EXPECT_GT(free, 0u);  // by luck
  // Shifts have no certain load where switches hash.
  const Routing hashed = std::get<Routing>(route(ring, "ecmp"));
  EXPECT_TRUE(std::holds_alternative<NotApplicable>(ask::shifts({ring, &hashed}, {})));
}

// Half of the flows of a leaf hash over its lost cable, whatever the seed: the tables stay as they are.
TEST(Questions, FlowsLostAreTheMeanOverHashes) {
  const Topology tree = make_topology("XGFT(2; 2,2; 1,2)");
  Topology rest = tree;
  rest.fabric = without(tree.fabric, {"link=s1-0:3"});
  ask::FabricRouter live;
  live.tables = std::get<Routing>(route(tree, "ecmp"));
  const ask::Situation at{.topology = tree, .traffic = "shift:2"};
  const auto found = std::get<ask::FailAnswer>(ask::fail(at, rest, live, ask::FailOptions{.hashes = 4000}));
  EXPECT_EQ(found.after.flows, 4u);
  EXPECT_NEAR(found.after.undelivered, 2, 0.1);  // two of each direction cross, half of them by that spine
  EXPECT_EQ(found.before.undelivered, 0);
  EXPECT_EQ(found.cables, (std::vector<std::string>{"s1-0:3 - s2-0:1"}));
}

TEST(Questions, ASweepTakesEveryTwoCables) {
  const Topology tree = make_topology("4-ary 2-tree");
  const ask::FabricRouter router{engines::engines().bind("dmodc")};
  const auto swept = [&](u64 pairs) {
    return std::get<ask::SweepAnswer>(
        ask::sweep({tree}, router, {.sweep = ask::Sweep::pairs, .pairs = pairs}));
  };
  const auto names = [](const ask::SweepAnswer& answer) {
    std::set<std::string> out;
    for (const auto& pair : answer.cables) out.insert(pair.cable);
    return out;
  };
  const auto all = names(swept(1000)), some = names(swept(20));
  EXPECT_EQ(all.size(), 16u * 15 / 2);
  EXPECT_EQ(some.size(), 20u);
  EXPECT_TRUE(std::includes(all.begin(), all.end(), some.begin(), some.end()));
}

TEST(Questions, AutoIsTheBestStaticEngineThatApplies) {
  const auto chosen = [](const std::string& fabric, const std::vector<std::string>& faults = {}) {
    Topology topology = make_topology(fabric);
    topology.fabric = without(topology.fabric, faults);
    return ask::router({}, topology).name;
  };
  EXPECT_EQ(chosen("4-ary 2-tree"), "dmodk");
  EXPECT_EQ(chosen("4-ary 2-tree", {"links=1,seed=1"}), "dmodc");
  EXPECT_EQ(chosen("HyperX(3x3)"), "dor");
  EXPECT_EQ(chosen("Torus(4x4)"), "dor");
  EXPECT_EQ(chosen("Dragonfly(2,4,2)"), "dfsssp");
}

TEST(Questions, AnEngineThatDoesNotApplyNamesOneThatDoes) {
  Topology tree = make_topology("4-ary 2-tree");
  tree.fabric = without(tree.fabric, {"links=1,seed=1"});
  ask::RoutingOptions options;
  options.engine = "dmodk";
  const auto refused = std::get<NotApplicable>(ask::router(options, tree).route(tree));
  EXPECT_NE(refused.why.find("--engine dmodc routes this fabric"), std::string::npos) << refused.why;
}

TEST(Questions, ASeedOfTheEngineStandsBesideTheSeedOfEverything) {
  const Topology tree = make_topology("4-ary 2-tree");
  ask::RoutingOptions options;
  options.seed = 7;
  options.engine = "random:paths=2";
  EXPECT_EQ(ask::router(options, tree).seed(), 7u);
  options.engine = "random:paths=2,seed=3";
  EXPECT_EQ(ask::router(options, tree).seed(), 3u);
  options.engine = "dmodk";
  EXPECT_EQ(ask::router(options, tree).seed(), 0u);
}

// Tables are not routed again: what they lose is what the cable carried.
TEST(Questions, TablesStayAsTheyAreWhenACableFails) {
  const Topology tree = make_topology("4-ary 2-tree");
  const Routing routing = std::get<Routing>(route(tree, "dmodc"));
  ask::FabricRouter router;
  router.tables = routing;
  Topology rest = tree;
  rest.fabric = without(tree.fabric, {"link=s1-0:5"});
  const auto found = std::get<ask::FailAnswer>(ask::fail({tree, nullptr, "ring"}, rest, router, {}));
  EXPECT_EQ(found.entries_changed, 0u);
  EXPECT_GT(found.pairs_lost, 0u);
  EXPECT_FALSE(found.after.verdict.yes());
}

TEST(Questions, AFieldKnowsWhetherItMayBeLeftOutOrNull) {
  const auto field = [](const std::vector<ask::FieldInfo>& all, std::string_view name) {
    return *std::find_if(all.begin(), all.end(), [&](const ask::FieldInfo& f) { return f.name == name; });
  };
  const auto load = ask::fields_of<ask::LoadAnswer>();
  EXPECT_FALSE(field(load, "max_load").is_optional);
  EXPECT_FALSE(field(load, "max_load").may_be_null);
  EXPECT_TRUE(field(load, "max_load_half_width").may_be_null);
  EXPECT_TRUE(field(load, "bound").may_be_null);
  EXPECT_TRUE(field(load, "mean_rate").is_optional);  // of a part that is not there
  EXPECT_TRUE(field(load, "hottest").is_optional);
  const ask::FieldInfo matrix = field(load, "mpigraph"), rates = field(matrix.fields, "rates");
  EXPECT_FALSE(field(matrix.fields, "hosts").is_optional);
  EXPECT_EQ(rates.dimensions, 2u);
  EXPECT_EQ(rates.items, "number");
}

TEST(Questions, WhatIsDrawnIsTheSameAsNumbersAndAsAMap) {
  const Topology tree = make_topology("4-ary 2-tree");
  const ask::DrawAnswer answer = ask::draw({tree}, {});
  const auto json = json_of(answer);
  EXPECT_EQ(json["kind"], "tree");
  EXPECT_EQ(json["names"].size(), tree.fabric.nodes().size());
  EXPECT_EQ(json["cables"].size(), 2u * tree.fabric.links());
  EXPECT_EQ(json["groups"].size(), answer.map.groups.size());
  EXPECT_FALSE(json.contains("port_labels"));
}

TEST(Questions, ADiffSaysWhenNothingIsShared) {
  const Topology tree = make_topology("4-ary 2-tree"), grid = make_topology("Mesh(3x3)");
  EXPECT_TRUE(ask::diff(tree.fabric, tree.fabric).is_empty());
  EXPECT_FALSE(ask::diff(tree.fabric, tree.fabric).shares_nothing());
  EXPECT_TRUE(ask::diff(tree.fabric, grid.fabric).shares_nothing());
}

}  // namespace
}  // namespace banyan::tests
