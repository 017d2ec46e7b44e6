// The simulator: simulate.
#include "ask/link_speed.hpp"
#include "ask/nic.hpp"
#include "ask/simulate_modes.hpp"
#include "library/question_parts.hpp"

namespace banyan::library {
namespace {

// An answer, with the options behind it.
template <class A>
struct Simulated {
  SimulatedWith options{};
  A found{};
  static void fields(auto& self, auto&& f) {
    f("options", self.options, "", "options of the simulation, as they were decided");
    A::fields(self.found, f);
  }
};
struct SimulationAnswer : Simulated<SimulateAnswer> {};
struct SimulatedCurveAnswer : Simulated<CurveAnswer> {};
struct SimulatedSaturationAnswer : Simulated<SaturationAnswer> {};

struct SimulateQuestion {
  static constexpr auto options = options_of<Setting, SimulateModes, SimulateOptions, DeviceOptions>;
  static constexpr auto answers =
      answers_of<SimulationAnswer, SimulatedCurveAnswer, SimulatedSaturationAnswer, NicAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto setting = given.take<Setting>();
    const auto modes = given.take<SimulateModes>();
    auto by = given.take<SimulateOptions>();
    const auto device = given.take<DeviceOptions>();
    given.finish(options);
    if (modes.follow) throw InputError("follow is for the program");
    refuse_contradictions(modes, by, was_given(asked, given));
    Situation at = setting.situation(asked, "uniform");
    at.threads = setting.or_else(1);
    at.device = device.device;
    if (!modes.nic.empty()) return answered(nic(at, modes.nic));
    by.complete = modes.complete;
    by.with_rails = has_rails(given);
    by.wire.link = link_speed(asked.fabric->loaded, by.wire.link, given.has("link"));
    by = resolved(at.topology, *at.routing, by);
    refuse_unused(by, at.topology, *at.routing, was_given(asked, given));
    if (modes.saturation) return with<SimulatedSaturationAnswer>(by, saturation(at, by));
    if (modes.curve.empty()) return with<SimulationAnswer>(by, simulate(at, by));
    return with<SimulatedCurveAnswer>(by, curve(at, by, modes.curve));
  }

 private:
  template <class Whole>
  static AnswerView with(const SimulateOptions& by, auto result) {
    if (const auto* reason = std::get_if<NotApplicable>(&result)) throw Refused(reason->why);
    return AnswerView::of(Whole{{simulated_with(by), std::get<0>(std::move(result))}});
  }

  static bool has_rails(const Given& given) {
    bool out = false;
    RailOptions::fields(none_of_rails, [&](std::string_view key, const auto&, std::string_view) {
      out = out || given.has(key);
    });
    return out;
  }
  static inline const RailOptions none_of_rails{};
};

}  // namespace

Question simulate_question() {
  return make_question<SimulateQuestion>("simulate", Question::Of::routing, "traffic",
                                         "throughput and latency, flit by flit");
}

}  // namespace banyan::library
