// What faults change, and which cables counters accuse: fail.
#include "ask/bad_cables.hpp"
#include "ask/damage.hpp"
#include "ask/sweep.hpp"
#include "fabric/faults.hpp"
#include "library/question_parts.hpp"

namespace banyan::library {
namespace {

struct FaultOptions {
  std::string without{};
  static void fields(auto& self, auto&& f) { f("without", self.without, faults_meaning); }
};
struct FailQuestion {
  static constexpr auto options = options_of<FaultOptions, CounterFile, RoutingOptions, TrafficOptions,
                                             FailOptions, ThreadOptions, DeviceOptions>;
  static constexpr auto answers = answers_of<FailAnswer, SweepAnswer, CountersAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const std::vector<std::string> without = given.take_all("without");
    const auto counters = given.take<CounterFile>().counters;
    const auto by = given.take<RoutingOptions>();
    const auto setting = given.take<Setting>();
    const auto how = given.take<FailOptions>();
    const auto device = given.take<DeviceOptions>();
    given.finish(options);
    refuse_contradictions(how, !without.empty() || !counters.empty(), was_given(asked, given),
                          " or --counters");
    if (!counters.empty()) {
      refuse_beside_counters(how, was_given(asked, given));
      return answered(ranked(asked, setting, library::without(*asked.fabric, without), by, counters, how,
                             was_given(asked, given)));
    }
    const auto [fabric, router] = router_of(asked.fabric, by);
    const Topology& before = fabric->loaded.topology;
    const Damage done = damage(fabric->loaded, router, without, by, how);
    if (how.sweep != Sweep::none) {
      const bool lays_traffic = was_given(asked, given)("samples");
      Situation at = setting.situation(asked, done.after, lays_traffic ? "permutation" : "");
      at.device = device.device;
      return answered(sweep(at, done.router, how, lays_traffic));
    }
    if (device.device == DeviceChoice::gpu)
      return answered(Result<FailAnswer>(NotApplicable{"a GPU counts loads of a sweep only"}));
    return answered(fail(setting.situation(asked, before, "permutation"), done.after, done.router, how,
                         was_given(asked, given)));
  }

 private:
  static Result<CountersAnswer> ranked(const Asked& asked, const Setting& setting, const FabricPtr& left,
                                       const RoutingOptions& by, const std::string& counters,
                                       const FailOptions& how, const WasGiven& given) {
    auto [fabric, router] = router_of(left, by);
    const Topology& topology = fabric->loaded.topology;
    if (router.is_chosen) router = ask::router(by, damaged(topology));
    const RouteResult routed = router.route(topology);
    if (const auto* reason = std::get_if<NotApplicable>(&routed)) throw Refused(reason->why);
    const Situation at =
        setting.situation(asked, topology, traffic_for_counters(topology, std::get<Routing>(routed)));
    return bad_cables(at, router, open_counters(counters, topology.fabric, fabric->loaded.ids), how, given);
  }
};

}  // namespace

Question fail_question() {
  return make_question<FailQuestion>("fail", Question::Of::fabric, "without",
                                     "takes cables away, routes again, and says what changed");
}

}  // namespace banyan::library
