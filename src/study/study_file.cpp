// Reads study files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "ask/fabric_router.hpp"
#include "ask/situation.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "formats/open.hpp"
#include "study/study.hpp"
#include "study/text_files.hpp"
#include "study/toml.hpp"
#include "traffic/pattern.hpp"

namespace banyan::study {
namespace {

// Throw InputError for what cannot be read.
void check_engine(const std::string& text) { ask::bind_router(text); }
void check_placement(const std::string& text) { placement_rules().bind(text); }
void check_traffic(const std::string& text) {
  traffic_with_files(text, [](const std::string& path) { return path; });
}

// "paths={1,2,4},seed={1,2}" stands for all six, and 0.1:0.9:0.4 for 0.1, 0.5 and 0.9.
std::vector<std::string> expanded(const std::string& text) {
  if (const auto range = text.find(':') != text.npos ? parse_ratios(text) : std::nullopt) {
    std::vector<std::string> out;
    for (const double value : *range) out.push_back(fmt::format("{}", value));
    return out;
  }
  const auto open = text.find('{'), close = text.find('}', open);
  if (open == text.npos || close == text.npos) return {text};
  std::vector<std::string> out;
  for (const std::string_view item : split(std::string_view(text).substr(open + 1, close - open - 1), ','))
    for (const std::string& rest : expanded(text.substr(close + 1)))
      out.push_back(fmt::format("{}{}{}", text.substr(0, open), trim(item), rest));
  return out;
}

class StudyReader {
 public:
  StudyReader(std::string text, const std::string& file) : root_(parse_toml(text, file)) {
    study_.file = file;
    study_.text = std::move(text);
  }

  Study read() {
    TomlKeys keys(root_, study_.file, "the study");
    study_.title = keys.text("title", "");
    study_.skip_inapplicable = keys.truth("skip_inapplicable", false);
    first_seed_ = numbers(keys, "first_seed").value_or(std::vector<u64>{1}).front();
    StudyPart whole{.name = "", .placements = {{"linear"}}, .ranks = {0}, .seeds = {first_seed_}};
    if (first_seed_ == 0) throw InputError({study_.file, 0}, "first_seed is 0; expected a number from 1 on");
    study_.without.push_back({});
    whole.without = {0};
    const TomlValue* parts = keys.take("part");
    if (!parts) keys.need("fabrics");
    read_lists(keys, whole, !parts);
    keys.refuse_rest();
    fabrics_ = keys.take("fabrics"), without_ = keys.take("without");
    if (parts)
      read_parts(*parts, whole);
    else
      study_.parts.push_back(whole);
    refuse_impossible();
    refuse_unused(whole);
    choose_engines();
    return std::move(study_);
  }

 private:
  // A part has the lists of the whole study, but for those that it gives itself. It has measures of its own;
  // what these do not say is taken from those of the whole study, which are not made otherwise.
  void read_parts(const TomlValue& parts, const StudyPart& whole) {
    for (const TomlValue* item : items(parts, "part")) add_part(*item);
    for (const TomlValue& item : parts_) {
      TomlKeys keys(item, study_.file, "[[part]]");
      StudyPart part = whole;
      part.measures.clear();
      part.name = keys.text("name", "");
      read_lists(keys, part, true);
      keys.refuse_rest();
      study_.parts.push_back(std::move(part));
    }
  }

  // One that has the name of an earlier one changes that; '*' changes all, in what they say.
  void add_part(const TomlValue& item) {
    const auto name = [&](const TomlValue& part) {
      return scalar_text(TomlKeys(part, study_.file, "[[part]]").need("name"), place(part), "name");
    };
    if (name(item) == "*") {
      for (TomlValue& part : parts_) change(part, item, false);
      return;
    }
    for (TomlValue& part : parts_)
      if (name(part) == name(item)) return change(part, item);
    parts_.push_back(item);
    for (TomlEntry& entry : std::get<TomlValue::Table>(parts_.back().is))
      for (const TomlEntry& usual : *root_.table())
        if (usual.key == entry.key && usual.value.table() && entry.value.table()) {
          TomlValue own = std::exchange(entry.value, usual.value);
          change(entry.value, own);
        }
  }

  static void change(TomlValue& table, const TomlValue& by, bool adds = true) {
    auto& entries = std::get<TomlValue::Table>(table.is);
    for (const TomlEntry& entry : *by.table()) {
      if (entry.key == "name") continue;
      const auto same = std::find_if(entries.begin(), entries.end(),
                                     [&](const TomlEntry& other) { return other.key == entry.key; });
      if (same == entries.end())
        adds ? entries.push_back(entry) : void();
      else if (same->value.table() && entry.value.table())
        change(same->value, entry.value);
      else
        same->value = entry.value;
    }
  }

  void read_lists(TomlKeys& keys, StudyPart& part, bool makes_points) {
    if (auto seeds = numbers(keys, "seeds")) {
      if (std::count(seeds->begin(), seeds->end(), 0u))
        throw InputError({study_.file, 0}, "a seed is 0; expected numbers from 1 on");
      for (u64& seed : *seeds) seed += first_seed_ - 1;
      part.seeds = std::move(*seeds);
      part.seeds_line = keys.need("seeds").line;
    }
    take_list(keys, "engines", check_engine, part.engines);
    take_list(keys, "traffic", check_traffic, part.traffic);
    take_list(keys, "placement", check_placement, part.placements);
    const TomlValue* without = keys.take("without");
    if (without || without_) part.without = faults(without ? *without : *without_, part.seeds);
    if (const auto ranks = numbers(keys, "ranks")) {
      part.ranks.assign(ranks->begin(), ranks->end());
      part.ranks_line = keys.need("ranks").line;
    }
    const TomlValue* fabrics = keys.take("fabrics");
    if (fabrics || fabrics_) read_fabrics(fabrics ? *fabrics : *fabrics_, part);
    for (const StudyMeasure& measure : study_measures())
      if (const TomlValue* value = keys.take(measure.name); value && makes_points)
        read_measure(*value, measure, part);
  }

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
    for (const TomlValue* item : items(value, what))
      for (std::string& text : expanded(scalar_text(*item, place(*item), what))) {
        if (what == "traffic") text = ask::with_own_names(text);
        for (const Choice& before : out)
          if (before.text == text)
            throw InputError(place(*item), fmt::format("{}: '{}' stands twice", what, text));
        out.push_back({std::move(text), item->line});
      }
    return out;
  }

  std::vector<Choice> checked(const TomlValue& value, std::string_view what,
                              void (*check)(const std::string&)) const {
    std::vector<Choice> out = choices(value, what);
    for (const Choice& choice : out) at_line(study_.at(choice.line), [&] { check(choice.text); });
    return out;
  }
  void take_list(TomlKeys& keys, std::string_view key, void (*check)(const std::string&),
                 std::vector<Choice>& out) const {
    if (const TomlValue* value = keys.take(key)) out = checked(*value, key, check);
  }

  std::optional<std::vector<u64>> numbers(TomlKeys& keys, std::string_view key) const {
    const TomlValue* value = keys.take(key);
    if (!value) return std::nullopt;
    std::vector<u64> out;
    for (const Choice& choice : choices(*value, key)) {
      u32 number = 0;
      at_line(study_.at(choice.line), [&] { read_option_value(key, choice.text, number); });
      out.push_back(number);
    }
    return out;
  }

  void read_fabrics(const TomlValue& fabrics, StudyPart& part) {
    part.fabrics.clear();
    for (const TomlValue* item : items(fabrics, "fabrics")) {
      StudyPart::OnFabric on{0, part.engines, part.placements, part.without};
      if (!item->table()) {
        for (const std::string& text : expanded(scalar_text(*item, place(*item), "fabrics")))
          add_fabric({text, text, item->line}, on, part);
        continue;
      }
      TomlKeys keys(*item, study_.file, "a fabric");
      const std::string fabric = scalar_text(keys.need("fabric"), place(*item), "fabric");
      const std::string name = keys.text("name", fabric);
      take_list(keys, "engines", check_engine, on.engines);
      take_list(keys, "placement", check_placement, on.placements);
      if (const TomlValue* own = keys.take("without")) on.without = faults(*own, part.seeds);
      keys.refuse_rest();
      add_fabric({name, fabric, item->line}, on, part);
    }
  }

  void add_fabric(FabricChoice choice, StudyPart::OnFabric on, StudyPart& part) {
    const u64 line = choice.line;
    on.fabric = place_of(study_.fabrics, choice, [&](const FabricChoice& other) {
      return other.name == choice.name && other.fabric == choice.fabric;
    });
    for (const StudyPart::OnFabric& before : part.fabrics)
      if (study_.fabrics[before.fabric].name == study_.fabrics[on.fabric].name)
        throw InputError(study_.at(line),
                         fmt::format("two fabrics are called '{}'", study_.fabrics[on.fabric].name));
    part.fabrics.push_back(std::move(on));
  }

  // The place in a list of what is already there, or is now.
  template <class T, class Same>
  static u32 place_of(std::vector<T>& list, T& wanted, Same same) {
    const auto found = std::find_if(list.begin(), list.end(), same);
    const auto place = static_cast<u32>(found - list.begin());
    if (found == list.end()) list.push_back(std::move(wanted));
    return place;
  }

  // Each entry is one state of the fabric: "", one fault, or a list of faults. With seed=* there is one for
  // each seed.
  std::vector<u32> faults(const TomlValue& value, const std::vector<u64>& seeds) {
    std::vector<u32> out;
    for (const TomlValue* item : items(value, "without")) {
      FaultChoice choice{.without = {}, .line = item->line};
      if (item->list())
        for (const TomlValue& fault : *item->list())
          choice.without.push_back(scalar_text(fault, place(fault), "without"));
      else if (std::string fault = scalar_text(*item, place(*item), "without"); !fault.empty())
        choice.without.push_back(std::move(fault));
      for (FaultChoice& drawn : with_seeds(choice, seeds)) {
        const u32 at = place_of(study_.without, drawn, [&](const FaultChoice& other) {
          return other.without == drawn.without && other.only_seed == drawn.only_seed;
        });
        if (std::count(out.begin(), out.end(), at))
          throw InputError(place(*item),
                           fmt::format("without: '{}' stands twice", study_.without[at].text()));
        out.push_back(at);
      }
    }
    return out;
  }

  static std::vector<FaultChoice> with_seeds(const FaultChoice& choice, const std::vector<u64>& seeds) {
    static constexpr std::string_view each = "seed=*";
    std::vector<FaultChoice> out;
    for (const u64 seed : seeds) {
      FaultChoice drawn = choice;
      for (std::string& fault : drawn.without)
        if (const auto at = fault.find(each); at != fault.npos) {
          fault.replace(at, each.size(), fmt::format("seed={}", seed));
          drawn.only_seed = seed;
        }
      out.push_back(std::move(drawn));
      if (out.back().only_seed == 0) break;
    }
    return out;
  }

  // The options of a measure that a table gives, checked.
  std::vector<std::pair<std::string, std::vector<Choice>>> settings(TomlKeys& keys,
                                                                    const StudyMeasure& measure) const {
    std::vector<std::pair<std::string, std::vector<Choice>>> out;
    for (const OptionInfo& option : measure.options) {
      const TomlValue* given = keys.take(option.key);
      if (!given) continue;
      out.emplace_back(option.key, choices(*given, option.key));
      for (const Choice& choice : out.back().second) {
        PluginText text{std::string(measure.name), {{option.key, choice.text}}};
        at_line(study_.at(choice.line), [&] { measure.canonical(text); });
      }
    }
    return out;
  }

  static bool is_list_of_tables(const TomlValue& value) {
    return value.list() && !value.list()->empty() && value.list()->front().table();
  }

  // Options that vary together: each table of the list is one choice.
  std::vector<MeasureChoice::Setting> together(const TomlValue& list, const StudyMeasure& measure,
                                               const std::string& name) const {
    std::vector<MeasureChoice::Setting> out;
    for (const TomlValue& item : *list.list()) {
      TomlKeys keys(item, study_.file, fmt::format("'{}' of [{}]", name, measure.name));
      out.emplace_back();
      for (const auto& [key, values] : settings(keys, measure)) {
        if (values.size() > 1)
          throw InputError(place(item), fmt::format("{}: expected one value for each option", name));
        out.back().emplace_back(key, values.front().text);
      }
      keys.refuse_rest();
    }
    return out;
  }

  void read_measure(const TomlValue& value, const StudyMeasure& measure, StudyPart& part) {
    MeasureChoice out{&measure, value.line};
    TomlKeys keys(value, study_.file, fmt::format("[{}]", measure.name));
    for (const auto& option : settings(keys, measure)) {
      out.varied.emplace_back();
      for (const Choice& choice : option.second) out.varied.back().push_back({{option.first, choice.text}});
      out.given.emplace_back(option.first, option.second.front().line);
    }
    for (const TomlEntry& entry : *value.table())
      if (is_list_of_tables(entry.value)) {
        out.varied.push_back(together(*keys.take(entry.key), measure, entry.key));
        for (std::size_t i = 0; i < out.varied.back().size(); ++i)
          for (const auto& [key, text] : out.varied.back()[i])
            out.given.emplace_back(key, (*entry.value.list())[i].line);
      }
    keys.refuse_rest();
    part.measures.push_back(static_cast<u32>(study_.measures.size()));
    study_.measures.push_back(std::move(out));
  }

  // Where a routing is needed and no engine is named, the best static one, as on the command line.
  void choose_engines() {
    for (StudyPart& part : study_.parts)
      for (const u32 m : part.measures)
        for (StudyPart::OnFabric& on : part.fabrics)
          if (study_.measures[m].measure->needs >= Needs::routing && on.engines.empty())
            on.engines.push_back({"auto", study_.measures[m].line});
  }

  void refuse_impossible() const {
    const auto measures_nothing = [](const StudyPart& part) { return part.measures.empty(); };
    if (std::any_of(study_.parts.begin(), study_.parts.end(), measures_nothing)) {
      std::vector<std::string> known;
      for (const StudyMeasure& measure : study_measures()) known.push_back(fmt::format("[{}]", measure.name));
      throw InputError({study_.file, 0}, fmt::format("nothing is measured; expected one or more of {}",
                                                     fmt::join(known, ", ")));
    }
    for (const StudyPart& part : study_.parts) {
      if (part.fabrics.empty())
        throw InputError({study_.file, 0}, fmt::format("part '{}' has no fabrics", part.name));
      for (const u32 m : part.measures) refuse_impossible(part, study_.measures[m]);
    }
  }
  void refuse_impossible(const StudyPart& part, const MeasureChoice& choice) const {
    if (choice.measure->needs >= Needs::traffic && part.traffic.empty())
      throw InputError(study_.at(choice.line), fmt::format("[{}] needs traffic", choice.measure->name));
  }

  // Lists that decide nothing: whether each is used, by its line and key. Parts may share what some do not
  // use, and may have lists of their own instead.
  using Used = std::map<std::pair<u64, std::string_view>, bool>;
  void refuse_unused(const StudyPart& whole) const {
    Used used;
    for (const StudyPart& part : study_.parts) note_used(part, whole, used);
    for (const auto& [list, is_used] : used)
      if (list.first > 0 && !is_used)
        throw InputError(
            study_.at(list.first),
            fmt::format("'{}' changes nothing: no measure of the study asks for it", list.second));
    if (study_.has_parts()) refuse_unmade();
  }
  // Measures of the whole study that no part makes.
  void refuse_unmade() const {
    for (const TomlEntry& entry : *root_.table()) {
      const auto makes = [&](const TomlValue& part) {
        return std::ranges::any_of(*part.table(), [&](const TomlEntry& own) { return own.key == entry.key; });
      };
      const auto is_it = [&](const StudyMeasure& measure) { return measure.name == entry.key; };
      if (std::any_of(study_measures().begin(), study_measures().end(), is_it) &&
          std::none_of(parts_.begin(), parts_.end(), makes))
        throw InputError(place(entry.value),
                         fmt::format("[{}] changes nothing: no part makes this measure", entry.key));
    }
  }
  void note_used(const StudyPart& part, const StudyPart& whole, Used& used) const {
    const auto is_plain = [](const Choice& traffic) { return !ask::is_jobs(traffic.text); };
    const bool has_fabric = reads(part, Needs::fabric), has_routing = reads(part, Needs::routing);
    const bool has_traffic = reads(part, Needs::traffic);
    const bool has_ranks = has_traffic && std::any_of(part.traffic.begin(), part.traffic.end(), is_plain);
    bool has_seeds = has_routing;
    const auto note = [&](const auto& of) {
      for (const Choice& engine : of.engines) used[{engine.line, "engines"}] |= has_routing;
      for (const Choice& placement : of.placements) used[{placement.line, "placement"}] |= has_ranks;
      for (const u32 w : of.without) {
        used[{study_.without[w].line, "without"}] |= has_fabric;
        has_seeds |= has_fabric && study_.without[w].only_seed > 0;
      }
    };
    for (const StudyPart::OnFabric& on : part.fabrics) note(on);
    if (study_.has_parts()) note(whole);
    for (const StudyPart* lists : {&part, study_.has_parts() ? &whole : &part}) {
      for (const Choice& traffic : lists->traffic) used[{traffic.line, "traffic"}] |= has_traffic;
      used[{lists->ranks_line, "ranks"}] |= has_ranks;
      used[{lists->seeds_line, "seeds"}] |= has_seeds;
    }
  }
  bool reads(const StudyPart& part, Needs needs) const {
    return std::any_of(part.measures.begin(), part.measures.end(),
                       [&](u32 m) { return study_.measures[m].measure->needs >= needs; });
  }

  Study study_;
  const TomlValue root_;
  std::vector<TomlValue> parts_;
  const TomlValue *fabrics_ = nullptr, *without_ = nullptr;  // of the whole study, for its parts
  u64 first_seed_ = 1;
};

}  // namespace

std::string FaultChoice::text() const {
  return without.empty() ? "intact" : fmt::format("{}", fmt::join(without, " & "));
}

std::string Study::path(const std::string& given) const {
  const std::string name =
      formats::with_role_files(given, [&](const std::string& roles) { return path(roles); });
  const std::string wanted(formats::file_of(name));
  const auto beside = std::filesystem::path(file).parent_path() / wanted;
  std::error_code ignored;
  return !name.empty() && std::filesystem::exists(beside, ignored)
             ? beside.string() + name.substr(wanted.size())
             : name;
}

Study read_study(std::string text, const std::string& file) {
  return StudyReader(std::move(text), file).read();
}

Study open_study(const std::string& path) { return read_study(read_file(path), path); }

}  // namespace banyan::study
