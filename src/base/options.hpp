// Options of plug-ins. An options struct lists its fields once, with default and meaning; parsing, printing
// and help use that list. Options are written NAME, NAME:VALUE (the first field) or NAME:key=value,...
//
//   struct NueOptions {
//     u32 lanes = 1;
//     static void fields(auto& self, auto&& f) { f("lanes", self.lanes, "how many lanes it may use"); }
//   };
#pragma once
#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/number_or_text.hpp"
#include "base/text.hpp"
#include "base/units.hpp"

namespace banyan::base {

// The text that the user wrote, split into name, keys and values but not yet interpreted.
struct PluginText {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options;  // the key is empty for NAME:VALUE

  void set(std::string key, std::string value);  // refuses a second value for the same key
};
PluginText parse_plugin(std::string_view text);
std::string plugin_text(const PluginText& plugin);  // as it would be written

// The value of an option that names a file, or a folder of files. A study finds it beside itself, and counts
// it by its content.
struct FilePath {
  std::string path;
  bool empty() const { return path.empty(); }
  operator const std::string&() const { return path; }  // NOLINT: a path is read as what it is
};

struct OptionInfo {
  std::string key, default_value, meaning;
  bool is_file = false;
  std::string_view type{};             // boolean, integer, number or string, as JSON Schema has them
  std::vector<std::string> choices{};  // of a choice among names
};

// With the first known key where the user wrote a value alone. Throws InputError for an unknown key, naming
// the nearest known one.
PluginText with_known_keys(const PluginText& plugin, const std::vector<OptionInfo>& known);

void read_option_value(std::string_view key, std::string_view text, bool& out);
void read_option_value(std::string_view key, std::string_view text, u32& out);
void read_option_value(std::string_view key, std::string_view text, u64& out);
void read_option_value(std::string_view key, std::string_view text, double& out);
void read_option_value(std::string_view key, std::string_view text, std::string& out);
void read_option_value(std::string_view key, std::string_view text, FilePath& out);
void read_option_value(std::string_view key, std::string_view text, Duration& out);
void read_option_value(std::string_view key, std::string_view text, Speed& out);
void read_option_value(std::string_view key, std::string_view text, Length& out);

// An enum whose option_names(E) lists its values' names in order.
template <class E>
concept NamedChoice = std::is_enum_v<E> && requires(E e) { option_names(e)[0]; };

[[noreturn]] void refuse_choice(std::string_view key, std::string_view text,
                                std::span<const std::string_view> names);

template <NamedChoice E>
void read_option_value(std::string_view key, std::string_view text, E& out) {
  const auto names = option_names(out);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) {
      out = static_cast<E>(i);
      return;
    }
  refuse_choice(key, text, names);
}

template <class T>
std::string option_text(const T& value) {
  if constexpr (NamedChoice<T>)
    return std::string(option_names(value)[static_cast<std::size_t>(value)]);
  else if constexpr (std::is_same_v<T, FilePath>)
    return value.path;
  else if constexpr (Quantity<T>)
    return quantity_text(value);
  else
    return fmt::format("{}", value);
}

// What JSON Schema calls a type; a choice is a string.
template <class T>
constexpr std::string_view schema_type() {
  if constexpr (std::is_same_v<T, bool>)
    return "boolean";
  else if constexpr (std::is_integral_v<T>)
    return "integer";
  else if constexpr (std::is_floating_point_v<T>)
    return "number";
  else if constexpr (std::is_same_v<T, NumberOrText>)
    return "integer or string";
  else
    return "string";
}

template <class T>
std::vector<std::string> choices_of(const T& value) {
  if constexpr (NamedChoice<T>) {
    const auto names = option_names(value);
    return {names.begin(), names.end()};
  }
  return {};
}

struct NoOptions {
  static void fields(auto&, auto&&) {}
};

template <class O>
std::vector<OptionInfo> option_infos() {
  std::vector<OptionInfo> out;
  const O defaults;
  O::fields(defaults, [&](std::string_view key, const auto& value, std::string_view meaning) {
    out.push_back({std::string(key), option_text(value), std::string(meaning),
                   std::is_same_v<std::remove_cvref_t<decltype(value)>, FilePath>,
                   schema_type<std::remove_cvref_t<decltype(value)>>(), choices_of(value)});
  });
  return out;
}

// The values of options in the form in which a user would write them.
template <class O>
std::vector<std::pair<std::string, std::string>> option_texts(const O& options) {
  std::vector<std::pair<std::string, std::string>> out;
  O::fields(options, [&](std::string_view key, const auto& value, std::string_view) {
    out.emplace_back(key, option_text(value));
  });
  return out;
}

template <class O>
O read_options(const PluginText& plugin) {
  O out;
  const PluginText bound = with_known_keys(plugin, option_infos<O>());
  O::fields(out, [&](std::string_view key, auto& field, std::string_view) {
    for (const auto& [given, value] : bound.options)
      if (given == key) read_option_value(key, value, field);
  });
  return out;
}

}  // namespace banyan::base
