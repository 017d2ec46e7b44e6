// A store whose bits have changed: what it gives out is as it was written, or it says so.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <sstream>

#include "base/file.hpp"
#include "study/output.hpp"
#include "study/run.hpp"
#include "support/scratch.hpp"

namespace banyan::tests {
namespace {

const Study& small_study() {
  static const Study study = read_study(
      "fabrics = ['4-ary 2-tree', '2-ary 3-tree']\nengines = 'minhop'\nwithout = ['', 'switch=s1-0']\n"
      "[describe]\n[verdict]\n",
      "s.toml");
  return study;
}

std::string text_of(const std::vector<StoredPoint>& points) {
  std::ostringstream out;
  write_csv(out, points);
  for (const StoredPoint& p : points) {
    out << p.point << '\n';
    for (const auto& [name, text] : p.texts) out << name << ' ' << text << '\n';
  }
  return out.str();
}

// As `banyan study` runs it: what it answers, and how many points it measured.
struct Answer {
  std::string text;
  std::size_t measured;
};
Answer run_study(const std::string& folder) {
  Store store(folder);
  StudyPlan plan(small_study(), &store, 1);
  const std::size_t missing = plan.missing();
  plan.run(store, 1);
  return {text_of(plan.results(store)), missing};
}

void change(const std::string& folder, const std::string& sql) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(store_path(folder).c_str(), &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_close(db);
}

std::vector<std::string> sentences(const Store& store) {
  std::vector<std::string> out;
  for (const StoreDamage& damage : store.damage()) out.push_back(sentence(damage));
  return out;
}

class DamagedStore : public testing::Test {
 protected:
  DamagedStore() : sound(run_study(folder).text) {}

  const Scratch scratch;
  const std::string folder = scratch.path.string();
  const std::string sound;
  const std::string point = "verdict | 2-ary 3-tree | intact | minhop";
};

TEST_F(DamagedStore, NamesThePointAndMeasuresItAgain) {
  const std::string of_point = " WHERE point = '" + point + "'";
  for (const std::string& sql :
       {"UPDATE rows SET value = value + 1e-9" + of_point + " AND metric = 'lanes'",
        "UPDATE rows SET unit = 'm'" + of_point, "UPDATE rows SET half_width = 0" + of_point,
        "UPDATE rows SET seed = 1" + of_point, "UPDATE rows SET version = 'x'" + of_point,
        "DELETE FROM rows" + of_point + " AND metric = 'lanes'", "DELETE FROM rows" + of_point,
        "INSERT INTO rows SELECT point, 'another', 1, '', NULL, 0, '' FROM points" + of_point,
        "INSERT INTO texts SELECT point, 'another', '' FROM points" + of_point,
        "UPDATE points SET fabric = 'x'" + of_point, "UPDATE points SET options = 'x'" + of_point,
        "DELETE FROM points" + of_point, "DELETE FROM checksums WHERE name = '" + point + "'"}) {
    change(folder, sql);
    const auto reader = Store::reader(folder);
    const std::vector<std::string> found = sentences(*reader);
    ASSERT_FALSE(found.empty()) << sql;
    EXPECT_EQ(found[0], "the point " + point + " is damaged") << sql;
    EXPECT_EQ(StudyPlan(small_study(), reader.get(), 1).missing(), 1u) << sql;
    const Answer answer = run_study(folder);
    EXPECT_EQ(answer.text, sound) << sql;
    EXPECT_EQ(answer.measured, 1u) << sql;
    EXPECT_TRUE(Store::reader(folder)->damage().empty()) << sql;
  }
}

TEST_F(DamagedStore, ARowThatMovedToAnotherPointDamagesBoth) {
  change(folder,
         "UPDATE rows SET point = 'describe | 2-ary 3-tree | intact' WHERE metric = 'lanes' AND point = '" +
             point + "'");
  EXPECT_EQ(sentences(*Store::reader(folder)),
            (std::vector<std::string>{"the point describe | 2-ary 3-tree | intact is damaged",
                                      "the point " + point + " is damaged"}));
  EXPECT_EQ(run_study(folder).text, sound);
}

TEST_F(DamagedStore, IsNotGivenOutByAReader) {
  change(folder, "UPDATE rows SET value = 3 WHERE point = '" + point + "'");
  EXPECT_THROW(Store::reader(folder)->read(), InputError);
}

TEST_F(DamagedStore, OfTimesPicturesAndThePlanCostsNoPoint) {
  {
    Store store(folder);
    store.keep_picture("abc", {"map", "loads", "matrix"});
    EXPECT_EQ(store.picture("abc")->loads, "loads");
  }
  change(folder, "UPDATE times SET seconds = 77 WHERE point = '" + point +
                     "'; UPDATE pictures SET loads = 'other'; DELETE FROM plan WHERE position = 0");
  EXPECT_EQ(sentences(*Store::reader(folder)),
            (std::vector<std::string>{"the time of the point " + point + " is damaged",
                                      "the picture of the inputs abc is damaged",
                                      "the list of the study's points is damaged"}));
  EXPECT_FALSE(Store::reader(folder)->picture("abc"));
  EXPECT_FALSE(Store::reader(folder)->times().contains(point));
  const Answer answer = run_study(folder);
  EXPECT_EQ(answer.text, sound);
  EXPECT_EQ(answer.measured, 0u);
  EXPECT_TRUE(Store::reader(folder)->damage().empty());
}

// One bit after another over the whole file, in steps that meet every place of a byte.
TEST_F(DamagedStore, OfASingleBitIsNoticedOrHarmless) {
  const std::string bytes = read_file(store_path(folder));
  const auto is_harmless = [&](std::size_t bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    scratch.file("results.sqlite", damaged);
    try {
      const Answer answer = run_study(folder);
      EXPECT_EQ(answer.text, sound) << "bit " << bit;
      return answer.measured == 0;
    } catch (const InputError&) {
      return false;
    }
  };
  std::size_t noticed = 0;
  constexpr std::size_t step = 163;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += step) noticed += !is_harmless(bit);
  EXPECT_GT(noticed, 100u);
}

}  // namespace
}  // namespace banyan::tests
