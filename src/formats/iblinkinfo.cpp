// iblinkinfo's output: a heading for each node and a line for each of its ports, or with --line all on one
// line. Ports name the other end by LID, port and description, with --line also by GUID. Ports without a
// cable are left out. With --line nothing tells adapters from switches: those with one cable are adapters.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/text.hpp"
#include "formats/adapter_ports.hpp"
#include "formats/lines.hpp"
#include "formats/link_speed.hpp"
#include "formats/raw_fabric.hpp"

namespace banyan::formats {
namespace {

constexpr std::string_view link_start = "==(", link_end = ")==>";

// What stands on one side of the arrow: [GUID] ["NAME"] LID PORT[EXT] ["NAME"].
struct LinkSide {
  u64 guid = 0, lid = 0;
  u32 port = 0;  // 0: there is none
  std::string_view name{};
};

class IblinkinfoReader {
 public:
  IblinkinfoReader(std::istream& in, const std::string& file) : lines_(in, file), raw_(file) {
    raw_.unit = gigabit;
  }

  FabricFile run() && {
    while (lines_.next()) read_line();
    if (raw_.nodes.empty()) lines_.fail("found nothing, expected the nodes and links that iblinkinfo lists");
    connect();
    settle_kinds();
    split_adapters(raw_);
    return to_fabric(std::move(raw_));
  }

 private:
  static constexpr u32 nobody = ~u32{0};
  struct Seen {
    RawEnd near;
    LinkSide far;
    std::string far_name;
    std::optional<double> capacity;
    u64 line;
  };

  void read_line();
  void read_heading(std::string_view line);
  void read_link(std::string_view line, std::size_t start, std::size_t end);
  LinkSide read_side(std::string_view text) const;
  RawEnd far_end(const Seen& seen) const;
  void connect();
  void settle_kinds();
  void name_node(RawNode& node, std::string_view description, bool is_switch) const;

  LineReader lines_;
  RawFabric raw_;
  u32 node_ = nobody;  // of the last heading
  std::vector<Seen> seen_;
  std::map<std::pair<u64, u32>, RawEnd> by_lid_;  // LID and port
  std::map<std::string, std::vector<u32>> by_name_;
  std::vector<std::string> descriptions_;  // by raw node
};

std::optional<double> data_rate(std::string_view words) {
  struct Rate {
    std::string_view word;
    double lane;  // Gbit/s of data
  };
  static constexpr std::array<Rate, 10> rates = {{{"2.5", 2},
                                                  {"5.0", 4},
                                                  {"10.0", 8},
                                                  {"10.3125", 10},
                                                  {"14.0625", 13.625},
                                                  {"25.78125", 25},
                                                  {"53.125", 50},
                                                  {"106.25", 100},
                                                  {"212.5", 200},
                                                  {"212.50", 200}}};
  const auto x = words.find('X');
  const auto width = parse_unsigned(trim(words.substr(0, x)));
  if (x == words.npos || !width || *width > 12) return std::nullopt;
  const std::string_view rest = trim(words.substr(x + 1));
  const std::string_view speed = rest.substr(0, rest.find(' '));
  for (const Rate& rate : rates)
    if (rate.word == speed) return static_cast<double>(*width) * rate.lane;
  return std::nullopt;
}

void IblinkinfoReader::read_line() {
  const std::string_view line = trim(lines_.line());
  if (line.empty() || line.starts_with('#')) return;
  const auto start = line.find(link_start), end = line.find(link_end);
  if (start != line.npos && end != line.npos && start < end) return read_link(line, start, end);
  if (line.ends_with(':')) return read_heading(line);
  lines_.fail(
      fmt::format("found {}, expected a heading such as 'Switch: 0x... NAME:' or a link", shown(line)));
}

// Switch: 0x0002c90200000001 leaf 1:        CA: h3 HCA-1:
void IblinkinfoReader::read_heading(std::string_view line) {
  const auto colon = line.find(':');
  const std::string_view kind = line.substr(0, colon);
  std::string_view name = trim(line.substr(colon + 1, line.size() - colon - 2));
  if (kind != "Switch" && kind != "CA" && kind != "RT" && kind != "Router")
    lines_.fail(fmt::format("found {}, expected Switch:, CA: or RT:", shown(line)));
  const bool is_switch = kind == "Switch";
  u64 guid = 0;
  if (name.starts_with("0x")) {
    const std::string_view word = name.substr(0, name.find(' '));
    const auto value = parse_hex(word);
    if (!value) lines_.fail(fmt::format("found {}, expected a GUID", shown(word)));
    guid = *value;
    name = trim(name.substr(word.size()));
  }
  node_ = raw_.define(guid != 0 ? fmt::format("{:016x}", guid) : fmt::format("line {}", lines_.number()),
                      lines_.number());
  RawNode& node = raw_.nodes[node_];
  node.guid = guid;
  node.is_router = kind == "RT" || kind == "Router";
  name_node(node, name, is_switch);
  descriptions_.resize(raw_.nodes.size());
  descriptions_[node_] = std::string(name);
  by_name_[std::string(name)].push_back(node_);
}

void IblinkinfoReader::name_node(RawNode& node, std::string_view description, bool is_switch) const {
  node.kind = is_switch ? RawNode::Kind::switch_ : RawNode::Kind::nic;
  if (is_switch) return void(node.name = std::string(description));
  node.description = std::string(description);
  const AdapterName split = split_description(description);
  node.name = std::string(split.host);
  node.adapter = std::string(split.adapter);
}

LinkSide IblinkinfoReader::read_side(std::string_view text) const {
  LinkSide out;
  const auto open = text.find('"'), close = text.find('"', open + 1);
  const bool has_name = open != text.npos && close != text.npos;
  if (has_name) out.name = trim(text.substr(open + 1, close - open - 1));
  std::string before(text.substr(0, has_name ? open : text.size()));
  if (const auto bracket = before.find('['); bracket != before.npos)
    before.resize(bracket);
  else if (has_name)  // GUID "NAME" LID PORT[EXT]
    before += ' ' + std::string(text.substr(close + 1, text.find('[', close) - close - 1));
  std::vector<std::string> words;
  for (const std::string_view word : split(before, ' '))
    if (!word.empty()) words.emplace_back(word);
  if (!words.empty() && words[0].starts_with("0x")) {
    const auto guid = parse_hex(words[0]);
    if (!guid) lines_.fail(fmt::format("found {}, expected a GUID", shown(words[0])));
    out.guid = *guid;
    words.erase(words.begin());
  }
  if (words.empty()) return out;
  const auto lid = words.size() == 2 ? parse_unsigned(words[0]) : std::nullopt;
  if (!lid) lines_.fail(fmt::format("found {}, expected LID and PORT before '['", shown(before)));
  out.lid = *lid;
  out.port = raw_.port_number(words[1], lines_.number());
  return out;
}

void IblinkinfoReader::read_link(std::string_view line, std::size_t start, std::size_t end) {
  const LinkSide near = read_side(line.substr(0, start));
  const LinkSide far = read_side(line.substr(end + link_end.size()));
  if (near.port == 0) {
    if (line.substr(0, start).find('[') != line.npos) return;  // port 0 of a switch has no cable
    lines_.fail(fmt::format("found {}, expected LID and PORT before '[]'", shown(line.substr(0, start))));
  }
  const bool on_one_line = near.guid != 0 && !near.name.empty();
  if (on_one_line) {
    node_ = raw_.mention(fmt::format("{:016x}", near.guid), lines_.number());
    RawNode& node = raw_.nodes[node_];
    node.defined = true;
    node.guid = near.guid;
    descriptions_.resize(raw_.nodes.size());
    descriptions_[node_] = std::string(near.name);
  }
  if (node_ == nobody) lines_.fail("found a link before a heading, expected 'Switch: 0x... NAME:' before it");
  const RawEnd here{node_, near.port};
  if (near.lid != 0) by_lid_.emplace(std::pair(near.lid, near.port), here);
  if (far.port == 0) return;  // no cable
  const auto words = trim(line.substr(start + link_start.size(), end - start - link_start.size()));
  seen_.push_back({here, far, std::string(far.name), data_rate(words), lines_.number()});
}

RawEnd IblinkinfoReader::far_end(const Seen& seen) const {
  if (const auto found = by_lid_.find({seen.far.lid, seen.far.port});
      seen.far.lid != 0 && found != by_lid_.end())
    return found->second;
  const auto named = by_name_.find(seen.far_name);
  if (named == by_name_.end() || named->second.size() != 1)
    raw_.fail(seen.line, fmt::format("found a cable to {}, LID {}, expected one node of this file",
                                     shown(seen.far_name), seen.far.lid));
  return {named->second[0], seen.far.port};
}

void IblinkinfoReader::connect() {
  for (const Seen& seen : seen_) {
    RawEnd far{};
    if (seen.far.guid != 0)
      far = {raw_.mention(fmt::format("{:016x}", seen.far.guid), seen.line), seen.far.port};
    else
      far = far_end(seen);
    raw_.cables.push_back({seen.near, far, seen.capacity, 1, seen.line});
  }
}

void IblinkinfoReader::settle_kinds() {
  descriptions_.resize(raw_.nodes.size());
  std::map<u32, std::set<u32>> ports;
  for (const RawCable& cable : raw_.cables)
    for (const RawEnd& end : {cable.a, cable.b}) ports[end.node].insert(end.port);
  for (u32 v = 0; v < raw_.nodes.size(); ++v)
    if (raw_.nodes[v].kind == RawNode::Kind::unknown)
      name_node(raw_.nodes[v], descriptions_[v], ports[v].size() > 1);
}

}  // namespace

Format iblinkinfo_format() {
  return {"iblinkinfo",
          {".iblinkinfo"},
          "links as iblinkinfo lists them",
          [](std::string_view head) {
            return head.find(link_start) != head.npos && head.find(link_end) != head.npos;
          },
          [](std::istream& in, const std::string& file) { return IblinkinfoReader(in, file).run(); },
          nullptr};
}

}  // namespace banyan::formats
