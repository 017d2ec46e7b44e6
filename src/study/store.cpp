#include "study/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>

#include "base/assert.hpp"
#include "base/file.hpp"
#include "base/version.hpp"
#include "study/query.hpp"

namespace banyan::study {
namespace {

// In the file's header, where file(1) and SQLite look for them. The format is that of the tables below: one
// that changes them raises it.
constexpr int application_id = 0x42616e79;  // "Bany"
constexpr int format = 2, format_without_checksums = 1;

constexpr const char* schema = R"sql(
CREATE TABLE rows(
  point TEXT NOT NULL, metric TEXT NOT NULL, value REAL, unit TEXT NOT NULL, half_width REAL,
  seed INTEGER NOT NULL, version TEXT NOT NULL, PRIMARY KEY(point, metric)) WITHOUT ROWID;
CREATE TABLE texts(
  point TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY(point, name)) WITHOUT ROWID;
CREATE TABLE points(
  point TEXT PRIMARY KEY, measure TEXT NOT NULL, fabric TEXT NOT NULL, without TEXT NOT NULL, engine TEXT NOT NULL,
  traffic TEXT NOT NULL, placement TEXT NOT NULL, ranks INTEGER NOT NULL, seed INTEGER NOT NULL,
  options TEXT NOT NULL, inputs TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX by_inputs ON points(inputs);
CREATE TABLE plan(position INTEGER PRIMARY KEY, point TEXT NOT NULL UNIQUE);
CREATE TABLE study(name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE times(point TEXT PRIMARY KEY, seconds REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE pictures(
  inputs TEXT PRIMARY KEY, map TEXT NOT NULL, loads TEXT NOT NULL, matrix TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE checksums(
  kind TEXT NOT NULL, name TEXT NOT NULL, checksum TEXT NOT NULL, PRIMARY KEY(kind, name)) WITHOUT ROWID;
)sql";

std::string lock_path(const std::string& folder) { return folder + "/lock"; }

// Held while it lives; of a process that ends in whatever way the system lets go.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder) {
    const std::string path = lock_path(folder);
    file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) throw InputError(Place{path}, "cannot be written");
    if (flock(file_, LOCK_EX | LOCK_NB) == 0) return;
    close(file_);
    throw InputError(Place{folder}, "another study is writing here");
  }
  ~FolderLock() { close(file_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_;
};

// The statements that made all it has.
std::vector<std::string> schema_of(sqlite3* db, const std::string& path) {
  std::vector<std::string> out;
  Query all(db, path, "SELECT type || ' ' || name || ' ' || ifnull(sql, '') FROM sqlite_master ORDER BY 1");
  while (all.step()) out.push_back(all.text(0));
  return out;
}

std::vector<std::string> expected_schema() {
  sqlite3* opened = nullptr;
  sqlite3_open(":memory:", &opened);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> db(opened, sqlite3_close);
  sqlite3_exec(opened, schema, nullptr, nullptr, nullptr);
  return schema_of(opened, "");
}

const std::string& made(const std::string& folder) {
  make_folder(folder);
  return folder;
}

std::string options_of(const PluginText& options) {
  std::vector<std::string> out;
  for (const auto& [key, value] : options.options) out.push_back(fmt::format("{}={}", key, value));
  return fmt::format("{}", fmt::join(out, " "));
}

}  // namespace

std::string store_path(const std::string& folder) { return folder + "/results.sqlite"; }

struct Store::Impl {
  Impl(const std::string& folder, bool writes) : path(store_path(folder)) {
    if (writes) lock.emplace(made(folder));
    sqlite3* opened = nullptr;
    const int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    const int status = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
    handle.reset(opened);
    if (status != SQLITE_OK) throw InputError(Place{path}, sqlite3_errmsg(opened));
    sqlite3_busy_timeout(opened, 60'000);                              // someone may be reading
    sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);  // it may be anybody's
    sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    if (writes && is_new())
      whole([&] {
        run(schema);
        run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application_id, format)
                .c_str());
      });
    check();
    at_one_moment([&] { damage = checksums().damage(); });
    if (!writes) return;
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");  // a point costs no wait for the disk
  }

  bool is_new() { return number("SELECT count(*) FROM sqlite_master") == 0 && is_of(0, 0); }
  bool is_of(int application, int version) {
    return number("PRAGMA application_id") == application && number("PRAGMA user_version") == version;
  }
  int number(const char* sql) {
    Query found = query(sql);
    return found() ? static_cast<int>(found.whole(0)) : 0;
  }

  // Throws InputError for what is no store, one of another format, or damaged.
  void check() {
    const auto refuse = [&](const std::string& what) { throw InputError(Place{path}, what); };
    if (const int found = number("PRAGMA application_id"); found != application_id)
      refuse(fmt::format(
          "is not a store of results: its application_id is {}, expected {}; another folder takes a new one",
          found, application_id));
    const int found = number("PRAGMA user_version");
    if (found == format_without_checksums)
      refuse(
          "has format 1, which has no checksums: an older version of banyan wrote it, whose points this one "
          "would measure again; another folder takes a new store");
    if (found != format)
      refuse(fmt::format("has format {}, expected {}: another version of banyan wrote it", found, format));
    if (schema_of(handle.get(), path) != expected_schema())
      refuse("has other tables than a store of results");
    Query sound = query("PRAGMA integrity_check(1)");
    if (!sound() || sound.text(0) != "ok") refuse("is damaged: " + sound.text(0));
  }

  // Leaves one plain file behind, unless someone is reading just now.
  struct Close {
    void operator()(sqlite3* db) const {
      sqlite3_busy_timeout(db, 0);
      if (sqlite3_db_readonly(db, "main") == 0)
        sqlite3_exec(db, "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr);
      sqlite3_close(db);
    }
  };

  void run(const char* sql) {
    if (sqlite3_exec(handle.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
      throw InputError(Place{path}, sqlite3_errmsg(handle.get()));
  }
  Query query(const char* sql) const { return {handle.get(), path, sql}; }
  Checksums checksums() const { return {handle.get(), path}; }
  bool is_damaged(Sealed kind, const std::string& name) const { return damage.contains({kind, name}); }

  // All that f writes, or nothing.
  template <class F>
  void whole(F&& f) {
    within("BEGIN IMMEDIATE", f);
  }
  // All that f reads, whoever is writing.
  template <class F>
  void at_one_moment(F&& f) {
    within("BEGIN", f);
  }
  template <class F>
  void within(const char* begin, F& f) {
    run(begin);
    try {
      f();
      run("COMMIT");
    } catch (...) {
      sqlite3_exec(handle.get(), "ROLLBACK", nullptr, nullptr, nullptr);
      throw;
    }
  }

  std::vector<StoredPoint> read() const;
  void drop_damaged();
  void forget(const std::string& point);
  void write(const Study& study, const Point& point, const std::string& inputs, const Rows& found,
             double seconds);

  std::optional<FolderLock> lock;
  std::string path;
  std::unique_ptr<sqlite3, Close> handle;
  std::set<StoreDamage> damage;  // found when it was opened, and not dropped since
};

Store::Store(const std::string& folder) : impl_(std::make_unique<Impl>(folder, true)) {}
Store::Store(std::unique_ptr<Impl> body) : impl_(std::move(body)) {}
std::unique_ptr<const Store> Store::reader(const std::string& folder) {
  return std::unique_ptr<const Store>(new Store(std::make_unique<Impl>(folder, false)));
}
Store::~Store() = default;

// Where the same inputs stand under another name: that one is moved, or copied if the plan has it too.
void Store::rename(const Study& study, const Point& p, const std::string& inputs) {
  if (impl_->query("SELECT 1 FROM points WHERE point = ?1 AND inputs = ?2")(p.name, inputs)) return;
  Query same = impl_->query(
      "SELECT point, point IN (SELECT point FROM plan) FROM points WHERE inputs = ?1 ORDER BY 2, 1 LIMIT 1");
  if (!same(inputs)) return;
  const std::string old = same.text(0);
  const bool stays = same.whole(1) != 0;
  Rows found;
  Query rows = impl_->query("SELECT metric, value, unit, half_width FROM rows WHERE point = ?1");
  for (bool more = rows(old); more; more = rows.step())
    found.add(rows.text(0), rows.real(1), rows.text(2), rows.real(3));
  Query texts = impl_->query("SELECT name, text FROM texts WHERE point = ?1");
  for (bool more = texts(old); more; more = texts.step())
    found.texts.emplace_back(texts.text(0), texts.text(1));
  Query time = impl_->query("SELECT seconds FROM times WHERE point = ?1");
  impl_->write(study, p, inputs, found, time(old) ? time.real(0) : 0);
  if (!stays) impl_->forget(old);
}

void Store::plan(const Study& study, const std::vector<Point>& points,
                 const std::vector<std::string>& inputs) {
  BANYAN_ASSERT(points.size() == inputs.size(), "every planned point has inputs");
  const std::scoped_lock lock(one_at_a_time_);
  impl_->whole([&] {
    impl_->drop_damaged();
    impl_->run("DELETE FROM plan; DELETE FROM study");
    Query planned = impl_->query("INSERT INTO plan VALUES(?1, ?2)");
    for (std::size_t i = 0; i < points.size(); ++i) planned(i, points[i].name);
    Query named = impl_->query("INSERT INTO study VALUES(?1, ?2)");
    named("title", study.title);
    named("file", study.text);
    named("version", version());
    impl_->checksums().seal(Sealed::study, "");
    for (std::size_t i = 0; i < points.size(); ++i) rename(study, points[i], inputs[i]);
  });
  impl_->damage.clear();
}

bool Store::has(const std::string& inputs) const {
  const std::scoped_lock lock(one_at_a_time_);
  Query found = impl_->query("SELECT point FROM points WHERE inputs = ?1");
  for (bool more = found(inputs); more; more = found.step())
    if (!impl_->is_damaged(Sealed::point, found.text(0))) return true;
  return false;
}

std::set<StoreDamage> Store::damage() const {
  const std::scoped_lock lock(one_at_a_time_);
  return impl_->damage;
}

StoreCounts Store::counts() const {
  const std::scoped_lock lock(one_at_a_time_);
  Query found = impl_->query(
      "SELECT (SELECT count(*) FROM points), (SELECT count(*) FROM rows), (SELECT count(*) FROM texts)");
  found();
  return {found.whole(0), found.whole(1), found.whole(2)};
}

// What is left of it goes too, and so do the checksums of what is gone.
void Store::Impl::drop_damaged() {
  for (const auto& [kind, name] : damage) {
    if (kind == Sealed::point) forget(name);
    if (kind == Sealed::time) query("DELETE FROM times WHERE point = ?1")(name);
    if (kind == Sealed::picture) query("DELETE FROM pictures WHERE inputs = ?1")(name);
    checksums().seal(kind, name);
  }
}

void Store::Impl::forget(const std::string& point) {
  for (const char* table : {"DELETE FROM rows WHERE point = ?1", "DELETE FROM texts WHERE point = ?1",
                            "DELETE FROM times WHERE point = ?1", "DELETE FROM points WHERE point = ?1",
                            "DELETE FROM checksums WHERE name = ?1 AND kind IN ('point', 'time')"})
    query(table)(point);
}

void Store::Impl::write(const Study& study, const Point& p, const std::string& inputs, const Rows& found,
                        double seconds) {
  const StudyMeasure& measure = *study.measures[p.measure].measure;
  const std::string without = measure.needs >= Needs::fabric ? study.without[p.faults].text() : "";
  forget(p.name);
  query("INSERT INTO points VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)")(
      p.name, measure.name, study.fabrics[p.fabric].name, without, p.engine, p.traffic, p.placement, p.ranks,
      p.seed, options_of(p.options), inputs);
  Query row = query("INSERT INTO rows VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  for (const Row& r : found.rows) row(p.name, r.metric, r.value, r.unit, r.half_width, p.seed, version());
  Query text = query("INSERT INTO texts VALUES(?1, ?2, ?3)");
  for (const auto& [name, content] : found.texts) text(p.name, name, content);
  query("INSERT INTO times VALUES(?1, ?2)")(p.name, seconds);
  checksums().seal(Sealed::point, p.name);
  checksums().seal(Sealed::time, p.name);
}

void Store::finish(const Study& study, const Point& point, const std::string& inputs, const Rows& found,
                   double seconds) {
  BANYAN_ASSERT(!found.rows.empty(), "a finished point has rows");
  const std::scoped_lock lock(one_at_a_time_);
  impl_->whole([&] { impl_->write(study, point, inputs, found, seconds); });
}

void Store::keep_picture(const std::string& inputs, const Picture& picture) {
  const std::scoped_lock lock(one_at_a_time_);
  impl_->whole([&] {
    impl_->query("INSERT OR REPLACE INTO pictures VALUES(?1, ?2, ?3, ?4)")(inputs, picture.map, picture.loads,
                                                                           picture.matrix);
    impl_->checksums().seal(Sealed::picture, inputs);
  });
}

std::optional<Picture> Store::picture(const std::string& inputs) const {
  const std::scoped_lock lock(one_at_a_time_);
  Query found = impl_->query("SELECT map, loads, matrix FROM pictures WHERE inputs = ?1");
  if (!found(inputs) || !impl_->checksums().is_sound(Sealed::picture, inputs)) return std::nullopt;
  return Picture{found.text(0), found.text(1), found.text(2)};
}

StoredTimes Store::times() const {
  const std::scoped_lock lock(one_at_a_time_);
  StoredTimes out;
  Query query = impl_->query("SELECT point, seconds FROM times");
  while (query.step())
    if (const std::string point = query.text(0);
        !impl_->is_damaged(Sealed::time, point) && !impl_->is_damaged(Sealed::point, point))
      out.emplace(point, query.real(1));
  return out;
}

std::vector<StoredPoint> Store::Impl::read() const {
  std::vector<StoredPoint> out;
  Query points = query(
      "SELECT point, measure, fabric, without, engine, traffic, placement, options, ranks, seed "
      "FROM plan JOIN points USING(point) ORDER BY position");
  Query rows = query("SELECT metric, value, unit, half_width FROM rows WHERE point = ?1");
  Query texts = query("SELECT name, text FROM texts WHERE point = ?1");
  while (points.step()) {
    StoredPoint p{points.text(0),
                  points.text(1),
                  points.text(2),
                  points.text(3),
                  points.text(4),
                  points.text(5),
                  points.text(6),
                  points.text(7),
                  points.whole(8),
                  points.whole(9),
                  {},
                  {}};
    for (bool more = rows(p.point); more; more = rows.step())
      p.rows.push_back({rows.text(0), rows.real(1), rows.text(2), rows.real(3)});
    for (bool more = texts(p.point); more; more = texts.step())
      p.texts.emplace_back(texts.text(0), texts.text(1));
    out.push_back(std::move(p));
  }
  return out;
}

std::vector<StoredPoint> Store::read() const {
  const std::scoped_lock lock(one_at_a_time_);
  std::vector<StoredPoint> out;
  std::set<StoreDamage> damage;
  impl_->at_one_moment([&] {
    out = impl_->read();
    damage = impl_->checksums().damage(Sealed::point);
  });
  for (const StoredPoint& p : out)
    if (const StoreDamage found{Sealed::point, p.point}; damage.contains(found))
      throw InputError(Place{impl_->path}, sentence(found));
  return out;
}

OpenedStore::OpenedStore(const std::string& folder)
    : folder_(folder),
      had_folder_(std::filesystem::exists(folder)),
      had_store_(std::filesystem::exists(store_path(folder))) {
  if (had_store_) store_ = std::make_unique<Store>(folder);
}

Store& OpenedStore::opened() {
  if (store_) return *store_;
  had_store_ = std::filesystem::exists(store_path(folder_));  // if another process has made it meanwhile
  store_ = std::make_unique<Store>(folder_);
  return *store_;
}

void OpenedStore::take_back() {
  if (had_store_) return store_.reset();
  std::error_code ignored;
  const std::string path = store_path(folder_);
  for (const std::string& file : {path, path + "-wal", path + "-shm", path + "-journal", lock_path(folder_)})
    std::filesystem::remove(file, ignored);  // while it is ours
  store_.reset();
  if (!had_folder_) std::filesystem::remove(folder_, ignored);  // unless another put something there
}

}  // namespace banyan::study
