// The checksums of a store: SQLite notices damage to its own structure, and these notice it in what it holds.
// Each is of all that was written together, so that a lost row is noticed as well as a changed one.
#pragma once
#include <compare>
#include <set>
#include <string>

#include "study/query.hpp"

namespace banyan::study {

// What has a checksum of its own.
enum class Sealed : u8 {
  point,    // by its name, with its rows and texts
  time,     // by the name of its point
  picture,  // by its inputs
  study     // the plan and the table `study`; its name is ""
};

struct StoreDamage {
  Sealed kind;
  std::string name;
  auto operator<=>(const StoreDamage&) const = default;
};

std::string_view name(Sealed kind);
// A sentence without its end: "the point cost | 4-ary 2-tree is damaged".
std::string sentence(const StoreDamage& damage);

// The database and the path must outlive it. All of it throws InputError where SQLite cannot read.
class Checksums {
 public:
  Checksums(sqlite3* db, const std::string& path) : db_(db), path_(path) {}

  // Within the transaction that wrote what it is of. What is not there any more loses its checksum.
  void seal(Sealed kind, const std::string& name) const;
  bool is_sound(Sealed kind, const std::string& name) const;

  // All that differs from its checksum, has none, or is gone; rows of no point count as a point. Reads the
  // whole store, or all of a kind. Throws InputError also where a row is not found by its key.
  std::set<StoreDamage> damage() const;
  std::set<StoreDamage> damage(Sealed kind) const;

 private:
  sqlite3* db_;
  const std::string& path_;
};

}  // namespace banyan::study
