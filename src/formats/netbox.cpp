// NetBox's list of cables, as it is imported: a header with side_a_device, side_a_name, side_b_device,
// side_b_name, then a row for each cable. Only interfaces are ports of a fabric: rows of which side_a_type or
// side_b_type says something else (power, console, patch panels) are left out. Other columns are for others.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "formats/csv_cells.hpp"
#include "formats/lines.hpp"
#include "formats/raw_fabric.hpp"

namespace banyan::formats {
namespace {

class NetboxReader {
 public:
  NetboxReader(std::istream& in, const std::string& file) : lines_(in, file), raw_(file) {}

  FabricFile run() && {
    bool has_header = false;
    while (lines_.next()) {
      if (trim(lines_.line()).empty()) continue;
      line_ = lines_.number();
      cells_ = take_csv_cells(lines_);
      if (has_header)
        read_row();
      else
        read_header();
      has_header = true;
    }
    if (raw_.cables.empty()) lines_.fail("found no cable between interfaces, expected a row for each");
    FabricFile out = to_fabric(std::move(raw_));
    if (others_ > 0)
      out.topology.remark = fmt::format("{} cables left out: they do not join two interfaces", others_);
    return out;
  }

 private:
  enum Column : u8 { device, type, name, columns };

  void read_header();
  void read_row();
  std::string_view cell(std::size_t side, Column column) const {
    const std::size_t place = place_[side][column];
    return place < cells_.size() ? std::string_view(cells_[place]) : std::string_view();
  }

  LineReader lines_;
  RawFabric raw_;
  std::vector<std::string> cells_;
  std::array<std::array<std::size_t, columns>, 2> place_{};
  std::size_t width_ = 0;
  u64 line_ = 0, others_ = 0;
};

void NetboxReader::read_header() {
  static constexpr std::array<std::string_view, columns> names = {"device", "type", "name"};
  width_ = cells_.size();
  for (std::size_t side = 0; side < 2; ++side)
    for (std::size_t column = 0; column < columns; ++column) {
      const std::string wanted = fmt::format("side_{}_{}", side == 0 ? 'a' : 'b', names[column]);
      const auto found = std::find_if(cells_.begin(), cells_.end(),
                                      [&](const std::string& cell) { return lower(cell) == wanted; });
      place_[side][column] = static_cast<std::size_t>(found - cells_.begin());
      if (found == cells_.end() && column != type)
        lines_.fail(fmt::format("found no column '{}', expected one", wanted));
    }
}

void NetboxReader::read_row() {
  if (cells_.size() != width_)
    raw_.fail(line_, fmt::format("found {} cells, expected {} as in the header", cells_.size(), width_));
  for (std::size_t side = 0; side < 2; ++side)
    if (const auto said = cell(side, type); !said.empty() && !lower(said).ends_with("interface"))
      return void(++others_);
  std::array<RawEnd, 2> ends;
  for (std::size_t side = 0; side < 2; ++side) {
    if (cell(side, device).empty() || cell(side, name).empty())
      raw_.fail(line_, "found a side without device or name, expected both");
    const u32 node = raw_.mention(cell(side, device), line_);
    raw_.nodes[node].defined = true;
    ends[side] = raw_.end(node, cell(side, name), line_);
  }
  raw_.cables.push_back({ends[0], ends[1], std::nullopt, 1, line_});
}

}  // namespace

Format netbox_format() {
  return {"netbox",
          {},
          "NetBox's list of cables: side_a_device,side_a_type,side_a_name,side_b_device,...",
          [](std::string_view head) {
            const std::string line = lower(first_line(head));
            return line.find("side_a_device") != line.npos && line.find(',') != line.npos;
          },
          [](std::istream& in, const std::string& file) { return NetboxReader(in, file).run(); },
          nullptr};
}

}  // namespace banyan::formats
