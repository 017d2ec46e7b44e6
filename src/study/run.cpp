#include "study/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ask/on_gpu.hpp"
#include "base/assert.hpp"
#include "base/parallel.hpp"
#include "base/seconds.hpp"

namespace banyan::study {
StudyPlan::StudyPlan(const Study& study, const Store* store, unsigned threads, Purpose purpose)
    : study_(study) {
  std::vector<Point> all = points_of(study);
  std::vector<std::string> inputs(all.size());
  std::vector<char> is_done(all.size());  // or is the same as one before
  std::set<std::string> seen;
  parallel_for(all.size(), threads, [&](u64 i) { inputs[i] = inputs_hash(study, all[i]); });
  std::vector<const Point*> to_do;
  std::set<u32> begun;  // measures
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_stored = store && store->has(inputs[i]);
    if (is_stored && purpose == Purpose::run) begun.insert(all[i].measure);
    is_done[i] = is_stored || !seen.insert(inputs[i]).second;
    if (!is_done[i] || purpose == Purpose::look) to_do.push_back(&all[i]);
  }
  materials_ = std::make_unique<Materials>(study, to_do);
  left_out_ = materials_->check(threads, purpose, begun);
  const auto times = store ? store->times() : StoredTimes();
  learn(times, all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (materials_->is_left_out(all[i])) continue;
    if (!is_done[i]) {
      missing_.push_back(points_.size());
      outdated_ += times.contains(all[i].name);
    }
    points_.push_back(std::move(all[i]));
    inputs_.push_back(std::move(inputs[i]));
  }
  pictures_ = choose_pictures(study_, points_);
  for (const PictureChoice& choice : pictures_.all) materials_->announce_picture(points_[choice.point]);
}

bool StudyPlan::is_missing(std::size_t point) const {
  return std::binary_search(missing_.begin(), missing_.end(), point);
}

// From finished points of fabrics that are there anyway.
void StudyPlan::learn(const StoredTimes& times, const std::vector<Point>& points) {
  for (const Point& point : points)
    if (const auto found = times.find(point.name); found != times.end() && materials_->has_fabric(point))
      learned_.add(measure_name(point), point.engine, materials_->seconds(point), found->second);
}

std::string StudyPlan::measure_name(const Point& point) const {
  return std::string(study_.measures[point.measure].measure->name);
}

double StudyPlan::seconds(std::size_t point) {
  const Point& p = points_[point];
  const double learned = learned_.factor(measure_name(p), p.engine);
  return materials_->seconds(p) * (learned == 1 ? machine_factor() : learned);
}

StudyPlan::Estimate StudyPlan::estimate() {
  Estimate out;
  if (!missing_.empty()) out.all = start_seconds * machine_factor();
  std::set<std::string> routed;
  Progress progress("estimating", missing_.size());
  for (const std::size_t point : missing_) {
    if (interrupted()) throw Interrupted();
    const auto [routing, routing_time] = materials_->routing(points_[point]);
    const double alone = seconds(point), routing_seconds = routing_time * machine_factor();
    out.longest = std::max(out.longest, alone + routing_seconds);
    out.all += alone + (routed.insert(routing).second ? routing_seconds : 0);
    progress.advance();
  }
  return out;
}

std::vector<std::size_t> StudyPlan::longest_first() {
  std::vector<std::pair<double, std::size_t>> by_time;
  for (const std::size_t point : missing_)
    if (!by_gpu_.contains(point)) by_time.emplace_back(-seconds(point), point);
  std::sort(by_time.begin(), by_time.end());
  std::vector<std::size_t> out;
  for (const auto& [time, point] : by_time) out.push_back(point);
  return out;
}

void StudyPlan::measure_here(PointQueue& queue, unsigned threads, const Finish& finish) {
  const unsigned within =
      std::max(1u, threads / static_cast<unsigned>(std::max<std::size_t>(1, missing_.size())));
  parallel_for(threads, threads, [&](u64) {
    try {
      while (const auto point = queue.take(false)) {
        const auto [found, seconds] = timed([&] { return materials_->measure(points_[*point], within); });
        finish(*point, found, seconds);
        queue.finished(*point);
      }
    } catch (...) {
      queue.stop();
      throw;
    }
  });
  if (interrupted()) throw Interrupted();
}

namespace {

bool has_gpu(const DeviceUse& device) {
  return std::holds_alternative<gpu::Device>(ask::find_gpu(device.calls));
}

}  // namespace

// Missing points that a GPU may measure at once, in their order.
std::vector<std::vector<std::size_t>> StudyPlan::alike_points() const {
  constexpr std::size_t max_at_once = 4096;  // what is finished is stored, and Ctrl-C loses what is not
  constexpr std::size_t max_routings = 32;   // that are in memory meanwhile
  struct Kind {
    std::size_t list = 0;  // where its points go
    std::set<std::string> routings{};
  };
  std::vector<std::vector<std::size_t>> out;
  std::map<std::string, Kind> kinds;
  for (const std::size_t i : missing_) {
    const Point& point = points_[i];
    const auto& on_gpu = study_.measures[point.measure].measure->on_gpu;
    if (!on_gpu) continue;
    const std::string routing = materials_->routing(point).first;
    const auto [found, is_new] =
        kinds.try_emplace(fmt::format("{}\n{}\n{}", study_.measures[point.measure].measure->name,
                                      on_gpu->mixes_routings ? "" : routing, on_gpu->alike(point.options)));
    Kind& kind = found->second;
    kind.routings.insert(routing);
    if (is_new || out[kind.list].size() == max_at_once || kind.routings.size() > max_routings) {
      kind = {out.size(), {routing}};
      out.emplace_back();
    }
    out[kind.list].push_back(i);
  }
  return out;
}

std::optional<NotApplicable> StudyPlan::measure_on_gpu(unsigned threads, const DeviceUse& device,
                                                       const Finish& finish) {
  const bool is_demanded = device.choice == ask::DeviceChoice::gpu;
  if (!is_demanded && !has_gpu(device)) return std::nullopt;
  const auto refusal = [&](std::size_t point, const std::string& why) {
    return NotApplicable{fmt::format("{}: {}", points_[point].name, why)};
  };
  for (const std::size_t i : missing_)
    if (const std::string name = measure_name(points_[i]);
        is_demanded && !study_.measures[points_[i].measure].measure->on_gpu)
      return refusal(i, fmt::format("a GPU measures load and simulate; {} is for processors", name));
  for (const std::vector<std::size_t>& alike : alike_points()) {
    std::vector<const Point*> points;
    for (const std::size_t i : alike) points.push_back(&points_[i]);
    for (std::size_t first = 0; first < alike.size();) {
      if (interrupted()) throw Interrupted();
      const auto [found, seconds] = timed(
          [&] { return materials_->measure_on_gpu(std::span(points).subspan(first), threads, device); });
      BANYAN_ASSERT(!found.rows.empty(), "a device measures at least one of the points");
      if (found.device) on_gpu_.device = found.device;
      if (!found.failure.empty()) on_gpu_.failure = found.failure;
      for (const auto& result : found.rows) {
        const std::size_t point = alike[first++];
        if (const auto* rows = std::get_if<Rows>(&result)) {
          finish(point, *rows, seconds / static_cast<double>(found.rows.size()));
          by_gpu_.insert(point);
          ++on_gpu_.points;
        } else if (is_demanded) {
          return refusal(point, std::get<NotApplicable>(result).why);
        }
      }
    }
  }
  return std::nullopt;
}

std::optional<NotApplicable> StudyPlan::run(Store& store, unsigned threads, OtherRanks* others,
                                            const DeviceUse& device) {
  store.plan(study_, points_, inputs_);
  Progress progress("points", missing_.size());
  const Finish finish = [&](std::size_t point, const Rows& found, double seconds) {
    store.finish(study_, points_[point], inputs_[point], found, seconds);
    ++measured_;
    progress.advance();
  };
  if (device.choice != ask::DeviceChoice::cpu)
    if (auto reason = measure_on_gpu(threads, device, finish)) return reason;
  PointQueue queue(longest_first());
  const auto here = [&] { measure_here(queue, threads, finish); };
  if (others)
    work_with(*others, queue, finish, here);
  else
    here();
  if (missing_.size() < points_.size()) store.plan(study_, points_, inputs_);  // also under its other names
  return std::nullopt;
}

std::vector<StoredPoint> StudyPlan::results(const Store& store) const {
  std::vector<StoredPoint> out = store.read();
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (i >= out.size() || out[i].point != points_[i].name)
      throw InputError(
          fmt::format("the store of results is damaged: the point {} was lost", points_[i].name));
  return out;
}

void StudyPlan::work_with(OtherRanks& others, PointQueue& queue, const Finish& finish,
                          const std::function<void()>& here) {
  const auto task = [&](std::size_t point) { return RankWork::Task{points_[point].name, inputs_[point]}; };
  others.work({study_, queue, task, finish}, here);
  if (const auto given_up = queue.given_up(); !given_up.empty())
    throw InputError(fmt::format("{} ranks died of the point {}; all others are finished",
                                 PointQueue::max_deaths, points_[given_up.front()].name));
}

std::vector<PointPicture> StudyPlan::draw(Store& store, unsigned threads) {
  std::vector<PointPicture> out(pictures_.all.size());
  const unsigned within = std::max(1u, threads / static_cast<unsigned>(std::max<std::size_t>(1, out.size())));
  Progress progress("pictures", out.size());
  parallel_for(
      out.size(), threads,
      [&](u64 i) {
        const PictureChoice& choice = pictures_.all[i];
        const std::string& inputs = inputs_[choice.point];
        out[i].point = &points_[choice.point];
        if (auto stored = store.picture(inputs)) {
          out[i].picture = std::move(*stored);
        } else {
          out[i].picture = materials_->picture(*out[i].point, choice, within);
          store.keep_picture(inputs, out[i].picture);
        }
      },
      &progress);
  return out;
}

}  // namespace banyan::study
