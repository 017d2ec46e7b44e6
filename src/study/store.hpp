// The results of a study: DIR/results.sqlite. A point is finished in one transaction, so that a process that
// is killed at any moment has all of it in the store, or nothing. docs/study.md lists the tables.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "study/checksums.hpp"
#include "study/picture.hpp"

namespace banyan::study {

struct StoredPoint {
  std::string point, measure, fabric, without, engine, traffic, placement, options;
  u64 ranks = 0, seed = 0;
  std::vector<Row> rows;
  std::vector<std::pair<std::string, std::string>> texts;

  bool has_failed() const { return rows.size() == 1 && rows.front().metric == "failed"; }
};

// Seconds that finished points took, by their names.
using StoredTimes = std::map<std::string, double>;

struct StoreCounts {
  u64 points = 0, rows = 0, texts = 0;
};

// Everything in it has a checksum. What differs from its checksum is never given out: damage() names it,
// has(), times() and picture() do not know it, read() throws, and plan() drops it.
class Store {
 public:
  // Makes the folder if need be, and keeps all others from writing into it. Throws InputError, also for a
  // file that is no store, has another format or is damaged in its structure: such a file stays as it is.
  explicit Store(const std::string& folder);
  // One that is only looked at, whoever is writing into it.
  static std::unique_ptr<const Store> reader(const std::string& folder);
  ~Store();

  // The study as it is now: which points with which inputs, in which order. What was finished under another
  // name is found under its new one; what was finished for other points stays.
  void plan(const Study& study, const std::vector<Point>& points, const std::vector<std::string>& inputs);

  bool has(const std::string& inputs) const;  // finished, under whatever name

  std::set<StoreDamage> damage() const;  // what was found when it was opened, until plan()
  StoreCounts counts() const;            // of all points, also of those that the study does not ask for

  // From any thread. Replaces what was found for other inputs.
  void finish(const Study& study, const Point& point, const std::string& inputs, const Rows& found,
              double seconds);

  // The finished points of the study, in its order. Throws InputError where one is damaged.
  std::vector<StoredPoint> read() const;

  StoredTimes times() const;

  // From any thread. The picture of a point with these inputs.
  void keep_picture(const std::string& inputs, const Picture& picture);
  std::optional<Picture> picture(const std::string& inputs) const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> body);
  void rename(const Study& study, const Point& point, const std::string& inputs);

  std::unique_ptr<Impl> impl_;
  mutable std::mutex one_at_a_time_;
};

std::string store_path(const std::string& folder);

// A store that a command opens, and takes back if it was new and no point came into it.
class OpenedStore {
 public:
  explicit OpenedStore(const std::string& folder);  // only looks whether there is one; opens that
  Store* get() { return store_.get(); }             // null: there is none
  Store& opened();                                  // makes it if need be
  // Closes it. One that opened() made is removed, and so is its folder, if that was made for it.
  void take_back();

 private:
  std::string folder_;
  bool had_folder_ = false, had_store_ = false;
  std::unique_ptr<Store> store_;
};

}  // namespace banyan::study
