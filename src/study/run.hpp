// Runs a study: what is in the store is not done again, and points with the same inputs are measured once.
#pragma once
#include <atomic>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "study/materials.hpp"
#include "study/point_time.hpp"
#include "study/rank_study.hpp"
#include "study/store.hpp"

namespace banyan::study {

// What is to be done, known before anything runs.
class StudyPlan {
 public:
  // `store` may be null: then everything is to be done. Throws InputError with the line of the study. Study
  // and store must outlive it. A plan that is only looked at must not run; it makes no routing that takes
  // long, and counts the points of those as if their engines applied.
  using Purpose = Materials::Purpose;
  StudyPlan(const Study& study, const Store* store, unsigned threads, Purpose purpose = Purpose::run);

  const std::vector<Point>& points() const { return points_; }  // without those of engines left out
  const std::vector<LeftOut>& left_out() const { return left_out_; }
  u64 untried() const { return materials_->untried(); }  // routings of a plan that is only looked at
  std::size_t missing() const { return missing_.size(); }
  bool is_missing(std::size_t point) const;  // number in points()
  // Missing ones that the store has from other inputs, such as another version of the program.
  std::size_t outdated() const { return outdated_; }
  std::size_t finished() const { return points_.size() - missing_.size() + measured_; }  // from any thread
  // Estimates of what is missing, in seconds of one core: of a point without its routing, of the longest and
  // of all with theirs.
  double seconds(std::size_t point);
  struct Estimate {
    double longest = 0, all = 0;
  };
  Estimate estimate();

  // Here, and on other ranks where there are any; by a GPU first, as far as `device` says so. Throws
  // Interrupted when it is stopped; what was finished is in the store. Why it is not all done, if so: a GPU
  // was demanded, and only processors measure a point; what a GPU measured before is in the store.
  std::optional<NotApplicable> run(Store& store, unsigned threads, OtherRanks* others = nullptr,
                                   const DeviceUse& device = {});

  // After run(): all of its points, in order. Throws InputError where the store is damaged.
  std::vector<StoredPoint> results(const Store& store) const;

  // After run(): what a GPU did.
  struct GpuPart {
    std::optional<std::string> device{};  // if it measured any point
    std::string failure{};                // of one that failed: why; processors did its work
    std::size_t points = 0;               // that it measured
  };
  const GpuPart& on_gpu() const { return on_gpu_; }

  // The pictures of a report, after run(): those that the store does not have are made and stored.
  std::vector<PointPicture> draw(Store& store, unsigned threads);
  const std::vector<std::string>& picture_remarks() const { return pictures_.remarks; }

 private:
  void learn(const StoredTimes& times, const std::vector<Point>& points);
  std::string measure_name(const Point& point) const;
  std::vector<std::size_t> longest_first();
  using Finish = std::function<void(std::size_t, const Rows&, double)>;
  void measure_here(PointQueue& queue, unsigned threads, const Finish& finish);
  std::vector<std::vector<std::size_t>> alike_points() const;
  // What a GPU measures; the rest stays missing. Why there may be no rest, if so.
  std::optional<NotApplicable> measure_on_gpu(unsigned threads, const DeviceUse& device,
                                              const Finish& finish);
  void work_with(OtherRanks& others, PointQueue& queue, const Finish& finish,
                 const std::function<void()>& here);

  const Study& study_;
  std::vector<Point> points_;
  std::vector<std::string> inputs_;   // by point
  std::vector<std::size_t> missing_;  // in order
  std::unique_ptr<Materials> materials_;
  std::vector<LeftOut> left_out_;
  PictureChoices pictures_;
  LearnedTimes learned_;
  GpuPart on_gpu_;
  std::set<std::size_t> by_gpu_;  // points that it measured
  std::size_t outdated_ = 0;
  std::atomic<std::size_t> measured_ = 0;  // of the missing ones
};

}  // namespace banyan::study
