#include "serve/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace banyan::serve {
namespace {

using nlohmann::json;

std::vector<std::string_view> joined(std::initializer_list<std::vector<std::string_view>> lists) {
  std::vector<std::string_view> out;
  for (const auto& list : lists) out.insert(out.end(), list.begin(), list.end());
  return out;
}

const std::vector<std::string_view> faults = {"without"}, routing = {"engine", "paths", "seed"},
                                    traffic = {"traffic", "ranks", "placement", "job"};

const ServedVerb& served_verb(std::string_view name) {
  std::vector<std::string_view> known;
  for (const ServedVerb& verb : served_verbs()) {
    if (verb.name == name) return verb;
    known.push_back(verb.name);
  }
  throw InputError(fmt::format("'{}' is not served: did you mean '{}'?", name, nearest(name, known)));
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
  static const std::vector<ServedVerb> all = {
      {"describe", {"fabric"}, joined({faults, {"threads"}})},
      {"draw", {"fabric"}, faults},
      {"path",
       {"fabric", "source", "destination"},
       joined({faults, routing, {"bytes", "rail", "why", "all"}})},
      {"check", {"fabric"}, joined({faults, routing, {"shifts", "threads"}})},
      {"route", {"fabric"}, joined({faults, routing, {"threads"}})},
      {"load",
       {"fabric"},
       joined({faults,
               routing,
               traffic,
               {"samples", "rates", "rate_model", "optimum", "worst_permutation", "oblivious", "hottest",
                "round", "channels", "per_capacity", "time", "overhead", "gap", "latency", "sharing",
                "rounds", "resolution", "threads"}})},
      {"fail", {"fabric"}, joined({faults, routing, traffic, {"samples", "sweep", "top", "threads"}})},
      {"simulate",
       {"fabric"},
       joined(
           {faults,
            routing,
            traffic,
            {"complete",      "curve",        "saturation",      "arrivals",  "sizes",      "load",
             "packet_flits",  "flit_bytes",   "message_packets", "rounds",    "lanes",      "reaction_cycles",
             "flow_control",  "buffer_flits", "output_flits",    "writers",   "queueing",   "switch_cycles",
             "ejection",      "path_choice",  "cycles",          "precision", "max_cycles", "granularity",
             "follow",        "rails_policy", "stripe",          "processes", "bus",        "bus_burst",
             "control_flits", "nic_cycles",   "timeout_cycles",  "rail_dies", "nic",        "threads"}})},
      {"diff", {"plan", "observed"}, faults},
      {"engines", {}, {}},
      {"topologies", {}, {}},
      {"patterns", {}, {}},
  };
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
  std::vector<std::string_view> known = joined({verb.positionals, verb.options});
  std::vector<std::string> out = {std::string(name)};
  for (const auto& [key, value] : request.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw InputError(known.empty() ? fmt::format("'{}' takes nothing, but '{}' was given", name, key)
                                     : fmt::format("'{}' is not offered here: did you mean '{}'?", key,
                                                   nearest(key, known)));
    if (std::find(verb.positionals.begin(), verb.positionals.end(), key) == verb.positionals.end())
      add_option(out, key, value);
  }
  out.push_back("--json");
  if (!verb.positionals.empty()) out.push_back("--");
  for (const std::string_view key : verb.positionals) {
    if (!request.contains(key)) throw InputError(fmt::format("'{}' needs '{}'", name, key));
    out.push_back(text_of(key, request[std::string(key)]));
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
