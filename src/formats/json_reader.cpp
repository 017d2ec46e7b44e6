// Turns the events of the JSON parser into a JsonFabric, row by row.
#include <fmt/format.h>

#include <charconv>
#include <istream>
#include <nlohmann/json.hpp>

#include "base/counted_text.hpp"
#include "base/text.hpp"
#include "formats/json.hpp"
#include "formats/lines.hpp"
#include "formats/raw_fabric.hpp"

namespace banyan::formats {
namespace {

using nlohmann::json;

struct Cell {
  enum class Kind { whole, real, text } kind;
  u64 whole;
  double real;
  std::string text;
};

// Receives the events of the parser. Depth 1 is the object, 2 a section, 3 a row.
class Handler : public nlohmann::json_sax<json> {
 public:
  Handler(const std::string& file, const u64& line) : file_(file), line_(line) {}
  JsonFabric said;

  bool null() override { missed("null", "a number or a text"); }
  bool boolean(bool value) override { missed(value ? "true" : "false", "a number or a text"); }
  bool number_integer(number_integer_t value) override {
    missed(std::to_string(value), "a number of at least 0");
  }
  bool number_unsigned(number_unsigned_t value) override {
    return cell({Cell::Kind::whole, value, static_cast<double>(value), ""});
  }
  bool number_float(number_float_t value, const string_t&) override {
    return cell({Cell::Kind::real, 0, value, ""});
  }
  bool string(string_t& value) override { return cell({Cell::Kind::text, 0, 0, std::move(value)}); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override {
    if (depth_++ != 0) missed("'{'", "no further object inside");
    return true;
  }
  bool end_object() override { return --depth_, true; }
  bool key(string_t& name) override { return section_ = std::move(name), true; }
  bool start_array(std::size_t) override {
    if (depth_ < 1 || depth_ > 2) missed("'['", depth_ == 0 ? "'{'" : "a number or a text");
    ++depth_;
    row_.clear();
    return true;
  }
  bool end_array() override {
    if (depth_-- == 3) take_row();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    const std::string_view what = error.what();
    const auto colon = what.find(": ");
    fail(std::string(what.substr(colon == what.npos ? 0 : colon + 2)));
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(Place{file_, line_}, what); }
  [[noreturn]] void missed(std::string_view found, std::string_view expected) const {
    fail(fmt::format("found {}, expected {}", found, expected));
  }

  bool cell(Cell value) {
    if (depth_ == 1) return take_scalar(value), true;
    if (depth_ != 3)
      missed(shown(value.kind == Cell::Kind::text ? value.text : fmt::format("{}", value.real)), "'['");
    if (row_.size() == 8) fail("found a row of more than 8 cells, expected fewer");
    return row_.push_back(std::move(value)), true;
  }
  void take_scalar(const Cell& value);
  void take_row();
  void columns(std::size_t least, std::size_t maximum) const {
    if (row_.size() < least || row_.size() > maximum)
      fail(fmt::format("found a row of {} cells in \"{}\", expected {}", row_.size(), section_, maximum));
  }
  u64 whole(const Cell& cell, u64 maximum) const {
    if (cell.kind != Cell::Kind::whole || cell.whole > maximum)
      missed(cell.kind == Cell::Kind::text ? shown(cell.text) : fmt::format("{}", cell.real),
             fmt::format("a whole number up to {} in \"{}\"", maximum, section_));
    return cell.whole;
  }
  u32 number(std::size_t column) const { return static_cast<u32>(whole(row_[column], ~u32{0})); }
  double real(std::size_t column, bool zero_too) const {
    const Cell& cell = row_[column];
    if (cell.kind == Cell::Kind::text || !(cell.real > 0 || (zero_too && cell.real == 0)) ||
        cell.real > 1e300)
      missed(cell.kind == Cell::Kind::text ? shown(cell.text) : fmt::format("{}", cell.real),
             "a number above 0");
    return cell.real;
  }
  u64 guid(std::size_t column) const {
    const std::string& text = row_[column].text;
    u64 value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
      missed(shown(text), "a GUID of 16 hexadecimal digits in quotes");
    return value;
  }
  InfinibandIds::Attachment attachment(std::size_t column) const {
    return {guid(column), static_cast<u16>(whole(row_[column + 1], 0xffff)),
            static_cast<u8>(whole(row_[column + 2], 7)), 0};
  }

  const std::string& file_;
  const u64& line_;
  int depth_ = 0;
  std::string section_;
  std::vector<Cell> row_;
};

void Handler::take_scalar(const Cell& value) {
  if (section_ == "banyan_fabric") {
    said.version = whole(value, ~u64{0});
    if (*said.version != json_version)
      missed(fmt::format("version {}", *said.version), fmt::format("version {}", json_version));
  } else if (section_ == "hosts") {
    said.hosts = whole(value, 1u << 28);
  } else if (section_ == "rails") {
    said.rails = whole(value, max_rails);
  } else if (section_ == "notation" && value.kind == Cell::Kind::text) {
    said.notation = value.text;
    said.notation_line = line_;
  } else if (section_ == "capacity_unit" && value.kind == Cell::Kind::text) {
    said.unit = parse_speed(value.text).value_or(base::Speed{});
    if (said.unit.value <= 0) missed(shown(value.text), "a speed such as 1G");
  } else {
    missed(fmt::format("a single value for {}", shown(section_)),
           "banyan_fabric, hosts, rails, notation or capacity_unit");
  }
}

void Handler::take_row() {
  const auto link = [&](std::vector<JsonFabric::Cable>& links) {
    columns(5, 5);
    links.push_back({number(0), number(1), number(2), number(3), number(4), line_});
  };
  if (section_ == "links") return link(said.links);
  if (section_ == "taken") return link(said.taken);
  if (section_ == "link_classes") {
    columns(2, 2);
    said.classes.push_back({real(0, false), real(1, true)});
  } else if (section_ == "nodes") {
    columns(1, 2);
    if (row_.size() == 2 && row_[1].text.empty()) fail("found a node with an empty name, expected a text");
    said.nodes.push_back(
        {static_cast<u32>(whole(row_[0], max_ports_of_a_node)), row_.size() == 2 ? row_[1].text : "", line_});
  } else if (section_ == "nics") {
    columns(2, 3);
    said.nics.push_back({number(0), row_[1].text, row_.size() == 3 ? row_[2].text : "", line_});
  } else if (section_ == "roles") {
    columns(2, 2);
    said.roles.push_back({number(0), row_[1].text, line_});
  } else if (section_ == "vacant") {
    columns(1, 1);
    said.vacant.push_back({number(0), line_});
  } else if (section_ == "port_labels") {
    columns(3, 4);
    const bool has_number = row_[2].kind != Cell::Kind::text, has_text = row_.size() == 4 || !has_number;
    said.labels.push_back({number(0), number(1), std::nullopt, has_text ? row_.back().text : "", line_});
    if (has_number) said.labels.back().number = static_cast<u32>(whole(row_[2], ~u32{0} >> 1));
    if (has_text && (row_.back().text.empty() || (row_.size() == 4 && !has_number)))
      missed("another", "a number, a text, or both in this order as the label of a port");
  } else if (section_ == "infiniband_nodes") {
    columns(5, 5);
    said.node_ids.push_back({guid(0), guid(1), attachment(2)});
  } else if (section_ == "infiniband_ports") {
    columns(5, 6);
    said.port_ids.push_back({number(0), number(1), attachment(2), line_});
    if (row_.size() == 6)
      said.port_ids.back().ids.port = static_cast<u8>(whole(row_[5], max_infiniband_ports));
  } else {
    static constexpr std::string_view known[] = {
        "links", "taken", "link_classes", "nodes", "port_labels", "infiniband_nodes", "infiniband_ports",
        "nics",  "roles", "vacant"};
    missed(shown(section_), fmt::format("\"{}\" or another section", nearest(section_, known)));
  }
}

}  // namespace

JsonFabric parse_json_fabric(std::istream& in, const std::string& file) {
  u64 line = 1;
  Handler handler(file, line);
  json::sax_parse(CountedText(in.rdbuf(), &line), CountedText(), &handler);
  return std::move(handler.said);
}

}  // namespace banyan::formats
