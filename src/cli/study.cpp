// banyan study: a question as a file, its answers as rows.
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "base/file.hpp"
#include "base/parallel.hpp"
#include "base/version.hpp"
#include "cli/verb.hpp"
#include "report/report.hpp"
#include "study/output.hpp"
#include "study/run.hpp"
#include "study/study_text.hpp"

namespace banyan {
namespace {

class StudyVerb {
 public:
  void declare(Arguments& arguments) {
    arguments.optional("FILE", file_, "a study file (docs/study.md); without one, the quickstart");
    arguments.value("--out", out_, "DIR",
                    "where the results are kept (default: the file's name with -results, here)");
    arguments.flag("--dry-run", dry_run_, "only list the points and estimate the time");
    arguments.value("--csv", csv_, "FILE", "also write all rows there");
    arguments.flag("--no-report", no_report_, "write no DIR/report.html");
    arguments.value("--threads", threads_, "N", "threads (default: all cores)");
    arguments.flag("--json", as_json_, "all rows, for machines");
  }

  Exit run() const {
    const Study study = file_.empty() ? read_study(std::string(study_text("quickstart")), "quickstart.toml")
                                      : open_study(file_);
    const unsigned threads = threads_ ? threads_ : default_threads();
    const std::string folder = folder_for();
    const bool has_store = std::filesystem::exists(store_path(folder));
    auto store = has_store ? std::make_unique<Store>(folder) : nullptr;
    StudyPlan plan(study, store.get(), threads);
    if (const Exit status = say_left_out(study, plan); status != Exit::done) return status;
    if (dry_run_) return list(plan, threads);
    if (!store) store = std::make_unique<Store>(folder);
    run(plan, *store, threads);
    return answer(study, plan, *store, folder, threads);
  }

 private:
  std::string folder_for() const {
    if (!out_.empty()) return out_;
    return file_.empty() ? "banyan-quickstart" : std::filesystem::path(file_).stem().string() + "-results";
  }

  static void run(StudyPlan& plan, Store& store, unsigned threads) {
    try {
      plan.run(store, threads);
    } catch (const Interrupted&) {
      std::cerr << fmt::format("banyan: {} of {} points are finished; the same command goes on from there\n",
                               store.read().size(), plan.points().size());
      throw;
    }
  }

  // Engines that do not apply end the study before it began, unless it says to leave them out.
  static Exit say_left_out(const Study& study, const StudyPlan& plan) {
    for (const LeftOut& out : plan.left_out())
      std::cerr << fmt::format("{}:{}: {}{} does not apply to {} ({}): {}\n", study.file, out.line,
                               study.skip_inapplicable ? "left out: " : "", out.engine, out.fabric,
                               out.without, out.why);
    if (plan.left_out().empty() || study.skip_inapplicable) return Exit::done;
    std::cerr << "banyan: not applicable: nothing was run; skip_inapplicable = true leaves these out\n";
    return Exit::not_applicable;
  }

  static Exit list(StudyPlan& plan, unsigned threads) {
    double seconds = 0;
    for (std::size_t i = 0; i < plan.points().size(); ++i) {
      const bool is_missing = plan.is_missing(i);
      if (is_missing) seconds += plan.seconds(i);
      std::cout << plan.points()[i].name << (is_missing ? "\n" : "   (finished)\n");
    }
    std::cout << fmt::format(
        "{} points, {} to do: roughly {} s on {} thread{}\n", plan.points().size(), plan.missing(),
        seconds < threads ? "1" : fmt::format("{:.0f}", seconds / threads), threads, threads == 1 ? "" : "s");
    return Exit::done;
  }

  // What to type for the same results, from the same place.
  std::string command() const {
    std::string out = "banyan";
    if (!file_.empty()) out += " study " + quoted_for_shell(file_);
    if (file_.empty() && !out_.empty()) out += " study";
    return out_.empty() ? out : out + " --out " + quoted_for_shell(out_);
  }

  Exit answer(const Study& study, const StudyPlan& plan, const Store& store, const std::string& folder,
              unsigned threads) const {
    const std::vector<StoredPoint> found = store.read();
    if (!csv_.empty()) write_whole(csv_, [&](std::ostream& out) { write_csv(out, found); });
    if (!no_report_)
      write_whole(report_path(folder), [&](std::ostream& out) {
        write_report(out, {study, plan.points(), found, plan.left_out(), command()}, threads);
      });
    if (as_json_) {
      write_json(std::cout, study, found);
      return Exit::done;
    }
    if (!study.title.empty()) std::cout << study.title << "\n\n";
    print_summary(std::cout, found);
    std::cout << fmt::format("\n{} point{}, {} of them measured now. The results are in {}\n", found.size(),
                             found.size() == 1 ? "" : "s", plan.missing(), store_path(folder));
    if (file_.empty()) std::cout << "banyan --help lists the verbs, studies/quickstart.toml is the study.\n";
    if (!no_report_) std::cout << fmt::format("The report is {}\n", report_path(folder));
    return Exit::done;
  }

  std::string file_, out_, csv_;
  u32 threads_ = 0;
  bool dry_run_ = false, as_json_ = false, no_report_ = false;
};

}  // namespace

Verb study_verb() {
  return make_verb<StudyVerb>("study",
                              "Runs a study file: the product of its lists, point by point, into rows",
                              "banyan study studies/quickstart.toml");
}

}  // namespace banyan
