// banyan study: a question as a file, its answers as rows.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "base/file.hpp"
#include "base/json_writer.hpp"
#include "base/parallel.hpp"
#include "base/version.hpp"
#include "cli/counted.hpp"
#include "cli/measure_points.hpp"
#include "cli/options_argument.hpp"
#include "report/report.hpp"
#include "study/output.hpp"
#include "study/slurm.hpp"
#include "study/study_text.hpp"

namespace banyan::cli {
namespace {

class StudyVerb {
 public:
  void declare(Arguments& arguments) {
    arguments.several("FILE", files_, "a study file (docs/study.md); without one, the quickstart");
    arguments.value("--out", out_, "DIR",
                    "where the results are kept (default: the file's name with -results, here)");
    arguments.flag("--dry-run", dry_run_, "only list the points and estimate the time");
    arguments.flag("--verify", verify_, "only compare the stored results with their checksums");
    arguments.flag("--slurm", slurm_, "only write the job script for sbatch; several files become an array");
    arguments.value("--ranks", ranks_, "N", "in the job script: ranks of mpirun (default 16)");
    arguments.value("--csv", csv_, "FILE", "also write all rows there");
    arguments.flag("--no-report", no_report_, "write no DIR/report.html");
    arguments.value("--threads", threads_, "N",
                    "threads (default: all cores; under mpirun and in the job script 1 for each rank)");
    device_.declare(arguments);
    arguments.flag("--json", as_json_, "all rows, for machines");
  }

  Exit run() const {
    device_.read();  // before anything is made
    if (verify_ && (dry_run_ || slurm_ || !csv_.empty()))
      throw InputError("--verify only reads the store: expected no --dry-run, --slurm or --csv");
    if (slurm_) return write_job();
    if (files_.size() > 1) throw InputError("one study at a time; --slurm makes an array of jobs of several");
    const std::string file = files_.empty() ? "" : files_.front();
    return on_first_rank(
        threads_, [&](unsigned threads, OtherRanks* others) { return run_first(file, threads, others); });
  }

 private:
  static Study opened(const std::string& file) {
    return file.empty() ? read_study(std::string(study_text("quickstart")), "quickstart.toml")
                        : open_study(file);
  }

  Exit run_first(const std::string& file, unsigned threads, OtherRanks* others) const {
    if (verify_) return verify(folder_for(file));
    const Study study = opened(file);
    const std::string folder = folder_for(file);
    if (dry_run_)
      return look(study, folder, threads,
                  [&](StudyPlan& plan) { as_json_ ? list_json(plan) : list(plan, threads); });
    OpenedStore store(folder);
    if (store.get()) say_damaged(*store.get(), folder);
    StudyPlan plan(study, store.get(), threads);
    if (const Exit status = say_left_out(study, plan); status != Exit::done) return status;
    if (const Exit status = measure_points(plan, store, threads, others, device_.read().device);
        status != Exit::done)
      return status;
    return answer(study, plan, store.opened(), folder, threads);
  }

  Exit verify(const std::string& folder) const {
    const auto store = Store::reader(folder);
    const auto damage = store->damage();
    const auto [points, rows, texts] = store->counts();
    if (as_json_) {
      JsonWriter json(std::cout);
      json.begin_object().field("version", version()).field("store", store_path(folder));
      json.field("points", points).field("rows", rows).field("texts", texts).key("damaged").begin_array();
      for (const auto& [kind, what] : damage)
        json.begin_object().field("kind", study::name(kind)).field("name", what).end_object();
      json.end_array().end_object();
    } else {
      for (const StoreDamage& found : damage) std::cout << sentence(found) << '\n';
      std::cout << fmt::format("{}: {}, {} and {}: {}\n", store_path(folder), counted(points, "point"),
                               counted(rows, "row"), counted(texts, "text"),
                               damage.empty() ? "all as they were written" : "damaged");
    }
    return damage.empty() ? Exit::done : Exit::verdict_no;
  }

  // What there is to do, without doing it and without keeping others from it.
  template <class F>
  static Exit look(const Study& study, const std::string& folder, unsigned threads, F&& f) {
    const auto store = std::filesystem::exists(store_path(folder)) ? Store::reader(folder) : nullptr;
    if (store) say_damaged(*store, folder);
    StudyPlan plan(study, store.get(), threads, StudyPlan::Purpose::look);
    const Exit status = say_left_out(study, plan);
    if (plan.untried() > 0)
      std::cerr << fmt::format(
          "banyan: {} routing{} would take long and {} not tried: points may be left out of those when the "
          "study runs\n",
          plan.untried(), plan.untried() == 1 ? "" : "s", plan.untried() == 1 ? "was" : "were");
    if (status == Exit::done) f(plan);
    return status;
  }

  Exit write_job() const {
    if (files_.empty()) throw InputError("--slurm: expected a study file");
    if (files_.size() > 1 && !out_.empty())
      throw InputError("--out is for one study: several have folders of their own");
    const auto absolute = [](const std::string& path) { return std::filesystem::absolute(path).string(); };
    std::vector<SlurmStudy> studies;
    for (const std::string& file : files_) {
      const std::string folder = folder_for(file);
      for (const SlurmStudy& other : studies)
        if (other.folder == absolute(folder))
          throw InputError(fmt::format("{} and {} would write into the same folder", other.file, file));
      SlurmStudy job{absolute(file), absolute(folder)};
      const Study study = opened(file);
      const Exit status = look(study, folder, default_threads(), [&](StudyPlan& plan) {
        job.points = plan.points().size(), job.missing = plan.missing();
        const StudyPlan::Estimate estimate = plan.estimate();
        job.seconds = estimate.all, job.longest = estimate.longest;
      });
      if (status != Exit::done) return status;
      studies.push_back(job);
    }
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    std::cout << slurm_script(studies, {program, ranks_ ? ranks_ : 16, std::max(1u, threads_)});
    return Exit::done;
  }

  std::string folder_for(const std::string& file) const {
    if (!out_.empty()) return out_;
    return file.empty() ? "banyan-quickstart" : std::filesystem::path(file).stem().string() + "-results";
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

  static void list(StudyPlan& plan, unsigned threads) {
    for (std::size_t i = 0; i < plan.points().size(); ++i)
      std::cout << plan.points()[i].name << (plan.is_missing(i) ? "\n" : "   (finished)\n");
    const StudyPlan::Estimate estimate = plan.estimate();
    const double seconds = std::max(estimate.longest * threads, estimate.all);
    std::cout << fmt::format(
        "{} points, {} to do: roughly {} s on {} thread{}\n", plan.points().size(), plan.missing(),
        seconds < threads ? "1" : fmt::format("{:.0f}", seconds / threads), threads, threads == 1 ? "" : "s");
  }

  static void list_json(StudyPlan& plan) {
    const StudyPlan::Estimate estimate = plan.estimate();
    JsonWriter json(std::cout);
    json.begin_object().field("seconds", estimate.all).field("longest", estimate.longest);
    json.key("points").begin_array();
    for (std::size_t i = 0; i < plan.points().size(); ++i)
      json.begin_object()
          .field("point", plan.points()[i].name)
          .field("finished", !plan.is_missing(i))
          .field("seconds", plan.seconds(i))
          .end_object();
    json.end_array().end_object();
  }

  // What to type for the same results, from the same place.
  std::string command() const {
    std::string out = "banyan";
    if (!files_.empty()) out += " study " + quoted_for_shell(files_.front());
    if (files_.empty() && !out_.empty()) out += " study";
    return out_.empty() ? out : out + " --out " + quoted_for_shell(out_);
  }

  Exit answer(const Study& study, StudyPlan& plan, Store& store, const std::string& folder,
              unsigned threads) const {
    const std::vector<StoredPoint> found = plan.results(store);
    if (!csv_.empty()) write_whole(csv_, [&](std::ostream& out) { write_csv(out, found); });
    if (!no_report_) {
      const auto pictures = plan.draw(store, threads);
      write_whole(report_path(folder), [&](std::ostream& out) {
        write_report(
            out, {study, plan.points(), found, plan.left_out(), pictures, plan.picture_remarks(), command()});
      });
    }
    if (as_json_) {
      write_json(std::cout, study, found);
      return say_failed(found);
    }
    if (!study.title.empty()) std::cout << study.title << "\n\n";
    print_summary(std::cout, found);
    std::cout << fmt::format("\n{} point{}, {} of them measured now. The results are in {}\n", found.size(),
                             found.size() == 1 ? "" : "s", plan.missing(), store_path(folder));
    if (files_.empty()) {
      const std::string copy = folder + "/quickstart.toml";
      write_whole(copy, [&](std::ostream& out) { out << study.text; });
      std::cout << fmt::format("The study is {}: change it and run banyan study {}\n", copy, copy);
    }
    if (!no_report_) std::cout << fmt::format("The report is {}\n", report_path(folder));
    return say_failed(found);
  }

  // A point that failed is a result, but not one to go on with unseen.
  static Exit say_failed(const std::vector<StoredPoint>& found) {
    const auto failed =
        std::count_if(found.begin(), found.end(), [](const StoredPoint& p) { return p.has_failed(); });
    if (failed == 0) return Exit::done;
    std::cerr << fmt::format("banyan: {} of {} points failed\n", failed, found.size());
    return Exit::verdict_no;
  }

  std::vector<std::string> files_;
  std::string out_, csv_;
  u32 threads_ = 0, ranks_ = 0;
  OptionsArgument<ask::DeviceOptions> device_;
  bool dry_run_ = false, verify_ = false, slurm_ = false, as_json_ = false, no_report_ = false;
};

}  // namespace

Verb study_verb() {
  return make_verb<StudyVerb>("study",
                              "Runs a study file: the product of its lists, point by point, into rows",
                              "banyan study studies/quickstart.toml");
}

}  // namespace banyan::cli
