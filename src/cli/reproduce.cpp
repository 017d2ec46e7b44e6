// banyan reproduce: a paper's tables and figures beside ours.
#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "base/file.hpp"
#include "base/json_writer.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "cli/measure_points.hpp"
#include "cli/options_argument.hpp"
#include "report/report.hpp"

namespace banyan::cli {
namespace {

class Reproduce {
 public:
  void declare(Arguments& arguments) {
    arguments.positional("PAPER", paper_,
                         fmt::format("one of {}; docs/reproduce.md says what each runs",
                                     fmt::join(papers::papers().names(), ", ")));
    arguments.flag("--quick", quick_, "fewer samples and shorter runs, in under a minute");
    arguments.value(
        "--out", out_, "DIR",
        "where the results are kept, with a report of them (default: its name with -results, here)");
    arguments.value("--seed", seed_, "S", "of everything random (default 1)");
    arguments.value("--threads", threads_, "N", "threads (default: all cores; under mpirun 1 for each rank)");
    device_.declare(arguments);
    arguments.json(as_json_);
  }

  Exit run() const {
    device_.read();  // before anything is made
    const Paper& paper = papers::papers().at(paper_);
    return on_first_rank(
        threads_, [&](unsigned threads, OtherRanks* others) { return run_first(paper, threads, others); });
  }

 private:
  Exit run_first(const Paper& paper, unsigned threads, OtherRanks* others) const {
    const PaperOptions options{quick_, seed_};
    const std::string folder = out_.empty() ? paper_ + "-results" : out_;
    OpenedStore store(folder);
    if (store.get()) say_damaged(*store.get(), folder);
    const Study study = study_of(paper, options);
    StudyPlan plan(study, store.get(), threads);
    if (const Exit status = measure_points(plan, store, threads, others, device_.read().device);
        status != Exit::done)
      return status;
    const Reproduction found = reproduce(paper, options, plan.results(store.opened()));
    as_json_ ? write(paper, found) : print(paper, found);
    write_whole(report_path(folder),
                [&](std::ostream& out) { write_report(out, paper, found, options, command()); });
    if (!as_json_) std::cout << fmt::format("The report is {}\n", report_path(folder));
    return Exit::done;
  }

  std::string command() const {
    return fmt::format("banyan reproduce {}{}{}{}", paper_, quick_ ? " --quick" : "",
                       seed_ == 1 ? "" : fmt::format(" --seed {}", seed_),
                       out_.empty() ? "" : " --out " + quoted_for_shell(out_));
  }

  void print(const Paper& paper, const Reproduction& found) const {
    std::cout << paper.title << "\n\nAssumed:\n";
    for (const std::string& assumption : found.assumptions()) std::cout << "  - " << assumption << '\n';
    for (const Reproduction::Table& table : found.tables()) print(table);
    for (const Figure& figure : found.figures()) print(as_table(figure));
    std::cout << '\n';
    for (const Judgement& answer : found.answers()) {
      const Statement& s = answer.statement;
      std::cout << fmt::format("{:<15} {:<11} {} ({})", name(answer.outcome), name(s.kind), s.claim, s.where);
      if (answer.ours())
        std::cout << fmt::format(": theirs {:g}{}, ours {}", *s.theirs, s.unit, ours(answer));
      if (const std::string text = answer.found(); !text.empty()) std::cout << ": ours " << text;
      std::cout << '\n';
      if (const std::string text = answer.why(); !text.empty())
        std::cout << fmt::format("{:<27} {}\n", "", text);
    }
    std::cout << fmt::format("\n{}: {}\n", paper.name, text_of(summary(found)));
  }

  // Every measurement, with its interval where it has one.
  static std::string ours(const Judgement& answer) {
    std::string out;
    for (const papers::Finding& m : answer.measurements) {
      if (!out.empty()) out += ", ";
      out += fmt::format("{:.4g}", m.ours->mean);
      if (std::isfinite(m.ours->half_width) && m.ours->half_width > 0)
        out += fmt::format(" \u00b1 {:.2g}", m.ours->half_width);
      out += answer.statement.unit;
      if (answer.measurements.size() > 1) out += fmt::format(" ({})", m.by);
    }
    return out;
  }

  // Columns of words begin at the left, others end at the right.
  static void print(const Reproduction::Table& table) {
    std::vector<std::size_t> widths;
    std::vector<bool> words(table.columns.size());
    for (const std::string& column : table.columns) widths.push_back(column.size());
    for (const auto& row : table.rows)
      for (std::size_t i = 0; i < row.size(); ++i) {
        widths[i] = std::max(widths[i], row[i].size());
        words[i] = words[i] || row[i].find_first_not_of("+-.0123456789") != std::string::npos;
      }
    const auto line = [&](const std::vector<std::string>& cells) {
      std::string text;
      for (std::size_t i = 0; i < cells.size(); ++i)
        text += words[i] ? fmt::format("  {:<{}}", cells[i], widths[i])
                         : fmt::format("  {:>{}}", cells[i], widths[i]);
      std::cout << text.substr(0, text.find_last_not_of(' ') + 1) << '\n';
    };
    std::cout << '\n' << table.title << '\n';
    line(table.columns);
    for (const auto& row : table.rows) line(row);
  }

  void write(const Paper& paper, const Reproduction& found) const {
    JsonWriter json(std::cout);
    json.begin_object().field("version", version()).field("seed", seed_).field("paper", paper.name);
    json.field("quick", quick_);
    write_fields(json, found);
    json.end_object();
  }

  std::string paper_, out_;
  u32 seed_ = 1, threads_ = 0;
  bool quick_ = false, as_json_ = false;
  OptionsArgument<ask::DeviceOptions> device_;
};

}  // namespace

Verb reproduce_verb() {
  return make_verb<Reproduce>("reproduce", "A paper's tables and figures beside ours",
                              "banyan reproduce mahapatra --quick");
}

}  // namespace banyan::cli
