#include "base/options.hpp"

#include <fmt/ranges.h>

namespace banyan::base {
namespace {

template <class T>
void read_whole(std::string_view key, std::string_view text, T& out) {
  const auto value = parse_unsigned(text);
  if (!value || *value > T(~T{0}))
    throw InputError(fmt::format("{} must be a whole number, not '{}'", key, text));
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

void read_option_value(std::string_view key, std::string_view text, u32& out) { read_whole(key, text, out); }
void read_option_value(std::string_view key, std::string_view text, u64& out) { read_whole(key, text, out); }
void read_option_value(std::string_view, std::string_view text, std::string& out) { out = text; }
void read_option_value(std::string_view key, std::string_view text, double& out) {
  const auto value = parse_real(text);
  if (!value) throw InputError(fmt::format("{} must be a number, not '{}'", key, text));
  out = *value;
}

void refuse_choice(std::string_view key, std::string_view text, std::span<const std::string_view> names) {
  throw InputError(fmt::format("{} is '{}'; expected one of {}", key, text, fmt::join(names, ", ")));
}

void refuse_option(const PluginText& plugin, std::string_view key, const std::vector<OptionInfo>& known) {
  if (known.empty()) throw InputError(fmt::format("{} takes no options", plugin.name));
  std::vector<std::string_view> keys;
  for (const OptionInfo& info : known) keys.push_back(info.key);
  throw InputError(
      fmt::format("{}: unknown option '{}': did you mean '{}'?", plugin.name, key, nearest(key, keys)));
}

}  // namespace banyan::base
