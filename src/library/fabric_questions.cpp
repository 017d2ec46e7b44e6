// What is asked of a fabric alone, or of two: size, describe, draw and diff.
#include "ask/describe.hpp"
#include "ask/diff.hpp"
#include "ask/draw.hpp"
#include "ask/size.hpp"
#include "library/question_parts.hpp"
#include "study/prices.hpp"

namespace banyan::library {
namespace {

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

struct PairHosts {
  std::string a{}, b{};
  static void fields(auto& self, auto&& f) {
    f("a", self.a, "a host, by number or name: what it and another are to each other");
    f("b", self.b, "the other host");
  }
};

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

}  // namespace

Question size_question() {
  return make_question<SizeQuestion>("size", Question::Of::nothing, "hosts",
                                     "which fabrics a machine could have, best first, and what they cost");
}

Question describe_question() {
  return make_question<DescribeQuestion>(
      "describe", Question::Of::fabric, "",
      "what a fabric is: counts, distances, bisection, family, missing cables");
}

Question draw_question() {
  return make_question<DrawQuestion>("draw", Question::Of::fabric, "",
                                     "where nodes stand on a sheet, and which groups they form");
}

Question diff_question() {
  return make_question<DiffQuestion>("diff", Question::Of::two_fabrics, "",
                                     "planned against observed cabling, and the shortest repair");
}

}  // namespace banyan::library
