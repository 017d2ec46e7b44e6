// A statement of SQLite: values in, rows out. What SQLite refuses is thrown as InputError with the file.
#pragma once
#include <sqlite3.h>

#include <cmath>
#include <concepts>
#include <string>
#include <string_view>

#include "ask/answer.hpp"
#include "base/error.hpp"

namespace banyan::study {

// Database and path must outlive it.
class Query {
 public:
  Query(sqlite3* db, const std::string& path, const char* sql) : db_(db), path_(path) {
    if (sqlite3_prepare_v2(db, sql, -1, &statement_, nullptr) != SQLITE_OK) fail();
  }
  ~Query() { sqlite3_finalize(statement_); }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // The values for ?1, ?2, ...; then one step. True: there is a row.
  template <class... Values>
  bool operator()(const Values&... values) {
    sqlite3_reset(statement_);
    int i = 0;
    (bind(++i, values), ...);
    return step();
  }
  bool step() {
    const int status = sqlite3_step(statement_);
    if (status != SQLITE_ROW && status != SQLITE_DONE) fail();
    return status == SQLITE_ROW;
  }

  int columns() const { return sqlite3_column_count(statement_); }
  int type(int column) const { return sqlite3_column_type(statement_, column); }

  // No column of a store that is read as a text holds anything else: throws InputError.
  std::string text(int column) const {
    if (type(column) != SQLITE_TEXT) throw InputError(Place{path_}, "is damaged: a text is no text any more");
    return bytes(column);
  }
  std::string bytes(int column) const {  // of a text or a blob
    const void* found = sqlite3_column_blob(statement_, column);
    return {static_cast<const char*>(found),
            static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }
  u64 whole(int column) const { return static_cast<u64>(sqlite3_column_int64(statement_, column)); }
  double real(int column) const {
    return type(column) == SQLITE_NULL ? Row::none : sqlite3_column_double(statement_, column);
  }

 private:
  void bind(int i, std::string_view value) {
    sqlite3_bind_text(statement_, i, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
  }
  void bind(int i, double value) {
    std::isfinite(value) ? sqlite3_bind_double(statement_, i, value) : sqlite3_bind_null(statement_, i);
  }
  void bind(int i, std::integral auto value) {
    sqlite3_bind_int64(statement_, i, static_cast<sqlite3_int64>(value));
  }
  [[noreturn]] void fail() const { throw InputError(Place{path_}, sqlite3_errmsg(db_)); }

  sqlite3* db_;
  const std::string& path_;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace banyan::study
