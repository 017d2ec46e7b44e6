#include "formats/opensm_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <set>

#include "base/file.hpp"
#include "base/print.hpp"
#include "base/text.hpp"
#include "formats/lines.hpp"

namespace banyan::formats {
namespace {

// "a, b, c and 12 more"
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  const std::vector<std::string> first(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size())));
  return fmt::format("{}{}", fmt::join(first, ", "),
                     names.size() > most ? fmt::format(" and {} more", names.size() - most) : "");
}

class OpensmTablesReader {
 public:
  OpensmTablesReader(const Fabric& fabric, const InfinibandIds& ids, Unknown unknown)
      : fabric_(fabric), unknown_(unknown), ids_(complete_ids(fabric, ids)), raw_ids_(ids) {
    for (Node v : fabric.switch_nodes()) switches_[ids_.nodes[v].guid] = v;
    if (!ids.empty()) return;
    for (Node v : fabric.nodes()) described_[infiniband_description(fabric, v)] = v;
    raw_ids_.nodes.resize(ids_.nodes.size());
    raw_ids_.nic_channels.resize(ids_.nic_channels.size());
  }

  // All tables that are read are of one fabric, whichever file they stand in.
  void read(std::istream& in, const std::string& file);

  TablesRead run(const std::optional<LidsByGuid>& given) && {
    const LidsByGuid found = lids_found();
    const bool knows_names = !found.empty() || described_.empty();
    Subnet subnet = subnet_with(fabric_, knows_names ? raw_ids_ : InfinibandIds{},
                                given           ? *given
                                : found.empty() ? lids_of(fabric_, ids_)
                                                : found,
                                files_.front());
    Tables tables(fabric_, subnet.lmc);
    if (unknown_ == Unknown::refused) check_lids(nodes_by_lid(subnet));
    for (Node at : fabric_.switch_nodes())
      if (const std::vector<u8>& row = rows_[at]; !row.empty())
        for (u32 a = 0; a < tables.addresses(); ++a)
          if (const u16 lid = subnet.lid(Address{a}); lid != 0 && lid < row.size())
            tables(at, Address{a}) = row[lid];
    const TableWays ways{.lmc = subnet.lmc, .addresses = tables.addresses(), .lane_row = {}, .lanes = {}};
    const u32 lmc = subnet.lmc;
    return {{std::move(tables), Source(ways), 1, lmc}, std::move(subnet), remarks()};
  }

 private:
  void read_lines();
  void read_switch(std::string_view line);
  Node find_switch(u64 guid, std::string_view line);
  void learn(u64 guid, std::string_view line);
  void read_entry(std::string_view line);
  u8 port_with_label(u64 label) const;
  LidsByGuid lids_found() const;
  void check_lids(const std::vector<Node>& owner) const;
  std::vector<std::string> remarks() const;

  struct Lid {
    u64 line = 0;  // where it first stood; 0: nowhere
    u32 file = 0;
    u64 guid = 0;  // of the port that a comment says it belongs to
  };

  std::vector<std::string> files_;
  std::optional<LineReader> lines_;  // of the last file
  const Fabric& fabric_;
  Unknown unknown_;
  InfinibandIds ids_, raw_ids_;                      // complete, and as they are known
  std::unordered_map<u64, Node> switches_;           // by GUID
  std::unordered_map<std::string, Node> described_;  // by description, where no ids were known
  IdVector<Node, std::vector<u8>> rows_ = IdVector<Node, std::vector<u8>>(fabric_.nodes().size());
  std::vector<Lid> lids_ = std::vector<Lid>(max_lid + 1);
  std::set<Node> stopped_;  // a tool said something amid or behind the tables of these
  Node at_ = none<Node>;
};

void OpensmTablesReader::read(std::istream& in, const std::string& file) {
  files_.push_back(file);
  lines_.emplace(in, file);
  at_ = none<Node>;
  read_lines();
  if (at_ == none<Node>) throw InputError(Place{file}, "found no 'Unicast lids' of any switch");
}

void OpensmTablesReader::read_lines() {
  while (lines_->next()) {
    const std::string_view line = trim(lines_->line());
    if (is_tool_message(line)) {
      if (at_ != none<Node>) stopped_.insert(at_);
    } else if (line.starts_with("Unicast lids"))
      read_switch(line);
    else if (line.starts_with("0x"))
      read_entry(line);
    else if (!line.empty() && line.front() != '#' && line.front() != '*' && !line.ends_with("lids dumped") &&
             !line.starts_with("Lid  Out") && !line.starts_with("Port  "))
      lines_->fail(fmt::format("found {}, expected 'Unicast lids' of a switch or a LID", shown(line)));
  }
}

// Which switches the files say little of. A dump that a tool ended with an error is whole if it goes as far
// as the others.
std::vector<std::string> OpensmTablesReader::remarks() const {
  std::size_t longest = 0;
  for (const std::vector<u8>& row : rows_) longest = std::max(longest, row.size());
  std::vector<std::string> torn, missing;
  for (const Node v : fabric_.switch_nodes()) {
    if (rows_[v].empty() && fabric_.cabled_ports(v) > 0) missing.push_back(fabric_.name(v));
    if (!rows_[v].empty() && stopped_.contains(v) && rows_[v].size() < longest)
      torn.push_back(
          fmt::format("{} (up to LID 0x{:x} of 0x{:x})", fabric_.name(v), rows_[v].size() - 1, longest - 1));
  }
  std::vector<std::string> out;
  if (!missing.empty()) out.push_back(fmt::format("no tables of {}", listed(missing)));
  if (!torn.empty())
    out.push_back(fmt::format("doubtful: the tables of {} are torn, the tool stopped there", listed(torn)));
  return out;
}

void OpensmTablesReader::read_switch(std::string_view line) {
  static constexpr std::string_view word = " guid ";
  const auto start = line.find(word);
  const std::string_view rest = start == line.npos ? "" : line.substr(start + word.size());
  const auto guid = parse_hex(rest.substr(0, rest.find(' ')));
  if (!guid) lines_->fail(fmt::format("found {}, expected ' guid 0x...' of the switch", shown(line)));
  at_ = find_switch(*guid, rest);
  if (!rows_[at_].empty())
    lines_->fail(fmt::format("found a second table of '{}', GUID 0x{:016x}", fabric_.name(at_), *guid));
  rows_[at_].assign(1, Tables::no_port);
}

// What stands between quotes after a GUID; empty: nothing does.
std::string quoted_name(std::string_view text) {
  const auto first = text.find('\''), last = text.rfind('\'');
  return first == last ? "" : std::string(text.substr(first + 1, last - first - 1));
}

Node OpensmTablesReader::find_switch(u64 guid, std::string_view line) {
  if (const auto named = described_.find(quoted_name(line));
      named != described_.end() && fabric_.is_switch(named->second)) {
    raw_ids_.nodes[named->second].guid = guid;
    return named->second;
  }
  const auto found = switches_.find(guid);
  if (found == switches_.end())
    lines_->fail(fmt::format("found GUID 0x{:016x}, which no switch of the fabric has", guid));
  return found->second;
}

// A port GUID, where the fabric knows its node by name alone. That of the node is below it, as most adapters
// have it, and those that are made up.
void OpensmTablesReader::learn(u64 guid, std::string_view line) {
  const auto named = described_.find(quoted_name(line));
  if (named == described_.end()) return;
  InfinibandIds::NodeIds& node = raw_ids_.nodes[named->second];
  if (fabric_.is_switch(named->second)) {
    node.port0.guid = guid;
    return;
  }
  for (const Channel c : fabric_.channels(named->second))
    if (fabric_.cabled(c)) {
      raw_ids_.nic_channels[c].guid = guid;
      node.guid = guid - 1 - index(fabric_.port(c));
    }
}

void OpensmTablesReader::read_entry(std::string_view line) {
  if (at_ == none<Node>) lines_->fail("found a LID before the switch whose table it is in");
  const auto space = std::min(line.find(' '), line.size());
  const auto lid = parse_hex(line.substr(0, space));
  if (!lid || *lid == 0 || *lid > max_lid)
    lines_->fail(
        fmt::format("found {}, expected a LID from 0x1 to 0x{:x}", shown(line.substr(0, space)), max_lid));
  const std::string_view rest = trim(line.substr(space));
  const std::string_view number = rest.substr(0, rest.find(' '));
  const auto port = parse_unsigned(number);
  if (!port) lines_->fail(fmt::format("found {}, expected a port in decimal digits", shown(number)));
  auto& row = rows_[at_];
  if (row.size() <= *lid) row.resize(*lid + 1, Tables::no_port);
  row[*lid] = *port == 0 || *port == Tables::no_port ? Tables::no_port : port_with_label(*port);
  Lid& known = lids_[*lid];
  if (known.line == 0) known.line = lines_->number(), known.file = static_cast<u32>(files_.size()) - 1;
  static constexpr std::string_view word = " portguid ";
  const auto start = rest.find(word);
  if (start == rest.npos) return;
  const std::string_view guid = rest.substr(start + word.size());
  const auto value = parse_hex(guid.substr(0, guid.find_first_of(": ")));
  if (!value) lines_->fail(fmt::format("found {}, expected a GUID after 'portguid'", shown(guid)));
  if (known.guid != 0 && known.guid != *value)
    lines_->fail(fmt::format("found LID 0x{:x} for port GUID 0x{:016x}, but earlier for 0x{:016x}", *lid,
                             *value, known.guid));
  known.guid = *value;
  learn(*value, guid);
}

u8 OpensmTablesReader::port_with_label(u64 label) const {
  for (const bool cabled : {true, false})  // a port without a cable has no label of its own
    for (Channel c : fabric_.channels(at_))
      if (fabric_.port_number(c) == label && fabric_.cabled(c) == cabled &&
          (cabled || label == index(fabric_.port(c)) + 1))
        return static_cast<u8>(index(fabric_.port(c)));
  if (unknown_ == Unknown::ignored) return Tables::no_port;
  lines_->fail(fmt::format("found port {}, which '{}' does not have", label, fabric_.name(at_)));
}

// As the comments have them, a block for each GUID.
LidsByGuid OpensmTablesReader::lids_found() const {
  LidsByGuid out;
  for (u32 lid = 1; lid <= max_lid; ++lid) {
    if (lids_[lid].guid == 0) continue;
    LidBlock& block = out[lids_[lid].guid];
    if (block.first == 0) block.first = static_cast<u16>(lid);
    block.last = static_cast<u16>(lid);
  }
  return out;
}

void OpensmTablesReader::check_lids(const std::vector<Node>& owner) const {
  for (u32 lid = 1; lid <= max_lid; ++lid)
    if (lids_[lid].line != 0 && (lid >= owner.size() || owner[lid] == none<Node>))
      throw InputError(Place{files_[lids_[lid].file], lids_[lid].line},
                       fmt::format("found LID 0x{:04x}, which no node of the fabric has", lid));
}

}  // namespace

std::vector<Node> nodes_by_lid(const Subnet& subnet) {
  std::vector<Node> out(subnet.top_lid() + 1, none<Node>);
  for (Node v : subnet.fabric->nodes())
    if (subnet.has(v))
      for (u32 i = 0; i < subnet.lid_count(v); ++i) out[subnet.lids[v] + i] = v;
  return out;
}

std::vector<u8> forwarding_table(const Subnet& subnet, const Tables& tables, const SwitchTables& to_switches,
                                 Node at) {
  std::vector<u8> table(subnet.top_lid() + 1, Tables::no_port);
  const Fabric& fabric = *subnet.fabric;
  std::array<u8, 256> label;
  label.fill(Tables::no_port);
  for (Channel c : fabric.channels(at))
    if (fabric.cabled(c)) label[index(fabric.port(c))] = static_cast<u8>(fabric.port_number(c));
  for (u32 a = 0; a < tables.addresses(); ++a)
    if (const u16 lid = subnet.lid(Address{a}); lid != 0) table[lid] = label[tables(at, Address{a})];
  for (Node v : fabric.switch_nodes())
    if (subnet.has(v)) table[subnet.lids[v]] = label[to_switches(at, v)];
  table[subnet.lids[at]] = 0;
  return table;
}

void write_lfts(std::ostream& out, const Subnet& subnet, const Tables& tables,
                const SwitchTables& to_switches) {
  const Fabric& fabric = *subnet.fabric;
  const auto owner = nodes_by_lid(subnet);
  std::vector<std::string> comment(owner.size());
  for (u32 lid = 0; lid < owner.size(); ++lid)
    if (const Node v = owner[lid]; v != none<Node>)
      comment[lid] =
          fmt::format("# {} portguid 0x{:016x}: '{}'\n", fabric.is_switch(v) ? "Switch" : "Channel Adapter",
                      subnet.port_guid(v), infiniband_description(fabric, v));
  for (Node at : fabric.switch_nodes()) {
    if (!subnet.has(at)) continue;
    const auto table = forwarding_table(subnet, tables, to_switches, at);
    fmt::memory_buffer text;
    base::append(text, "Unicast lids [0-{}] of switch Lid {} guid 0x{:016x} ('{}'):\n", owner.size() - 1,
                 subnet.lids[at], subnet.ids.nodes[at].guid, fabric.name(at));
    for (u32 lid = 1; lid < table.size(); ++lid)
      if (table[lid] != Tables::no_port)
        base::append(text, "0x{:04x} {:03} {}", lid, table[lid], comment[lid]);
    base::append(text, "{} lids dumped\n", owner.size() - 1);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
}

TablesRead read_lfts(std::istream& in, const std::string& file, const Fabric& fabric,
                     const InfinibandIds& ids, const std::optional<LidsByGuid>& lids, Unknown unknown) {
  OpensmTablesReader reader(fabric, ids, unknown);
  reader.read(in, file);
  return std::move(reader).run(lids);
}

TablesRead read_lft_files(const std::vector<std::string>& files, const Fabric& fabric,
                          const InfinibandIds& ids, const std::optional<LidsByGuid>& lids, Unknown unknown) {
  OpensmTablesReader reader(fabric, ids, unknown);
  for (const std::string& file : files) {
    std::ifstream in = open_input(file);
    reader.read(in, file);
  }
  return std::move(reader).run(lids);
}

bool holds_lfts(const std::string& file) {
  std::ifstream in = open_input(file);
  std::string head(4096, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return first_line(after_messages(head)).starts_with("Unicast lids");
}

}  // namespace banyan::formats
