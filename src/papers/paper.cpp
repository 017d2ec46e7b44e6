#include "papers/paper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/error.hpp"
#include "base/text.hpp"

namespace banyan::papers {
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

StatementKind read_kind(const Place& place, std::string_view text) {
  for (std::size_t k = 0; k < statement_kinds; ++k)
    if (name(static_cast<StatementKind>(k)) == text) return static_cast<StatementKind>(k);
  throw InputError(
      place, fmt::format("kind is '{}'; expected prediction, fit, identity, ordering or erratum", text));
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
    if (cells.size() != 7)
      throw InputError(place, fmt::format("{} cells; expected id, kind, where, claim, value, unit, tolerance",
                                          cells.size()));
    Statement statement{cells[0], read_kind(place, cells[1]), cells[2], cells[3], std::nullopt, cells[5], 0};
    if (!cells[4].empty()) {
      statement.theirs = read_number(place, "value", cells[4]);
      statement.tolerance = read_number(place, "tolerance", cells[6]);
    }
    out.push_back(std::move(statement));
  }
  return out;
}

std::string_view name(StatementKind kind) {
  constexpr std::string_view names[] = {"prediction", "fit", "identity", "ordering", "erratum"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view plural(StatementKind kind) {
  constexpr std::string_view names[] = {"predictions", "fit targets", "identities", "orderings", "errata"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name(Agreement outcome) {
  constexpr std::string_view names[] = {"within", "ordering", "not_reproduced", "undecided"};
  return names[static_cast<std::size_t>(outcome)];
}

// --- what intervals tell

Holds decided(bool does) { return does ? Holds::yes : Holds::no; }

Holds is_more(const Interval& a, const Interval& b) {
  const double difference = a.mean - b.mean, width = std::hypot(a.half_width, b.half_width);
  if (difference > width) return Holds::yes;
  return width == 0 || difference < -width ? Holds::no : Holds::unknown;
}

Holds all_hold(std::initializer_list<Holds> parts) {
  Holds out = Holds::yes;
  for (const Holds part : parts) {
    if (part == Holds::no) return part;
    if (part == Holds::unknown) out = part;
  }
  return out;
}

Interval ratio(const Interval& a, const Interval& b) {
  const double out = a.mean / b.mean;
  return {out, std::abs(out) * std::hypot(a.half_width / a.mean, b.half_width / b.mean)};
}

// Whether all of an interval, or nothing of it, is between two bounds, both included.
static Holds between(const Interval& x, double low, double high) {
  const double least = x.mean - x.half_width, maximum = x.mean + x.half_width;
  if (least >= low && maximum <= high) return Holds::yes;
  return maximum < low || least > high ? Holds::no : Holds::unknown;
}

Holds is_close(const Interval& a, const Interval& b, double share) {
  return between(ratio(a, b), 1 - share, 1 + share);
}

Holds is_near(const Interval& a, const Interval& b, double distance) {
  return between({a.mean - b.mean, std::hypot(a.half_width, b.half_width)}, -distance, distance);
}

Holds in_all(bool does, bool quick) { return does && quick ? Holds::unknown : decided(does); }

Interval unless(bool quick, double ours) {
  return {ours, quick ? std::numeric_limits<double>::infinity() : 0};
}

std::string tested(std::string_view text) { return fmt::format("tested: {}", text); }
std::string known(std::string_view text) { return fmt::format("known: {}", text); }
std::string guess(std::string_view text) { return fmt::format("a guess: {}", text); }

// --- judgements

namespace {

// A text of each measurement that has one, with its name where there are several.
std::string joined(const std::vector<Finding>& all, std::string Finding::*text) {
  std::string out;
  for (const Finding& m : all)
    if (!(m.*text).empty())
      out += fmt::format("{}{}{}{}", out.empty() ? "" : "; ", all.size() > 1 ? m.by : "",
                         all.size() > 1 ? ": " : "", m.*text);
  return out;
}

Agreement together(const std::vector<Finding>& all) {
  const Agreement first = all.front().outcome;
  const bool agree = std::ranges::all_of(all, [&](const Finding& m) { return m.outcome == first; });
  return agree ? first : Agreement::undecided;
}

}  // namespace

std::optional<double> Judgement::ours() const {
  const auto& first = measurements.front().ours;
  return first ? std::optional(first->mean) : std::nullopt;
}
std::string Judgement::why() const { return joined(measurements, &Finding::why); }
std::string Judgement::found() const { return joined(measurements, &Finding::found); }

Reproduction::Reproduction(std::vector<Statement> statements) : statements_(std::move(statements)) {}

const Statement& Reproduction::statement(std::string_view id) const {
  for (const Statement& statement : statements_)
    if (statement.id == id) return statement;
  throw std::logic_error(fmt::format("the paper's table has no statement '{}'", id));
}

void Reproduction::number(std::string_view id, const Interval& ours, std::string why) {
  const Statement& s = statement(id);
  if (!s.theirs) throw std::logic_error(fmt::format("'{}' is not a number", id));
  const double allowed = s.tolerance * std::abs(*s.theirs) + 1e-9;
  answer(id, between(ours, *s.theirs - allowed, *s.theirs + allowed),
         {.by = by_, .ours = ours, .why = std::move(why), .found = ""});
}

void Reproduction::ordering(std::string_view id, Holds does, std::string why, std::string found) {
  answer(id, does, {.by = by_, .ours = std::nullopt, .why = std::move(why), .found = std::move(found)});
}

void Reproduction::answer(std::string_view id, Holds does, Finding measured) {
  const Statement& s = statement(id);
  measured.outcome = does == Holds::unknown ? Agreement::undecided
                     : does == Holds::no    ? Agreement::not_reproduced
                     : s.theirs             ? Agreement::within
                                            : Agreement::ordering;
  if (does == Holds::yes) measured.why.clear();
  if (does == Holds::no && measured.why.empty()) measured.why = "no reason is known";
  auto& all = answers_[std::string(id)];
  for (const Finding& before : all)
    if (before.by == measured.by) throw std::logic_error(fmt::format("'{}' is answered twice", id));
  all.push_back(std::move(measured));
}

void Reproduction::show(ShownTable table) {
  for (const std::string& id : table.statements) statement(id);
  tables_.push_back(std::move(table));
}

void Reproduction::draw(Figure figure) {
  check(figure);
  for (const std::string& id : figure.statements) statement(id);
  figures_.push_back(std::move(figure));
}

std::vector<Judgement> Reproduction::answers() const {
  std::vector<Judgement> out;
  for (const Statement& statement : statements_) {
    const auto found = answers_.find(statement.id);
    if (found == answers_.end()) throw std::logic_error(fmt::format("'{}' was not answered", statement.id));
    out.push_back({statement, found->second, together(found->second)});
  }
  return out;
}

// --- counting

u32 Summary::of(StatementKind kind) const {
  u32 out = 0;
  for (const u32 n : count[static_cast<std::size_t>(kind)]) out += n;
  return out;
}

u32 Summary::reproduced(StatementKind kind) const {
  const auto& of_kind = count[static_cast<std::size_t>(kind)];
  return of_kind[static_cast<std::size_t>(Agreement::within)] +
         of_kind[static_cast<std::size_t>(Agreement::ordering)];
}

Summary summary(const Reproduction& found) {
  Summary out;
  for (const Judgement& answer : found.answers())
    ++out.count[static_cast<std::size_t>(answer.statement.kind)][static_cast<std::size_t>(answer.outcome)];
  return out;
}

std::string text_of(const Summary& summary) {
  std::string out;
  u32 undecided = 0;
  // Predictions first, then what is weaker.
  for (const StatementKind kind : {StatementKind::prediction, StatementKind::ordering, StatementKind::fit,
                                   StatementKind::identity, StatementKind::erratum}) {
    undecided +=
        summary.count[static_cast<std::size_t>(kind)][static_cast<std::size_t>(Agreement::undecided)];
    if (summary.of(kind) == 0) continue;
    out += fmt::format("{}{} of {} {}", out.empty() ? "" : ", ", summary.reproduced(kind), summary.of(kind),
                       plural(kind));
  }
  return undecided == 0 ? out : fmt::format("{}; {} undecided", out, undecided);
}

// --- for machines and pages
// -----------------------------------------------------------------------------------

namespace {

void write_optional(JsonWriter& json, std::string_view key, const std::optional<double>& value) {
  json.key(key);
  value ? json.value(*value) : json.null();
}

void write(JsonWriter& json, const Judgement& answer) {
  const Statement& s = answer.statement;
  json.begin_object().field("id", s.id).field("kind", name(s.kind));
  json.field("where", s.where).field("claim", s.claim);
  write_optional(json, "theirs", s.theirs);
  write_optional(json, "ours", answer.ours());
  json.field("unit", s.unit).field("tolerance", s.tolerance);
  json.field("verdict", name(answer.outcome)).field("why", answer.why());
  json.field("found", answer.found()).key("measurements").begin_array();
  for (const Finding& m : answer.measurements) {
    json.begin_object().field("by", m.by);
    write_optional(json, "ours", m.ours ? std::optional(m.ours->mean) : std::nullopt);
    const bool is_known = m.ours && std::isfinite(m.ours->half_width);
    write_optional(json, "half_width", is_known ? std::optional(m.ours->half_width) : std::nullopt);
    json.field("verdict", name(m.outcome)).field("why", m.why).field("found", m.found).end_object();
  }
  json.end_array().end_object();
}

void write(JsonWriter& json, const Summary& summary) {
  json.begin_object();
  for (std::size_t k = 0; k < statement_kinds; ++k) {
    json.key(name(static_cast<StatementKind>(k))).begin_object();
    for (std::size_t a = 0; a < agreements; ++a)
      json.field(name(static_cast<Agreement>(a)), summary.count[k][a]);
    json.end_object();
  }
  json.end_object();
}

void write(JsonWriter& json, const ShownTable& table) {
  json.begin_object().field("title", table.title).field("columns", table.columns);
  json.field("rows", table.rows).field("statements", table.statements);
  json.field("is_throughput", table.is_throughput).key("theirs").begin_array();
  for (const ShownTable::Mark& mark : table.theirs)
    json.begin_object()
        .field("x", mark.x)
        .field("x_end", mark.x_end)
        .field("low", mark.low)
        .field("high", mark.high)
        .field("column", mark.column)
        .field("text", mark.text)
        .end_object();
  json.end_array().end_object();
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
  json.key("summary");
  write(json, summary(found));
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
#include "papers/papers.def"
#undef PAPER
  };
  return all;
}

std::vector<Statement> statements_of(const Paper& paper) {
  const std::string file = fmt::format("{}/statements.csv", paper.name);
  return read_statements(paper_text(file), file);
}

Study study_of(const Paper& paper, const PaperOptions& options) {
  const std::string file = fmt::format("{}.toml", paper.name);
  if (paper.study) return read_study(paper.study(options), file);
  const auto text = [&](std::string_view name) {
    return paper_text(fmt::format("{}/{}.toml", paper.name, name));
  };
  return read_study(
      fmt::format("first_seed = {}\n{}{}", options.seed, text("study"), options.quick ? text("quick") : ""),
      file);
}

Reproduction reproduce(const Paper& paper, const PaperOptions& options, std::vector<StoredPoint> points) {
  Reproduction out(statements_of(paper));
  paper.judge(out, StudyRows(std::move(points)), options);
  return out;
}

}  // namespace banyan::papers
