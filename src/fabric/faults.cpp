#include "fabric/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "fabric/names.hpp"

namespace banyan::fabric {
namespace {

constexpr std::array<std::string_view, 7> known_keys = {"links", "share",  "seed", "of",
                                                        "link",  "switch", "host"};

class Request {
 public:
  Request(std::string_view text, std::string_view asked_by) : text_(text), asked_by_(asked_by) {
    for (std::string_view key : {"link", "switch", "host"})  // names may have commas: they take the rest
      if (text.starts_with(key) && text.substr(key.size()).starts_with('=')) {
        add(key, trim(text.substr(key.size() + 1)));
        return;
      }
    for (std::string_view piece : split(text, ',')) {
      const auto equals = piece.find('=');
      if (equals == piece.npos)
        fail(fmt::format(
            "found '{}', expected key=value, such as switch=NAME; each fault takes a --without of "
            "its own",
            piece));
      add(trim(piece.substr(0, equals)), trim(piece.substr(equals + 1)));
    }
    if (values_.empty()) fail("expected links=COUNT, share=X, link=NAME:PORT, switch=NAME or host=NAME");
  }

  std::optional<std::string> get(const std::string& key) const {
    const auto found = values_.find(key);
    if (found == values_.end()) return std::nullopt;
    return found->second;
  }

  u64 number(const std::string& key, u64 fallback) const {
    const auto text = get(key);
    if (!text) return fallback;
    const auto value = parse_unsigned(*text);
    if (!value) fail(fmt::format("{} must be a whole number of 0 or more, not '{}'", key, *text));
    return *value;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(fmt::format("{}'{}': {}", asked_by_, text_, why));
  }

 private:
  void add(std::string_view key, std::string_view value) {
    if (std::find(known_keys.begin(), known_keys.end(), key) == known_keys.end())
      fail(fmt::format("unknown key '{}'{}", key, suggestion(key, known_keys)));
    if (!values_.emplace(key, value).second) fail(fmt::format("{} is given twice", key));
  }

  std::string text_, asked_by_;
  std::map<std::string, std::string> values_;
};

std::vector<Link> cables_of(const Fabric& fabric, Node node) {
  std::vector<Link> out;
  for (Channel c : fabric.channels(node))
    if (fabric.cabled(c)) out.push_back({std::min(c, fabric.reverse(c)), std::max(c, fabric.reverse(c))});
  return out;
}

Node find_node(const Fabric& fabric, const Request& request, std::string_view name) {
  const auto node = NameIndex(fabric).find(name);
  if (!node) request.fail(fmt::format("there is no node called '{}'", name));
  return *node;
}

// Names and labels may have colons: the last one that parts a node from one of its labels counts.
std::vector<Link> cable_in_port(const Fabric& fabric, const Request& request, std::string_view where) {
  const NameIndex names(fabric);
  const auto last = where.rfind(':');
  if (last == where.npos || last + 1 == where.size())
    request.fail(fmt::format("expected link=NAME:PORT, found '{}'", where));
  for (auto colon = last; colon != where.npos && colon > 0; colon = where.rfind(':', colon - 1)) {
    const auto node = names.find(where.substr(0, colon));
    if (!node) continue;
    for (Channel c : fabric.channels(*node))
      if (fabric.cabled(c) && fabric.port_label(c) == where.substr(colon + 1))
        return {{std::min(c, fabric.reverse(c)), std::max(c, fabric.reverse(c))}};
  }
  const Node node = find_node(fabric, request, where.substr(0, last));
  request.fail(fmt::format("there is no cable in port {} of {}", where.substr(last + 1), fabric.name(node)));
}

std::vector<Link> cables_of_host(const Fabric& fabric, const std::string& name) {
  const Host host = find_host(fabric, name);
  std::vector<Link> out;
  for (u32 slot = 0; slot < fabric.nics(host); ++slot)
    for (const Link& link : cables_of(fabric, fabric.node(fabric.nic(host, slot)))) out.push_back(link);
  return out;
}

std::vector<Link> candidates(const Fabric& fabric, const Request& request) {
  const std::string of = request.get("of").value_or("switches");
  if (of != "switches" && of != "hosts" && of != "all")
    request.fail(fmt::format("of must be switches, hosts or all, not '{}'", of));
  std::vector<Link> out;
  fabric.each_link([&](const Link& link) {
    const bool at_host = !fabric.is_switch(fabric.from(link.a)) || !fabric.is_switch(fabric.from(link.b));
    if (of == "all" || at_host == (of == "hosts")) out.push_back(link);
  });
  return out;
}

std::vector<Link> drawn(const Fabric& fabric, const Request& request) {
  std::vector<Link> cables = candidates(fabric, request);
  u64 count = request.number("links", 0);
  if (const auto text = request.get("share")) {
    const auto share = parse_ratio(*text);
    if (!share || *share < 0 || *share > 1)
      request.fail(fmt::format("share must be between 0 and 1, not '{}'", *text));
    count = static_cast<u64>(std::llround(*share * static_cast<double>(cables.size())));
    if (*share > 0 && !cables.empty()) count = std::max<u64>(count, 1);  // who asks for faults gets some
  }
  if (count > cables.size()) request.fail(fmt::format("there are only {} such cables", cables.size()));
  Random random(request.number("seed", 1));
  for (u64 i = 0; i < count; ++i) std::swap(cables[i], cables[i + random.below(cables.size() - i)]);
  cables.resize(count);
  return cables;
}

}  // namespace

std::vector<Link> choose_cables(const Fabric& fabric, std::string_view what, std::string_view asked_by) {
  const Request request(what, asked_by);
  const int ways = request.get("links").has_value() + request.get("share").has_value() +
                   request.get("link").has_value() + request.get("switch").has_value() +
                   request.get("host").has_value();
  if (ways != 1)
    request.fail("expected just one of links, share, link, switch and host; repeat --without for more");
  const bool random = request.get("links") || request.get("share");
  if (!random && (request.get("seed") || request.get("of")))
    request.fail("seed and of go with links or share");
  if (random) return drawn(fabric, request);
  if (const auto where = request.get("link")) return cable_in_port(fabric, request, *where);
  if (const auto name = request.get("host")) return cables_of_host(fabric, *name);
  const std::string name = *request.get("switch");
  const Node node = find_node(fabric, request, name);
  if (!fabric.is_switch(node))
    request.fail(fmt::format("{} is not a switch; remove a host with host={}", name, name));
  return cables_of(fabric, node);
}

namespace {

// A cable of one fabric in another that has the same names and labels. NICs may be called by another rail, so
// the switch at an end names it.
Link found_again(const Fabric& fabric, const Link& link, const Fabric& in, const NameIndex& names) {
  const Channel end = fabric.is_switch(fabric.from(link.b)) ? link.b : link.a;
  const auto node = names.find(fabric.name(fabric.from(end)));
  if (node)
    for (Channel c : in.channels(*node))
      if (in.cabled(c) && in.port_label(c) == fabric.port_label(end))
        return {std::min(c, in.reverse(c)), std::max(c, in.reverse(c))};
  throw std::logic_error("a renumbered fabric lacks " + cable_name(fabric, link));
}

}  // namespace

Fabric without(const Fabric& renumbered, const std::vector<std::string>& faults, const Fabric& as_read) {
  const NameIndex names(renumbered);
  Fabric rest = as_read;
  std::vector<Link> lost;
  for (const std::string& fault : faults) {
    const std::vector<Link> chosen = choose_cables(rest, fault);
    for (const Link& link : chosen) lost.push_back(found_again(rest, link, renumbered, names));
    rest = without(rest, chosen);
  }
  return without(renumbered, lost);
}

Fabric without(const Fabric& fabric, const std::vector<std::string>& faults) {
  Fabric rest = fabric;
  for (const std::string& fault : faults) rest = without(rest, choose_cables(rest, fault));
  return rest;
}

}  // namespace banyan::fabric
