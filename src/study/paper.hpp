// A published paper: its statements, fixed in papers/NAME.csv before anything is run, and what we get for
// each. A paper is a file, a line in papers.def and that table.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.hpp"
#include "study/figure.hpp"

namespace banyan::study {

struct Statement {
  std::string id, where, claim;
  std::optional<double> theirs;  // none: an ordering, or something exact that is not a number
  std::string unit;
  double tolerance = 0;  // as a share of theirs
};

// The statements of a paper, in the order of its table. Throws InputError with the line that is wrong.
std::vector<Statement> read_statements(std::string_view csv, std::string_view file);

enum class Outcome : u8 { within, ordering, not_reproduced };
std::string_view name(Outcome outcome);

struct Answer {
  Statement statement;
  std::optional<double> ours;
  Outcome outcome = Outcome::not_reproduced;
  std::string why;    // we think it was not reproduced
  std::string found;  // what ours are, of a statement that is not a number
};

class Reproduction {
 public:
  explicit Reproduction(std::vector<Statement> statements);

  void assume(std::string assumption) { assumptions_.push_back(std::move(assumption)); }
  // What we get for a statement; once for each. `why` is kept only where it is not reproduced.
  void number(std::string_view id, double ours, std::string why = "");
  void ordering(std::string_view id, bool holds, std::string why = "", std::string found = "");
  // Something else worth seeing, as a table.
  void show(std::string title, std::vector<std::string> columns, std::vector<std::vector<std::string>> rows);
  // The same as the paper shows it. Throws std::logic_error for cells that do not fit or unknown statements.
  void draw(Figure figure);

  using Table = ShownTable;
  const std::vector<std::string>& assumptions() const { return assumptions_; }
  const std::vector<Table>& tables() const { return tables_; }
  const std::vector<Figure>& figures() const { return figures_; }
  std::vector<Answer> answers() const;  // throws std::logic_error for a statement without answer
  const Statement& statement(std::string_view id) const;

 private:
  void answer(std::string_view id, std::optional<double> ours, bool holds, std::string why,
              std::string found);

  std::vector<Statement> statements_;
  std::map<std::string, Answer, std::less<>> answers_;
  std::vector<std::string> assumptions_;
  std::vector<Table> tables_;
  std::vector<Figure> figures_;
};

// Within an object that is open: "assumptions", "statements", "tables" and "figures".
void write_fields(JsonWriter& json, const Reproduction& found);

struct PaperOptions {
  bool quick = false;
  unsigned threads = 1;
  u64 seed = 1;
};

struct Paper {
  std::string_view name, title;
  void (*run)(Reproduction&, const PaperOptions&);
};

std::string_view paper_table(
    std::string_view name);  // the text of papers/NAME.csv, which is part of the program
const Registry<Paper>& papers();
Reproduction reproduce(const Paper& paper, const PaperOptions& options);

}  // namespace banyan::study
