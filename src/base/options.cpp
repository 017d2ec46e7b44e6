#include "base/options.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/suggest.hpp"
#include "base/units.hpp"

namespace banyan::base {
namespace {

template <class T>
void read_whole(std::string_view key, std::string_view text, T& out) {
  constexpr T maximum = ~T{0};
  const auto value = parse_amount(text);
  const bool is_large =
      value ? *value > maximum : !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  if (is_large)
    throw InputError(fmt::format("{} must be a whole number from 0 to {}, not '{}'", key, maximum, text));
  if (!value) throw InputError(fmt::format("{} must be a whole number of 0 or more, not '{}'", key, text));
  out = static_cast<T>(*value);
}

}  // namespace

void PluginText::set(std::string key, std::string value) {
  for (const auto& [other, _] : options)
    if (other == key)
      throw InputError(fmt::format("{}: {} is given twice", name, key.empty() ? "a value" : key));
  options.emplace_back(std::move(key), std::move(value));
}

PluginText parse_plugin(std::string_view text) {
  const auto colon = text.find(':');
  PluginText out{std::string(trim(text.substr(0, colon))), {}};
  if (out.name.empty()) throw InputError(fmt::format("'{}': expected a name", text));
  if (colon == text.npos) return out;
  for (std::string_view piece : split(text.substr(colon + 1), ',')) {
    const auto equals = piece.find('=');
    if (equals == piece.npos)
      out.set("", std::string(piece));
    else
      out.set(std::string(trim(piece.substr(0, equals))), std::string(trim(piece.substr(equals + 1))));
  }
  return out;
}

std::string plugin_text(const PluginText& plugin) {
  std::string out = plugin.name;
  for (const auto& [key, value] : plugin.options)
    out += fmt::format("{}{}{}{}", &key == &plugin.options.front().first ? ":" : ",", key,
                       key.empty() ? "" : "=", value);
  return out;
}

PluginText with_known_keys(const PluginText& plugin, const std::vector<OptionInfo>& known) {
  std::vector<std::string_view> keys;
  for (const OptionInfo& info : known) keys.push_back(info.key);
  PluginText out{plugin.name, {}};
  for (const auto& [given, value] : plugin.options) {
    if (known.empty()) throw InputError(fmt::format("{} takes no options", plugin.name));
    const std::string& key = given.empty() ? known.front().key : given;
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      throw InputError(fmt::format("{}: unknown option '{}'{}", plugin.name, key, suggestion(key, keys)));
    out.set(key, value);
  }
  return out;
}

void read_option_value(std::string_view key, std::string_view text, bool& out) {
  out = text == "true" || text == "1";  // a study's file has both
  if (!out && text != "false" && text != "0")
    throw InputError(fmt::format("{} must be true or false, not '{}'", key, text));
}
void read_option_value(std::string_view key, std::string_view text, u32& out) { read_whole(key, text, out); }
void read_option_value(std::string_view key, std::string_view text, u64& out) { read_whole(key, text, out); }
void read_option_value(std::string_view, std::string_view text, std::string& out) { out = text; }
void read_option_value(std::string_view, std::string_view text, FilePath& out) { out.path = text; }
void read_option_value(std::string_view key, std::string_view text, double& out) {
  const auto value = parse_ratio(text);
  if (!value) throw InputError(fmt::format("{} must be a number, not '{}'", key, text));
  out = *value;
}

namespace {

template <class T>
void read_quantity(std::string_view key, std::string_view text, std::optional<T> (*parse)(std::string_view),
                   std::string_view example, T& out) {
  const auto value = parse(text);
  if (!value) throw InputError(fmt::format("{} must be {}, not '{}'", key, example, text));
  out = *value;
}

}  // namespace

void read_option_value(std::string_view key, std::string_view text, Duration& out) {
  read_quantity(key, text, parse_duration, "a time with its unit, such as 300ns or 1.5us", out);
}
void read_option_value(std::string_view key, std::string_view text, Speed& out) {
  read_quantity(key, text, parse_speed, "a speed, such as 400G (bits a second) or 50GB/s (bytes)", out);
}
void read_option_value(std::string_view key, std::string_view text, Length& out) {
  read_quantity(key, text, parse_length, "a length with its unit, such as 5m", out);
}

void refuse_choice(std::string_view key, std::string_view text, std::span<const std::string_view> names) {
  throw InputError(fmt::format("{} is '{}'; expected one of {}", key, text, fmt::join(names, ", ")));
}

}  // namespace banyan::base
