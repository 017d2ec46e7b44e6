#include "cli/csv_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace banyan::cli {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::pair<std::string, std::string>>;  // by column

std::string quoted_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

bool is_table(const Json& value) { return value.is_array() && !value.empty() && value.front().is_object(); }

std::string cell_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.is_null() ? "" : value.dump();
  if (is_table(value)) return value.dump();
  std::string out;
  for (const Json& item : value)
    out += (out.empty() ? "" : " ") + (item.is_array() ? item.dump() : cell_text(item));
  return out;
}

// A value, or the values of an object, under names such as before.max_load.
void add_cells(Cells& out, const std::string& name, const Json& value) {
  if (!value.is_object()) return static_cast<void>(out.emplace_back(name, cell_text(value)));
  for (const auto& [key, part] : value.items()) add_cells(out, name.empty() ? key : name + "." + key, part);
}

// What its answer consists of, where a verb gives rows. Other tables are details beside values.
constexpr std::array<std::string_view, 16> row_tables = {
    "cables",   "points",  "paths",      "missing",     "unexpected", "extra",      "swapped", "moves",
    "patterns", "engines", "topologies", "collectives", "placements", "statements", "groups",  "jobs"};

void add_rows(std::vector<Cells>& out, const std::string& name, const Json& value) {
  if (is_table(value) && std::find(row_tables.begin(), row_tables.end(), name) != row_tables.end())
    for (const Json& row : value) add_cells(out.emplace_back(Cells{{"table", name}}), "", row);
  if (name != "rounds" || !value.is_array()) return;
  for (std::size_t round = 0; round < value.size(); ++round)  // of flows
    for (const Json& flow : value[round])
      if (flow.is_array() && flow.size() == 3)
        out.push_back({{"table", name},
                       {"round", fmt::format("{}", round)},
                       {"from", cell_text(flow[0])},
                       {"to", cell_text(flow[1])},
                       {"amount", cell_text(flow[2])}});
}

void write_rows(std::ostream& out, const std::vector<Cells>& rows) {
  std::vector<std::string> columns;
  for (const Cells& row : rows)
    for (const auto& [column, text] : row)
      if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
  for (std::size_t i = 0; i < columns.size(); ++i) out << (i ? "," : "") << quoted_cell(columns[i]);
  out << '\n';
  for (const Cells& row : rows) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto found =
          std::find_if(row.begin(), row.end(), [&](const auto& cell) { return cell.first == columns[i]; });
      out << (i ? "," : "") << (found == row.end() ? "" : quoted_cell(found->second));
    }
    out << '\n';
  }
}

void add_units(std::map<std::string, std::string>& out, const std::string& before,
               const std::vector<ask::FieldInfo>& fields) {
  for (const ask::FieldInfo& field : fields) {
    if (!field.unit.empty()) out.emplace(before + field.name, field.unit);
    if (field.type == "object") add_units(out, before + field.name + ".", field.fields);
  }
}

}  // namespace

void write_answer_csv(std::ostream& out, std::string_view json,
                      const std::vector<serve::AnswerInfo>& answers) {
  if (json.empty()) return;
  const Json answer = Json::parse(json, nullptr, false);
  if (answer.is_discarded()) throw InputError("--csv: expected one answer, not several in turn");
  std::vector<Cells> rows;
  for (const auto& [name, value] : answer.items()) add_rows(rows, name, value);
  if (!rows.empty()) return write_rows(out, rows);
  std::map<std::string, std::string> units;
  for (const serve::AnswerInfo& info : answers) add_units(units, "", info.fields);
  Cells values;
  for (const auto& [name, value] : answer.items())
    if (!is_table(value)) add_cells(values, name, value);
  for (const auto& [name, text] : values)
    rows.push_back({{"name", name}, {"value", text}, {"unit", units[name]}});
  write_rows(out, rows);
}

}  // namespace banyan::cli
