// Plug-ins of any kind (name, summary, source, options) as the verbs that list them show them.
#pragma once
#include <fmt/format.h>

#include <ostream>

#include "base/json_writer.hpp"
#include "base/options.hpp"

namespace banyan::cli {

// `more` writes further fields.
template <class Plugin, class More = decltype([] {})>
void write_plugin(JsonWriter& json, const Plugin& plugin, More&& more = {}) {
  json.begin_object().field("name", plugin.name).field("summary", plugin.summary);
  json.field("source", plugin.source).key("options").begin_array();
  for (const OptionInfo& option : plugin.options)
    json.begin_object()
        .field("key", option.key)
        .field("default", option.default_value)
        .field("meaning", option.meaning)
        .end_object();
  json.end_array();
  more();
  json.end_object();
}

// `width`: of the column of names.
template <class Plugin>
void print_plugin(std::ostream& out, const Plugin& plugin, int width) {
  out << fmt::format("{:<{}}{}", plugin.name, width, plugin.summary);
  if (!plugin.source.empty()) out << fmt::format("  [{}]", plugin.source);
  out << '\n';
  for (const OptionInfo& option : plugin.options)
    out << fmt::format("{:<{}}  {}={}  {}\n", "", width, option.key, option.default_value, option.meaning);
}

}  // namespace banyan::cli
