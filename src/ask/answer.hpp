// Answers: plain structs that list their members once, with name, unit and meaning. JSON, a study's rows, CSV
// and the schema in docs/openapi.json are made from that list, so that a number has one name everywhere.
//
//   struct LoadAnswer {
//     u64 rounds = 1;
//     Interval max_load;
//     std::optional<RatesAnswer> rates;  // where they were asked for
//
//     static void fields(auto& self, auto&& f) {
//       f("rounds", self.rounds, "", "of the traffic");
//       f("max_load", self.max_load, "flows", "on the heaviest channel; mean over samples, 99 % interval");
//       ask::part(self.rates, f);  // its fields among one's own
//     }
//   };
//
// A member is a bool, a whole number, a double, a text or a choice among names; an Interval, which gives two
// values, `x` and `x_half_width`; a std::vector of these; another answer, which is an object of its own, or a
// vector of answers, which is a table. A std::optional that is empty was not asked for: it is left out. A
// double that is not finite is not known: null in JSON, and no row; so is what or_null() lists and is not
// there. A double that may not be known has `unknown` as its default, so that the schema says so. Members
// that are not listed are for those who lay out text.
#pragma once
#include <cmath>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/json_writer.hpp"
#include "base/options.hpp"
#include "base/or_null.hpp"
#include "base/statistics.hpp"

namespace banyan::ask {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// What a question that may not apply is answered with.
template <class Answer>
using Result = std::variant<Answer, NotApplicable>;

// A field in words. An interval is two fields.
struct FieldInfo {
  std::string name;
  std::string_view type;  // boolean, integer, number, string, array or object, as JSON Schema has them
  std::string unit, meaning;
  std::string_view items{};            // of an array: the type of its members; of arrays in it, of theirs
  u32 dimensions = 0;                  // of an array: 1, or more for an array of arrays
  std::vector<std::string> choices{};  // of a choice among names
  std::vector<FieldInfo> fields{};     // of an object, or of each object in an array
  bool may_be_null = false;
  bool is_optional = false;  // left out where it was not asked for
};

// A number of a study: one of an answer's fields, as it is stored.
struct Row {
  static constexpr double none = unknown;

  std::string metric;
  double value = 0;
  std::string unit{};
  double half_width = none;  // of the confidence interval, where there is one
};

// An answer as rows: its numbers, and its texts, such as a counterexample.
struct Rows {
  std::vector<Row> rows{};
  std::vector<std::pair<std::string, std::string>> texts{};

  void add(std::string metric, double value, std::string unit = "", double half_width = Row::none) {
    rows.push_back({std::move(metric), value, std::move(unit), half_width});
  }
};

template <class T>
constexpr bool is_vector = false;
template <class T>
constexpr bool is_vector<std::vector<T>> = true;
template <class T>
constexpr bool is_or_null = false;
template <class T>
constexpr bool is_or_null<OrNull<T>> = true;
template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;

struct FieldVisitor {
  void operator()(std::string_view name, const auto& value, std::string_view unit,
                  std::string_view meaning) const;
};
template <class T>
concept Answer = requires(const T& answer, const FieldVisitor& f) { T::fields(answer, f); };

template <Answer A>
inline const A none_of{};  // for its list of fields

// The fields of `content` among those of the answer that calls this; of an optional one, if it is there.
template <Answer A>
void part(const std::optional<A>& content, auto&& f) {
  if (content)
    A::fields(*content, f);
  else if constexpr (requires { f.describes; })
    A::fields(none_of<A>, f.optional());
}

// Options as fields of an answer that repeats them.
template <class Options>
void option_fields(const Options& options, auto&& f) {
  Options::fields(options, [&](std::string_view key, const auto& value, std::string_view meaning) {
    std::string name(key);
    for (char& c : name)
      if (c == '-') c = '_';
    f(name, value, "", meaning);
  });
}

// --- JSON: the fields of an answer as fields of the object that is open
// -------------------------------------
template <Answer A>
void write_fields(JsonWriter& json, const A& answer);

template <class T>
void write_value(JsonWriter& json, const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    std::isfinite(value) ? json.value(value) : json.null();
  } else if constexpr (NamedChoice<T>) {
    json.value(option_text(value));
  } else if constexpr (DenseId<T>) {
    value == none<T> ? json.null() : json.value(index(value));
  } else if constexpr (is_or_null<T>) {
    value.value ? write_value(json, *value.value) : static_cast<void>(json.null());
  } else if constexpr (Answer<T>) {
    json.begin_object();
    write_fields(json, value);
    json.end_object();
  } else if constexpr (is_vector<T>) {
    json.begin_array();
    for (const auto& item : value) write_value(json, item);
    json.end_array();
  } else {
    json.value(value);
  }
}

template <class T>
void write_field(JsonWriter& json, std::string_view name, const T& value) {
  if constexpr (is_optional<T>) {
    if (value) write_field(json, name, *value);
  } else if constexpr (std::is_same_v<T, Interval>) {
    write_value(json.key(name), value.mean);
    write_value(json.key(std::string(name) + "_half_width"), value.half_width);
  } else {
    write_value(json.key(name), value);
  }
}

template <Answer A>
void write_fields(JsonWriter& json, const A& answer) {
  A::fields(answer, [&](std::string_view name, const auto& value, std::string_view, std::string_view) {
    write_field(json, name, value);
  });
}

// --- rows: the numbers and texts of an answer; its choices, arrays and tables are not among them
// ------------
template <class T>
void add_row(Rows& out, std::string_view name, const T& value, std::string_view unit) {
  if constexpr (is_optional<T>) {
    if (value) add_row(out, name, *value, unit);
  } else if constexpr (is_or_null<T>) {
    if (value.value) add_row(out, name, *value.value, unit);
  } else if constexpr (std::is_same_v<T, Interval>) {
    if (std::isfinite(value.mean))
      out.add(std::string(name), value.mean, std::string(unit), value.half_width);
  } else if constexpr (std::is_same_v<T, std::string>) {
    out.texts.emplace_back(name, value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    if (std::isfinite(static_cast<double>(value)))
      out.add(std::string(name), static_cast<double>(value), std::string(unit));
  }
}

template <Answer A>
Rows rows_of(const A& answer) {
  Rows out;
  A::fields(answer, [&](std::string_view name, const auto& value, std::string_view unit, std::string_view) {
    add_row(out, name, value, unit);
  });
  return out;
}

// That a question does not apply is a text.
template <class A>
Rows rows_of(const Result<A>& result) {
  if (const auto* answer = std::get_if<A>(&result)) return rows_of(*answer);
  return {{}, {{"not_applicable", std::get<NotApplicable>(result).why}}};
}
inline Rows rows_of(Rows rows) { return rows; }

// --- CSV: a table, one line for each answer, numbered in the first column
// -----------------------------------
template <class T>
std::string csv_text(const T& value) {
  if constexpr (is_or_null<T>) {
    return value.value ? csv_text(*value.value) : "";
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (value.find_first_of(",\"\n") == value.npos) return value;
    std::string quoted = "\"";
    for (const char c : value) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
  } else {
    return option_text(value);
  }
}

template <Answer A>
void write_csv(std::ostream& out, std::string_view number, const std::vector<A>& table) {
  out << number;
  A::fields(none_of<A>, [&](std::string_view name, const auto&, std::string_view, std::string_view) {
    out << ',' << name;
  });
  for (std::size_t i = 0; i < table.size(); ++i) {
    out << '\n' << i;
    A::fields(table[i], [&](std::string_view, const auto& value, std::string_view, std::string_view) {
      out << ',' << csv_text(value);
    });
  }
  out << '\n';
}

// --- the list itself, for docs/, the OpenAPI schema and bindings
// --------------------------------------------
template <Answer A>
std::vector<FieldInfo> fields_of();

template <class T>
FieldInfo described(const T& value) {
  FieldInfo out{};
  if constexpr (Answer<T>) {
    out.type = "object";
    out.fields = fields_of<T>();
  } else if constexpr (is_vector<T>) {
    FieldInfo item = described(typename T::value_type{});
    out.type = "array";
    out.items = item.dimensions > 0 ? item.items : item.type;
    out.dimensions = item.dimensions + 1;
    out.choices = std::move(item.choices);
    out.fields = std::move(item.fields);
  } else if constexpr (DenseId<T> && !NamedChoice<T>) {
    out.type = "integer";
  } else {
    out.type = schema_type<T>();
    out.choices = choices_of(value);
    if constexpr (std::is_floating_point_v<T>) out.may_be_null = !std::isfinite(value);
  }
  return out;
}

class FieldLister {
 public:
  static constexpr bool describes = true;  // parts that are not there are listed too

  explicit FieldLister(std::vector<FieldInfo>& out, bool is_optional = false)
      : out_(out), is_optional_(is_optional) {}
  FieldLister optional() const { return FieldLister(out_, true); }

  template <class T>
  void operator()(std::string_view name, const T& value, std::string_view unit,
                  std::string_view meaning) const {
    if constexpr (ask::is_optional<T>) {
      optional()(name, typename T::value_type{}, unit, meaning);
    } else if constexpr (is_or_null<T>) {
      (*this)(name, std::remove_cvref_t<decltype(*value.value)>{}, unit, meaning);
      out_.back().may_be_null = true;
    } else if constexpr (std::is_same_v<T, Interval>) {
      (*this)(name, value.mean, unit, meaning);
      (*this)(std::string(name) + "_half_width", value.half_width, unit,
              "half-width of the confidence interval of " + std::string(name));
      out_.back().may_be_null = true;
    } else {
      FieldInfo info = described(value);
      info.name = name;
      info.unit = unit;
      info.meaning = meaning;
      info.is_optional = is_optional_;
      out_.push_back(std::move(info));
    }
  }

 private:
  std::vector<FieldInfo>& out_;
  bool is_optional_;
};

template <Answer A>
std::vector<FieldInfo> fields_of() {
  std::vector<FieldInfo> out;
  A::fields(none_of<A>, FieldLister(out));
  return out;
}

}  // namespace banyan::ask
