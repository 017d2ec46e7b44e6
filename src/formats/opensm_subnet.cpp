// opensm-subnet.lst, which OpenSM leaves behind: a line for each direction of a cable,
//   { CA Ports:01 SystemGUID:... NodeGUID:... PortGUID:... {h0 HCA-1} LID:0001 PN:01 } { SW ... } PHY=4x
//   LOG=ACT SPD=25
// Numbers are hexadecimal. Nodes without cables are not in it.
#include <fmt/format.h>

#include <charconv>

#include "base/text.hpp"
#include "formats/adapter_ports.hpp"
#include "formats/infiniband_line_reader.hpp"

namespace banyan::formats {
namespace {

class OpensmSubnetReader : InfinibandLineReader {
 public:
  OpensmSubnetReader(std::istream& in, const std::string& file) : InfinibandLineReader(in, file) {}

  FabricFile run() && {
    while (lines_.next()) {
      rest_ = trim(lines_.line());
      if (!rest_.empty() && rest_.front() != '#') read_cable();
    }
    split_adapters(raw_);
    return to_fabric(std::move(raw_));
  }

 private:
  std::string_view word() {
    rest_ = trim(rest_);
    const std::string_view out = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(out.size());
    return out;
  }
  void expect(std::string_view text) {
    rest_ = trim(rest_);
    if (!rest_.starts_with(text)) missed(fmt::format("'{}'", text));
    rest_.remove_prefix(text.size());
  }
  u64 field(std::string_view name, u64 maximum) {
    expect(name);
    u64 value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, 16);
    if (error != std::errc() || value > maximum)
      missed(fmt::format("a hexadecimal number up to {:X} after {}", maximum, name));
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  void read_cable();
  RawEnd read_end();
  void define(RawNode& node, bool is_switch, u32 ports, std::string_view description);
  std::optional<double> read_speed();
};

void OpensmSubnetReader::define(RawNode& node, bool is_switch, u32 ports, std::string_view description) {
  node.defined = true;
  node.kind = is_switch ? RawNode::Kind::switch_ : RawNode::Kind::nic;
  node.ports = ports;
  const AdapterName split = split_description(description);
  node.name = std::string(is_switch ? description : split.host);
  if (is_switch) return;
  node.description = std::string(description);
  node.adapter = std::string(split.adapter);
}

RawEnd OpensmSubnetReader::read_end() {
  expect("{");
  const std::string_view type = word();
  const bool is_switch = type.starts_with("SW");
  if (!is_switch && !type.starts_with("CA") && !type.starts_with("RT")) missed("CA, SW or RT before this");
  const u32 ports = static_cast<u32>(field("Ports:", max_infiniband_ports));
  const u64 system = field("SystemGUID:", ~u64{0}), guid = field("NodeGUID:", ~u64{0}),
            port_guid = field("PortGUID:", ~u64{0});
  const u64 vendor = field("VenID:", ~u64{0}), device = field("DevID:", ~u64{0});
  field("Rev:", ~u64{0});
  expect("{");
  const auto end = rest_.find("} LID:");
  if (end == rest_.npos) missed("'} LID:' after the description");
  const std::string_view description = rest_.substr(0, end);
  rest_.remove_prefix(end + 1);
  const u16 lid = static_cast<u16>(field("LID:", 0xffff));
  const u32 port = static_cast<u32>(field("PN:", max_infiniband_ports));
  expect("}");
  if (port == 0) lines_.fail("found port 0, expected a port with a cable");
  const u32 number = raw_.mention(fmt::format("{:016x}", guid), lines_.number());
  RawNode& node = raw_.nodes[number];
  if (!node.defined) define(node, is_switch, ports, description);
  node.guid = guid;
  node.system_guid = system;
  node.vendor = static_cast<u32>(vendor);
  node.device = static_cast<u32>(device);
  node.is_router = type.starts_with("RT");
  const std::size_t slot = is_switch ? 0 : port - 1;
  if (node.attachments.size() <= slot) node.attachments.resize(slot + 1);
  node.attachments[slot] = {port_guid, lid, 0};
  return {number, port};
}

// PHY=4x LOG=ACT SPD=25: the width, and the signalling rate of a lane.
std::optional<double> OpensmSubnetReader::read_speed() {
  struct Lane {
    std::string_view signalling;
    double data;
  };
  static constexpr Lane lanes[] = {{"2.5", 2}, {"5", 4},   {"10", 8},    {"14", 13.625},
                                   {"25", 25}, {"50", 50}, {"100", 100}, {"200", 200}};
  expect("PHY=");
  const std::string_view width = word();
  expect("LOG=");
  word();
  expect("SPD=");
  const std::string_view speed = word();
  const auto count = parse_unsigned(width.substr(0, width.find('x')));
  for (const Lane& lane : lanes)
    if (lane.signalling == speed && count && *count > 0 && *count <= 12)
      return static_cast<double>(*count) * lane.data;
  return std::nullopt;
}

void OpensmSubnetReader::read_cable() {
  const RawEnd a = read_end(), b = read_end();
  raw_.cables.push_back({a, b, read_speed(), 1, lines_.number()});
}

}  // namespace

Format opensm_subnet_format() {
  return {"opensm-subnet",
          {".lst"},
          "the subnet as OpenSM saw it, opensm-subnet.lst",
          [](std::string_view head) {
            const std::string_view line = first_line(head);
            return line.starts_with("{ CA") || line.starts_with("{ SW") || line.starts_with("{ RT");
          },
          [](std::istream& in, const std::string& file) { return OpensmSubnetReader(in, file).run(); },
          nullptr};
}

}  // namespace banyan::formats
