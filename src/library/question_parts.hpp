// The pieces that questions are made of. A question is a struct with the options that it takes, the answers
// that it may give, and a function that asks; make_question() turns it into a Question.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ask/traffic_options.hpp"
#include "ask/was_given.hpp"
#include "base/parallel.hpp"
#include "library/given.hpp"

namespace banyan::library {

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
    out.traffic = with_own_names(traffic.empty() ? otherwise : traffic);
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
inline Situation plain_situation(const Asked& asked, const ThreadOptions& threads) {
  Situation out{.topology = asked.fabric->loaded.topology, .routing = &asked.routing->routing};
  out.threads = threads.or_else(default_threads());
  out.screen = asked.screen;
  return out;
}

inline WasGiven was_given(const Asked& asked, const Given& given) {
  return [&](std::string_view key) { return given.has(key) || (asked.job && key == "traffic"); };
}

template <class Q>
Question make_question(std::string_view name, Question::Of of, std::string_view first,
                       std::string_view summary) {
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

}  // namespace banyan::library
