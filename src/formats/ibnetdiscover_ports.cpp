// The ports report of ibnetdiscover -p, which monitoring keeps: a line for each port of each node.
//   CA   182  1 0x001175000077d284 4x QDR - SW    18 18 0x00066a00ec002dd9 ( 'node179 HCA-1' - 'leaf 12' )
//   SW    18 19 0x00066a00ec002dd9 4x SDR                                    'leaf 12'
// A node has its type, LID, port and GUID: of a switch its own, of an adapter that of the port. So every port
// of an adapter is a NIC. Ports without a cable say no more than that they are there.
#include "formats/infiniband_line_reader.hpp"

namespace banyan::formats {
namespace {

class PortsReader : InfinibandLineReader {
 public:
  PortsReader(std::istream& in, const std::string& file) : InfinibandLineReader(in, file) {}

  FabricFile run() && {
    while (next_line())
      if (!rest_.empty() && !rest_.starts_with('#')) read_port();
    return std::move(*this).finish();
  }

 private:
  std::string_view word(std::string_view what) {
    rest_ = trim(rest_);
    const std::string_view out = rest_.substr(0, rest_.find_first_of(" \t"));
    if (out.empty()) missed(what);
    rest_.remove_prefix(out.size());
    return out;
  }

  // What stands between quotes before `end`, and is followed by it.
  std::string_view description(std::string_view start, std::string_view end) {
    rest_ = trim(rest_);
    const auto close = rest_.find(end, start.size());
    if (!rest_.starts_with(start) || close == rest_.npos)
      missed(fmt::format("a description between {} and {}", start, end));
    const std::string_view out = trim(rest_.substr(start.size(), close - start.size()));
    rest_.remove_prefix(close + end.size());
    return out;
  }

  RawEnd read_end();
  void read_port();
  void describe(u32 node, std::string_view text);
};

// SW 18 18 0x00066a00ec002dd9
RawEnd PortsReader::read_end() {
  const std::string_view type = word("CA, SW or RT");
  if (type != "CA" && type != "SW" && type != "RT")
    lines_.fail(fmt::format("found {}, expected CA, SW or RT", shown(type)));
  const auto lid = parse_unsigned(word("a LID"));
  if (!lid || *lid > 0xffff) lines_.fail("expected a LID from 0 to 65535 behind CA, SW or RT");
  const std::string_view number = word("the number of a port");
  const std::string_view guid = word("a GUID");
  const auto value = parse_hex(guid);
  if (!value) lines_.fail(fmt::format("found {}, expected a GUID in hexadecimal digits", shown(guid)));
  const u32 index = raw_.mention(fmt::format("{:016x}", *value), lines_.number());
  RawNode& node = raw_.nodes[index];
  const bool is_switch = type == "SW";
  node.defined = true;
  node.kind = is_switch ? RawNode::Kind::switch_ : RawNode::Kind::nic;
  node.is_router = type == "RT";
  node.guid = *value;
  node.attachments = {{*value, static_cast<u16>(*lid), 0}};
  const u32 port = raw_.port_number(number, lines_.number());
  if (is_switch) {
    node.least_ports = std::max(node.least_ports, port);
    return {index, port};
  }
  if (port > 255) lines_.fail(fmt::format("found port {} of an adapter, expected 1 to 255", port));
  node.attachments.front().port = static_cast<u8>(port);
  return {index, 1};  // a NIC is one port of its adapter
}

void PortsReader::describe(u32 index, std::string_view text) {
  RawNode& node = raw_.nodes[index];
  if (node.kind == RawNode::Kind::switch_) return void(node.name = std::string(text));
  node.description = std::string(text);
  const AdapterName split = split_description(node.description);
  node.name = std::string(split.host);
  node.adapter = std::string(split.adapter);
  if (const u32 port = node.attachments.front().port; port > 1) node.adapter += fmt::format("/{}", port);
}

void PortsReader::read_port() {
  const RawEnd here = read_end();
  const std::string_view width = word("a width such as 4x"), speed = word("a speed such as EDR");
  rest_ = trim(rest_);
  if (!rest_.starts_with("- ")) {
    const std::string_view text = trim(rest_);
    return describe(here.node, text.starts_with('\'') ? description("'", "'") : text);
  }
  rest_.remove_prefix(2);
  const RawEnd there = read_end();
  describe(here.node, description("( '", "' - '"));
  rest_ = rest_.substr(0, rest_.rfind(')'));
  describe(there.node, trim(rest_.substr(0, rest_.rfind('\''))));
  raw_.cables.push_back(
      {here, there, parse_link_speed(std::string(width) + std::string(speed)), 1, lines_.number()});
}

// CA   182  1 0x...
bool looks_like_ports_report(std::string_view head) {
  const std::string_view line = first_line(head);
  if (!line.starts_with("CA ") && !line.starts_with("SW ") && !line.starts_with("RT ")) return false;
  u32 numbers = 0;
  for (const std::string_view word : split(line.substr(3), ' ')) {
    if (word.empty()) continue;
    if (numbers == 2) return word.starts_with("0x");
    if (!parse_unsigned(word)) return false;
    ++numbers;
  }
  return false;
}

}  // namespace

Format ibnetdiscover_ports_format() {
  return {"ibnetdiscover-ports",
          {".ports"},
          "the ports report of ibnetdiscover -p",
          looks_like_ports_report,
          [](std::istream& in, const std::string& file) { return PortsReader(in, file).run(); },
          nullptr};
}

}  // namespace banyan::formats
