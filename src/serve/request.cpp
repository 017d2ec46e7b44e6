#include "serve/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/registry.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "serve/openapi.hpp"

namespace banyan::serve {
namespace {

using nlohmann::json;

const ServedVerb& served_verb(std::string_view name) {
  std::vector<std::string_view> known;
  for (const ServedVerb& verb : served_verbs()) {
    if (verb.name == name) return verb;
    known.push_back(verb.name);
  }
  refuse_name("verb of the server", name, known);
}

std::string text_of(std::string_view key, const json& value) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text.find('\0') != std::string::npos) throw InputError(fmt::format("'{}' holds a zero byte", key));
    return text;
  }
  if (value.is_number()) return value.dump();
  throw InputError(fmt::format("'{}' is {}; expected a text or a number", key, value.type_name()));
}

void add_option(std::vector<std::string>& out, std::string_view key, const json& value) {
  std::string name = "--" + std::string(key);
  std::replace(name.begin(), name.end(), '_', '-');
  if (value.is_boolean()) {
    if (value.get<bool>()) out.push_back(name);
  } else if (value.is_array()) {
    for (const json& one : value) out.push_back(name + "=" + text_of(key, one));
  } else {
    out.push_back(name + "=" + text_of(key, value));
  }
}

json parsed(std::string_view body) {
  if (body.empty()) return json::object();
  json out = json::parse(body, nullptr, false);
  if (!out.is_object())
    throw InputError("the request is not a JSON object, such as {\"fabric\": \"4-ary 3-tree\"}");
  return out;
}

}  // namespace

const std::vector<ServedVerb>& served_verbs() {
  static const std::vector<ServedVerb> all = [] {
    std::vector<ServedVerb> out;
    const auto document = nlohmann::ordered_json::parse(openapi_text());
    for (const auto& [path, item] : document["paths"].items()) {
      if (!item.contains("post") || path == "/api/files") continue;
      const auto& schema = item["post"]["requestBody"]["content"]["application/json"]["schema"];
      ServedVerb verb{item["post"]["operationId"], schema["required"], {}};
      for (const auto& [key, _] : schema["properties"].items())
        if (std::find(verb.positionals.begin(), verb.positionals.end(), key) == verb.positionals.end())
          verb.options.push_back(key);
      out.push_back(std::move(verb));
    }
    return out;
  }();
  return all;
}

std::string served_json() {
  json out = json::array();
  for (const ServedVerb& verb : served_verbs())
    out.push_back({{"verb", verb.name}, {"arguments", verb.positionals}, {"options", verb.options}});
  return out.dump();
}

std::vector<std::string> command_of(std::string_view name, std::string_view body) {
  const ServedVerb& verb = served_verb(name);
  const json request = parsed(body);
  std::vector<std::string_view> known(verb.positionals.begin(), verb.positionals.end());
  known.insert(known.end(), verb.options.begin(), verb.options.end());
  std::vector<std::string> out = {std::string(name)};
  for (const auto& [key, value] : request.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw InputError(known.empty()
                           ? fmt::format("'{}' takes nothing, but '{}' was given", name, key)
                           : fmt::format("'{}' is not offered here{}", key, suggestion(key, known)));
    if (std::find(verb.positionals.begin(), verb.positionals.end(), key) == verb.positionals.end())
      add_option(out, key, value);
  }
  out.push_back("--json");
  if (!verb.positionals.empty()) out.push_back("--");
  for (const std::string& key : verb.positionals) {
    if (!request.contains(key)) throw InputError(fmt::format("'{}' needs '{}'", name, key));
    out.push_back(text_of(key, request[key]));
  }
  return out;
}

std::string shell_text(const std::vector<std::string>& arguments) {
  std::string out = "banyan";
  for (const std::string& argument : arguments) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.,:/@%+";
    if (argument == "--") continue;
    out += ' ';
    if (!argument.empty() && argument.find_first_not_of(plain) == std::string::npos) {
      out += argument;
      continue;
    }
    out += '\'';
    for (const char c : argument) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    out += '\'';
  }
  return out;
}

}  // namespace banyan::serve
