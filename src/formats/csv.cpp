// A cabling list: a header, then a row for each cable. Columns are found by name:
//   from,to, and as wanted from_port,to_port (otherwise ports are numbered in the order of the rows),
//   from_kind,to_kind (host or switch), from_rail,to_rail,capacity,latency.
// A row without `to` says that a node has at least that many ports. Quoting is that of RFC 4180.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/print.hpp"
#include "base/text.hpp"
#include "formats/csv_cells.hpp"
#include "formats/lines.hpp"
#include "formats/link_speed.hpp"
#include "formats/raw_fabric.hpp"

namespace banyan::formats {
namespace {

enum Column {
  from,
  from_port,
  to,
  to_port,
  from_kind,
  to_kind,
  from_rail,
  to_rail,
  capacity,
  latency,
  columns
};
constexpr std::array<std::string_view, columns> column_names = {
    "from",    "from_port", "to",      "to_port",  "from_kind",
    "to_kind", "from_rail", "to_rail", "capacity", "latency"};

// What others call these columns, and those of theirs that say nothing about a fabric.
struct OtherColumn {
  std::string_view name;
  Column column;  // columns: it is skipped
};
constexpr OtherColumn other_columns[] = {
    {"startdevice", from},   {"startport", from_port},   {"enddevice", to},     {"endport", to_port},
    {"source", from},        {"source_port", from_port}, {"target", to},        {"target_port", to_port},
    {"src", from},           {"src_port", from_port},    {"dst", to},           {"dst_port", to_port},
    {"local_device", from},  {"local_port", from_port},  {"remote_device", to}, {"remote_port", to_port},
    {"bandwidth", capacity}, {"speed", capacity},        {"vlanid", columns},   {"vlanmode", columns},
    {"autoneg", columns},    {"fec_disable", columns},   {"fec", columns},      {"comment", columns}};

// The column of a header's cell; nothing if it is none that is known.
std::optional<Column> column_of(const std::string& name) {
  const auto found = std::find(column_names.begin(), column_names.end(), name);
  if (found != column_names.end()) return static_cast<Column>(found - column_names.begin());
  for (const OtherColumn& other : other_columns)
    if (other.name == name) return other.column;
  return std::nullopt;
}

class CsvReader {
 public:
  CsvReader(std::istream& in, const std::string& file) : lines_(in, file), raw_(file) {}

  FabricFile run() && {
    bool header = false;
    while (lines_.next()) {
      if (trim(lines_.line()).empty() || lines_.line().starts_with('#')) continue;
      line_ = lines_.number();
      cells_ = take_csv_cells(lines_);
      if (std::exchange(header, true))
        read_row();
      else
        read_header();
    }
    if (!header) lines_.fail("found nothing, expected a header such as from,to");
    return to_fabric(std::move(raw_));
  }

 private:
  void read_header();
  void read_row();
  u32 node(Column name, Column kind, Column rail);
  u32 port(Column column) const { return cell(column).empty() ? 0 : raw_.port_number(cell(column), line_); }
  std::string_view cell(Column column) const {
    return place_[column] < cells_.size() ? std::string_view(cells_[place_[column]]) : std::string_view();
  }

  LineReader lines_;
  RawFabric raw_;
  std::vector<std::string> cells_;
  std::array<std::size_t, columns> place_{};
  std::size_t width_ = 0;     // columns of the header
  u64 line_ = 0;              // where the row begins
  bool in_megabits_ = false;  // capacities, as SONiC's lists have them
};

void CsvReader::read_header() {
  place_.fill(~std::size_t{0});
  width_ = cells_.size();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const std::string name = lower(trim(cells_[i]));
    const auto found = column_of(name);
    if (!found)
      lines_.fail(fmt::format("found column {}, expected one like '{}'", shown(cells_[i]),
                              nearest(cells_[i], column_names)));
    if (*found == columns) continue;
    if (name == "bandwidth") raw_.unit = gigabit, in_megabits_ = true;
    auto& place = place_[*found];
    if (place != ~std::size_t{0}) lines_.fail(fmt::format("found column {} twice", shown(cells_[i])));
    place = i;
  }
  for (Column column : {from, to})
    if (place_[column] == ~std::size_t{0})
      lines_.fail(fmt::format("found no column '{}', expected from,to or from,from_port,to,to_port",
                              column_names[column]));
}

// The node that two or three cells name. A host with several NICs is several nodes, so the cell that says
// which is part of the key: a rail, or n and a slot where NICs have no rail.
u32 CsvReader::node(Column name, Column kind, Column rail) {
  const std::string_view key = cell(name), nic = trim(cell(rail));
  const u32 number = raw_.mention(nic.empty() ? std::string(key) : fmt::format("{}\n{}", key, nic), line_);
  RawNode& node = raw_.nodes[number];
  node.defined = true;
  node.name = std::string(key);
  if (!nic.empty()) raw_.read_nic(node, nic, line_);
  if (!cell(kind).empty()) raw_.read_kind(node, cell(kind), line_);
  return number;
}

void CsvReader::read_row() {
  if (cells_.size() != width_)
    raw_.fail(line_, fmt::format("found {} cells, expected {} as in the header", cells_.size(), width_));
  if (cell(from).empty()) raw_.fail(line_, "found no name in column 'from', expected a node");
  const u32 near = node(from, from_kind, from_rail);
  if (cell(to).empty()) {
    raw_.nodes[near].least_ports = std::max(raw_.nodes[near].least_ports, port(from_port));
    return;
  }
  const u32 far = node(to, to_kind, to_rail);
  RawCable cable{raw_.end(near, cell(from_port), line_), raw_.end(far, cell(to_port), line_), std::nullopt, 1,
                 line_};
  if (!cell(capacity).empty())
    cable.capacity = in_megabits_ ? raw_.capacity(cell(capacity), line_) / 1000
                                  : raw_.capacity_or_speed(cell(capacity), line_);
  if (!cell(latency).empty()) cable.latency = raw_.latency(cell(latency), line_);
  raw_.cables.push_back(cable);
}

// --- writing
// -------------------------------------------------------------------------------------------------

struct End {
  std::string name, kind, rail;
  End(const Fabric& fabric, Node v) {
    const bool is_switch = fabric.is_switch(v);
    name = csv_quoted(is_switch ? fabric.name(v) : fabric.host_name(fabric.host(fabric.nic(v))));
    kind = kind_text(fabric, v);
    if (!is_switch && tells_nics(fabric)) rail = nic_text(fabric, fabric.nic(v));
  }
};

void write_csv(const FabricFile& file, std::ostream& out) {
  const Fabric& fabric = file.topology.fabric;
  base::print(out, "{}\n", fmt::join(column_names, ","));
  for (Node v : fabric.nodes()) {
    const End near(fabric, v);
    const u32 ports = printed_ports(fabric, v);
    bool last_used = false;
    for (Channel c : fabric.channels(v)) {
      last_used = last_used || (fabric.cabled(c) && fabric.port_number(c) == ports);
      if (!fabric.cabled(c) || fabric.reverse(c) < c) continue;
      const End far(fabric, fabric.to(c));
      const LinkClass& link = fabric.link_class(c);
      base::print(out, "{},{},{},{},{},{},{},{},{},{}\n", near.name, csv_quoted(fabric.port_label(c)),
                  far.name, csv_quoted(fabric.port_label(fabric.reverse(c))), near.kind, far.kind, near.rail,
                  far.rail, capacity_text(link.capacity, file.unit), link.latency);
    }
    if (ports == 0 || !last_used)
      base::print(out, "{},{},,,{},,{},,,\n", near.name, ports == 0 ? "" : std::to_string(ports), near.kind,
                  near.rail);
  }
}

}  // namespace

Format csv_format() {
  return {"csv",
          {".csv"},
          "a cabling list: from,to or from,from_port,to,to_port",
          [](std::string_view head) {
            const std::string line = lower(first_line(head));
            if (line.find(',') == line.npos || line.find_first_of("={<[") != line.npos) return false;
            bool has_from = false, has_to = false;
            for (const std::string_view cell : split(line, ',')) {
              const auto column = column_of(std::string(trim(cell)));
              has_from |= column == from, has_to |= column == to;
            }
            return (has_from && has_to) || (line.find("from") != line.npos &&
                                            line.find("to") != line.npos);  // with a slip of the pen
          },
          [](std::istream& in, const std::string& file) { return CsvReader(in, file).run(); },
          write_csv,
          true};
}

}  // namespace banyan::formats
