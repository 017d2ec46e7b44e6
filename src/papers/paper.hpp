// A published paper: its statements and what we get for each; docs/reproduce.md says when they were fixed. A
// paper is a line in papers.def and a folder: statements.csv, a study (study.toml; quick.toml changes it for
// --quick), and a judge of the rows that the study finds.
#pragma once
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.hpp"
#include "base/statistics.hpp"
#include "papers/figure.hpp"
#include "papers/rows.hpp"

namespace banyan::papers {

using Cells = std::vector<std::string>;  // a row of a table

// What a statement is worth when it is reproduced. prediction: a number that nothing was fitted to. fit: a
// parameter of ours was fitted to it. identity: it follows from what we put in, or from another statement.
// ordering: it is not a number, such as which of two is larger. erratum: the paper contradicts itself there.
enum class StatementKind : u8 { prediction, fit, identity, ordering, erratum };
constexpr std::size_t statement_kinds = 5;
std::string_view name(StatementKind kind);
std::string_view plural(StatementKind kind);

struct Statement {
  std::string id;
  StatementKind kind = StatementKind::prediction;
  std::string where, claim;
  std::optional<double> theirs;  // none: not a number
  std::string unit;
  double tolerance = 0;  // as a share of theirs
};

// The statements of a paper, in the order of its table. Throws InputError with the line that is wrong.
std::vector<Statement> read_statements(std::string_view csv, std::string_view file);

// undecided: the interval of what was measured reaches over the edge, or two measurements disagree.
enum class Agreement : u8 { within, ordering, not_reproduced, undecided };
constexpr std::size_t agreements = 4;
std::string_view name(Agreement outcome);

// Whether something holds, as far as the intervals of what was measured tell.
enum class Holds : u8 { no, yes, unknown };
Holds decided(bool does);
Holds is_more(const Interval& a, const Interval& b);  // a > b; unknown where zero is in the interval of a - b
Holds all_hold(std::initializer_list<Holds> parts);
Interval ratio(const Interval& a, const Interval& b);
// Of a value between two others, as a share of the second: more than 1 - share and less than 1 + share.
Holds is_close(const Interval& a, const Interval& b, double share);
Holds is_near(const Interval& a, const Interval& b, double distance);  // at most so far apart
// Of a claim about all cells of a figure, of which --quick measures some: one of them refutes it, but they do
// not show it.
Holds in_all(bool does, bool quick);
// A number that a quick run does not give, because it measures less than the claim is about.
Interval unless(bool quick, double ours);

// A reason for what was not reproduced: what was run to find it; what follows without a run; what nobody ran.
std::string tested(std::string_view text);
std::string known(std::string_view text);
std::string guess(std::string_view text);

struct Finding {
  std::string by = "";           // such as "simulated"; empty: there is only one
  std::optional<Interval> ours;  // none: not a number
  Agreement outcome = Agreement::not_reproduced;
  std::string why;    // tested, known or guessed; of what is not reproduced
  std::string found;  // what ours are, of a statement that is not a number
};

// A claim may be measured in several ways. All must agree, or it is undecided.
struct Judgement {
  Statement statement;
  std::vector<Finding> measurements;
  Agreement outcome = Agreement::not_reproduced;

  std::optional<double> ours() const;  // of the first measurement
  std::string why() const;
  std::string found() const;
};

class Reproduction {
 public:
  explicit Reproduction(std::vector<Statement> statements);

  void assume(std::string assumption) { assumptions_.push_back(std::move(assumption)); }
  // How what follows is measured, such as "simulated".
  void measured_by(std::string by) { by_ = std::move(by); }
  // What we get for a statement; once for each way of measuring. `why` is kept only where it is not
  // reproduced.
  void number(std::string_view id, double ours, std::string why = "") {
    number(id, Interval{ours, 0}, std::move(why));
  }
  void number(std::string_view id, const Interval& ours, std::string why = "");
  void ordering(std::string_view id, bool does, std::string why = "", std::string found = "") {
    ordering(id, decided(does), std::move(why), std::move(found));
  }
  void ordering(std::string_view id, Holds does, std::string why = "", std::string found = "");
  // Something else worth seeing, as a table.
  void show(ShownTable table);  // throws std::logic_error for unknown statements
  void show(std::string title, std::vector<std::string> columns, std::vector<std::vector<std::string>> rows) {
    show({std::move(title), std::move(columns), std::move(rows)});
  }
  // The same as the paper shows it. Throws std::logic_error for cells that do not fit or unknown statements.
  void draw(Figure figure);

  using Table = ShownTable;
  const std::vector<std::string>& assumptions() const { return assumptions_; }
  const std::vector<Table>& tables() const { return tables_; }
  const std::vector<Figure>& figures() const { return figures_; }
  std::vector<Judgement> answers() const;  // throws std::logic_error for a statement without answer
  const Statement& statement(std::string_view id) const;

 private:
  void answer(std::string_view id, Holds does, Finding measured);

  std::vector<Statement> statements_;
  std::string by_ = {};
  std::map<std::string, std::vector<Finding>, std::less<>> answers_;
  std::vector<std::string> assumptions_;
  std::vector<Table> tables_;
  std::vector<Figure> figures_;
};

// How many statements of each kind have each verdict.
struct Summary {
  u32 count[statement_kinds][agreements] = {};
  u32 of(StatementKind kind) const;
  u32 reproduced(StatementKind kind) const;
};
Summary summary(const Reproduction& found);
std::string text_of(const Summary& summary);  // "18 of 21 predictions, 26 of 26 fit targets; undecided: ..."

// Within an object that is open: "assumptions", "summary", "statements", "tables" and "figures".
void write_fields(JsonWriter& json, const Reproduction& found);

struct PaperOptions {
  bool quick = false;
  u64 seed = 1;
};

struct Paper {
  std::string_view name, title;
  void (*judge)(Reproduction&, const StudyRows&, const PaperOptions&);
  std::string (*study)(const PaperOptions&) = nullptr;  // instead of study.toml and quick.toml
};

std::string_view paper_text(std::string_view name);  // of src/papers/NAME, part of the program; "": not there
const Registry<Paper>& papers();

std::vector<Statement> statements_of(const Paper& paper);
Study study_of(const Paper& paper, const PaperOptions& options);
// `points` are all of its study.
Reproduction reproduce(const Paper& paper, const PaperOptions& options, std::vector<StoredPoint> points);

}  // namespace banyan::papers
