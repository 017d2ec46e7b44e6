// ibdiagnet's db_csv: tables between START_NAME and END_NAME, each with a header. NODES gives the nodes by
// GUID, LINKS the cables, PORTS speeds, LIDs and GUIDs of ports. Other tables are for others.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.hpp"
#include "formats/adapter_ports.hpp"
#include "formats/csv_cells.hpp"
#include "formats/lines.hpp"
#include "formats/link_speed.hpp"
#include "formats/raw_fabric.hpp"
#include "formats/subnet.hpp"

namespace banyan::formats {
namespace {

class IbdiagnetReader {
 public:
  IbdiagnetReader(std::istream& in, const std::string& file) : lines_(in, file), raw_(file) {
    raw_.unit = gigabit;
  }

  FabricFile run() && {
    while (lines_.next()) {
      const std::string_view line = trim(lines_.line());
      if (line.starts_with("START_")) read_table(std::string(line.substr(6)));
    }
    if (raw_.nodes.empty()) lines_.fail("found no table NODES, expected one from START_NODES to END_NODES");
    for (RawCable& cable : raw_.cables) settle_speed(cable);
    split_adapters(raw_);
    return to_fabric(std::move(raw_));
  }

 private:
  void read_table(const std::string& name);
  void read_node();
  void read_link();
  void read_port();
  void settle_speed(RawCable& cable) const;

  std::size_t column(std::string_view name) const {
    const auto found = std::find(header_.begin(), header_.end(), name);
    return static_cast<std::size_t>(found - header_.begin());
  }
  std::string_view cell(std::string_view name) const {
    const std::size_t place = column(name);
    return place < cells_.size() ? std::string_view(cells_[place]) : std::string_view();
  }
  u64 number(std::string_view name, u64 maximum) const {
    const std::string_view text = cell(name);
    const auto value = text.starts_with("0x") ? parse_hex(text) : parse_unsigned(text);
    if (!value || *value > maximum)
      raw_.fail(line_, fmt::format("found {} as {}, expected a number up to {}", shown(text), name, maximum));
    return *value;
  }
  u64 guid(std::string_view name) const {
    const auto value = parse_hex(cell(name));
    if (!value) raw_.fail(line_, fmt::format("found {} as {}, expected a GUID", shown(cell(name)), name));
    return *value;
  }
  RawEnd end_of(std::string_view node, std::string_view port) {
    const u64 number_of_port = number(port, max_ports_of_a_node);
    if (number_of_port == 0) raw_.fail(line_, "found a cable at port 0, expected 1 or more");
    return {raw_.mention(fmt::format("{:016x}", guid(node)), line_), static_cast<u32>(number_of_port)};
  }

  LineReader lines_;
  RawFabric raw_;
  std::vector<std::string> header_, cells_;  // names of columns in small letters
  u64 line_ = 0;
  std::map<RawEnd, double> speeds_;
};

void IbdiagnetReader::read_table(const std::string& name) {
  const u64 start = lines_.number();
  header_.clear();
  while (lines_.next()) {
    line_ = lines_.number();
    const std::string_view line = trim(lines_.line());
    if (line == "END_" + name) return;
    if (name != "NODES" && name != "LINKS" && name != "PORTS") continue;
    if (line.empty()) continue;
    cells_ = take_csv_cells(lines_);
    if (header_.empty()) {
      for (const std::string& cell : cells_) header_.push_back(lower(cell));
    } else if (cells_.size() != header_.size()) {
      raw_.fail(line_,
                fmt::format("found {} cells, expected {} as in the header", cells_.size(), header_.size()));
    } else if (name == "NODES") {
      read_node();
    } else if (name == "LINKS") {
      read_link();
    } else {
      read_port();
    }
  }
  lines_.fail_at(start, fmt::format("found no END_{}, expected one", name));
}

void IbdiagnetReader::read_node() {
  constexpr u64 channel_adapter = 1, is_switch = 2, router = 3;
  const u64 own = guid("nodeguid"), type = number("nodetype", router);
  if (type < channel_adapter) raw_.fail(line_, "found node type 0, expected 1, 2 or 3");
  RawNode& node = raw_.nodes[raw_.define(fmt::format("{:016x}", own), line_)];
  node.guid = own;
  node.system_guid = cell("systemimageguid").empty() ? 0 : guid("systemimageguid");
  node.ports = static_cast<u32>(number("numports", max_infiniband_ports));
  const std::string_view description = cell("nodedesc");
  if (type == is_switch) {
    node.kind = RawNode::Kind::switch_;
    node.name = std::string(description);
    return;
  }
  node.kind = RawNode::Kind::nic;
  node.description = std::string(description);
  node.vendor = static_cast<u32>(parse_hex(cell("vendorid")).value_or(0));
  node.device = static_cast<u32>(parse_hex(cell("deviceid")).value_or(0));
  node.is_router = type == router;
  const AdapterName split = split_description(description);
  node.name = std::string(split.host);
  node.adapter = std::string(split.adapter);
}

void IbdiagnetReader::read_link() {
  const RawEnd a = end_of("nodeguid1", "portnum1"), b = end_of("nodeguid2", "portnum2");
  raw_.cables.push_back({a, b, std::nullopt, 1, line_});
}

// Widths are bits: 1, 4, 8, 12, 2 lanes. Speeds too, the extended ones above 255.
void IbdiagnetReader::read_port() {
  const u64 port = number("portnum", max_ports_of_a_node);
  const u32 v = raw_.mention(fmt::format("{:016x}", guid("nodeguid")), line_);
  RawNode& node = raw_.nodes[v];
  InfinibandIds::Attachment attachment{};
  if (!cell("portguid").empty()) attachment.guid = guid("portguid");
  if (!cell("lid").empty()) attachment.lid = static_cast<u16>(number("lid", 0xffff));
  if (!cell("lmc").empty()) attachment.lmc = static_cast<u8>(number("lmc", 7));
  const bool is_switch = node.kind == RawNode::Kind::switch_;
  if (is_switch && (port == 0 || node.attachments.empty())) node.attachments = {attachment};
  if (!is_switch && node.defined && port > 0 && port <= node.ports.value_or(0)) {
    if (node.attachments.size() < port) node.attachments.resize(port);
    node.attachments[port - 1] = attachment;
  }
  static const std::map<u64, double> widths = {{1, 1}, {2, 4}, {4, 8}, {8, 12}, {16, 2}};
  static const std::map<u64, double> speeds = {{1, 2},     {2, 4},      {4, 8},      {256, 13.625}, {512, 25},
                                               {1024, 50}, {2048, 100}, {4096, 200}, {65536, 10}};
  const auto bits = [&](std::string_view name) {
    return cell(name).empty() || cell(name) == "N/A" ? 0 : number(name, ~u64{0});
  };
  const auto width = widths.find(bits("linkwidthactv")), speed = speeds.find(bits("linkspeedactv"));
  if (width != widths.end() && speed != speeds.end())
    speeds_[{v, static_cast<u32>(port)}] = width->second * speed->second;
}

void IbdiagnetReader::settle_speed(RawCable& cable) const {
  for (const RawEnd& end : {cable.a, cable.b})
    if (const auto found = speeds_.find(end); found != speeds_.end())
      cable.capacity = std::min(found->second, cable.capacity.value_or(HUGE_VAL));
}

}  // namespace

Format ibdiagnet_format() {
  return {"ibdiagnet",
          {".db_csv"},
          "ibdiagnet's db_csv",
          [](std::string_view head) {
            return first_line(head).starts_with("START_") || head.find("\nSTART_NODES") != head.npos;
          },
          [](std::istream& in, const std::string& file) { return IbdiagnetReader(in, file).run(); },
          nullptr};
}

}  // namespace banyan::formats
