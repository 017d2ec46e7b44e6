// Studies and papers for Python. They run in this process and keep their results in a folder, as the
// program's verbs do, so that one may go on where the other stopped. What was found comes as the verbs' JSON.
#include <filesystem>
#include <memory>
#include <sstream>

#include "base/error.hpp"
#include "base/json_writer.hpp"
#include "base/parallel.hpp"
#include "base/version.hpp"
#include "papers/paper.hpp"
#include "python/parts.hpp"
#include "python/unlocked.hpp"
#include "study/output.hpp"
#include "study/run.hpp"

namespace banyan::python {
namespace {

std::string study_json(const std::string& file, const std::string& folder, u32 threads) {
  const study::Study asked = study::open_study(file);
  auto store =
      std::filesystem::exists(study::store_path(folder)) ? std::make_unique<study::Store>(folder) : nullptr;
  study::StudyPlan plan(asked, store.get(), threads);
  if (!plan.left_out().empty() && !asked.skip_inapplicable) {
    const study::LeftOut& out = plan.left_out().front();
    throw Refused(out.engine + " does not apply to " + out.fabric + ": " + out.why +
                  "; skip_inapplicable = true leaves it out");
  }
  if (!store) store = std::make_unique<study::Store>(folder);
  plan.run(*store, threads);
  std::ostringstream out;
  study::write_json(out, asked, plan.results(*store));
  return out.str();
}

std::string reproduce_json(const std::string& name, bool quick, u64 seed, const std::string& folder,
                           u32 threads) {
  const papers::Paper& paper = papers::papers().at(name);
  const papers::PaperOptions options{quick, seed};
  study::Store store(folder);
  const study::Study asked = papers::study_of(paper, options);
  study::StudyPlan plan(asked, &store, threads);
  plan.run(store, threads);
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object().field("version", base::version()).field("seed", seed).field("paper", paper.name);
  json.field("quick", quick);
  papers::write_fields(json, papers::reproduce(paper, options, plan.results(store)));
  json.end_object();
  return out.str();
}

u32 threads_or_all(u32 threads) { return threads > 0 ? threads : base::default_threads(); }

}  // namespace

void add_studies(py::module_& module) {
  module.def("study", [](const std::string& file, const std::string& folder, u32 threads) {
    return unlocked([&] { return study_json(file, folder, threads_or_all(threads)); });
  });
  module.def("reproduce", [](const std::string& paper, bool quick, u64 seed, const std::string& folder,
                             u32 threads) {
    return unlocked([&] { return reproduce_json(paper, quick, seed, folder, threads_or_all(threads)); });
  });
}

}  // namespace banyan::python
