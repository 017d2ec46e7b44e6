#include "study/paper.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "base/error.hpp"
#include "base/text.hpp"

namespace banyan::study {
namespace {

// The cells of a line of CSV; a cell in quotes may hold commas.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

double read_number(const Place& place, std::string_view what, const std::string& text) {
  const auto value = parse_real(text);
  if (!value) throw InputError(place, fmt::format("{} is '{}'; expected a number", what, text));
  return *value;
}

}  // namespace

std::vector<Statement> read_statements(std::string_view csv, std::string_view file) {
  std::vector<Statement> out;
  u32 line_number = 0;
  for (const std::string_view line : split(csv, '\n')) {
    const Place place{std::string(file), ++line_number};
    if (line_number == 1 || line.empty()) continue;
    const auto cells = cells_of(line);
    if (cells.size() != 6)
      throw InputError(
          place, fmt::format("{} cells; expected id, where, claim, value, unit, tolerance", cells.size()));
    Statement statement{cells[0], cells[1], cells[2], std::nullopt, cells[4], 0};
    if (!cells[3].empty()) {
      statement.theirs = read_number(place, "value", cells[3]);
      statement.tolerance = read_number(place, "tolerance", cells[5]);
    }
    out.push_back(std::move(statement));
  }
  return out;
}

std::string_view name(Outcome outcome) {
  constexpr std::string_view names[] = {"within", "ordering", "not_reproduced"};
  return names[static_cast<std::size_t>(outcome)];
}

Reproduction::Reproduction(std::vector<Statement> statements) : statements_(std::move(statements)) {}

const Statement& Reproduction::statement(std::string_view id) const {
  for (const Statement& statement : statements_)
    if (statement.id == id) return statement;
  throw std::logic_error(fmt::format("the paper's table has no statement '{}'", id));
}

void Reproduction::number(std::string_view id, double ours, std::string why) {
  const Statement& s = statement(id);
  if (!s.theirs) throw std::logic_error(fmt::format("'{}' is not a number", id));
  answer(id, ours, std::abs(ours - *s.theirs) <= s.tolerance * std::abs(*s.theirs) + 1e-9, std::move(why),
         "");
}

void Reproduction::ordering(std::string_view id, bool holds, std::string why, std::string found) {
  answer(id, std::nullopt, holds, std::move(why), std::move(found));
}

void Reproduction::answer(std::string_view id, std::optional<double> ours, bool holds, std::string why,
                          std::string found) {
  const Statement& s = statement(id);
  const Outcome outcome = !holds ? Outcome::not_reproduced : s.theirs ? Outcome::within : Outcome::ordering;
  if (holds) why.clear();
  if (!answers_.emplace(id, Answer{s, ours, outcome, std::move(why), std::move(found)}).second)
    throw std::logic_error(fmt::format("'{}' is answered twice", id));
}

void Reproduction::show(std::string title, std::vector<std::string> columns,
                        std::vector<std::vector<std::string>> rows) {
  tables_.push_back({std::move(title), std::move(columns), std::move(rows)});
}

void Reproduction::draw(Figure figure) {
  check(figure);
  for (const std::string& id : figure.statements) statement(id);
  figures_.push_back(std::move(figure));
}

std::vector<Answer> Reproduction::answers() const {
  std::vector<Answer> out;
  for (const Statement& statement : statements_) {
    const auto found = answers_.find(statement.id);
    if (found == answers_.end()) throw std::logic_error(fmt::format("'{}' was not answered", statement.id));
    out.push_back(found->second);
  }
  return out;
}

// --- for machines and pages
// -----------------------------------------------------------------------------------

namespace {

void write_optional(JsonWriter& json, std::string_view key, const std::optional<double>& value) {
  json.key(key);
  value ? json.value(*value) : json.null();
}

void write(JsonWriter& json, const Answer& answer) {
  const Statement& s = answer.statement;
  json.begin_object().field("id", s.id).field("where", s.where).field("claim", s.claim);
  write_optional(json, "theirs", s.theirs);
  write_optional(json, "ours", answer.ours);
  json.field("unit", s.unit).field("tolerance", s.tolerance);
  json.field("verdict", name(answer.outcome)).field("why", answer.why);
  json.field("found", answer.found).end_object();
}

void write(JsonWriter& json, const ShownTable& table) {
  json.begin_object().field("title", table.title).field("columns", table.columns);
  json.field("rows", table.rows).end_object();
}

template <class T>
void write_all(JsonWriter& json, std::string_view key, const std::vector<T>& items) {
  json.key(key).begin_array();
  for (const T& item : items) write(json, item);
  json.end_array();
}

}  // namespace

void write_fields(JsonWriter& json, const Reproduction& found) {
  json.field("assumptions", found.assumptions());
  write_all(json, "statements", found.answers());
  write_all(json, "tables", found.tables());
  write_all(json, "figures", found.figures());
}

// --- the list
// ------------------------------------------------------------------------------------------------

const Registry<Paper>& papers() {
  static const Registry<Paper> all{
      "paper",
#define PAPER(name) BANYAN_PLUGIN(Paper, name##_paper),
#include "study/papers.def"
#undef PAPER
  };
  return all;
}

Reproduction reproduce(const Paper& paper, const PaperOptions& options) {
  Reproduction out(read_statements(paper_table(paper.name), fmt::format("papers/{}.csv", paper.name)));
  paper.run(out, options);
  return out;
}

}  // namespace banyan::study
