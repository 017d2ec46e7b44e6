#include "library/questions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "library/given.hpp"

namespace banyan::library {

const Registry<Question>& questions() {
  static const Registry<Question> all{
      "question",
#define QUESTION(name) BANYAN_PLUGIN(Question, name##_question),
#include "library/questions.def"
#undef QUESTION
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
