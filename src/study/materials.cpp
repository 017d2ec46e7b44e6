#include "study/materials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "ask/fabric_router.hpp"
#include "base/parallel.hpp"
#include "formats/load.hpp"
#include "study/point_time.hpp"

namespace banyan::study {
namespace {

constexpr u64 max_kept_bytes = u64{1} << 30;

u64 bytes_of(const Routed& routed) {
  const auto* routing = std::get_if<Routing>(&routed.result);
  const Fabric& fabric = routed.topology->fabric;
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

std::shared_ptr<const Topology> Materials::topology(const Point& point) {
  return topologies_.at(state(point)).get([&] {
    const FabricChoice& fabric = study_.fabrics[point.fabric];
    static const std::vector<std::string> nothing;
    const bool is_planned = needs(point) == Needs::plan;
    const FaultChoice& faults = study_.without[point.faults];
    const u64 line = is_planned || faults.without.empty() ? fabric.line : faults.line;
    return at_line(study_.at(line), [&] {
      return load_fabric(study_.path(fabric.fabric), is_planned ? nothing : faults.without).topology;
    });
  });
}

std::shared_ptr<const Routed> Materials::routed(const Point& point) {
  return routings_.at({state(point), engine_key(point)}).get([&] {
    return at_line(study_.at(point.engine_line), [&] {
      PluginText engine = resolved(study_, point).engine;
      if (engine.name == "tables") {  // in the numbers of the fabric as it was found
        ask::RoutedFabric made = ask::open_tables(study_.path(study_.fabrics[point.fabric].fabric),
                                                  study_.without[point.faults].without, engine);
        return Routed{std::make_shared<const Topology>(std::move(made.loaded.topology)), made.result};
      }
      auto on = topology(point);
      const std::string chosen = engine.name == "auto" ? std::string(engines::best_static(*on)) : "";
      if (!chosen.empty()) engine.name = chosen;
      RouteResult result = route(*on, engine);
      return Routed{std::move(on), std::move(result), chosen};
    });
  });
}

std::vector<LeftOut> Materials::check(unsigned threads) {
  std::vector<const Point*> firsts;  // one point for each routing, and for each fabric
  std::map<RoutingKey, std::vector<const Point*>> alike;
  for (const Point* point : points_) {
    auto& all = alike[applying(*point)];
    if (all.empty()) firsts.push_back(point);
    all.push_back(point);
  }
  std::vector<std::string> reasons(firsts.size());
  Progress progress("checking", firsts.size());
  parallel_for(
      firsts.size(), threads,
      [&](u64 i) {
        if (needs(*firsts[i]) < Needs::routing) return static_cast<void>(topology(*firsts[i]));
        const auto made = routed(*firsts[i]);
        const StudyMeasure& measure = *study_.measures[firsts[i]->measure].measure;
        if (const auto* reason = std::get_if<NotApplicable>(&made->result))
          reasons[i] = reason->why;
        else if (measure.refuses)
          if (const auto refused = measure.refuses(std::get<Routing>(made->result)))
            reasons[i] = refused->why;
        if (reasons[i].empty()) check_options(alike.at(applying(*firsts[i])), *made);
        const RoutingKey key{state(*firsts[i]), engine_key(*firsts[i])};
        const std::unique_lock lock(keeping_);
        if (std::any_of(kept_.begin(), kept_.end(), [&](const auto& kept) { return kept.first == key; }))
          return;
        if (kept_bytes_ + bytes_of(*made) > max_kept_bytes) return routings_.at(key).forget();
        kept_.emplace_back(key, bytes_of(*made));
        kept_bytes_ += bytes_of(*made);
      },
      &progress);
  std::vector<LeftOut> out;
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    if (reasons[i].empty()) continue;
    const Point& p = *firsts[i];
    inapplicable_[applying(p)] = true;
    LeftOut left{study_.fabrics[p.fabric].name, study_.without[p.faults].text(), p.engine, reasons[i],
                 p.engine_line};
    if (std::find(out.begin(), out.end(), left) == out.end()) out.push_back(std::move(left));
  }
  check_jobs(threads);
  return out;
}

// Whether the measures can be made with their options, of points that have the same routing.
void Materials::check_options(const std::vector<const Point*>& points, const Routed& routed) const {
  const auto* routing = std::get_if<Routing>(&routed.result);
  std::set<std::pair<u32, decltype(PluginText::options)>> seen;
  for (const Point* point : points) {
    const auto& [measure, line, varied] = study_.measures[point->measure];
    if (!routing || !seen.insert({point->measure, point->options.options}).second) continue;
    at_line(study_.at(line), [&, &measure = measure] {
      measure->check(*routed.topology, *routing, resolved(study_, *point).options);
    });
  }
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
  std::set<std::tuple<State, std::string, std::string, u32>> seen;
  std::vector<const Point*> firsts;
  for (const Point* point : points_)
    if (needs(*point) >= Needs::traffic && !is_left_out(*point) &&
        seen.insert({state(*point), point->traffic, point->placement, point->ranks}).second)
      firsts.push_back(point);
  parallel_for(firsts.size(), threads, [&](u64 i) {
    const Point& p = *firsts[i];
    at_line(study_.at(p.traffic_line), [&] { situation(study_, p, *topology(p)).job(); });
  });
}

bool Materials::is_left_out(const Point& point) const {
  return needs(point) >= Needs::routing && inapplicable_.contains(applying(point));
}

template <class F>
auto Materials::in_situation(const Point& point, unsigned threads, F&& f) {
  std::shared_ptr<const Topology> on;
  RoutingKey key;
  std::shared_ptr<const Routed> with_routing;
  if (needs(point) >= Needs::routing) {
    key = {state(point), engine_key(point)};
    with_routing = routed(point);
    keep(key, bytes_of(*with_routing));
    on = with_routing->topology;
  } else {
    on = topology(point);
  }
  Situation at =
      situation(study_, point, *on, with_routing ? &std::get<Routing>(with_routing->result) : nullptr);
  at.threads = threads;
  auto out = f(at);
  if constexpr (std::is_same_v<decltype(out), Rows>)
    if (with_routing && !with_routing->chosen.empty()) out.texts.emplace_back("engine", with_routing->chosen);
  if (with_routing && routings_.at(key).leave()) drop(key);
  topologies_.at(state(point)).leave();
  return out;
}

Rows Materials::measure(const Point& point, unsigned threads) {
  return in_situation(point, threads, [&](const Situation& at) {
    Rows out;
    try {
      out = study_.measures[point.measure].measure->run(at, resolved(study_, point).options);
    } catch (const InputError& error) {
      out.add("failed", 1);
      out.texts.emplace_back("failed", error.what());
    }
    return out;
  });
}

Picture Materials::picture(const Point& point, const PictureChoice& choice, unsigned threads) {
  return in_situation(point, threads, [&](const Situation& s) { return make_picture(s, point, choice); });
}

double Materials::seconds(const Point& point) {
  const auto& [measure, line, varied] = study_.measures[point.measure];
  return at_line(study_.at(line), [&, &measure = measure] {
    const auto on = topology(point);
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
          routing_seconds(*topology(point), parsed_name(point.engine))};
}

}  // namespace banyan::study
