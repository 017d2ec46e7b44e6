#include "formats/raw_fabric.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/saturating.hpp"
#include "base/text.hpp"
#include "formats/lines.hpp"
#include "formats/link_speed.hpp"

namespace banyan::formats {

u32 RawFabric::mention(std::string_view key, u64 line) {
  if (const auto found = by_key_.find(key); found != by_key_.end()) return found->second;
  const u32 number = static_cast<u32>(nodes.size());
  by_key_.emplace(std::string(key), number);
  nodes.emplace_back();
  nodes.back().key = std::string(key);
  nodes.back().line = line;
  return number;
}

u32 RawFabric::define(std::string_view key, u64 line) {
  const u32 number = mention(key, line);
  RawNode& node = nodes[number];
  if (node.defined)
    fail(line, fmt::format("found {} a second time, after line {}; expected every node once", shown(key),
                           node.line));
  node.defined = true;
  node.line = line;
  return number;
}

u32 RawFabric::port_number(std::string_view text, u64 line) const {
  const auto value = parse_unsigned(text);
  if (!value || *value == 0 || *value > max_ports_of_a_node)
    fail(line,
         fmt::format("found {}, expected a port number from 1 to {}", shown(text), max_ports_of_a_node));
  return static_cast<u32>(*value);
}

bool is_port_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

u32 RawFabric::label(std::string_view text) {
  const std::string clean = printable(text);
  const auto [found, is_new] = by_label_.emplace(clean, static_cast<u32>(labels.size()));
  if (is_new) labels.push_back(clean);
  return found->second;
}

RawEnd RawFabric::end(u32 node, std::string_view port, u64 line) {
  port = trim(port);
  if (port.empty()) return {node};
  if (is_port_number(port)) return {node, port_number(port, line)};
  return {node, 0, label(port)};
}

u32 RawFabric::rail_number(std::string_view text, u64 line) const {
  const auto value = parse_unsigned(text);
  if (!value || *value >= max_rails)
    fail(line, fmt::format("found {}, expected a rail from 0 to {}", shown(text), max_rails - 1));
  return static_cast<u32>(*value);
}

void RawFabric::read_nic(RawNode& node, std::string_view text, u64 line) const {
  if (text.starts_with('n'))
    node.slot = rail_number(text.substr(1), line);
  else
    node.rail = rail_number(text, line);
}

void RawFabric::read_kind(RawNode& node, std::string_view text, u64 line) const {
  constexpr auto roles = option_names(Role{});
  const auto role = std::ranges::find(roles, text);
  if (text != "switch" && role == roles.end())
    fail(line, fmt::format("found kind {}, expected host, switch or another role of a machine: {}",
                           shown(text), fmt::join(roles.begin() + 1, roles.end(), ", ")));
  const auto said = text == "switch" ? RawNode::Kind::switch_ : RawNode::Kind::nic;
  if (node.kind != RawNode::Kind::unknown && node.kind != said)
    fail(line, fmt::format("found {} as a {}, but an earlier row gives another kind",
                           shown(node.name.empty() ? node.key : node.name), text));
  node.kind = said;
  if (said == RawNode::Kind::nic) node.role = static_cast<Role>(role - roles.begin());
}

bool tells_nics(const Fabric& fabric) { return fabric.slots() > 1 || fabric.endpoints().rails() > 0; }

std::string nic_text(const Fabric& fabric, Nic nic) {
  const auto rail = fabric.rail(nic);
  return rail ? std::to_string(*rail) : fmt::format("n{}", fabric.slot(nic));
}

std::string_view kind_text(const Fabric& fabric, Node node) {
  if (fabric.is_switch(node)) return "switch";
  return option_names(Role{})[index(fabric.endpoints().role(fabric.host(fabric.nic(node))))];
}

double RawFabric::capacity(std::string_view text, u64 line) const {
  const auto value = parse_real(text);
  if (!value || *value <= 0) fail(line, fmt::format("found {}, expected a capacity above 0", shown(text)));
  return *value;
}

double RawFabric::capacity_or_speed(std::string_view text, u64 line) {
  const bool is_number = parse_real(text).has_value();
  const auto speed = is_number ? std::nullopt : parse_speed(text);
  if (!is_number && (!speed || speed->value <= 0))
    fail(line, fmt::format("found {}, expected a capacity above 0 or a speed such as 100G", shown(text)));
  if (capacity_line_ > 0 && is_number == (unit.value > 0))
    fail(line, fmt::format("found {}, expected {}, as in line {}", shown(text),
                           is_number ? "a speed such as 100G" : "a capacity without a unit", capacity_line_));
  if (capacity_line_ == 0) capacity_line_ = line;
  if (is_number) return capacity(text, line);
  unit = gigabit;
  const auto in_gigabits = text.ends_with('G') ? parse_real(text.substr(0, text.size() - 1)) : std::nullopt;
  return in_gigabits ? *in_gigabits : speed->value / gigabit.value;
}

double RawFabric::latency(std::string_view text, u64 line) const {
  const auto value = parse_real(text);
  if (!value || *value < 0)
    fail(line, fmt::format("found {}, expected a latency of at least 0", shown(text)));
  return *value;
}

void check_size(u64 nodes, u64 ports, u64 cables, const std::string& file) {
  const u64 maximum = std::max<u64>(u64{1} << 24, saturating_multiply(cables, 256));
  if (saturating_add(nodes, ports) > maximum)
    throw InputError(Place{file},
                     fmt::format("found {} nodes and {} ports for {} cables, expected at most {}", nodes,
                                 ports, cables, maximum));
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<u8>(text[i]) : u8{0}; };
    const std::size_t length = byte(0) < 0x80   ? 1
                               : byte(0) < 0xc2 ? 0
                               : byte(0) < 0xe0 ? 2
                               : byte(0) < 0xf0 ? 3
                               : byte(0) < 0xf5 ? 4
                                                : 0;
    u32 code = length == 1 ? byte(0) : byte(0) & (0x7f >> length);
    bool good = length > 0 && byte(0) >= 0x20 && byte(0) != 0x7f;
    for (std::size_t i = 1; i < length; ++i)
      good = good && (byte(i) & 0xc0) == 0x80, code = code << 6 | (byte(i) & 0x3f);
    constexpr u32 least[] = {0, 0, 0x80, 0x800, 0x10000};
    good = good && code >= least[length] && code <= 0x10ffff && (code & ~0x7ffu) != 0xd800 &&
           (code & ~1u) != 0xfffe;
    out += good ? text.substr(0, length) : "?";
    text.remove_prefix(good ? length : 1);
  }
  return out;
}

}  // namespace banyan::formats
