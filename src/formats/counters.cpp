#include "formats/counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <unordered_map>

#include "base/file.hpp"
#include "base/text.hpp"
#include "fabric/names.hpp"
#include "formats/csv_cells.hpp"
#include "formats/lines.hpp"

namespace banyan::formats {
namespace {

bool has_word(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != text.npos; });
}

class CounterReader {
 public:
  CounterReader(std::istream& in, const std::string& file, const Fabric& fabric, const InfinibandIds& ids,
                PortCounters& out)
      : lines_(in, file), fabric_(fabric), ids_(ids), names_(fabric), out_(out) {
    for (u32 h = 0; h < fabric.hosts(); ++h) hosts_.emplace(fabric.host_name(Host{h}), h);
    if (!ids.empty()) number_ids();
  }

  void run() {
    bool is_any = false;
    while (lines_.next()) {
      const std::string_view line = trim(lines_.line());
      if (line.empty()) continue;
      if (line.starts_with("# Port")) {
        read_head(line);
      } else if (line.find(":..") != line.npos) {
        read_perfquery(line);
      } else if (line.starts_with("GUID 0x")) {
        read_errors(line);
      } else if (line.starts_with("Errors for") || line.starts_with("#") || line.starts_with("Link info")) {
        continue;
      } else if (!is_any) {
        return read_csv();
      } else {
        lines_.fail(
            fmt::format("found {}, expected what perfquery or ibqueryerrors say, or CSV", shown(line)));
      }
      is_any = true;
    }
    if (!is_any) lines_.fail("found no counters, expected what perfquery or ibqueryerrors say, or CSV");
  }

 private:
  void number_ids() {
    for (const Node node : fabric_.nodes()) {
      const auto& ids = ids_.nodes[node];
      if (fabric_.is_switch(node)) {
        if (ids.port0.lid) nodes_by_lid_[ids.port0.lid] = node;
        if (ids.guid) by_guid_[ids.guid].push_back(node);
        continue;
      }
      if (ids.guid) by_guid_[ids.guid].push_back(node);
      for (const Channel c : fabric_.channels(node)) {
        const auto& port = ids_.nic_channels[c];
        for (u32 i = 0; port.lid && i < 1u << std::min<u8>(port.lmc, 7); ++i) ports_by_lid_[port.lid + i] = c;
        if (port.guid) ports_by_guid_[port.guid] = c;
      }
    }
  }

  std::optional<Channel> numbered(Node node, u64 number) const {
    for (const Channel c : fabric_.channels(node)) {
      const bool is_nic = !fabric_.is_switch(node) && !ids_.empty();
      const u32 said =
          is_nic && ids_.nic_channels[c].port ? ids_.nic_channels[c].port : fabric_.port_number(c);
      if (said == number) return c;
    }
    return std::nullopt;
  }

  static u64 leading_number(std::string_view text) {
    const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
    return parse_unsigned(text.substr(0, end)).value_or(0);
  }

  void add(Channel c, const std::string& counter, u64 value) {
    u64& known = out_[c][counter];
    known = std::max(known, value);
  }

  // # Port counters: Lid 5 port 3 (CapMask: 0x1300). Port 0 is the switch, port 255 all its ports.
  void read_head(std::string_view line) {
    const auto lid_at = line.find("Lid "), port_at = line.find("port ");
    here_.reset();
    if (lid_at == line.npos || port_at == line.npos)
      lines_.fail(fmt::format("found {}, expected Lid and port", shown(line)));
    const u64 lid = leading_number(line.substr(lid_at + 4)), port = leading_number(line.substr(port_at + 5));
    is_of_port_ = port != 0 && port != 255;
    const auto nic = ports_by_lid_.find(lid);
    const auto node = nodes_by_lid_.find(lid);
    if (nic == ports_by_lid_.end() && node == nodes_by_lid_.end())
      lines_.fail(fmt::format("found LID {}, expected one of the fabric{}", lid,
                              ids_.empty() ? ", whose file has none" : ""));
    if (!is_of_port_) return;
    here_ = nic != ports_by_lid_.end() ? nic->second : numbered(node->second, port);
    if (!here_)
      lines_.fail(
          fmt::format("found port {} of {}, which it does not have", port, fabric_.name(node->second)));
  }

  // SymbolErrorCounter:..............12
  void read_perfquery(std::string_view line) {
    if (!here_ && is_of_port_)
      lines_.fail(fmt::format("found {}, expected # Port counters before", shown(line)));
    if (!here_) return;
    const auto colon = line.find(':');
    const std::string name(line.substr(0, colon));
    const std::string_view value = line.substr(std::min(line.size(), line.find_first_not_of('.', colon + 1)));
    if (name == "PortSelect" || name.starts_with("CounterSelect")) return;
    const auto number = parse_unsigned(value);
    if (!number) lines_.fail(fmt::format("found {}, expected a number", shown(value)));
    add(*here_, name, number.value_or(0));
  }

  // GUID 0x2c90200000000 port 3: [SymbolErrorCounter == 12] [PortXmitData == 55 (220.000B)]
  void read_errors(std::string_view line) {
    const auto port_at = line.find(" port "), colon = line.find(':');
    if (port_at == line.npos || colon == line.npos || port_at > colon)
      lines_.fail(fmt::format("found {}, expected GUID and port", shown(line)));
    const std::string text(line.substr(5, port_at - 5));
    const u64 guid = std::strtoull(text.c_str(), nullptr, 16);
    const std::string_view port = trim(line.substr(port_at + 6, colon - port_at - 6));
    if (port == "ALL") return;
    const auto number = parse_unsigned(port);
    std::optional<Channel> c;
    if (const auto found = ports_by_guid_.find(guid); found != ports_by_guid_.end()) c = found->second;
    if (const auto found = by_guid_.find(guid); found != by_guid_.end() && number)
      for (const Node node : found->second)
        if (const auto exit = numbered(node, *number)) c = exit;
    if (number == 0u) return;  // of the switch itself
    if (!c)
      lines_.fail(fmt::format("found port {} of GUID {}, expected one of the fabric", shown(port), text));
    for (std::string_view rest = line.substr(colon); rest.find('[') != rest.npos;) {
      rest.remove_prefix(rest.find('[') + 1);
      const auto equal = rest.find(" == ");
      if (equal == rest.npos) lines_.fail(fmt::format("found {}, expected [NAME == NUMBER]", shown(rest)));
      add(*c, std::string(rest.substr(0, equal)), leading_number(rest.substr(equal + 4)));
    }
  }

  // The first line names the columns.
  void read_csv() {
    std::vector<std::string> columns = take_csv_cells(lines_);
    const auto at = [&](std::string_view name) {
      return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
    };
    const std::size_t node = at("node"), port = at("port"), counter = at("counter"), value = at("value");
    const bool is_long = counter < columns.size() && value < columns.size();
    if (node == columns.size() || port == columns.size())
      lines_.fail(
          "found no columns node and port, expected node,port,counter,value, or a column for each counter");
    while (lines_.next()) {
      if (trim(lines_.line()).empty()) continue;
      const std::vector<std::string> cells = take_csv_cells(lines_);
      if (cells.size() != columns.size())
        lines_.fail(fmt::format("found {} cells, expected {}", cells.size(), columns.size()));
      const Channel c = find(cells[node], cells[port]);
      if (is_long) {
        add(c, cells[counter], number(cells[value]));
        continue;
      }
      for (std::size_t i = 0; i < cells.size(); ++i)
        if (i != node && i != port && !cells[i].empty()) add(c, columns[i], number(cells[i]));
    }
  }

  u64 number(const std::string& text) const {
    const auto found = parse_unsigned(text);
    if (!found) lines_.fail(fmt::format("found {}, expected a number", shown(text)));
    return found.value_or(0);
  }

  Channel find(const std::string& name, const std::string& port) const {
    std::vector<Node> nodes;
    if (const auto node = names_.find(name)) nodes.push_back(*node);
    if (const auto host = hosts_.find(name); host != hosts_.end())
      for (u32 slot = 0; slot < fabric_.nics(Host{host->second}); ++slot)
        nodes.push_back(fabric_.node(fabric_.nic(Host{host->second}, slot)));
    if (nodes.empty()) lines_.fail(fmt::format("found {}, expected a node of the fabric", shown(name)));
    for (const Node node : nodes)
      for (const Channel c : fabric_.channels(node))
        if (fabric_.port_label(c) == port) return c;
    for (const Node node : nodes)
      for (const Channel c : fabric_.channels(node))
        if (std::to_string(fabric_.port_number(c)) == port) return c;
    lines_.fail(fmt::format("found port {} of {}, which it does not have", shown(port), name));
  }

  mutable LineReader lines_;
  const Fabric& fabric_;
  const InfinibandIds& ids_;
  const NameIndex names_;
  std::unordered_map<std::string, u32> hosts_;
  std::unordered_map<u64, Node> nodes_by_lid_;
  std::unordered_map<u64, Channel> ports_by_lid_, ports_by_guid_;
  std::unordered_map<u64, std::vector<Node>> by_guid_;
  std::optional<Channel> here_;  // of perfquery
  bool is_of_port_ = true;
  PortCounters& out_;
};

}  // namespace

CounterKind counter_kind(std::string_view name) {
  const std::string text = lower(name);
  if (text == "portxmitdata" || text == "tx_bytes" || text == "tx_bytes_phy" || text == "tx_octets")
    return CounterKind::sent;
  if (text == "portrcvdata" || text == "rx_bytes" || text == "rx_bytes_phy" || text == "rx_octets")
    return CounterKind::received;
  if (has_word(text, {"remotephysical", "relay", "constraint", "discard", "drop", "corrected"}))
    return CounterKind::other;
  const bool is_error = has_word(
      text, {"err", "crc", "fcs", "symbol", "downed", "recovery", "integrity", "overrun", "link_down"});
  return is_error ? CounterKind::error : CounterKind::other;
}

u64 counter_bytes(std::string_view name) { return name.starts_with("Port") ? 4 : 1; }

void read_counters(std::istream& in, const std::string& file, const Fabric& fabric, const InfinibandIds& ids,
                   PortCounters& out) {
  CounterReader(in, file, fabric, ids, out).run();
}

PortCounters open_counters(const std::string& path, const Fabric& fabric, const InfinibandIds& ids) {
  std::vector<std::string> files;
  std::error_code failed;
  if (input_exists(path) && std::filesystem::is_directory(path, failed)) {
    for (const auto& entry : std::filesystem::directory_iterator(path, failed))
      if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.'))
        files.push_back(entry.path().string());
    std::sort(files.begin(), files.end(), natural_less);
    if (files.empty()) throw InputError(Place{path}, "found an empty folder, expected files with counters");
  } else {
    files.push_back(path);
  }
  PortCounters out;
  for (const std::string& file : files) {
    std::ifstream in = open_input(file);
    read_counters(in, file, fabric, ids, out);
  }
  return out;
}

}  // namespace banyan::formats
