// Studies: what a file says, the points it makes, what decides their results, and the store.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/file.hpp"
#include "base/seconds.hpp"
#include "base/version.hpp"
#include "study/hash.hpp"
#include "study/run.hpp"
#include "support/scratch.hpp"

namespace banyan::tests {
namespace {

namespace fs = std::filesystem;

Study study_of(const std::string& text) { return read_study(text, "s.toml"); }

std::string refusal(const std::string& text) {
  try {
    study_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const std::string head = "fabrics = ['4-ary 2-tree']\nengines = ['dmodk']\ntraffic = 'uniform'\n";

TEST(StudyFile, RefusesWithLineAndNearestKey) {
  EXPECT_EQ(refusal("fabrics = ['x']\nengine = 'dmodk'\n[describe]\n"),
            "s.toml:2: the study: unknown key 'engine': did you mean 'engines'?");
  EXPECT_EQ(refusal(head + "[load]\nsample = 3\n"),
            "s.toml:5: [load]: unknown key 'sample': did you mean 'samples'?");
  EXPECT_EQ(refusal(head + "[load]\nsamples = 'many'\n"),
            "s.toml:5: samples must be a whole number of 0 or more, not 'many'");
  EXPECT_EQ(refusal("fabrics = 'x'\nengines = ['dmodk', 'dmodx']\n[verdict]\n"),
            "s.toml:2: unknown engine 'dmodx': did you mean 'dmodk'?");
  EXPECT_EQ(refusal("fabrics = 'x'\n[describe]\n[[describe]]\n").substr(0, 9), "s.toml:3:");
  EXPECT_EQ(refusal("fabrics = ['a', 'b',\n 'a']\n[describe]\n"), "s.toml:2: two fabrics are called 'a'");
}

TEST(StudyFile, RefusesWhatCannotBe) {
  EXPECT_EQ(refusal("fabrics = 'x'\nengines = 'dmodk'\n[load]\n"), "s.toml:3: [load] needs traffic");
  EXPECT_EQ(refusal("[describe]\n"), "s.toml:1: the study: the key 'fabrics' is missing");
  EXPECT_NE(refusal("fabrics = 'x'\n").find("nothing is measured"), std::string::npos);
  EXPECT_NE(refusal(head + "seeds = 0\n[load]\n").find("a seed is 0"), std::string::npos);
}

TEST(StudyFile, RefusesListsThatChangeNothing) {
  const std::string nothing = "' changes nothing: no measure of the study asks for it";
  EXPECT_EQ(refusal(head + "[verdict]\n"), "s.toml:3: 'traffic" + nothing);
  EXPECT_EQ(refusal("fabrics = 'x'\nengines = 'dmodk'\n[cost]\n"), "s.toml:2: 'engines" + nothing);
  EXPECT_EQ(refusal("[[fabrics]]\nfabric = 'x'\nengines = 'dmodk'\n[cost]\n"),
            "s.toml:3: 'engines" + nothing);
  EXPECT_EQ(refusal("fabrics = 'x'\nwithout = 'links=1,seed=1'\n[cost]\n"), "s.toml:2: 'without" + nothing);
  EXPECT_EQ(refusal("fabrics = 'x'\nseeds = [1, 2]\n[describe]\n"), "s.toml:2: 'seeds" + nothing);
  EXPECT_EQ(refusal("fabrics = 'x'\nseeds = [1, 2]\nwithout = 'links=1,seed=*'\n[describe]\n"), "");
  for (const std::string list : {"ranks = 4\n", "placement = 'random'\n"}) {
    const std::string of_jobs = "fabrics = 'x'\ntraffic = 'ranks=4; traffic=ring'\n";
    EXPECT_EQ(refusal(of_jobs + list + "[load]\n"), "s.toml:3: '" + list.substr(0, list.find(' ')) + nothing);
    EXPECT_EQ(refusal(head + list + "[load]\n"), "");
  }
  const std::string parts = "[[part]]\nname = 'a'\n[part.verdict]\n[[part]]\nname = 'b'\n";
  EXPECT_EQ(refusal(head + parts + "[part.load]\n"), "") << "parts may share lists";
  EXPECT_EQ(refusal(head + parts + "[part.verdict]\n"), "s.toml:3: 'traffic" + nothing);
  EXPECT_EQ(refusal(head + "[[part]]\nname = 'a'\ntraffic = 'ring'\n[part.load]\n"), "")
      << "parts may have another";
  EXPECT_EQ(refusal(head + "[load]\nsamples = 2\n" + parts + "[part.rates]\n"),
            "s.toml:4: [load] changes nothing: no part makes this measure");
}

std::string plan_refusal(const std::string& text, StudyPlan::Purpose purpose = StudyPlan::Purpose::run) {
  const Study study = study_of(text);
  try {
    StudyPlan(study, nullptr, 1, purpose);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(StudyFile, RefusesOptionsThatChangeNothingAtAnyPoint) {
  EXPECT_EQ(plan_refusal(head + "[simulate]\nmode = 'saturation'\nload = 0.5\n"),
            "s.toml:6: load changes nothing with mode saturation");
  EXPECT_EQ(plan_refusal(head + "[simulate]\nmode = ['saturation', 'load']\nload = 0.5\n"), "");
  EXPECT_EQ(plan_refusal(head + "[simulate]\nload = 0.5\nwriters = 2\n"),
            "s.toml:6: writers changes nothing without output-flits");
  EXPECT_EQ(plan_refusal(head + "[simulate]\nload = 0.5\nwriters = 2\noutput-flits = [0, 20]\n"), "");
  EXPECT_EQ(plan_refusal(head + "[simulate]\nkind = [{load = 0.5},\n{load = 0.6, writers = 2}]\n"),
            "s.toml:6: writers changes nothing without output-flits");
  EXPECT_EQ(plan_refusal("fabrics = '4-ary 2-tree'\ntraffic = 'alltoall:1MiB'\n[time]\nbyte-gap = '1ns'\n",
                         StudyPlan::Purpose::look),
            "s.toml:4: byte-gap changes nothing for traffic at level fluid");
  EXPECT_EQ(plan_refusal("fabrics = '4-ary 2-tree'\n[program]\nprogram = 'allreduce:1MiB'\nlanes = 2\n"),
            "s.toml:4: lanes changes nothing for a program at level fluid");
  EXPECT_EQ(plan_refusal("fabrics = '4-ary 2-tree'\n[qsnet]\ntest = 'latency'\nmessages = 4\n"),
            "s.toml:4: messages changes nothing in the test latency");
  EXPECT_EQ(plan_refusal(head + "[load]\nrate-model = 'contention'\n"),
            "s.toml:5: rate-model changes nothing without rates");
  EXPECT_EQ(plan_refusal(head + "[load]\nrate-model = 'contention'\nrates = [false, true]\n"), "");
  EXPECT_EQ(plan_refusal(head + "[load]\nhashes = 5\n"),
            "s.toml:5: hashes changes nothing: the switches do not hash");
  for (const std::string measure : {"[load]\n", "[rates]\n"}) {
    EXPECT_EQ(plan_refusal(head + measure + "stripe = 0.5\n"),
              "s.toml:5: stripe changes nothing without rails-policy");
    EXPECT_EQ(plan_refusal(head + measure + "processes = 2\n"),
              "s.toml:5: processes changes nothing without rails-policy");
  }
}

TEST(StudyFile, RefusesOptionsThatChangeNothingInAnyPart) {
  const std::string parts =
      "[[part]]\nname = 'a'\n[part.simulate]\nmode = 'saturation'\n[[part]]\nname = 'b'\n[part.simulate]\n";
  const std::string shared = head + "[simulate]\nload = 0.5\n";
  EXPECT_EQ(plan_refusal(shared + parts), "") << "b takes it";
  EXPECT_EQ(plan_refusal(shared + parts + "mode = 'saturation'\n"),
            "s.toml:5: load changes nothing with mode saturation");
}

TEST(StudyPlan, ThatIsLookedAtLeavesOutEnginesThatDoNotApply) {
  const Study study = study_of(
      "fabrics = ['4-ary 2-tree', 'HyperX(3x3; hosts=2)', 'RLFT(36 ports, 11664 hosts)']\n"
      "engines = ['dmodk', 'nue']\n[verdict]\n");
  const StudyPlan plan(study, nullptr, 1, StudyPlan::Purpose::look);
  ASSERT_EQ(plan.left_out().size(), 1u);
  EXPECT_EQ(plan.left_out()[0].fabric, "HyperX(3x3; hosts=2)");
  EXPECT_EQ(plan.left_out()[0].engine, "dmodk");
  EXPECT_EQ(plan.points().size(), 5u);
  EXPECT_EQ(plan.untried(), 1u) << "nue takes long for 11,664 hosts";
}

std::set<std::string> names(const Study& study) {
  std::set<std::string> out;
  for (const Point& p : points_of(study)) out.insert(p.name);
  return out;
}

TEST(StudyPoints, HaveTheBestStaticEngineWhereNoneIsNamed) {
  EXPECT_EQ(
      names(study_of("fabrics = '4-ary 2-tree'\n[describe]\n[verdict]\n")),
      (std::set<std::string>{"describe | 4-ary 2-tree | intact", "verdict | 4-ary 2-tree | intact | auto"}));
}

TEST(StudyPoints, AreTheProductOfTheLists) {
  const Study study = study_of(
      "fabrics = ['4-ary 2-tree', {name = 'x', fabric = 'HyperX(2x2)', engines = ['dor', 'nue', 'lash']}]\n"
      "engines = ['dmodk', 'random']\nwithout = ['', ['links=1,seed=2', 'links=1,seed=3']]\n"
      "traffic = ['uniform', 'shift:1']\nplacement = ['linear', 'random']\nseeds = [4, 5]\n"
      "[cost]\n[describe]\n[verdict]\n[load]\nsamples = [10, 20]\n[simulate]\nload = [0.1, 0.2, "
      "0.3]\nqueueing = ['fifo', "
      "'voq']\n");
  const auto found = names(study);
  const std::size_t routings = 2 * (2 + 3);
  EXPECT_EQ(found.size(), 2 + 2 * 2 + 2 * (1 + 2 + 3) /* random draws */ + routings * 2 * 2 * 2 * (2 + 6));
  EXPECT_EQ(found.size(), points_of(study).size());  // no name twice
  EXPECT_TRUE(found.contains("cost | x"));
  EXPECT_TRUE(found.contains("verdict | 4-ary 2-tree | intact | dmodk"));
  EXPECT_TRUE(found.contains("verdict | 4-ary 2-tree | intact | random | seed=5"));
  EXPECT_TRUE(
      found.contains("simulate | x | links=1,seed=2 & links=1,seed=3 | nue | shift:1 | random | load=0.3 "
                     "queueing=voq | seed=4"));
}

TEST(StudyPoints, ARangeStandsForItsValues) {
  const auto points =
      points_of(study_of("fabrics = '4-ary 2-tree'\nengines = 'dmodk'\ntraffic = 'uniform'\n[simulate]\nload "
                         "= '0.1:0.9:0.4'\n"));
  EXPECT_EQ(points.size(), 3u);
}

TEST(StudyPoints, SeedsReachTheEnginesThatDraw) {
  const auto points =
      points_of(study_of("fabrics = 'x'\nengines = ['random:paths=2', 'random:seed=9', 'dmodk']\n"
                         "seeds = 5\n[verdict]\n"));
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(engine_text(points[0]).options.back(), std::pair(std::string("seed"), std::string("5")));
  EXPECT_EQ(engine_text(points[1]).options.size(), 1u);
  EXPECT_EQ(points[1].seed, 0u);
  EXPECT_TRUE(engine_text(points[2]).options.empty());
}

std::string hash_of(const std::string& text) {
  const Study study = study_of(text);
  return inputs_hash(study, points_of(study).front());
}

TEST(StudyPoints, InputsAreWhatDecidesTheResult) {
  const std::string base = hash_of(head + "[load]\nsamples = 10\n");
  EXPECT_EQ(base, hash_of(head + "title = 'another'\nseeds = [1, 2]\n[load]\nsamples = [10, 20]\n"));
  EXPECT_NE(base, hash_of(head + "[load]\nsamples = 11\n"));
  EXPECT_NE(base, hash_of(head + "seeds = 2\n[load]\nsamples = 10\n"));
  EXPECT_NE(base, hash_of(head + "placement = 'random'\n[load]\nsamples = 10\n"));
  EXPECT_EQ(hash_of(head + "[load]\n"), hash_of(head + "[load]\nsamples = 0\n"));  // the default
}

TEST(StudyPoints, FilesCountByContentAndStandBesideTheStudy) {
  const Scratch scratch;
  scratch.file("hosts.txt", "0\n1\n2\n");
  const std::string path =
      scratch.file("s.toml",
                   "fabrics = '4-ary 2-tree'\nengines = 'dmodk'\ntraffic = 'ring'\nranks = 3\nplacement = "
                   "'file:hosts.txt'\n[load]\n");
  const Study study = open_study(path);
  const auto points = points_of(study);
  const std::string before = inputs_hash(study, points.front());
  Store store((scratch.path / "out").string());
  StudyPlan plan(study, &store, 1);
  plan.run(store, 1);
  EXPECT_EQ(store.read().size(), 1u);
  scratch.file("hosts.txt", "0\n4\n8\n");
  EXPECT_NE(before, inputs_hash(study, points.front()));
  EXPECT_EQ(StudyPlan(study, &store, 1).missing(), 1u);
}

TEST(StudyParts, HaveTheListsAndOptionsOfTheWholeUnlessTheyGiveTheirOwn) {
  const Study study = study_of(head +
                               "[load]\nsamples = 10\n"
                               "[[part]]\nname = 'a'\n[part.load]\n"
                               "[[part]]\nname = 'b'\nengines = '{shift1,disjoint}:paths={2,4}'\n"
                               "load.samples = 20\n");
  EXPECT_EQ(names(study),
            (std::set<std::string>{
                "a | load | 4-ary 2-tree | intact | dmodk | uniform | linear | seed=1",
                "b | load | 4-ary 2-tree | intact | shift1:paths=2 | uniform | linear | seed=1",
                "b | load | 4-ary 2-tree | intact | shift1:paths=4 | uniform | linear | seed=1",
                "b | load | 4-ary 2-tree | intact | disjoint:paths=2 | uniform | linear | seed=1",
                "b | load | 4-ary 2-tree | intact | disjoint:paths=4 | uniform | linear | seed=1"}));
  const auto points = points_of(study);
  EXPECT_EQ(points.front().options.options.front().second, "10");
  EXPECT_EQ(points.back().options.options.front().second, "20");
}

TEST(StudyParts, OfTheSameNameChangeEachOtherAndAStarChangesAll) {
  const Study study = study_of(head +
                               "[[part]]\nname = 'a'\n[part.load]\nsamples = 10\n"
                               "[[part]]\nname = 'b'\n[part.verdict]\n"
                               "[[part]]\nname = 'a'\ntraffic = 'ring'\nload.samples = 30\n"
                               "[[part]]\nname = '*'\nload.samples = 20\n");
  ASSERT_EQ(study.parts.size(), 2u);
  const auto points = points_of(study);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].traffic, "ring");
  EXPECT_EQ(points[0].options.options.front().second, "20");
  EXPECT_EQ(points[1].options.name, "verdict");
}

TEST(StudyParts, OptionsVaryTogetherWhereTheyAreListedTogether) {
  const Study study = study_of(head +
                               "[simulate]\ncycles = 10\nload = [0.1, 0.2]\n"
                               "kind = [{lanes = 2, cycles = 20}, {lanes = 4}]\n");
  std::vector<std::string> varied;
  for (const Point& p : points_of(study)) varied.push_back(p.varied);
  EXPECT_EQ(varied, (std::vector<std::string>{"load=0.1 lanes=2 cycles=20", "load=0.1 lanes=4",
                                              "load=0.2 lanes=2 cycles=20", "load=0.2 lanes=4"}));
}

TEST(StudyParts, FaultsMayBeDrawnAnewWithEachSeed) {
  const Study study = study_of(head + "without = 'links=1,seed=*'\nfirst_seed = 3\nseeds = [1, 2]\n[load]\n");
  const auto points = points_of(study);
  ASSERT_EQ(points.size(), 2u);
  for (const Point& p : points)
    EXPECT_EQ(study.without[p.faults].text(), "links=1,seed=" + std::to_string(p.seed));
  EXPECT_EQ(points[1].seed, 4u);
}

TEST(StudyParts, WhatIsTheSameInTwoIsMeasuredOnce) {
  const Scratch scratch;
  const Study study =
      study_of(head + "[[part]]\nname = 'a'\n[part.load]\n[[part]]\nname = 'b'\n[part.load]\n");
  Store store(scratch.path.string());
  StudyPlan plan(study, &store, 1);
  EXPECT_EQ(plan.missing(), 1u);
  plan.run(store, 1);
  const auto found = store.read();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].rows.front().value, found[1].rows.front().value);
}

// Where a fabric has speeds, a measure cannot ask for others.
TEST(StudyPlan, TakesTheSpeedsOfAFabricThatHasThem) {
  const std::string tree = "XGFT(2; 4,2; 1,4", slow = tree + "; capacity=100G)";
  const auto text = [](const std::string& fabric, const std::string& link) {
    return "fabrics = '" + fabric + "'\ntraffic = 'allreduce:algorithm=ring,bytes=1MiB'\n[time]\n" + link;
  };
  const auto seconds = [&](const std::string& fabric, const std::string& link) {
    const Scratch scratch;
    const Study study = study_of(text(fabric, link));
    Store store(scratch.path.string());
    StudyPlan(study, &store, 1).run(store, 1);
    double out = 0;
    const auto stored = store.read();
    for (const auto& row : stored.front().rows)
      if (row.metric == "seconds") out = row.value;
    return out;
  };
  EXPECT_GT(seconds(slow, ""), 0);
  EXPECT_DOUBLE_EQ(seconds(slow, ""), seconds(tree + ")", "link = '100G'\n"));
  EXPECT_DOUBLE_EQ(seconds(slow, ""), seconds(slow, "link = '100G'\n"));
  EXPECT_EQ(plan_refusal(text(slow, "link = '200G'\n")),
            "s.toml:3: the links of this fabric have speeds already, 100G: expected no link=200G");
}

TEST(StudyStore, FinishesAPointOnceAndReplacesWhatChanged) {
  const Scratch scratch;
  const Study study = study_of(head + "[load]\nsamples = 10\n");
  const Point point = points_of(study).front();
  Store store(scratch.path.string());
  store.plan(study, {point}, {"1"});
  EXPECT_FALSE(store.has("1"));
  store.finish(study, point, "1", {{{"a", 1, "m", 0.5}, {"b", 2}}, {{"why", "so"}}}, 0.1);
  EXPECT_TRUE(store.has("1"));
  store.finish(study, point, "2", {{{"a", Row::none}}, {}}, 0.1);
  EXPECT_FALSE(store.has("1"));
  const auto found = store.read();
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].rows.size(), 1u);
  EXPECT_TRUE(std::isnan(found[0].rows[0].value));
  EXPECT_TRUE(found[0].texts.empty());
}

TEST(StudyStore, RefusesWhatIsNotAStoreAndLeavesItAlone) {
  const auto complaint = [](const char* sql, bool has_tables = true) {
    const Scratch scratch;
    const std::string folder = scratch.path.string();
    if (has_tables) const Store made(folder);
    sqlite3* db = nullptr;
    EXPECT_EQ(sqlite3_open(store_path(folder).c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
    const std::string before = read_file(store_path(folder));
    std::string out;
    try {
      const Store opened(folder);
    } catch (const InputError& error) {
      out = std::string(error.what()).substr(store_path(folder).size());
    }
    EXPECT_EQ(read_file(store_path(folder)), before);
    EXPECT_THROW(Store::reader(folder), InputError);
    return out;
  };
  EXPECT_EQ(
      complaint("CREATE TABLE rows(point TEXT, metric TEXT)", false),
      ": is not a store of results: its application_id is 0, expected 1113681529; another folder takes a "
      "new one");
  EXPECT_EQ(complaint("PRAGMA user_version = 3"),
            ": has format 3, expected 2: another version of banyan wrote it");
  EXPECT_EQ(complaint("DROP TABLE checksums; PRAGMA user_version = 1"),
            ": has format 1, which has no checksums: an older version of banyan wrote it, whose points this "
            "one would measure again; another folder takes a new store");
  EXPECT_EQ(complaint("DROP TABLE times; CREATE TABLE times(point TEXT)"),
            ": has other tables than a store of results");
  EXPECT_EQ(complaint("CREATE TRIGGER late AFTER INSERT ON rows BEGIN DELETE FROM rows; END"),
            ": has other tables than a store of results");
}

// Every byte of the pages' heads, one after another, is another one: refused, or as good as before.
TEST(StudyStore, RefusesOneThatIsDamaged) {
  const Scratch scratch;
  const std::string folder = scratch.path.string();
  const Study study = study_of("fabrics = ['4-ary 2-tree', '2-ary 3-tree']\n[describe]\n");
  {
    Store store(folder);
    StudyPlan(study, &store, 1).run(store, 1);
  }
  const std::string sound = read_file(store_path(folder));
  const auto write = [&](const std::string& content) {
    std::ofstream(store_path(folder), std::ios::binary) << content;
  };
  const auto is_refused = [&](const std::string& content) {
    write(content);
    try {
      Store::reader(folder)->read();
      return false;
    } catch (const InputError&) {
      return true;
    }
  };
  EXPECT_FALSE(is_refused(sound));
  EXPECT_TRUE(is_refused(sound.substr(0, sound.size() / 2)));
  EXPECT_TRUE(is_refused("not a database" + sound));
  for (std::size_t page = 4096; page < sound.size(); page += 4096) {
    std::string damaged = sound;
    for (std::size_t i = 0; i < 8; ++i) damaged[page + i] = static_cast<char>(~damaged[page + i]);
    EXPECT_TRUE(is_refused(damaged)) << "page at " << page;
  }
}

TEST(StudyStore, HasOneWriter) {
  const Scratch scratch;
  const Store store(scratch.path.string());
  EXPECT_THROW(Store(scratch.path.string()), InputError);
}

TEST(StudyStore, IsLookedAtWhileAnotherWrites) {
  const Scratch scratch;
  const Study study = study_of(head + "[load]\nsamples = 10\n");
  Store store(scratch.path.string());
  StudyPlan(study, &store, 1).run(store, 1);
  const auto reader = Store::reader(scratch.path.string());
  EXPECT_EQ(StudyPlan(study, reader.get(), 1).missing(), 0u);
}

TEST(StudyStore, FindsWhatAListThatGrewHasRenamed) {
  const Scratch scratch;
  Store store(scratch.path.string());
  const Study one = study_of(head + "[load]\nsamples = 10\n");
  StudyPlan(one, &store, 1).run(store, 1);
  const auto before = store.read();
  const Study two = study_of(head + "[load]\nsamples = [10, 20]\n");
  StudyPlan plan(two, &store, 1);
  EXPECT_EQ(plan.missing(), 1u);
  plan.run(store, 1);
  const auto after = store.read();
  ASSERT_EQ(after.size(), 2u);
  EXPECT_NE(after[0].point, before[0].point);
  ASSERT_EQ(after[0].rows.size(), before[0].rows.size());
  for (std::size_t i = 0; i < after[0].rows.size(); ++i)
    EXPECT_EQ(after[0].rows[i].value, before[0].rows[i].value);
  StudyPlan back(one, &store, 1);
  EXPECT_EQ(back.missing(), 0u);
  back.run(store, 1);
  EXPECT_EQ(store.read().size(), 1u);
}

TEST(StudyPoints, RolesOfAFabricCountByContentAndStandBesideTheStudy) {
  const Scratch scratch;
  scratch.file("net.csv", "from,to,from_kind,to_kind\na,s,host,switch\nb,s,host,switch\nc,s,host,switch\n");
  scratch.file("roles.txt", "c storage\n");
  const Study study = open_study(scratch.file(
      "s.toml", "fabrics = 'net.csv; roles=roles.txt'\nengines = 'minhop'\ntraffic = 'ring'\n[load]\n"));
  const std::string folder = scratch.path.string() + "/";
  EXPECT_EQ(study.path("net.csv; roles=roles.txt"), folder + "net.csv; roles=" + folder + "roles.txt");
  EXPECT_EQ(study.path("4-ary 2-tree; roles=roles.txt"), "4-ary 2-tree; roles=" + folder + "roles.txt");
  const Point point = points_of(study).front();
  const std::string before = inputs_hash(study, point);
  Store store((scratch.path / "out").string());
  StudyPlan(study, &store, 1).run(store, 1);
  EXPECT_EQ(StudyPlan(study, &store, 1).missing(), 0u);
  scratch.file("roles.txt", "b storage\n");
  EXPECT_NE(before, inputs_hash(study, point));
  EXPECT_EQ(StudyPlan(study, &store, 1).missing(), 1u);
}

TEST(StudyPoints, FilesWithinJobsCountByContent) {
  const Scratch scratch;
  scratch.file("hosts.txt", "0\n1\n2\n");
  const std::string path =
      scratch.file("s.toml",
                   "fabrics = '4-ary 2-tree'\nengines = 'dmodk'\ntraffic = 'ranks=3; "
                   "traffic=ring; placement=file:hosts.txt | traffic=uniform'\n[load]\n");
  const Study study = open_study(path);
  const Point point = points_of(study).front();
  const std::string before = inputs_hash(study, point);
  EXPECT_EQ(StudyPlan(study, nullptr, 1).missing(), 1u);  // the file is found beside the study
  scratch.file("hosts.txt", "0\n4\n8\n");
  EXPECT_NE(before, inputs_hash(study, point));
}

// A demand file, or a folder of them: whoever changes one gets other results.
TEST(StudyPoints, DemandsOfAnEngineCountByContentAndStandBesideTheStudy) {
  const Scratch scratch;
  fs::create_directories(scratch.path / "jobs");
  scratch.file("demands.txt", "h0 h1 255\n");
  scratch.file("jobs/one", "h0 h1 255\n");
  const std::string path =
      scratch.file("s.toml",
                   "fabrics = '4-ary 2-tree'\nengines = ['sssp:demands=demands.txt', 'dfsssp:demands=jobs', "
                   "'sssp']\ntraffic = 'ring'\n[load]\n");
  const Study study = open_study(path);
  const auto points = points_of(study);
  ASSERT_EQ(points.size(), 3u);
  const auto hashes = [&] {
    return std::vector{inputs_hash(study, points[0]), inputs_hash(study, points[1]),
                       inputs_hash(study, points[2])};
  };
  const auto before = hashes();
  Store store((scratch.path / "out").string());
  StudyPlan plan(study, &store, 1);
  plan.run(store, 1);
  EXPECT_EQ(StudyPlan(study, &store, 1).missing(), 0u);
  scratch.file("demands.txt", "h0 h1 255 h2 100\n");
  auto after = hashes();
  EXPECT_NE(before[0], after[0]);
  EXPECT_EQ(before[1], after[1]);
  EXPECT_EQ(before[2], after[2]);
  EXPECT_EQ(StudyPlan(study, &store, 1).missing(), 1u);
  scratch.file("jobs/two", "h1 h0 255\n");
  after = hashes();
  EXPECT_NE(before[1], after[1]);
  EXPECT_EQ(StudyPlan(study, &store, 1).missing(), 2u);
}

TEST(StudyPlan, TellsSimulatorValuesThatCannotBe) {
  for (const char* option :
       {"load = [0.5, 1.5]", "buffer-flits = 4", "packet-flits = 0", "lanes = 17", "max-cycles = 0"}) {
    const Study study = study_of(head + "\n[simulate]\n" + option + "\n");
    try {
      const StudyPlan plan(study, nullptr, 1);
      FAIL() << option;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 9), "s.toml:5:") << error.what();
    }
  }
}

TEST(StudyPlan, APointThatCannotBeMeasuredIsARow) {
  const Scratch scratch;
  const Study study = study_of(
      "fabrics = '4-ary 2-tree'\nengines = 'minhop'\nwithout = ['switch=s1-0', '']\ntraffic = 'uniform'\n"
      "[simulate]\ncycles = 100\n");
  Store store(scratch.path.string());
  StudyPlan(study, &store, 1).run(store, 1);
  const auto found = store.read();
  ASSERT_EQ(found.size(), 2u);
  ASSERT_EQ(found[0].rows.size(), 1u);
  EXPECT_EQ(found[0].rows[0].metric, "failed");
  EXPECT_TRUE(found[0].has_failed());
  EXPECT_FALSE(found[1].has_failed());
  EXPECT_NE(found[0].texts.at(0).second.find("has no way"), std::string::npos);
  EXPECT_GT(found[1].rows.size(), 5u);
}

TEST(PointQueue, HandsOutAgainWhatSomebodyDiedOf) {
  PointQueue deal({7, 8});
  deal.joined();
  EXPECT_EQ(deal.take(true), 7u);
  deal.died_of(7);
  EXPECT_EQ(deal.take(false), 8u);  // the first rank leaves it to others
  deal.finished(8);
  EXPECT_EQ(deal.take(true), 7u);
  deal.died_of(7);
  deal.left();
  EXPECT_EQ(deal.take(false), 7u);  // nobody else is there
  deal.finished(7);
  EXPECT_EQ(deal.take(false), std::nullopt);
  EXPECT_TRUE(deal.given_up().empty());
}

TEST(PointQueue, GivesUpWhatTooManyDiedOf) {
  PointQueue deal({7});
  deal.joined();
  for (u32 i = 0; i < PointQueue::max_deaths; ++i) {
    EXPECT_EQ(deal.take(true), 7u);
    deal.died_of(7);
  }
  EXPECT_EQ(deal.take(true), std::nullopt);
  EXPECT_EQ(deal.given_up(), std::vector<std::size_t>{7});
}

TEST(StudyPlan, TellsWhatDoesNotApplyBeforeAnythingRuns) {
  const Study study =
      study_of("fabrics = ['4-ary 2-tree', 'HyperX(2x2)']\nengines = [\n'dmodk',\n'nue']\n[verdict]\n");
  const StudyPlan plan(study, nullptr, 1);
  ASSERT_EQ(plan.left_out().size(), 1u);
  EXPECT_EQ(plan.left_out()[0].engine, "dmodk");
  EXPECT_EQ(plan.left_out()[0].fabric, "HyperX(2x2)");
  EXPECT_EQ(plan.left_out()[0].line, 3u);
  EXPECT_EQ(plan.points().size(), 3u);
}

TEST(StudyPlan, TellsTrafficThatDoesNotFit) {
  const Study study = study_of(
      "fabrics = '4-ary 2-tree'\nengines = 'dmodk'\ntraffic = ['uniform',\n'shift:1']\n"
      "ranks = [4, 17]\n[load]\nsamples = 1\n");
  try {
    const StudyPlan plan(study, nullptr, 1);
    FAIL() << "17 ranks found 16 hosts";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 9), "s.toml:3:") << error.what();
  }
}

TEST(Timed, ReadsTheClockBeforeAndAfter) {
  double now = 3;
  const auto [value, seconds] = timed([&] { return now += 5, 7; }, [&] { return now; });
  EXPECT_EQ(value, 7);
  EXPECT_EQ(seconds, 5);
}

// Many commits have the same number.
TEST(Version, SaysWhichSources) {
  const std::string_view all = version();
  const std::size_t plus = all.find('+');
  ASSERT_NE(plus, all.npos) << all;
  EXPECT_EQ(all.substr(plus + 1).size(), 12u);
  EXPECT_EQ(all.find_first_not_of("0123456789abcdef", plus + 1), all.npos);
}

TEST(Hash, IsFnv1aOf128Bits) {
  EXPECT_EQ(fnv128(""), "6c62272e07bb014262b821756295c58d");
  EXPECT_EQ(fnv128("a"), "d228cb696f1a8caf78912b704e4a8964");
  EXPECT_EQ(fnv128("foobar"), "343e1662793c64bf6f0d3597ba446f18");
}

}  // namespace
}  // namespace banyan::tests
