// What is asked about traffic without packets: load, rates, order, assign and time.
#include "ask/assign.hpp"
#include "ask/device.hpp"
#include "ask/link_speed.hpp"
#include "ask/load.hpp"
#include "ask/order.hpp"
#include "ask/rates.hpp"
#include "ask/time_modes.hpp"
#include "library/question_parts.hpp"

namespace banyan::library {
namespace {

struct LoadQuestion {
  static constexpr auto options = options_of<Setting, LoadOptions, RoundOptions, DeviceOptions>;
  static constexpr auto answers = answers_of<LoadAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto setting = given.take<Setting>();
    const bool has_model = given.has("rate-model");
    auto by = given.take<LoadOptions>();
    by.rates |= has_model;
    by.round = given.take<RoundOptions>();
    const auto device = given.take<DeviceOptions>();
    given.finish(options);
    Situation at = setting.situation(asked, "permutation");
    at.device = device.device;
    return answered(load(at, by));
  }
};

struct RatesQuestion {
  static constexpr auto options = options_of<Setting, RatesOptions>;
  static constexpr auto answers = answers_of<RatesAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto setting = given.take<Setting>();
    const auto by = given.take<RatesOptions>();
    given.finish(options);
    return answered(rates(setting.situation(asked, "permutation"), by));
  }
};

// Ranks and placement follow from the hosts.
struct OrderSetting : Setting {
  static void fields(auto& self, auto&& f) {
    TrafficPattern::fields(self, f);
    seed_and_threads(self, f);
  }
};
struct OrderQuestion {
  static constexpr auto options = options_of<OrderHosts, OrderSetting, OrderOptions, DeviceOptions>;
  static constexpr auto answers = answers_of<OrderAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto hosts = given.take<OrderHosts>();
    const auto setting = given.take<OrderSetting>();
    const auto by = given.take<OrderOptions>();
    const auto device = given.take<DeviceOptions>();
    given.finish(options);
    if (hosts.hosts.empty()) throw InputError("--hosts is empty; expected hosts, or * for all");
    if (asked.job)
      throw InputError("order takes a traffic by name, and finds the placement of all ranks itself");
    if (setting.traffic.empty())
      throw InputError("--traffic is missing; 'banyan patterns' lists what there is");
    Situation at = setting.situation(asked, "");
    at.device = device.device;
    return answered(order(at, host_list(at.topology.fabric, hosts.hosts == "*" ? "" : hosts.hosts),
                          asked.routing->router, by));
  }
};

struct AssignQuestion {
  static constexpr auto options = options_of<Setting, AssignOptions>;
  static constexpr auto answers = answers_of<AssignAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto setting = given.take<Setting>();
    const auto by = given.take<AssignOptions>();
    given.finish(options);
    if (!asked.job && setting.traffic.empty())
      throw InputError("--traffic is missing; 'banyan patterns' lists what there is");
    return answered(assign(setting.situation(asked, ""), by));
  }
};

struct TimeQuestion {
  static constexpr auto options = options_of<Setting, TimingOptions, TimeModes>;
  static constexpr auto answers =
      answers_of<TimingAnswer, TimesAnswer, StepAnswer, ProgramAnswer, LevelsAnswer, JobsAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto setting = given.take<Setting>();
    auto by = given.take<TimingOptions>();
    const auto modes = given.take<TimeModes>();
    given.finish(options);
    refuse_contradictions(modes, by, was_given(asked, given));
    by.link = link_speed(asked.fabric->loaded, by.link, given.has("link"));
    Situation at = setting.situation(asked, "allreduce");
    std::optional<RouteResult> again;
    FabricRouter router;
    Timeline timeline;
    if (!modes.timeline.empty()) {
      router = asked.routing->router;
      again = asked.routing->routing;
      timeline = open_timeline(modes, asked.routing->by, at.topology, router, *again);
      if (const auto* reason = std::get_if<NotApplicable>(&*again)) throw Refused(reason->why);
      at.routing = &std::get<Routing>(*again);
    }
    return std::visit([](auto found) { return answered(std::move(found)); },
                      ask::time(at, by, modes, timeline));
  }
};

}  // namespace

Question load_question() {
  return make_question<LoadQuestion>("load", Question::Of::routing, "traffic",
                                     "loads of channels under a traffic, their bound, and rates");
}

Question rates_question() {
  return make_question<RatesQuestion>("rates", Question::Of::routing, "traffic",
                                      "rates that flows get, without packets; the program has them in load");
}

Question order_question() {
  return make_question<OrderQuestion>("order", Question::Of::routing, "traffic",
                                      "in which order ranks should stand on the hosts of a job");
}

Question assign_question() {
  return make_question<AssignQuestion>(
      "assign", Question::Of::fabric, "traffic",
      "a path for each connection, or a source port, instead of what hashes make of them");
}

Question time_question() {
  return make_question<TimeQuestion>("time", Question::Of::routing, "traffic",
                                     "how long a collective takes, in seconds, and its bandwidth");
}

}  // namespace banyan::library
