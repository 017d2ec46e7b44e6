// Reads study files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/file.hpp"
#include "base/text.hpp"
#include "engines/engine.hpp"
#include "study/study.hpp"
#include "study/text_files.hpp"
#include "study/toml.hpp"
#include "traffic/pattern.hpp"

namespace banyan::study {
namespace {

// Throw InputError for what cannot be read.
void check_engine(const std::string& text) { engines::engines().bind(text); }
void check_placement(const std::string& text) { placement_rules().bind(text); }
void check_traffic(const std::string& text) {
  traffic_with_files(text, [](const std::string& path) { return path; });
}

class StudyReader {
 public:
  StudyReader(std::string text, const std::string& file)
      : root_(parse_toml(text, file)), keys_(root_, file, "the study") {
    study_.file = file;
    study_.text = std::move(text);
  }

  Study read() {
    study_.title = keys_.text("title", "");
    study_.skip_inapplicable = keys_.truth("skip_inapplicable", false);
    const auto engines = checked("engines", check_engine);
    read_fabrics(engines);
    read_faults();
    study_.traffic = checked("traffic", check_traffic);
    study_.placements = checked("placement", check_placement);
    if (study_.placements.empty()) study_.placements.push_back({"linear"});
    for (const u64 n : numbers("ranks", 0)) study_.ranks.push_back(static_cast<u32>(n));
    study_.seeds = numbers("seeds", 1);
    if (std::count(study_.seeds.begin(), study_.seeds.end(), 0u))
      throw InputError({study_.file, 0}, "a seed is 0; expected numbers from 1 on");
    for (const StudyMeasure& measure : study_measures()) read_measure(measure);
    keys_.refuse_rest();
    refuse_impossible();
    return std::move(study_);
  }

 private:
  Place place(const TomlValue& value) const { return study_.at(value.line); }

  // One value stands for a list of one. No value may stand twice.
  std::vector<const TomlValue*> items(const TomlValue& value, std::string_view what) const {
    std::vector<const TomlValue*> out;
    if (const auto* list = value.list())
      for (const TomlValue& item : *list) out.push_back(&item);
    else
      out.push_back(&value);
    if (out.empty()) throw InputError(place(value), fmt::format("{} is empty; leave it out instead", what));
    return out;
  }

  std::vector<Choice> choices(const TomlValue& value, std::string_view what) const {
    std::vector<Choice> out;
    for (const TomlValue* item : items(value, what)) {
      out.push_back({scalar_text(*item, place(*item), what), item->line});
      for (std::size_t i = 0; i + 1 < out.size(); ++i)
        if (out[i].text == out.back().text)
          throw InputError(place(*item), fmt::format("{}: '{}' stands twice", what, out[i].text));
    }
    return out;
  }

  std::vector<Choice> checked(const TomlValue& value, std::string_view what,
                              void (*check)(const std::string&)) const {
    std::vector<Choice> out = choices(value, what);
    for (const Choice& choice : out) at_line(study_.at(choice.line), [&] { check(choice.text); });
    return out;
  }
  std::vector<Choice> checked(std::string_view key, void (*check)(const std::string&)) {
    const TomlValue* value = keys_.take(key);
    return value ? checked(*value, key, check) : std::vector<Choice>{};
  }

  std::vector<u64> numbers(std::string_view key, u64 otherwise) {
    const TomlValue* value = keys_.take(key);
    if (!value) return {otherwise};
    std::vector<u64> out;
    for (const Choice& choice : choices(*value, key)) {
      u32 number = 0;
      at_line(study_.at(choice.line), [&] { read_option_value(key, choice.text, number); });
      out.push_back(number);
    }
    return out;
  }

  void read_fabrics(const std::vector<Choice>& engines) {
    std::set<std::string> names;
    for (const TomlValue* item : items(keys_.need("fabrics"), "fabrics")) {
      FabricChoice out{.name = "", .fabric = "", .line = item->line, .engines = engines};
      if (item->table()) {
        TomlKeys keys(*item, study_.file, "a fabric");
        out.fabric = scalar_text(keys.need("fabric"), place(*item), "fabric");
        out.name = keys.text("name", out.fabric);
        if (const TomlValue* own = keys.take("engines")) out.engines = checked(*own, "engines", check_engine);
        keys.refuse_rest();
      } else {
        out.name = out.fabric = scalar_text(*item, place(*item), "fabrics");
      }
      if (!names.insert(out.name).second)
        throw InputError(place(*item), fmt::format("two fabrics are called '{}'", out.name));
      study_.fabrics.push_back(std::move(out));
    }
  }

  // Each entry is one state of the fabric: "", one fault, or a list of faults.
  void read_faults() {
    const TomlValue* value = keys_.take("without");
    if (!value) {
      study_.without.push_back({});
      return;
    }
    std::set<std::string> seen;
    for (const TomlValue* item : items(*value, "without")) {
      FaultChoice out{.without = {}, .line = item->line};
      if (item->list())
        for (const TomlValue& fault : *item->list())
          out.without.push_back(scalar_text(fault, place(fault), "without"));
      else if (std::string fault = scalar_text(*item, place(*item), "without"); !fault.empty())
        out.without.push_back(std::move(fault));
      if (!seen.insert(out.text()).second)
        throw InputError(place(*item), fmt::format("without: '{}' stands twice", out.text()));
      study_.without.push_back(std::move(out));
    }
  }

  void read_measure(const StudyMeasure& measure) {
    const TomlValue* value = keys_.take(measure.name);
    if (!value) return;
    MeasureChoice out{&measure, value->line};
    TomlKeys keys(*value, study_.file, fmt::format("[{}]", measure.name));
    for (const OptionInfo& option : measure.options) {
      const TomlValue* given = keys.take(option.key);
      if (!given) continue;
      out.options.emplace_back(option.key, choices(*given, option.key));
      for (const Choice& choice : out.options.back().second) {
        PluginText text{std::string(measure.name), {{option.key, choice.text}}};
        at_line(study_.at(choice.line), [&] { measure.canonical(text); });
      }
    }
    keys.refuse_rest();
    study_.measures.push_back(std::move(out));
  }

  void refuse_impossible() const {
    if (study_.measures.empty()) {
      std::vector<std::string> known;
      for (const StudyMeasure& measure : study_measures()) known.push_back(fmt::format("[{}]", measure.name));
      throw InputError({study_.file, 0}, fmt::format("nothing is measured; expected one or more of {}",
                                                     fmt::join(known, ", ")));
    }
    for (const auto& [measure, line, options] : study_.measures) {
      if (measure->needs >= Needs::traffic && study_.traffic.empty())
        throw InputError(study_.at(line), fmt::format("[{}] needs traffic", measure->name));
      for (const FabricChoice& fabric : study_.fabrics)
        if (measure->needs >= Needs::routing && fabric.engines.empty())
          throw InputError(study_.at(line),
                           fmt::format("[{}] needs engines for '{}'", measure->name, fabric.name));
    }
  }

  Study study_;
  TomlValue root_;
  TomlKeys keys_;
};

}  // namespace

std::string FaultChoice::text() const {
  return without.empty() ? "intact" : fmt::format("{}", fmt::join(without, " & "));
}

std::string Study::path(const std::string& name) const {
  const auto beside = std::filesystem::path(file).parent_path() / name;
  std::error_code ignored;
  return !name.empty() && std::filesystem::exists(beside, ignored) ? beside.string() : name;
}

Study read_study(std::string text, const std::string& file) {
  return StudyReader(std::move(text), file).read();
}

Study open_study(const std::string& path) { return read_study(read_file(path), path); }

}  // namespace banyan::study
