#include "study/run.hpp"

#include <algorithm>
#include <chrono>

#include "base/parallel.hpp"

namespace banyan {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

StudyPlan::StudyPlan(const Study& study, const Store* store, unsigned threads) : study_(study) {
  std::vector<Point> all = points_of(study);
  std::vector<std::string> inputs(all.size());
  std::vector<char> is_done(all.size());
  parallel_for(all.size(), threads, [&](u64 i) { inputs[i] = inputs_hash(study, all[i]); });
  std::vector<const Point*> to_do;
  for (std::size_t i = 0; i < all.size(); ++i) {
    is_done[i] = store && store->has(all[i].name, inputs[i]);
    if (!is_done[i]) to_do.push_back(&all[i]);
  }
  materials_ = std::make_unique<Materials>(study, to_do);
  left_out_ = materials_->check(threads);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_done[i] && materials_->is_left_out(all[i])) continue;
    if (!is_done[i]) missing_.push_back(points_.size());
    points_.push_back(std::move(all[i]));
    inputs_.push_back(std::move(inputs[i]));
  }
}

bool StudyPlan::is_missing(std::size_t point) const {
  return std::binary_search(missing_.begin(), missing_.end(), point);
}

double StudyPlan::seconds(std::size_t point) { return materials_->seconds(points_[point]); }

void StudyPlan::run(Store& store, unsigned threads) {
  store.plan(study_, points_);
  const unsigned within =
      std::max(1u, threads / static_cast<unsigned>(std::max<std::size_t>(1, missing_.size())));
  Progress progress("points", missing_.size());
  parallel_for(
      missing_.size(), threads,
      [&](u64 i) {
        const Point& point = points_[missing_[i]];
        if (interrupted()) throw Interrupted();
        const double start = now();
        const Found found = materials_->measure(point, within);
        store.finish(study_, point, inputs_[missing_[i]], found, now() - start);
      },
      &progress);
}

}  // namespace banyan
