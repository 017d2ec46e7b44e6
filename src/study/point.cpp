#include "study/point.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/version.hpp"
#include "engines/engine.hpp"
#include "study/hash.hpp"
#include "study/text_files.hpp"

namespace banyan::study {
namespace {

// Whether an engine's option `seed` is there to be set.
bool draws(const PluginText& engine) {
  const auto is_seed = [](const auto& option) { return option.key == "seed"; };
  const auto is_given = [](const auto& option) { return option.first == "seed"; };
  const auto& known = engines::engines().at(engine.name).options;
  return std::any_of(known.begin(), known.end(), is_seed) &&
         std::none_of(engine.options.begin(), engine.options.end(), is_given);
}

constexpr std::size_t max_points = 1'000'000;

class Lister {
 public:
  explicit Lister(const Study& study) : study_(study) {}

  std::vector<Point> list() && {
    for (u32 f = 0; f < study_.fabrics.size(); ++f) {
      ask(Needs::plan, {.fabric = f});
      for (u32 w = 0; w < study_.without.size(); ++w) {
        ask(Needs::fabric, {.fabric = f, .faults = w});
        for (const Choice& engine : study_.fabrics[f].engines)
          list_routings({.fabric = f, .faults = w, .engine = engine.text, .engine_line = engine.line});
      }
    }
    return std::move(points_);
  }

 private:
  void list_routings(Point point) {
    const bool is_seeded = draws(engines::engines().bind(point.engine));
    for (const u64 seed : study_.seeds) {
      point.seed = is_seeded ? seed : 0;
      if (is_seeded || seed == study_.seeds.front()) ask(Needs::routing, point);
    }
    for (const u64 seed : study_.seeds) {
      point.seed = seed;
      for (const Choice& traffic : study_.traffic) {
        point.traffic = traffic.text;
        point.traffic_line = traffic.line;
        list_placements(point);
      }
    }
  }

  void list_placements(Point point) {
    if (ask::is_jobs(point.traffic)) return ask(Needs::traffic, point);
    for (const Choice& placement : study_.placements)
      for (const u32 ranks : study_.ranks) {
        point.placement = placement.text;
        point.placement_line = placement.line;
        point.ranks = ranks;
        ask(Needs::traffic, point);
      }
  }

  void ask(Needs needs, const Point& point) {
    for (u32 m = 0; m < study_.measures.size(); ++m) {
      if (study_.measures[m].measure->needs != needs) continue;
      Point out = point;
      out.measure = m;
      out.options.name = study_.measures[m].measure->name;
      vary(std::move(out), 0);
    }
  }

  // The product of the options that have several values.
  void vary(Point point, std::size_t next) {
    const auto& options = study_.measures[point.measure].options;
    if (next == options.size()) {
      if (points_.size() == max_points)
        throw InputError({study_.file, 0}, fmt::format("more than {} points", max_points));
      point.name = name_of(point);
      points_.push_back(std::move(point));
      return;
    }
    const auto& [key, values] = options[next];
    for (const Choice& value : values) {
      Point out = point;
      out.options.options.emplace_back(key, value.text);
      if (values.size() > 1)
        out.varied += fmt::format("{}{}={}", out.varied.empty() ? "" : " ", key, value.text);
      vary(std::move(out), next + 1);
    }
  }

  std::string name_of(const Point& p) const {
    const StudyMeasure& measure = *study_.measures[p.measure].measure;
    std::vector<std::string> parts = {std::string(measure.name), study_.fabrics[p.fabric].name};
    if (measure.needs >= Needs::fabric) parts.push_back(study_.without[p.faults].text());
    for (const std::string* part : {&p.engine, &p.traffic, &p.placement})
      if (!part->empty()) parts.push_back(*part);
    if (p.ranks) parts.push_back(fmt::format("ranks={}", p.ranks));
    if (!p.varied.empty()) parts.push_back(p.varied);
    if (p.seed) parts.push_back(fmt::format("seed={}", p.seed));
    return fmt::format("{}", fmt::join(parts, " | "));
  }

  const Study& study_;
  std::vector<Point> points_;
};

PointTexts texts_of(const Study& study, const Point& p, const FileChange& f) {
  PluginText engine;
  if (!p.engine.empty()) {
    engine = engine_text(p);
    engine = with_files(engine, engines::engines().at(engine.name).options, f);
  }
  return {std::move(engine), traffic_with_files(p.traffic, f), placement_with_files(p.placement, f),
          with_files(p.options, study.measures[p.measure].measure->options, f)};
}

}  // namespace

std::vector<Point> points_of(const Study& study) { return Lister(study).list(); }

PluginText engine_text(const Point& point) {
  PluginText out = engines::engines().bind(point.engine);
  if (point.seed && draws(out)) out.set("seed", std::to_string(point.seed));
  return out;
}

PointTexts resolved(const Study& study, const Point& point) {
  return texts_of(study, point, [&](const std::string& path) { return study.path(path); });
}

Situation situation(const Study& study, const Point& point, const Topology& topology,
                    const Routing* routing) {
  const PointTexts texts = resolved(study, point);
  return {.topology = topology,
          .routing = routing,
          .traffic = texts.traffic,
          .placement = texts.placement,
          .ranks = point.ranks,
          .seed = point.seed};
}

std::string inputs_hash(const Study& study, const Point& p) {
  const StudyMeasure& measure = *study.measures[p.measure].measure;
  const FileChange content = [&](const std::string& file) { return fnv128_of_files(study.path(file)); };
  const PointTexts texts = texts_of(study, p, content);
  const PluginText given{std::string(measure.name), measure.canonical(p.options)};
  const std::string& fabric = study.fabrics[p.fabric].fabric;
  const std::string path = study.path(fabric);
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(path, ignored);
  std::string all =
      fmt::format("version {}\nfabric {}\n", version(), is_file ? fnv128_of_file(path) : fabric);
  if (measure.needs >= Needs::fabric)
    all += fmt::format("without {}\n", fmt::join(study.without[p.faults].without, " & "));
  if (!p.engine.empty()) all += fmt::format("engine {}\n", plugin_text(texts.engine));
  all +=
      fmt::format("traffic {}\nplacement {}\nranks {}\nseed {}\nmeasure {}\n", texts.traffic, texts.placement,
                  p.ranks, p.seed, plugin_text(with_files(given, measure.options, content)));
  return fnv128(all);
}

}  // namespace banyan::study
