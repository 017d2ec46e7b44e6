#include "study/toml.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

#include "base/suggest.hpp"
#include "base/text.hpp"

namespace banyan::study {
namespace {

std::string dashed(std::string_view key) {
  std::string out(key);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  TomlValue read(const toml::node& node) const {
    const u64 line = node.source().begin.line;
    if (const auto* table = node.as_table()) return {line, read_table(*table)};
    if (const auto* list = node.as_array()) {
      TomlValue::List out;
      for (const toml::node& item : *list) out.push_back(read(item));
      return {line, std::move(out)};
    }
    if (const auto* text = node.as_string()) return {line, text->get()};
    if (const auto* number = node.as_integer()) return {line, i64{number->get()}};
    if (const auto* number = node.as_floating_point()) return {line, number->get()};
    if (const auto* truth = node.as_boolean()) return {line, truth->get()};
    throw InputError({file_, line}, "dates and times mean nothing here");
  }

 private:
  // The library keeps keys by the alphabet; we want them as they were written.
  TomlValue::Table read_table(const toml::table& table) const {
    std::vector<std::pair<toml::source_position, TomlEntry>> found;
    for (const auto& [key, value] : table)
      found.emplace_back(key.source().begin, TomlEntry{std::string(key.str()), read(value)});
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    TomlValue::Table out;
    for (auto& [position, entry] : found) out.push_back(std::move(entry));
    return out;
  }

  std::string file_;
};

}  // namespace

TomlValue parse_toml(std::string_view text, const std::string& file) {
  try {
    return Reader(file).read(toml::parse(text));
  } catch (const toml::parse_error& error) {
    throw InputError({file, error.source().begin.line}, std::string(error.description()));
  }
}

std::string scalar_text(const TomlValue& value, const Place& place, std::string_view what) {
  if (const auto* text = std::get_if<std::string>(&value.is)) return *text;
  if (const auto* number = std::get_if<i64>(&value.is)) return fmt::format("{}", *number);
  if (const auto* number = std::get_if<double>(&value.is)) return fmt::format("{}", *number);
  if (const auto* truth = std::get_if<bool>(&value.is)) return *truth ? "1" : "0";
  throw InputError(place,
                   fmt::format("{} is a {}; expected one value", what, value.list() ? "list" : "table"));
}

TomlKeys::TomlKeys(const TomlValue& table, std::string file, std::string what)
    : table_(table.table() ? *table.table()
                           : throw InputError({file, table.line}, fmt::format("expected a table, {}", what))),
      place_{file, table.line},
      file_(std::move(file)),
      what_(std::move(what)) {}

const TomlValue* TomlKeys::take(std::string_view key) {
  taken_.emplace_back(key);
  const TomlValue* out = nullptr;
  for (const TomlEntry& entry : table_) {
    if (dashed(entry.key) != dashed(key)) continue;
    if (out) throw InputError(at(entry.value), fmt::format("'{}' is given twice", entry.key));
    out = &entry.value;
  }
  return out;
}

const TomlValue& TomlKeys::need(std::string_view key) {
  if (const TomlValue* found = take(key)) return *found;
  throw InputError(place_, fmt::format("{}: the key '{}' is missing", what_, key));
}

std::string TomlKeys::text(std::string_view key, std::string otherwise) {
  const TomlValue* found = take(key);
  if (!found) return otherwise;
  if (const auto* text = std::get_if<std::string>(&found->is)) return *text;
  throw InputError(at(*found), fmt::format("{} must be a text in quotes", key));
}

double TomlKeys::number(std::string_view key, double otherwise) {
  const TomlValue* found = take(key);
  if (!found) return otherwise;
  double out = -1;
  if (const auto* whole = std::get_if<i64>(&found->is)) out = static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&found->is)) out = *real;
  const bool is_fine = out >= 0 && out < 1e300;  // no for what is no number
  if (!is_fine) throw InputError(at(*found), fmt::format("{} must be a number, not negative", key));
  return out;
}

bool TomlKeys::truth(std::string_view key, bool otherwise) {
  const TomlValue* found = take(key);
  if (!found) return otherwise;
  if (const auto* truth = std::get_if<bool>(&found->is)) return *truth;
  throw InputError(at(*found), fmt::format("{} must be true or false", key));
}

void TomlKeys::refuse_rest() const {
  const std::vector<std::string_view> known(taken_.begin(), taken_.end());
  for (const TomlEntry& entry : table_) {
    const auto is_it = [&](const std::string& key) { return dashed(key) == dashed(entry.key); };
    if (std::none_of(taken_.begin(), taken_.end(), is_it))
      throw InputError(at(entry.value),
                       fmt::format("{}: unknown key '{}'{}", what_, entry.key, suggestion(entry.key, known)));
  }
}

}  // namespace banyan::study
