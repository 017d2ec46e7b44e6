// docs/openapi.json: what is served, for clients and for the server itself. The program writes it from what
// its verbs declare ('banyan openapi'), and it becomes part of the program: nothing is listed twice.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ask/answer_head.hpp"

namespace banyan::serve {

// An argument of a verb, as a key of a request.
struct ArgumentInfo {
  std::string key, meaning;            // fabric, packet_flits
  std::string_view type = "string";    // as JSON Schema has them
  std::vector<std::string> choices{};  // of a choice among names
  bool is_list = false;                // it may be repeated
  bool is_needed = false;              // it stands without --
};

// What a verb prints as JSON, in general or with one of its options.
struct AnswerInfo {
  std::string_view option;  // without --; empty: none
  std::vector<ask::FieldInfo> fields;
  bool has_head = true;  // the fields of ask::AnswerHead stand before them
};

struct VerbInfo {
  std::string_view name, summary;
  std::vector<ArgumentInfo> arguments;
  std::vector<AnswerInfo> answers;  // one of these; none: docs/ says what it answers
};

std::string_view openapi_text();  // docs/openapi.json
// The same with these verbs instead of those that it has.
std::string openapi_text(const std::vector<VerbInfo>& verbs);

}  // namespace banyan::serve
