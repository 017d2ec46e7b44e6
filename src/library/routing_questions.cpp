// What is asked of a routing without traffic: tables, check and path.
#include "ask/check.hpp"
#include "ask/path.hpp"
#include "ask/program_check.hpp"
#include "ask/route.hpp"
#include "library/question_parts.hpp"
#include "traffic/programs/open.hpp"

namespace banyan::library {
namespace {

struct TablesQuestion {
  static constexpr auto options = options_of<ThreadOptions>;
  static constexpr auto answers = answers_of<RouteAnswer>;
  static AnswerView ask(const Asked& asked, Given& given) {
    const auto threads = given.take<ThreadOptions>();
    given.finish(options);
    return answered(ask::route(plain_situation(asked, threads), asked.fabric->loaded.ids));
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
    return modes.shifts ? answered(shifts(at, {})) : answered(check(at, modes));
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

}  // namespace

Question tables_question() {
  return make_question<TablesQuestion>(
      "tables", Question::Of::routing, "",
      "a routing as tables that switches can hold, judged; the program's verb route");
}

Question check_question() {
  return make_question<CheckQuestion>(
      "check", Question::Of::routing, "",
      "the verdict on a routing, for all pairs or for all shifts; or on a program");
}

Question path_question() {
  return make_question<PathQuestion>("path", Question::Of::routing, "source",
                                     "the paths of one pair, hop by hop");
}

}  // namespace banyan::library
