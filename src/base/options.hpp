// Options of plug-ins: structs whose fields are listed once, with their default and meaning, and are parsed,
// printed and documented from that list. Written NAME, NAME:VALUE (the first field) or NAME:key=value,...
//
//   struct NueOptions {
//     u32 lanes = 1;
//     static void fields(auto& self, auto&& f) { f("lanes", self.lanes, "how many lanes it may use"); }
//   };
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace banyan {

// What the user wrote, taken apart but not yet understood.
struct PluginText {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options;  // the key is empty in NAME:VALUE

  void set(std::string key, std::string value);  // refuses a second value for the same key
};
PluginText parse_plugin(std::string_view text);

struct OptionInfo {
  std::string key, default_value, meaning;
};

void read_option_value(std::string_view key, std::string_view text, u32& out);
void read_option_value(std::string_view key, std::string_view text, u64& out);
void read_option_value(std::string_view key, std::string_view text, double& out);
void read_option_value(std::string_view key, std::string_view text, std::string& out);

struct NoOptions {
  static void fields(auto&, auto&&) {}
};

template <class O>
std::vector<OptionInfo> option_infos() {
  std::vector<OptionInfo> out;
  const O defaults;
  O::fields(defaults, [&](std::string_view key, const auto& value, std::string_view meaning) {
    out.push_back({std::string(key), fmt::format("{}", value), std::string(meaning)});
  });
  return out;
}

// Throws InputError for an unknown key, naming the nearest known one.
[[noreturn]] void refuse_option(const PluginText& plugin, std::string_view key,
                                const std::vector<OptionInfo>& known);

template <class O>
O read_options(const PluginText& plugin) {
  O out;
  for (const auto& [key, text] : plugin.options) {
    bool found = false;
    O::fields(out, [&, &wanted = key, &value = text](std::string_view name, auto& field, std::string_view) {
      if (found || (!wanted.empty() && wanted != name)) return;
      found = true;
      read_option_value(name, value, field);
    });
    if (!found) refuse_option(plugin, key, option_infos<O>());
  }
  return out;
}

}  // namespace banyan
