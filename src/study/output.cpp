#include "study/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <set>

#include "base/json_writer.hpp"
#include "base/version.hpp"

namespace banyan::study {
namespace {

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\n") == cell.npos) return cell;
  std::string out = "\"";
  for (const char c : cell) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

void write_number(JsonWriter& json, std::string_view key, double value) {
  json.key(key);
  std::isfinite(value) ? json.value(value) : json.null();
}

// --- the short table ---------------------------------------------------------------------------------------

struct Mean {
  double sum = 0;
  u32 count = 0;
  bool in_warm_up = false;  // a run of it ended there
};

using Line = std::vector<std::string>;  // fabric, state, engine, traffic, placement
constexpr std::size_t max_columns = 8;

// Whether the simulation of a point ended before its warm-up did.
bool ends_in_warm_up(const StoredPoint& p) {
  return std::any_of(p.rows.begin(), p.rows.end(),
                     [](const Row& row) { return row.metric == "ends_in_warm_up" && row.value > 0; });
}

// The options that the study varies: what stands in the point's name and nowhere else.
std::string varied(const StoredPoint& p) {
  std::string out;
  for (const std::string_view option : split(p.options, ' '))
    if (p.point.find(option) != p.point.npos) out += fmt::format(" {}", option);
  return out;
}

std::string shown(const std::string& metric, double value) {
  if (metric == "yes") return value == 1 ? "yes" : value == 0 ? "NO" : "both";
  return std::abs(value) >= 10000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

class Summary {
 public:
  explicit Summary(const std::vector<StoredPoint>& points) {
    for (const StoredPoint& p : points) add(p);
  }

  void print(std::ostream& out) const {
    if (lines_.empty()) return;
    const std::size_t columns = std::min(max_columns, columns_.size());
    std::vector<Line> table = {{"fabric", "without", "engine", "traffic", "placement"}};
    for (std::size_t c = 0; c < columns; ++c) table[0].push_back(columns_[c].second);
    for (const Line& line : lines_)
      if (!is_told_elsewhere(line)) table.push_back(cells(line));
    for (std::size_t i = factors; i-- > 1;) {  // what is the same everywhere is not shown
      const auto is_same = [&](const Line& line) { return line[i] == table.back()[i]; };
      if ((table.size() > 2 || table.back()[i].empty()) &&
          std::all_of(table.begin() + 1, table.end(), is_same))
        for (Line& line : table) line.erase(line.begin() + static_cast<std::ptrdiff_t>(i));
    }
    print(out, table, table[0].size() - columns);
    if (columns_.size() > columns)
      out << fmt::format("{} more columns are in the store\n", columns_.size() - columns);
    if (any_in_warm_up()) out << "*: a run ended in its warm-up; this is not a steady state\n";
    for (const std::string& remark : remarks_) out << remark << '\n';
  }

 private:
  static constexpr std::size_t factors = 5;

  void add(const StoredPoint& p) {
    for (const auto& [name, text] : p.texts)
      if (name == "remark")
        remarks_.insert(fmt::format("{}: {}", p.measure, text));
      else if (name == "engine")
        remarks_.insert(fmt::format("{} routes {} ({}) by {}", p.engine, p.fabric,
                                    p.without.empty() ? "intact" : p.without, text));
      else if (name == "failed")
        remarks_.insert(fmt::format("not measured: {}: {}", p.point, text));
    const std::string metric(study_measures().at(p.measure).headline);
    if (metric.empty()) return;
    const Line line = {p.fabric, p.without, p.engine, p.traffic, p.placement};
    if (std::find(lines_.begin(), lines_.end(), line) == lines_.end()) lines_.push_back(line);
    for (const Row& row : p.rows) {
      if (row.metric != metric) continue;
      const std::pair column(metric, (metric == "yes" ? "verdict" : metric) + varied(p));
      if (std::find(columns_.begin(), columns_.end(), column) == columns_.end()) columns_.push_back(column);
      Mean& mean = values_[line][column.second];
      mean.sum += row.value;
      ++mean.count;
      mean.in_warm_up |= ends_in_warm_up(p);
    }
  }

  // What holds for a routing holds for all traffic on it: such a line is part of those that say more.
  static bool holds_for(const Line& general, const Line& line) {
    for (std::size_t i = 0; i < factors; ++i)
      if (!general[i].empty() && general[i] != line[i]) return false;
    return true;
  }
  bool is_told_elsewhere(const Line& line) const {
    return std::any_of(lines_.begin(), lines_.end(),
                       [&](const Line& other) { return other != line && holds_for(line, other); });
  }

  bool any_in_warm_up() const {
    for (const auto& [line, means] : values_)
      for (const auto& [column, mean] : means)
        if (mean.in_warm_up) return true;
    return false;
  }

  Line cells(const Line& line) const {
    Line out = line;
    for (std::size_t c = 0; c < std::min(max_columns, columns_.size()); ++c) {
      out.emplace_back();
      for (const auto& [other, values] : values_)
        if (const auto found = values.find(columns_[c].second);
            found != values.end() && holds_for(other, line))
          out.back() = shown(columns_[c].first, found->second.sum / found->second.count) +
                       (found->second.in_warm_up ? "*" : "");
    }
    return out;
  }

  // The first columns are texts, the others numbers.
  static void print(std::ostream& out, const std::vector<Line>& table, std::size_t texts) {
    std::vector<std::size_t> widths(table[0].size());
    for (const Line& line : table)
      for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
    for (const Line& line : table) {
      std::string text;
      for (std::size_t i = 0; i < line.size(); ++i)
        text += i < texts ? fmt::format("{:<{}}  ", line[i], widths[i])
                          : fmt::format("{:>{}}  ", line[i], widths[i]);
      text.erase(text.find_last_not_of(' ') + 1);
      out << text << '\n';
    }
  }

  std::vector<Line> lines_;
  std::vector<std::pair<std::string, std::string>> columns_;  // metric, title
  std::map<Line, std::map<std::string, Mean>> values_;
  std::set<std::string> remarks_;
};

}  // namespace

void write_csv(std::ostream& out, const std::vector<StoredPoint>& points) {
  out << "measure,fabric,without,engine,traffic,placement,ranks,options,metric,value,unit,half_width,seed,"
         "version\n";
  for (const StoredPoint& p : points)
    for (const Row& row : p.rows)
      out << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", p.measure, quoted(p.fabric),
                         quoted(p.without), quoted(p.engine), quoted(p.traffic), quoted(p.placement), p.ranks,
                         quoted(p.options), row.metric, number(row.value), row.unit, number(row.half_width),
                         p.seed, version());
}

void write_json(std::ostream& out, const Study& study, const std::vector<StoredPoint>& points) {
  JsonWriter json(out);
  json.begin_object().field("version", version()).field("seed", study.parts.front().seeds.front());
  json.field("title", study.title).key("points").begin_array();
  for (const StoredPoint& p : points) {
    json.begin_object().field("point", p.point).field("measure", p.measure).field("fabric", p.fabric);
    json.field("without", p.without).field("engine", p.engine).field("traffic", p.traffic);
    json.field("placement", p.placement)
        .field("ranks", p.ranks)
        .field("options", p.options)
        .field("seed", p.seed);
    json.key("texts").begin_object();
    for (const auto& [name, text] : p.texts) json.field(name, text);
    json.end_object().key("rows").begin_array();
    for (const Row& row : p.rows) {
      json.begin_object().field("metric", row.metric);
      write_number(json, "value", row.value);
      json.field("unit", row.unit);
      write_number(json, "half_width", row.half_width);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

void print_summary(std::ostream& out, const std::vector<StoredPoint>& points) { Summary(points).print(out); }

}  // namespace banyan::study
