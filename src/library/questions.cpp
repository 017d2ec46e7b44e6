#include "library/questions.hpp"

#include <fmt/format.h>

#include "ask/check.hpp"
#include "ask/describe.hpp"
#include "ask/diff.hpp"
#include "ask/draw.hpp"
#include "ask/fail.hpp"
#include "ask/load.hpp"
#include "ask/nic.hpp"
#include "ask/path.hpp"
#include "ask/route.hpp"
#include "ask/simulate.hpp"
#include "ask/simulate_modes.hpp"
#include "ask/size.hpp"
#include "ask/time.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "fabric/faults.hpp"
#include "library/given.hpp"
#include "study/prices.hpp"

namespace banyan::library {

bool is_same_key(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return x == y || (x == '_' && y == '-') || (x == '-' && y == '_');
  });
}

bool Given::has(std::string_view key) const {
  return std::any_of(texts_.begin(), texts_.end(),
                     [&](const auto& text) { return is_same_key(text.first, key); });
}

void Given::finish(std::vector<OptionInfo> (*known)()) const {
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (taken_[i]) continue;
    const std::vector<OptionInfo> options = known();
    std::vector<std::string_view> keys;
    for (const OptionInfo& option : options) keys.push_back(option.key);
    throw InputError(keys.empty() ? fmt::format("unknown option '{}': there are none", texts_[i].first)
                                  : fmt::format("unknown option '{}': did you mean '{}'?", texts_[i].first,
                                                nearest(texts_[i].first, keys)));
  }
  for (std::size_t i = 0; i < texts_.size(); ++i)
    for (std::size_t j = i + 1; j < texts_.size(); ++j)
      if (is_same_key(texts_[i].first, texts_[j].first))
        throw InputError(fmt::format("option '{}' was given twice", texts_[i].first));
}

namespace {

struct ThreadOptions {
  u32 threads = 0;
  static void fields(auto& self, auto&& f) {
    f("threads", self.threads,
      "number of threads; 0: all cores, and one for simulate. Answers do not depend on it");
  }
  u32 or_else(u32 otherwise) const { return threads > 0 ? threads : otherwise; }
};

struct TrafficOptions {
  std::string traffic{}, placement = "linear";
  u32 ranks = 0;
  u64 seed = 1;
  static void fields(auto& self, auto&& f) {
    f("traffic", self.traffic,
      "who sends to whom, such as permutation or shift:3; or several jobs, "
      "'ranks=4; traffic=ring | traffic=shift:1'");
    f("placement", self.placement, "hosts of the ranks: linear, random, clustered:0.8, file:PATH");
    f("ranks", self.ranks, "number of ranks that take part; 0: all hosts");
    f("seed", self.seed, "seed of everything that is drawn");
  }
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

Situation situation(const Asked& asked, const TrafficOptions& by, std::string_view otherwise, u32 threads) {
  Situation out{.topology = asked.fabric->loaded.topology};
  if (asked.routing) out.routing = &asked.routing->routing;
  out.traffic = by.traffic.empty() ? otherwise : by.traffic;
  out.placement = by.placement;
  out.ranks = by.ranks;
  out.seed = by.seed;
  out.threads = threads;
  out.screen = asked.screen;
  out.made = asked.job;
  return out;
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
  static constexpr auto options = options_of<>;
  static constexpr auto answers = answers_of<DrawAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    given.finish(options);
    return answered(draw_loaded(asked.fabric->loaded));
  }
};

struct PriceOptions {
  FilePath prices{};
  static void fields(auto& self, auto&& f) {
    f("prices", self.prices, "a price list; without one, placeholders that are nobody's prices");
  }
};
struct SizeQuestion {
  static constexpr auto options = options_of<SizeOptions, PriceOptions>;
  static constexpr auto answers = answers_of<SizeAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto by = given.take<SizeOptions>();
    const auto prices = given.take<PriceOptions>();
    given.finish(options);
    return answered(ask::size(by, asked.families, study::open_prices(prices.prices)));
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

struct CheckModes {
  bool shifts = false;
  static void fields(auto& self, auto&& f) {
    f("shifts", self.shifts,
      "decide how many flows share a channel when every host i sends to host i + s, for all s");
  }
};
struct CheckQuestion {
  static constexpr auto options = options_of<CheckModes, ThreadOptions>;
  static constexpr auto answers = answers_of<CheckAnswer, ShiftsAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto modes = given.take<CheckModes>();
    const auto threads = given.take<ThreadOptions>();
    given.finish(options);
    const Situation at = situation(asked, {}, "", threads.or_else(default_threads()));
    return modes.shifts ? answered(shifts(at, {})) : answered(check(at));
  }
};

struct TablesQuestion {
  static constexpr auto options = options_of<ThreadOptions>;
  static constexpr auto answers = answers_of<RouteAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto threads = given.take<ThreadOptions>();
    given.finish(options);
    return answered(
        ask::route(situation(asked, {}, "", threads.or_else(default_threads())), asked.fabric->loaded.ids));
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
    return answered(path(situation(asked, {}, "", 1), by));
  }
};

struct LoadQuestion {
  static constexpr auto options =
      options_of<TrafficOptions, LoadOptions, RoundOptions, DeviceOptions, ThreadOptions>;
  static constexpr auto answers = answers_of<LoadAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto traffic = given.take<TrafficOptions>();
    const bool has_model = given.has("rate-model");
    auto by = given.take<LoadOptions>();
    by.rates |= has_model;
    by.round = given.take<RoundOptions>();
    const auto device = given.take<DeviceOptions>();
    const auto threads = given.take<ThreadOptions>();
    given.finish(options);
    Situation at = situation(asked, traffic, "permutation", threads.or_else(default_threads()));
    at.device = device.device;
    return answered(load(at, by));
  }
};

struct TimeModes {
  std::string sizes{}, step{};
  static void fields(auto& self, auto&& f) {
    f("sizes", self.sizes, "a collective at several sizes, as NCCL's tests print it: 8:8GiB:4, or 1KiB,1MiB");
    f("step", self.step,
      "a step of training instead of a traffic: tensor=8,pipeline=4,layers=80,hidden=8192");
  }
};
struct TimeQuestion {
  static constexpr auto options = options_of<TrafficOptions, TimingOptions, TimeModes, ThreadOptions>;
  static constexpr auto answers = answers_of<TimingAnswer, TimesAnswer, StepAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto traffic = given.take<TrafficOptions>();
    const auto by = given.take<TimingOptions>();
    const auto modes = given.take<TimeModes>();
    const auto threads = given.take<ThreadOptions>();
    given.finish(options);
    const Situation at = situation(asked, traffic, "allreduce", threads.or_else(default_threads()));
    if (!modes.step.empty() && !modes.sizes.empty())
      throw InputError("step has sizes of its own: it takes no sizes");
    if (!modes.step.empty())
      return answered(step(at, by, read_options<TrainingOptions>(parse_plugin("step:" + modes.step))));
    if (!modes.sizes.empty()) return answered(times(at, by, read_sizes(modes.sizes)));
    return answered(ask::time(at, by));
  }
};

struct FailQuestion {
  static constexpr auto options = options_of<RoutingOptions, TrafficOptions, FailOptions, ThreadOptions>;
  static constexpr auto answers = answers_of<FailAnswer, SweepAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto routing = given.take<RoutingOptions>();
    const auto traffic = given.take<TrafficOptions>();
    const auto by = given.take<FailOptions>();
    const auto threads = given.take<ThreadOptions>();
    given.finish(options);
    const bool sweeps = by.sweep != Sweep::none;
    if (!sweeps && asked.without.empty())
      throw InputError("nothing fails: give without, sweep=links or sweep=switches");
    const Topology& before = asked.fabric->loaded.topology;
    Topology after = before;
    after.fabric = fabric::without(before.fabric, asked.without);
    const FabricRouter by_engine = router_for(asked, routing, sweeps ? damaged(after) : after);
    Situation at = situation(asked, traffic, "permutation", threads.or_else(default_threads()));
    at.routing = nullptr;
    if (!sweeps) return answered(fail(at, after, by_engine, by));
    Situation without{.topology = after, .seed = at.seed, .threads = at.threads, .screen = at.screen};
    return answered(sweep(without, by_engine, by));
  }

 private:
  // Tables from a file stay as they are; anything else routes what is left.
  static FabricRouter router_for(const Asked& asked, const RoutingOptions& by, const Topology& after) {
    if (by.tables.empty()) return router(by, after);
    return open_routed(asked.fabric->text, {}, by).router;
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
  static constexpr auto options = options_of<TrafficOptions, SimulateModes, SimulateOptions, ThreadOptions>;
  static constexpr auto answers =
      answers_of<SimulationAnswer, SimulatedCurveAnswer, SimulatedSaturationAnswer, NicAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto traffic = given.take<TrafficOptions>();
    const auto modes = given.take<SimulateModes>();
    auto by = given.take<SimulateOptions>();
    const auto threads = given.take<ThreadOptions>();
    given.finish(options);
    by.complete = modes.complete;
    by.with_rails = has_rails(given);
    const Situation at = situation(asked, traffic, "uniform", threads.or_else(1));
    if (!modes.nic.empty()) return answered(nic(at, modes.nic));
    refuse_contradictions(modes, by, given);
    by = resolved(at.topology, *at.routing, by);
    if (modes.saturation) return with<SimulatedSaturationAnswer>(by, saturation(at, by));
    if (modes.curve.empty()) return with<SimulationAnswer>(by, simulate(at, by));
    const auto loads = parse_ratios(modes.curve);
    if (!loads)
      throw InputError(
          fmt::format("curve: expected loads such as 0.1,0.2 or 10%:90%:10%, not '{}'", modes.curve));
    return with<SimulatedCurveAnswer>(by, curve(at, by, *loads));
  }

 private:
  template <class Whole>
  static AnswerView with(const SimulateOptions& by, auto found) {
    return AnswerView::of(Whole{{simulated_with(by), std::move(found)}});
  }

  static bool has_rails(const Given& given) {
    bool out = false;
    RailOptions::fields(none_of_rails, [&](std::string_view key, const auto&, std::string_view) {
      out = out || given.has(key);
    });
    return out;
  }
  static inline const RailOptions none_of_rails{};

  static void refuse_contradictions(const SimulateModes& modes, const SimulateOptions& by,
                                    const Given& given) {
    const bool several = modes.saturation || !modes.curve.empty();
    if (modes.follow) throw InputError("follow is for the program");
    if (modes.complete && (several || given.has("cycles") || given.has("load")))
      throw InputError("complete runs to the end: it takes no load, saturation, curve or cycles");
    if (by.messages.arrivals == Arrivals::back_to_back && (several || given.has("load")))
      throw InputError(
          "arrivals=back-to-back offers all that hosts can send: it takes no load, saturation or curve");
    if (modes.saturation && !modes.curve.empty())
      throw InputError("saturation and curve: expected one of them");
    if (given.has("load") && several)
      throw InputError("load is one load: it goes with no saturation or curve");
  }
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
                              "the verdict on a routing, for all pairs or for all shifts"),
      question<PathQuestion>("path", routing, "source", "the paths of one pair, hop by hop"),
      question<LoadQuestion>("load", routing, "traffic",
                             "loads of channels under a traffic, their bound, and rates"),
      question<TimeQuestion>("time", routing, "traffic",
                             "how long a collective takes, in seconds, and its bandwidth"),
      question<FailQuestion>("fail", fabric, "without",
                             "takes cables away, routes again, and says what changed"),
      question<SimulateQuestion>("simulate", routing, "traffic", "throughput and latency, flit by flit"),
  };
  return all;
}

}  // namespace banyan::library
