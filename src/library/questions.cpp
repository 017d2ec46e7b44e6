#include "library/questions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <variant>

#include "ask/assign.hpp"
#include "ask/bad_cables.hpp"
#include "ask/check.hpp"
#include "ask/damage.hpp"
#include "ask/describe.hpp"
#include "ask/diff.hpp"
#include "ask/draw.hpp"
#include "ask/link_speed.hpp"
#include "ask/load.hpp"
#include "ask/nic.hpp"
#include "ask/order.hpp"
#include "ask/path.hpp"
#include "ask/program_check.hpp"
#include "ask/rates.hpp"
#include "ask/route.hpp"
#include "ask/simulate_modes.hpp"
#include "ask/size.hpp"
#include "ask/sweep.hpp"
#include "ask/time_modes.hpp"
#include "ask/traffic_options.hpp"
#include "base/parallel.hpp"
#include "fabric/faults.hpp"
#include "library/given.hpp"
#include "study/prices.hpp"
#include "traffic/programs/open.hpp"

namespace banyan::library {

namespace {

struct ThreadOptions {
  u32 threads = 0;
  static void fields(auto& self, auto&& f) {
    f("threads", self.threads,
      "number of threads; 0: all cores, and one for simulate. Answers do not depend on it");
  }
  u32 or_else(u32 otherwise) const { return threads > 0 ? threads : otherwise; }
};

template <class... Options>
std::vector<OptionInfo> options_of() {
  std::vector<OptionInfo> out;
  [[maybe_unused]] const auto add = [&](std::vector<OptionInfo> more) {
    out.insert(out.end(), more.begin(), more.end());
  };
  (add(option_infos<Options>()), ...);
  return out;
}
template <class... Answers>
std::vector<AnswerType> answers_of() {
  return {{answer_name<Answers>(), fields_of<Answers>()}...};
}

template <class A>
AnswerView answered(A answer) {
  return AnswerView::of(std::move(answer));
}
template <class A>
AnswerView answered(Result<A> result) {
  if (const auto* reason = std::get_if<NotApplicable>(&result)) throw Refused(reason->why);
  return AnswerView::of(std::get<A>(std::move(result)));
}

// The traffic, the seed and the threads.
struct Setting : TrafficOptions, ThreadOptions {
  u64 seed = 1;
  static void fields(auto& self, auto&& f) {
    TrafficOptions::fields(self, f);
    seed_and_threads(self, f);
  }
  static void seed_and_threads(auto& self, auto&& f) {
    f("seed", self.seed, "seed of everything that is drawn: traffic, placement, samples");
    ThreadOptions::fields(self, f);
  }

  Situation situation(const Asked& asked, const Topology& topology, std::string_view otherwise) const {
    Situation out{.topology = topology};
    if (asked.routing) out.routing = &asked.routing->routing;
    out.traffic = traffic.empty() ? otherwise : traffic;
    out.placement = placement;
    out.ranks = ranks;
    out.seed = seed;
    out.threads = or_else(default_threads());
    out.screen = asked.screen;
    out.made = asked.job;
    return out;
  }
  Situation situation(const Asked& asked, std::string_view otherwise) const {
    return situation(asked, asked.fabric->loaded.topology, otherwise);
  }
};

// Of questions that no traffic is laid for.
Situation plain_situation(const Asked& asked, const ThreadOptions& threads) {
  Situation out{.topology = asked.fabric->loaded.topology, .routing = &asked.routing->routing};
  out.threads = threads.or_else(default_threads());
  out.screen = asked.screen;
  return out;
}

WasGiven was_given(const Asked& asked, const Given& given) {
  return [&](std::string_view key) { return given.has(key) || (asked.job && key == "traffic"); };
}

struct PairHosts {
  std::string a{}, b{};
  static void fields(auto& self, auto&& f) {
    f("a", self.a, "a host, by number or name: what it and another are to each other");
    f("b", self.b, "the other host");
  }
};

// Each question: the options that it takes, then the answers that it may give.
struct DescribeQuestion {
  static constexpr auto options = options_of<PairHosts, PairOptions, ThreadOptions>;
  static constexpr auto answers = answers_of<DescribeAnswer, PairAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto hosts = given.take<PairHosts>();
    auto pair = given.take<PairOptions>();
    const auto threads = given.take<ThreadOptions>();
    given.finish(options);
    if (!hosts.a.empty() || !hosts.b.empty()) {
      pair.a = hosts.a, pair.b = hosts.b;
      return answered(describe_pair(asked.fabric->loaded, pair));
    }
    DescribeAnswer found = describe_loaded(asked.fabric->loaded, threads.or_else(default_threads()));
    found.without = asked.fabric->without;
    return answered(std::move(found));
  }
};

struct DrawQuestion {
  static constexpr auto options = options_of<DrawOptions>;
  static constexpr auto answers = answers_of<DrawAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto how = given.take<DrawOptions>();
    given.finish(options);
    return answered(draw_loaded(asked.fabric->loaded, how));
  }
};

struct PriceOptions {
  FilePath prices{};
  static void fields(auto& self, auto&& f) {
    f("prices", self.prices, "a price list; without one, placeholders that are nobody's prices");
  }
};
struct FamilyOptions {
  std::string family{};
  static void fields(auto& self, auto&& f) {
    f("family", self.family, "only fabrics of this family; may be given several times");
  }
};
struct SizeQuestion {
  static constexpr auto options = options_of<SizeOptions, PriceOptions, FamilyOptions>;
  static constexpr auto answers = answers_of<SizeAnswer>;
  static AnswerView ask(const Asked&, Given& given) {
    const auto by = given.take<SizeOptions>();
    const auto prices = given.take<PriceOptions>();
    const std::vector<std::string> families = given.take_all("family");
    given.finish(options);
    return answered(ask::size(by, families, study::open_prices(prices.prices)));
  }
};

struct DiffQuestion {
  static constexpr auto options = options_of<>;
  static constexpr auto answers = answers_of<DiffAnswer>;
  // As read: recognition gives nodes other numbers, and their names are the same.
  static AnswerView ask(const Asked& asked, Given& given) {
    given.finish(options);
    const auto cables = [](const OpenFabric& fabric) -> const Fabric& {
      return fabric.loaded.raw ? *fabric.loaded.raw : fabric.loaded.topology.fabric;
    };
    return answered(diff(cables(*asked.fabric), cables(*asked.other)));
  }
};

struct CheckQuestion {
  static constexpr auto options = options_of<CheckModes, ProgramCheckOptions, ThreadOptions>;
  static constexpr auto answers = answers_of<CheckAnswer, ShiftsAnswer, ProgramCheckAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto modes = given.take<CheckModes>();
    const auto program = given.take<ProgramCheckOptions>().program;
    const auto threads = given.take<ThreadOptions>();
    given.finish(options);
    if (!program.empty()) {
      if (asked.fabric || modes.shifts)
        throw InputError("program is checked alone: without a routing, and without shifts");
      return answered(check_program(open_program(program)));
    }
    const Situation at = plain_situation(asked, threads);
    return modes.shifts ? answered(shifts(at, {})) : answered(check(at));
  }
};

struct TablesQuestion {
  static constexpr auto options = options_of<ThreadOptions>;
  static constexpr auto answers = answers_of<RouteAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto threads = given.take<ThreadOptions>();
    given.finish(options);
    return answered(ask::route(plain_situation(asked, threads), asked.fabric->loaded.ids));
  }
};

struct PairEnds {
  std::string source{}, destination{};
  static void fields(auto& self, auto&& f) {
    f("source", self.source, "the host that sends, by number or name");
    f("destination", self.destination, "the host that receives, by number or name");
  }
};
struct PathQuestion {
  static constexpr auto options = options_of<PairEnds, PathOptions>;
  static constexpr auto answers = answers_of<PathAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto ends = given.take<PairEnds>();
    auto by = given.take<PathOptions>();
    given.finish(options);
    by.source = ends.source, by.destination = ends.destination;
    by.digits = asked.routing->router.digits();
    return answered(path(plain_situation(asked, {}), by));
  }
};

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
  static constexpr auto options = options_of<OrderHosts, OrderSetting, OrderOptions>;
  static constexpr auto answers = answers_of<OrderAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto hosts = given.take<OrderHosts>();
    const auto setting = given.take<OrderSetting>();
    const auto by = given.take<OrderOptions>();
    given.finish(options);
    if (hosts.hosts.empty()) throw InputError("--hosts is empty; expected hosts, or * for all");
    if (asked.job)
      throw InputError("order takes a traffic by name, and finds the placement of all ranks itself");
    if (setting.traffic.empty())
      throw InputError("--traffic is missing; 'banyan patterns' lists what there is");
    const Situation at = setting.situation(asked, "");
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
      answers_of<TimingAnswer, TimesAnswer, StepAnswer, ProgramAnswer, JobsAnswer>;
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

template <class Q>
Question question(std::string_view name, Question::Of of, std::string_view first, std::string_view summary) {
  return {name,
          summary,
          of,
          first,
          [](const Asked& asked) {
            Given given(asked.options);
            return Q::ask(asked, given);
          },
          [] { return Q::options(); },
          [] { return Q::answers(); }};
}

}  // namespace

const Registry<Question>& questions() {
  using enum Question::Of;
  static const Registry<Question> all{
      "question",
      question<SizeQuestion>("size", nothing, "hosts",
                             "which fabrics a machine could have, best first, and what they cost"),
      question<DescribeQuestion>("describe", fabric, "",
                                 "what a fabric is: counts, distances, bisection, family, missing cables"),
      question<DrawQuestion>("draw", fabric, "", "where nodes stand on a sheet, and which groups they form"),
      question<DiffQuestion>("diff", two_fabrics, "",
                             "planned against observed cabling, and the shortest repair"),
      question<TablesQuestion>(
          "tables", routing, "",
          "a routing as tables that switches can hold, judged; the program's verb route"),
      question<CheckQuestion>("check", routing, "",
                              "the verdict on a routing, for all pairs or for all shifts; or on a program"),
      question<PathQuestion>("path", routing, "source", "the paths of one pair, hop by hop"),
      question<LoadQuestion>("load", routing, "traffic",
                             "loads of channels under a traffic, their bound, and rates"),
      question<RatesQuestion>("rates", routing, "traffic",
                              "rates that flows get, without packets; the program has them in load"),
      question<OrderQuestion>("order", routing, "traffic",
                              "in which order ranks should stand on the hosts of a job"),
      question<AssignQuestion>(
          "assign", fabric, "traffic",
          "a path for each connection, or a source port, instead of what hashes make of them"),
      question<TimeQuestion>("time", routing, "traffic",
                             "how long a collective takes, in seconds, and its bandwidth"),
      question<FailQuestion>("fail", fabric, "without",
                             "takes cables away, routes again, and says what changed"),
      question<SimulateQuestion>("simulate", routing, "traffic", "throughput and latency, flit by flit"),
  };
  return all;
}

AnswerView ask(std::string_view name, Asked asked) {
  using enum Question::Of;
  const Question& question = questions().at(name);
  if (asked.routing) asked.fabric = asked.routing->fabric;  // tables from a file are in the numbers of that
  const bool stands_alone =
      name == "check" && std::any_of(asked.options.begin(), asked.options.end(), [](const auto& each) {
        return is_same_key(each.first, "program") && !each.second.empty();
      });
  if (question.of == routing && !asked.routing && !stands_alone)
    throw InputError(fmt::format("{} is asked of a routing: route the fabric first", name));
  if ((question.of == fabric || question.of == two_fabrics) && !asked.fabric)
    throw InputError(fmt::format("{} is asked of a fabric, which is missing", name));
  if (question.of == two_fabrics && !asked.other)
    throw InputError(fmt::format("{} is asked of two fabrics: the second is missing", name));
  return question.answer(asked);
}

}  // namespace banyan::library
