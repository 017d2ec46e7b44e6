// The data of a paper's page: theirs beside ours, and the tables that we show besides.
#include <optional>
#include <ostream>

#include "base/version.hpp"
#include "report/page.hpp"
#include "report/report.hpp"

namespace banyan {
namespace {

void write_optional(JsonWriter& json, std::string_view key, const std::optional<double>& value) {
  json.key(key);
  value ? json.value(*value) : json.null();
}

void write_answer(JsonWriter& json, const Answer& answer) {
  const Statement& s = answer.statement;
  json.begin_object().field("id", s.id).field("where", s.where).field("claim", s.claim);
  write_optional(json, "theirs", s.theirs);
  write_optional(json, "ours", answer.ours);
  json.field("unit", s.unit).field("tolerance", s.tolerance);
  json.field("verdict", name(answer.outcome)).field("why", answer.why);
  json.field("found", answer.found).end_object();
}

}  // namespace

void write_report(std::ostream& out, const Paper& paper, const Reproduction& found,
                  const PaperOptions& options, const std::string& command) {
  write_page(out, paper.title, [&](JsonWriter& json) {
    json.begin_object().field("kind", "paper").field("version", version()).field("title", paper.title);
    json.field("paper", paper.name).field("quick", options.quick).field("seed", options.seed);
    json.field("command", command).field("assumptions", found.assumptions()).key("statements").begin_array();
    for (const Answer& answer : found.answers()) write_answer(json, answer);
    json.end_array().key("tables").begin_array();
    for (const Reproduction::Table& table : found.tables())
      json.begin_object()
          .field("title", table.title)
          .field("columns", table.columns)
          .field("rows", table.rows)
          .end_object();
    json.end_array().end_object();
  });
}

}  // namespace banyan
