#include "study/materials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "ask/fabric_router.hpp"
#include "ask/link_speed.hpp"
#include "base/parallel.hpp"
#include "flow/message_time.hpp"
#include "formats/load.hpp"
#include "study/point_time.hpp"

namespace banyan::study {
namespace {

constexpr u64 max_kept_bytes = u64{1} << 30;

u64 bytes_of(const Routed& routed) {
  const auto* routing = std::get_if<Routing>(&routed.result);
  const Fabric& fabric = routed.topology().fabric;
  return routing ? (u64{fabric.switches()} * fabric.nics() * 2) << routing->lmc : 0;
}

std::string parsed_name(const std::string& text) { return text.substr(0, text.find(':')); }

// One that routes differently is a different engine.
std::string engine_key(const Point& point) {
  std::string out = point.engine;
  for (const auto& [key, value] : engine_text(point).options)
    if (key == "seed") out += "#" + value;
  return out;
}

// `auto` becomes the engine that it means; its options stay.
void choose(PluginText& engine, const std::string& chosen) {
  PluginText meant = engines::bind_engine(chosen);
  for (auto& [key, value] : engine.options) meant.set(std::move(key), std::move(value));
  engine = std::move(meant);
}

}  // namespace

Materials::Materials(const Study& study, const std::vector<const Point*>& points)
    : study_(study), points_(points) {
  for (const Point* point : points) add_user(*point);
}

void Materials::add_user(const Point& point) {
  topologies_[state(point)].add_user();
  if (needs(point) >= Needs::routing) routings_[{state(point), engine_key(point)}].add_user();
}

Materials::State Materials::state(const Point& point) const {
  return {point.fabric, needs(point) == Needs::plan ? planned : point.faults};
}

Materials::RoutingKey Materials::applying(const Point& point) const {
  if (needs(point) < Needs::routing) return {state(point), ""};
  const StudyMeasure& measure = *study_.measures[point.measure].measure;
  const std::string who = measure.refuses ? std::string(measure.name) + " " : "";
  return {state(point), who + engine_key(point)};
}

std::shared_ptr<const Built> Materials::built(const Point& point) {
  return topologies_.at(state(point)).get([&] {
    const FabricChoice& fabric = study_.fabrics[point.fabric];
    static const std::vector<std::string> nothing;
    const bool is_planned = needs(point) == Needs::plan;
    const FaultChoice& faults = study_.without[point.faults];
    const u64 line = is_planned || faults.without.empty() ? fabric.line : faults.line;
    return at_line(study_.at(line), [&] {
      Loaded loaded = load_fabric(study_.path(fabric.fabric), is_planned ? nothing : faults.without);
      return Built{std::move(loaded.topology), loaded.unit};
    });
  });
}

PluginText Materials::options(const Point& point, const Built& on) const {
  PluginText out = resolved(study_, point).options;
  if (on.unit.value == 0) return out;
  for (const OptionInfo& info : study_.measures[point.measure].measure->options) {
    if (info.key != "link") continue;
    const auto given = std::find_if(out.options.begin(), out.options.end(),
                                    [](const auto& option) { return option.first == "link"; });
    const bool is_given = given != out.options.end();
    const auto link = parse_speed(is_given ? given->second : info.default_value);
    if (!link || link->value == 0) break;
    const Speed speed = ask::link_speed(on.topology.fabric, on.unit, *link, is_given);
    if (is_given) out.options.erase(given);
    out.set("link", quantity_text(speed));
    break;
  }
  return out;
}

std::shared_ptr<const Routed> Materials::routed(const Point& point) {
  return routings_.at({state(point), engine_key(point)}).get([&] {
    const bool reads_tables = parsed_name(point.engine) == "tables";
    std::shared_ptr<const Built> on = reads_tables ? nullptr : built(point);  // an error has its own line
    return at_line(study_.at(point.engine_line), [&] {
      PluginText engine = resolved(study_, point).engine;
      if (reads_tables) {  // in the numbers of the fabric as it was found
        ask::RoutedFabric made = ask::open_tables(study_.path(study_.fabrics[point.fabric].fabric),
                                                  study_.without[point.faults].without, engine);
        return Routed{std::make_shared<const Built>(Built{std::move(made.loaded.topology), made.loaded.unit}),
                      made.result};
      }
      const std::string chosen = engine.name == "auto" ? engines::best_static(on->topology) : "";
      if (!chosen.empty()) choose(engine, chosen);
      RouteResult result = route(on->topology, engine);
      return Routed{std::move(on), std::move(result), chosen};
    });
  });
}

std::string Materials::tried(const Point& point, const std::vector<const Point*>& alike, Purpose purpose) {
  if (needs(point) < Needs::routing) return static_cast<void>(built(point)), "";
  const auto made = routed(point);
  std::string why;
  if (const auto* reason = std::get_if<NotApplicable>(&made->result))
    why = reason->why;
  else if (const StudyMeasure& measure = *study_.measures[point.measure].measure; measure.refuses)
    if (const auto refused = measure.refuses(std::get<Routing>(made->result))) why = refused->why;
  if (why.empty()) check_options(alike, *made);
  const RoutingKey key{state(point), engine_key(point)};
  const std::unique_lock lock(keeping_);
  if (std::any_of(kept_.begin(), kept_.end(), [&](const auto& kept) { return kept.first == key; }))
    return why;
  if (purpose == Purpose::look || kept_bytes_ + bytes_of(*made) > max_kept_bytes) {
    routings_.at(key).forget();
    return why;
  }
  kept_.emplace_back(key, bytes_of(*made));
  kept_bytes_ += bytes_of(*made);
  return why;
}

namespace {

// What a routing takes at most, about. Closed forms take nothing, and some engines have an estimate that is
// meant to be right; others took up to some microseconds for an entry.
double max_routing_seconds(const Topology& topology, std::string_view engine) {
  constexpr std::array<std::string_view, 6> closed = {"dmodk",    "smodk",  "random",
                                                      "disjoint", "shift1", "dor"};
  constexpr std::array<std::string_view, 9> estimated = {"dmodc", "minhop", "updn", "ftree", "sssp",
                                                         "nue",   "dfsssp", "lash", "parx"};
  const auto is_in = [&](const auto& names) {
    return std::find(names.begin(), names.end(), engine) != names.end();
  };
  const double entries = static_cast<double>(topology.fabric.nics()) * topology.fabric.switches();
  if (is_in(closed)) return 1e-9 * entries;
  return is_in(estimated) ? 2 * routing_seconds(topology, engine) : 5e-6 * entries;
}

}  // namespace

// In their order, those that are made in about a second altogether.
std::vector<const Point*> Materials::soon_tried(const std::vector<const Point*>& points) {
  constexpr double longest = 0.1, all = 1;
  std::vector<const Point*> out;
  double sum = 0;
  for (const Point* point : points) {
    if (interrupted()) throw Interrupted();
    const double seconds = needs(*point) < Needs::routing
                               ? 0
                               : max_routing_seconds(built(*point)->topology, parsed_name(point->engine));
    const bool is_soon = seconds <= longest && sum + seconds <= all;
    if (is_soon) out.push_back(point), sum += seconds;
    untried_ += !is_soon;
  }
  return out;
}

std::vector<LeftOut> Materials::check(unsigned threads, Purpose purpose, const std::set<u32>& begun) {
  for (const u32 measure : begun)
    for (const auto& [key, line] : study_.measures[measure].given) unused_[{line, key}] = "";
  std::vector<const Point*> firsts;  // one point for each routing, and for each fabric
  std::map<RoutingKey, std::vector<const Point*>> alike;
  for (const Point* point : points_) {
    auto& all = alike[applying(*point)];
    if (all.empty()) firsts.push_back(point);
    all.push_back(point);
  }
  if (purpose == Purpose::look) firsts = soon_tried(firsts);
  std::vector<std::string> reasons(firsts.size());
  Progress progress("checking", firsts.size());
  parallel_for(
      firsts.size(), threads,
      [&](u64 i) { reasons[i] = tried(*firsts[i], alike.at(applying(*firsts[i])), purpose); }, &progress);
  std::vector<LeftOut> out;
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    if (reasons[i].empty()) continue;
    const Point& p = *firsts[i];
    inapplicable_[applying(p)] = true;
    LeftOut left{study_.fabrics[p.fabric].name, study_.without[p.faults].text(), p.engine, reasons[i],
                 p.engine_line};
    if (std::find(out.begin(), out.end(), left) == out.end()) out.push_back(std::move(left));
  }
  if (untried_ == 0) refuse_unused();
  check_jobs(threads);
  return out;
}

// Whether the measures can be made with their options, of points that have the same routing.
void Materials::check_options(const std::vector<const Point*>& points, const Routed& routed) {
  std::set<std::pair<u32, decltype(PluginText::options)>> seen;
  if (!std::holds_alternative<Routing>(routed.result)) return;
  for (const Point* point : points) {
    const MeasureChoice& choice = study_.measures[point->measure];
    if (!seen.insert({point->measure, point->options.options}).second) continue;
    at_line(study_.at(choice.line), [&] {
      const PluginText by = options(*point, *routed.built);
      choice.measure->check(routed.topology(), std::get<Routing>(routed.result), by);
      note_unused(*point, by, routed);
    });
  }
}

void Materials::note_unused(const Point& point, const PluginText& by, const Routed& routed) {
  const MeasureChoice& choice = study_.measures[point.measure];
  if (!choice.measure->unused) return;
  for (const auto& [key, line] : choice.given) {
    std::string why = choice.measure->unused(routed.topology(), std::get<Routing>(routed.result), by, key);
    const std::scoped_lock lock(keeping_);
    const auto [noted, is_new] = unused_.try_emplace({line, key}, why);
    if (!is_new && why.empty()) noted->second.clear();
  }
}

// Options that change nothing at any point.
void Materials::refuse_unused() const {
  for (const auto& [given, why] : unused_)
    if (!why.empty()) throw InputError(study_.at(given.first), why);
}

void Materials::keep(const RoutingKey& key, u64 bytes) {
  const std::scoped_lock lock(keeping_);
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const auto& k) { return k.first == key; });
  if (found != kept_.end()) return kept_.splice(kept_.end(), kept_, found);
  kept_.emplace_back(key, bytes);
  for (kept_bytes_ += bytes; kept_bytes_ > max_kept_bytes && kept_.size() > 1; kept_.pop_front()) {
    routings_.at(kept_.front().first).forget();
    kept_bytes_ -= kept_.front().second;
  }
}

void Materials::drop(const RoutingKey& key) {
  const std::scoped_lock lock(keeping_);
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const auto& k) { return k.first == key; });
  if (found == kept_.end()) return;
  kept_bytes_ -= found->second;
  kept_.erase(found);
}

// Whether the traffic fits the fabrics and the ranks find hosts.
void Materials::check_jobs(unsigned threads) {
  std::set<std::tuple<State, std::string, std::string, u32, bool>> seen;
  std::vector<const Point*> firsts;
  const auto takes_bytes = [&](const Point& point) {
    return study_.measures[point.measure].measure->takes_bytes;
  };
  for (const Point* point : points_)
    if (needs(*point) >= Needs::traffic && !is_left_out(*point) &&
        seen.insert({state(*point), point->traffic, point->placement, point->ranks, takes_bytes(*point)})
            .second)
      firsts.push_back(point);
  parallel_for(firsts.size(), threads, [&](u64 i) {
    const Point& p = *firsts[i];
    at_line(study_.at(p.traffic_line), [&] {
      const Job job = situation(study_, p, built(p)->topology).job();
      if (takes_bytes(p)) flow::require_bytes(job.traffic);
    });
  });
}

bool Materials::is_left_out(const Point& point) const {
  return needs(point) >= Needs::routing && inapplicable_.contains(applying(point));
}

Materials::Held Materials::hold(const Point& point) {
  if (needs(point) < Needs::routing) return {built(point), nullptr};
  Held out{nullptr, routed(point)};
  keep({state(point), engine_key(point)}, bytes_of(*out.routed));
  out.on = out.routed->built;
  return out;
}

void Materials::leave(const Point& point) {
  if (needs(point) >= Needs::routing)
    if (const RoutingKey key{state(point), engine_key(point)}; routings_.at(key).leave()) drop(key);
  topologies_.at(state(point)).leave();
}

Situation Materials::situation_of(const Point& point, const Held& held, unsigned threads) const {
  Situation out = situation(study_, point, held.on->topology,
                            held.routed ? &std::get<Routing>(held.routed->result) : nullptr);
  out.threads = threads;
  return out;
}

void Materials::add_chosen(const Held& held, Rows& rows) {
  if (held.routed && !held.routed->chosen.empty()) rows.texts.emplace_back("engine", held.routed->chosen);
}

template <class F>
auto Materials::in_situation(const Point& point, unsigned threads, F&& f) {
  const Held held = hold(point);
  auto out = f(situation_of(point, held, threads), *held.on);
  if constexpr (std::is_same_v<decltype(out), Rows>) add_chosen(held, out);
  leave(point);
  return out;
}

Rows Materials::measure(const Point& point, unsigned threads) {
  return in_situation(point, threads, [&](const Situation& at, const Built& on) {
    Rows out;
    try {
      out = study_.measures[point.measure].measure->run(at, options(point, on));
    } catch (const InputError& error) {
      out = failed_rows(error.what());
    }
    return out;
  });
}

OnGpu::Found Materials::measure_on_gpu(std::span<const Point* const> points, unsigned threads,
                                       const DeviceUse& device) {
  std::vector<Held> held;
  std::vector<Situation> at;
  std::vector<PluginText> by;
  for (const Point* point : points) {
    held.push_back(hold(*point));
    at.push_back(situation_of(*point, held.back(), threads));
    at.back().device = device.choice;
    at.back().device_calls = device.calls;
    by.push_back(options(*point, *held.back().on));
  }
  OnGpu::Found out = study_.measures[points.front()->measure].measure->on_gpu->measure(at, by);
  for (std::size_t i = 0; i < out.rows.size(); ++i)
    if (auto* const rows = std::get_if<Rows>(&out.rows[i])) {
      add_chosen(held[i], *rows);
      leave(*points[i]);
    }
  return out;
}

Picture Materials::picture(const Point& point, const PictureChoice& choice, unsigned threads) {
  return in_situation(point, threads,
                      [&](const Situation& s, const Built&) { return make_picture(s, point, choice); });
}

double Materials::seconds(const Point& point) {
  const auto* const measure = study_.measures[point.measure].measure;
  return at_line(study_.at(study_.measures[point.measure].line), [&] {
    const auto of = built(point);
    const Topology* const on = &of->topology;
    const auto found = ways_.find(state(point));
    const FabricWays& ways =
        (found == ways_.end() ? ways_.emplace(state(point), ways_of(on->fabric)).first : found)->second;
    const std::string engine = parsed_name(point.engine), traffic = parsed_name(point.traffic);
    PointWork work{*on, ways, engine, traffic};
    if (measure->needs >= Needs::traffic) work.job = [&] { return situation(study_, point, *on).job(); };
    return measure->seconds(work, point.options);
  });
}

std::pair<std::string, double> Materials::routing(const Point& point) {
  if (needs(point) < Needs::routing) return {};
  return {fmt::format("{} {} {}", point.fabric, point.faults, engine_key(point)),
          routing_seconds(built(point)->topology, parsed_name(point.engine))};
}

}  // namespace banyan::study
