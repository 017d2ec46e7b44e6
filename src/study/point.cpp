#include "study/point.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "base/version.hpp"
#include "engines/engine.hpp"
#include "study/hash.hpp"

namespace banyan::study {
namespace {

// Whether an engine's option `seed` is there to be set.
bool draws(const std::string& engine) {
  const PluginText text = parse_plugin(engine);
  const auto is_seed = [](const auto& option) { return option.key == "seed"; };
  const auto is_given = [](const auto& option) { return option.first == "seed"; };
  const auto& known = engine_named(text.name).options;
  return std::any_of(known.begin(), known.end(), is_seed) &&
         std::none_of(text.options.begin(), text.options.end(), is_given);
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
    const bool is_seeded = draws(point.engine);
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
    if (is_jobs(point.traffic)) return ask(Needs::traffic, point);
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

// f(value) may change the values of options that name files: those called file, path, prices or demands, and
// the only one of a plug-in that is called file.
void each_file(PluginText& text, const std::function<void(std::string&)>& f) {
  for (auto& [key, value] : text.options) {
    const bool takes_file = key.empty() && (text.name == "file" || text.name == "demand");
    const bool names_file = key == "file" || key == "path" || key == "prices" || key == "demands";
    if (!value.empty() && (takes_file || names_file)) f(value);
  }
}

std::string written(const PluginText& text) {
  std::vector<std::string> options;
  for (const auto& [key, value] : text.options)
    options.push_back(key.empty() ? value : fmt::format("{}={}", key, value));
  return options.empty() ? text.name : fmt::format("{}:{}", text.name, fmt::join(options, ","));
}

// The text with f applied to each plug-in in it: itself, or the traffic and placement of each of its jobs.
template <class F>
std::string each_plugin(const std::string& text, F&& f) {
  if (text.empty()) return text;
  if (!is_jobs(text)) return f(parse_plugin(text));
  std::vector<std::string> jobs;
  for (const std::string_view job : split(text, '|')) {
    std::vector<std::string> fields;
    for (const std::string_view field : split(job, ';')) {
      const auto equals = field.find('=');
      const std::string_view key = trim(field.substr(0, equals));
      const bool is_plugin = equals != field.npos && (key == "traffic" || key == "placement");
      fields.push_back(is_plugin ? fmt::format("{}={}", key, f(parse_plugin(trim(field.substr(equals + 1)))))
                                 : std::string(field));
    }
    jobs.push_back(fmt::format("{}", fmt::join(fields, "; ")));
  }
  return fmt::format("{}", fmt::join(jobs, " | "));
}

// The text with the content of its files instead of their names.
std::string with_content(const Study& study, PluginText text) {
  each_file(text, [&](std::string& value) { value = fnv128_of_files(study.path(value)); });
  return written(text);
}
std::string with_content(const Study& study, const std::string& text) {
  return each_plugin(text, [&](PluginText plugin) { return with_content(study, std::move(plugin)); });
}

}  // namespace

std::vector<Point> points_of(const Study& study) { return Lister(study).list(); }

PluginText engine_text(const Point& point) {
  PluginText out = parse_plugin(point.engine);
  const auto& known = engine_named(out.name).options;
  for (auto& [key, value] : out.options)  // NAME:VALUE is the first option
    if (key.empty() && !known.empty()) key = known.front().key;
  if (point.seed && draws(written(out))) out.set("seed", std::to_string(point.seed));
  return out;
}

PluginText resolved(const Study& study, PluginText text) {
  each_file(text, [&](std::string& value) { value = study.path(value); });
  return text;
}

std::string resolved(const Study& study, const std::string& text) {
  return each_plugin(text, [&](PluginText plugin) { return written(resolved(study, std::move(plugin))); });
}

std::string inputs_hash(const Study& study, const Point& p) {
  const auto& [measure, line, options] = study.measures[p.measure];
  const std::string& fabric = study.fabrics[p.fabric].fabric;
  const std::string path = study.path(fabric);
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(path, ignored);
  PluginText given{std::string(measure->name), measure->canonical(p.options)};
  std::string all =
      fmt::format("version {}\nfabric {}\n", version(), is_file ? fnv128_of_file(path) : fabric);
  if (measure->needs >= Needs::fabric)
    all += fmt::format("without {}\n", fmt::join(study.without[p.faults].without, " & "));
  if (!p.engine.empty()) all += fmt::format("engine {}\n", with_content(study, engine_text(p)));
  all +=
      fmt::format("traffic {}\nplacement {}\nranks {}\nseed {}\nmeasure {}\n", with_content(study, p.traffic),
                  with_content(study, p.placement), p.ranks, p.seed, with_content(study, std::move(given)));
  return fnv128(all);
}

}  // namespace banyan::study
