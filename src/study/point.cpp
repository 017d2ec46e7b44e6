#include "study/point.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "ask/fabric_router.hpp"
#include "base/version.hpp"
#include "formats/open.hpp"
#include "study/hash.hpp"
#include "study/text_files.hpp"

namespace banyan::study {
namespace {

// Whether an engine's option `seed` is there to be set.
bool draws(const PluginText& engine) {
  const auto is_seed = [](const auto& option) { return option.key == "seed"; };
  const auto is_given = [](const auto& option) { return option.first == "seed"; };
  const auto known = ask::router_options(engine.name);
  return std::any_of(known.begin(), known.end(), is_seed) &&
         std::none_of(engine.options.begin(), engine.options.end(), is_given);
}

constexpr std::size_t max_points = 1'000'000;

class Lister {
 public:
  explicit Lister(const Study& study) : study_(study) {}

  std::vector<Point> list() && {
    for (const StudyPart& part : study_.parts)
      for (const StudyPart::OnFabric& on : part.fabrics) {
        part_ = &part, placements_ = &on.placements;
        ask(Needs::plan, {.fabric = on.fabric});
        for (const u32 w : on.without) {
          ask(Needs::fabric, {.fabric = on.fabric, .faults = w});
          for (const Choice& engine : on.engines)
            list_routings(
                {.fabric = on.fabric, .faults = w, .engine = engine.text, .engine_line = engine.line});
        }
      }
    return std::move(points_);
  }

 private:
  void list_routings(Point point) {
    std::vector<u64> seeds = part_->seeds;
    if (const u64 only = study_.without[point.faults].only_seed) seeds = {only};
    const bool is_seeded = draws(ask::bind_router(point.engine));
    for (const u64 seed : seeds) {
      point.seed = is_seeded ? seed : 0;
      if (is_seeded || seed == seeds.front()) ask(Needs::routing, point);
    }
    for (const u64 seed : seeds) {
      point.seed = seed;
      for (const Choice& traffic : part_->traffic) {
        point.traffic = traffic.text;
        point.traffic_line = traffic.line;
        list_placements(point);
      }
    }
  }

  void list_placements(Point point) {
    if (ask::is_jobs(point.traffic)) return ask(Needs::traffic, point);
    for (const Choice& placement : *placements_)
      for (const u32 ranks : part_->ranks) {
        point.placement = placement.text;
        point.placement_line = placement.line;
        point.ranks = ranks;
        ask(Needs::traffic, point);
      }
  }

  void ask(Needs needs, const Point& point) {
    for (const u32 m : part_->measures) {
      if (study_.measures[m].measure->needs != needs) continue;
      Point out = point;
      out.measure = m;
      out.options.name = study_.measures[m].measure->name;
      vary(std::move(out), 0);
    }
  }

  // The product of the options that have several values.
  void vary(Point point, std::size_t next) {
    const auto& varied = study_.measures[point.measure].varied;
    if (next == varied.size()) {
      if (points_.size() == max_points)
        throw InputError({study_.file, 0}, fmt::format("more than {} points", max_points));
      point.name = name_of(point);
      points_.push_back(std::move(point));
      return;
    }
    for (const MeasureChoice::Setting& setting : varied[next]) {
      Point out = point;
      for (const auto& [key, value] : setting) {
        std::erase_if(out.options.options, [&, &wanted = key](const auto& o) { return o.first == wanted; });
        out.options.set(key, value);
        if (varied[next].size() > 1)
          out.varied += fmt::format("{}{}={}", out.varied.empty() ? "" : " ", key, value);
      }
      vary(std::move(out), next + 1);
    }
  }

  std::string name_of(const Point& p) const {
    const StudyMeasure& measure = *study_.measures[p.measure].measure;
    std::vector<std::string> parts = {std::string(measure.name), study_.fabrics[p.fabric].name};
    if (!part_->name.empty()) parts.insert(parts.begin(), part_->name);
    if (measure.needs >= Needs::fabric) parts.push_back(study_.without[p.faults].text());
    for (const std::string* part : {&p.engine, &p.traffic, &p.placement})
      if (!part->empty()) parts.push_back(*part);
    if (p.ranks) parts.push_back(fmt::format("ranks={}", p.ranks));
    if (!p.varied.empty()) parts.push_back(p.varied);
    if (p.seed) parts.push_back(fmt::format("seed={}", p.seed));
    return fmt::format("{}", fmt::join(parts, " | "));
  }

  const Study& study_;
  const StudyPart* part_ = nullptr;                  // being listed,
  const std::vector<Choice>* placements_ = nullptr;  // with these
  std::vector<Point> points_;
};

PointTexts texts_of(const Study& study, const Point& p, const FileChange& f) {
  PluginText engine;
  if (!p.engine.empty()) {
    engine = engine_text(p);
    engine = with_files(engine, ask::router_options(engine.name), f);
  }
  return {std::move(engine), traffic_with_files(p.traffic, f), placement_with_files(p.placement, f),
          with_files(p.options, study.measures[p.measure].measure->options, f)};
}

}  // namespace

std::vector<Point> points_of(const Study& study) { return Lister(study).list(); }

PluginText engine_text(const Point& point) {
  PluginText out = ask::bind_router(point.engine);
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
  const std::string fabric = formats::with_role_files(study.fabrics[p.fabric].fabric, content);
  const std::string file(formats::file_of(fabric)), path = study.path(file);
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(path, ignored);
  std::string all = fmt::format("version {}\nfabric {}\n", version(),
                                is_file ? fnv128_of_file(path) + fabric.substr(file.size()) : fabric);
  if (measure.needs >= Needs::fabric)
    all += fmt::format("without {}\n", fmt::join(study.without[p.faults].without, " & "));
  if (!p.engine.empty()) all += fmt::format("engine {}\n", plugin_text(texts.engine));
  all +=
      fmt::format("traffic {}\nplacement {}\nranks {}\nseed {}\nmeasure {}\n", texts.traffic, texts.placement,
                  p.ranks, p.seed, plugin_text(with_files(given, measure.options, content)));
  return fnv128(all);
}

}  // namespace banyan::study
