#include "study/checksums.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "study/connection.hpp"
#include "study/hash.hpp"

namespace banyan::study {
namespace {

// A table of which `select` finds the part that belongs to ?1, in a fixed order; `count` counts all of it.
struct Part {
  const char *select, *count;
};

struct Kind {
  const char* name;
  const char* all;  // selects the names, also of what has lost its beginning
  std::vector<Part> parts;
};

// In the order of Sealed.
const std::array<Kind, 4>& kinds() {
  static const std::array<Kind, 4> all = {{
      {"point",
       "SELECT point FROM points UNION SELECT point FROM rows UNION SELECT point FROM texts "
       "UNION SELECT name FROM checksums WHERE kind = 'point'",
       {{"SELECT * FROM points WHERE point = ?1", "SELECT count(*) FROM points"},
        {"SELECT * FROM rows WHERE point = ?1 ORDER BY metric", "SELECT count(*) FROM rows"},
        {"SELECT * FROM texts WHERE point = ?1 ORDER BY name", "SELECT count(*) FROM texts"}}},
      {"time",
       "SELECT point FROM times UNION SELECT name FROM checksums WHERE kind = 'time'",
       {{"SELECT * FROM times WHERE point = ?1", "SELECT count(*) FROM times"}}},
      {"picture",
       "SELECT inputs FROM pictures UNION SELECT name FROM checksums WHERE kind = 'picture'",
       {{"SELECT * FROM pictures WHERE inputs = ?1", "SELECT count(*) FROM pictures"}}},
      {"study",
       "SELECT ''",
       {{"SELECT * FROM plan WHERE ?1 = '' ORDER BY position", "SELECT count(*) FROM plan"},
        {"SELECT * FROM study WHERE ?1 = '' ORDER BY name", "SELECT count(*) FROM study"}}},
  }};
  return all;
}

const Kind& of(Sealed kind) { return kinds()[static_cast<std::size_t>(kind)]; }

// A row's columns, each with its type, so that no other row packs to the same bytes.
void pack(Packer& out, const Query& row) {
  out << static_cast<u64>(row.columns());
  for (int i = 0; i < row.columns(); ++i) {
    const int type = row.type(i);
    out << static_cast<u64>(type);
    if (type == SQLITE_INTEGER) out << row.whole(i);
    if (type == SQLITE_FLOAT) out << row.real(i);
    if (type == SQLITE_TEXT || type == SQLITE_BLOB) out << row.bytes(i);
  }
}

// Computes checksums of one kind, one after another.
class ChecksumReader {
 public:
  ChecksumReader(sqlite3* db, const std::string& path, Sealed kind)
      : kind_(of(kind)), stored_(db, path, "SELECT checksum FROM checksums WHERE kind = ?1 AND name = ?2") {
    for (const Part& part : kind_.parts) selects_.push_back(std::make_unique<Query>(db, path, part.select));
    seen_.resize(selects_.size());
  }

  // Nothing: none of it is there.
  std::optional<std::string> computed(const std::string& name) {
    Packer all;
    bool is_there = false;
    for (std::size_t i = 0; i < selects_.size(); ++i) {
      Query& select = *selects_[i];
      for (bool more = select(name); more; more = select.step(), ++seen_[i]) {
        pack(all, select);
        is_there = true;
      }
      all << u64{0};  // where the table ends
    }
    if (!is_there) return std::nullopt;
    return fnv128(all.take());
  }
  std::optional<std::string> stored(const std::string& name) {
    if (!stored_(kind_.name, name)) return std::nullopt;
    return stored_.text(0);
  }
  bool is_sound(const std::string& name) { return computed(name) == stored(name); }

  u64 seen(std::size_t part) const { return seen_[part]; }  // rows, in all calls of computed()

 private:
  const Kind& kind_;
  std::vector<std::unique_ptr<Query>> selects_;
  Query stored_;
  std::vector<u64> seen_;
};

}  // namespace

std::string_view name(Sealed kind) { return of(kind).name; }

std::string sentence(const StoreDamage& damage) {
  switch (damage.kind) {
    case Sealed::point:
      return fmt::format("the point {} is damaged", damage.name);
    case Sealed::time:
      return fmt::format("the time of the point {} is damaged", damage.name);
    case Sealed::picture:
      return fmt::format("the picture of the inputs {} is damaged", damage.name);
    case Sealed::study:
      break;
  }
  return "the list of the study's points is damaged";
}

void Checksums::seal(Sealed kind, const std::string& name) const {
  const auto computed = ChecksumReader(db_, path_, kind).computed(name);
  if (computed)
    Query(db_, path_, "INSERT OR REPLACE INTO checksums VALUES(?1, ?2, ?3)")(study::name(kind), name,
                                                                             *computed);
  else
    Query(db_, path_, "DELETE FROM checksums WHERE kind = ?1 AND name = ?2")(study::name(kind), name);
}

bool Checksums::is_sound(Sealed kind, const std::string& name) const {
  return ChecksumReader(db_, path_, kind).is_sound(name);
}

std::set<StoreDamage> Checksums::damage(Sealed kind) const {
  std::set<StoreDamage> out;
  ChecksumReader reader(db_, path_, kind);
  Query names(db_, path_, of(kind).all);
  while (names.step())
    if (const std::string name = names.text(0); !reader.is_sound(name)) out.insert({kind, name});
  for (std::size_t i = 0; i < of(kind).parts.size(); ++i) {
    Query count(db_, path_, of(kind).parts[i].count);
    if (count(); count.whole(0) != reader.seen(i))
      throw InputError(Place{path_}, "is damaged: rows are not where their keys say");
  }
  return out;
}

std::set<StoreDamage> Checksums::damage() const {
  std::set<StoreDamage> out;
  for (const Sealed kind : {Sealed::point, Sealed::time, Sealed::picture, Sealed::study})
    out.merge(damage(kind));
  return out;
}

}  // namespace banyan::study
