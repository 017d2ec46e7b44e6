// Reads node records: identities, a line with type, ports, key and description, and a line for each cabled
// port.
//   switchguid=0x2c90200000000(2c90200000000)
//   Switch 36 "S-0002c90200000000"  # "leaf" enhanced port 0 lid 3 lmc 0
//   [1] "H-0002c90300000000"[1](2c90300000001)  # "h0 HCA-1" lid 4 4xEDR
#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/adapter_ports.hpp"
#include "formats/infiniband_line_reader.hpp"
#include "formats/infiniband_text.hpp"

namespace banyan::formats {
namespace {

class InfinibandTextReader : InfinibandLineReader {
 public:
  InfinibandTextReader(std::istream& in, const std::string& file) : InfinibandLineReader(in, file) {}

  FabricFile run() && {
    while (next_line()) {
      if (rest_.empty() || rest_.starts_with('#') || rest_.starts_with("Chassis ") ||
          rest_ == "Non-Chassis Nodes")
        continue;
      if (rest_.starts_with('['))
        read_port();
      else if (const auto equals = rest_.find('='); equals < rest_.find_first_of(" \t\""))
        read_identity(equals);
      else
        read_node();
    }
    split_adapters(raw_);
    return std::move(*this).finish();
  }

 private:
  static constexpr u32 nobody = ~u32{0};

  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }
  // What stands between two characters, the first of which must come next.
  std::string_view between(char open, char close, std::string_view what) {
    skip_space();
    const auto end = rest_.find(close, 1);
    if (!rest_.starts_with(open) || end == rest_.npos) missed(what);
    const std::string_view inside = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return inside;
  }
  u32 port(std::string_view what) {
    const u32 number = raw_.port_number(between('[', ']', what), lines_.number());
    if (rest_.starts_with("[ext ")) between('[', ']', what);  // the number printed on a chassis
    return number;
  }
  u64 guid(std::string_view text) const {
    const auto value = parse_hex(text);
    if (!value) lines_.fail(fmt::format("found {}, expected a GUID in hexadecimal digits", shown(text)));
    return *value;
  }
  u64 port_guid() {
    skip_space();
    return rest_.starts_with('(') ? guid(between('(', ')', "the GUID of a port")) : 0;
  }
  std::string_view key() {
    const std::string_view text = between('"', '"', "a node in quotes");
    if (text.empty()) lines_.fail("found a node without a name between its quotes");
    return text;
  }

  void read_identity(std::size_t equals);
  void read_node();
  void read_port();
  void read_description(RawNode& node);
  // The number behind a word of a comment, 0 if there is none.
  static u64 after(std::string_view text, std::string_view word);

  u64 node_guid_ = 0, system_guid_ = 0, port0_guid_ = 0;  // said before the node that they belong to
  u32 vendor_ = 0, device_ = 0;                           // likewise
  u32 node_ = nobody;
};

void InfinibandTextReader::read_identity(std::size_t equals) {
  const std::string_view word = trim(rest_.substr(0, equals)), value = trim(rest_.substr(equals + 1));
  if (word == "netprefix") return;
  if (word == "vendid") return void(vendor_ = static_cast<u32>(parse_hex(value).value_or(0)));
  if (word == "devid") return void(device_ = static_cast<u32>(parse_hex(value).value_or(0)));
  const auto open = std::min(value.find('('), value.size());
  if (word == "sysimgguid") {
    system_guid_ = guid(value);
  } else if (word == "switchguid" || word == "caguid" || word == "rtguid" || word == "hcaguid" ||
             word == "hcaguids") {
    node_guid_ = guid(trim(value.substr(0, open)));
    if (open < value.size() && word == "switchguid") {
      rest_ = value.substr(open);
      port0_guid_ = port_guid();
    }
  } else {
    missed("vendid, devid, sysimgguid, switchguid, caguid or rtguid before '='");
  }
}

u64 InfinibandTextReader::after(std::string_view text, std::string_view word) {
  const auto at = text.find(word);
  if (at == text.npos) return 0;
  text.remove_prefix(at + word.size());
  return parse_unsigned(text.substr(0, text.find_first_not_of("0123456789"))).value_or(0);
}

// # "leaf" enhanced port 0 lid 3 lmc 0
void InfinibandTextReader::read_description(RawNode& node) {
  const auto first = rest_.find('"'), last = rest_.rfind('"');
  const bool described = rest_.starts_with('#') && first != last;
  const std::string_view description = described ? rest_.substr(first + 1, last - first - 1) : "";
  if (node.kind == RawNode::Kind::nic) {
    node.description = std::string(described ? description : node.key);
    const AdapterName split = split_description(node.description);
    node.name = std::string(split.host);
    node.adapter = std::string(split.adapter);
  } else {
    const std::string_view tail = described ? rest_.substr(last + 1) : "";
    node.name = std::string(description);
    node.attachments = {
        {port0_guid_, static_cast<u16>(after(tail, " lid ")), static_cast<u8>(after(tail, " lmc "))}};
  }
}

void InfinibandTextReader::read_node() {
  const std::string_view type = rest_.substr(0, rest_.find_first_of(" \t"));
  const bool is_switch = type == "Switch";
  if (!is_switch && type != "Ca" && type != "Hca" && type != "Rt")
    missed("Switch, Ca, Hca, Rt or a port in brackets");
  rest_.remove_prefix(type.size());
  skip_space();
  const std::string_view count = rest_.substr(0, rest_.find_first_of(" \t\""));
  const auto ports = parse_unsigned(count);
  if (!ports || *ports == 0 || *ports > max_infiniband_ports)
    missed(fmt::format("a number of ports from 1 to {}", max_infiniband_ports));
  rest_.remove_prefix(count.size());
  const std::string_view name = key();
  skip_space();
  node_ = raw_.define(name, lines_.number());
  RawNode& node = raw_.nodes[node_];
  node.kind = is_switch ? RawNode::Kind::switch_ : RawNode::Kind::nic;
  node.ports = static_cast<u32>(*ports);
  const bool key_is_guid = name.size() == 18 && name[1] == '-';
  node.guid = node_guid_ != 0 ? node_guid_ : key_is_guid ? parse_hex(name.substr(2)).value_or(0) : 0;
  node.system_guid = system_guid_;
  node.vendor = vendor_;
  node.device = device_;
  node.is_router = type == "Rt";
  read_description(node);
  node_guid_ = system_guid_ = port0_guid_ = 0;
  vendor_ = device_ = 0;
}

void InfinibandTextReader::read_port() {
  if (node_ == nobody) missed("a node before its ports");
  const RawEnd here{node_, port("a port in brackets")};
  const u64 here_guid = port_guid();
  const std::string_view far_key = key();
  const RawEnd there{raw_.mention(far_key, lines_.number()), port("the far port in brackets")};
  port_guid();
  const auto hash = std::min(rest_.find('#'), rest_.size());
  for (const std::string_view option : split(rest_.substr(0, hash), ' '))
    if (!option.empty() && option.find('=') == option.npos) missed("'#' or the end of the line");
  rest_.remove_prefix(hash);
  RawCable cable{here, there, std::nullopt, 1, lines_.number()};
  if (!rest_.empty()) cable.capacity = parse_link_speed(rest_.substr(rest_.find_last_of(" \t") + 1));
  raw_.cables.push_back(cable);
  RawNode& node = raw_.nodes[node_];
  if (node.kind != RawNode::Kind::nic || here.port > *node.ports) return;
  const std::string_view own = rest_.substr(0, rest_.find('"'));
  if (node.attachments.size() < here.port) node.attachments.resize(here.port);
  node.attachments[here.port - 1] = {here_guid, static_cast<u16>(after(own, " lid ")),
                                     static_cast<u8>(after(own, " lmc "))};
}

}  // namespace

FabricFile read_infiniband_text(std::istream& in, const std::string& file) {
  return InfinibandTextReader(in, file).run();
}

bool looks_like_infiniband_text(std::string_view head) {
  if (head.starts_with("#\n# Topology file: generated on")) return true;
  const std::string_view line = first_line(head);
  for (std::string_view start :
       {"vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=", "Switch ", "Switch\t", "Ca ",
        "Ca\t", "Hca ", "Hca\t", "Rt ", "Rt\t", "Chassis ", "Non-Chassis"})
    if (line.starts_with(start)) return true;
  return false;
}

}  // namespace banyan::formats
