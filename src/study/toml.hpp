// TOML as values of our own that know their line: the library's header is seen by one file only.
#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"

namespace banyan::study {

struct TomlEntry;

struct TomlValue {
  using List = std::vector<TomlValue>;
  using Table = std::vector<TomlEntry>;  // in the order of the file

  u64 line = 0;
  std::variant<bool, i64, double, std::string, List, Table> is;

  const List* list() const { return std::get_if<List>(&is); }
  const Table* table() const { return std::get_if<Table>(&is); }
};

struct TomlEntry {
  std::string key;
  TomlValue value;
};

TomlValue parse_toml(std::string_view text, const std::string& file);  // throws InputError

// The keys of a table, taken one by one; '-' and '_' are alike. What nobody took is refused.
class TomlKeys {
 public:
  // `what` names the table in messages: "[load]".
  TomlKeys(const TomlValue& table, std::string file, std::string what);

  const TomlValue* take(std::string_view key);  // nullptr: not there
  const TomlValue& need(std::string_view key);  // throws InputError
  std::string text(std::string_view key, std::string otherwise);
  double number(std::string_view key, double otherwise);  // not negative
  bool truth(std::string_view key, bool otherwise);
  void refuse_rest() const;  // throws InputError, naming the nearest key

  Place at(const TomlValue& value) const { return {file_, value.line}; }

 private:
  const TomlValue::Table& table_;
  Place place_;
  std::string file_, what_;
  std::vector<std::string> taken_;
};

// A text, or a number or truth as it would be written; anything else throws InputError.
std::string scalar_text(const TomlValue& value, const Place& place, std::string_view what);

}  // namespace banyan::study
