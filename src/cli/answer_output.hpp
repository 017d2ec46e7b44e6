// Answers as one JSON object on standard output; what was asked stands first.
#pragma once
#include <iostream>

#include "ask/answer_head.hpp"

namespace banyan::cli {

template <ask::Answer... A>
void print_json(const ask::AnswerHead& head, const A&... answers) {
  JsonWriter json(std::cout);
  json.begin_object();
  ask::write_fields(json, head);
  (ask::write_fields(json, answers), ...);
  json.end_object();
}

}  // namespace banyan::cli
