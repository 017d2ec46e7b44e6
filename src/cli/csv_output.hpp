// An answer as CSV, made from its JSON, so that every verb with --json also has --csv and both say the same.
// docs/output.md describes it.
#pragma once
#include <ostream>
#include <string_view>
#include <vector>

#include "serve/openapi.hpp"

namespace banyan::cli {

// `answers` say the units. The rows of an answer's tables, all under one heading, the first column of which
// names the table; of an answer without rows, its values, one in a line. Nothing where `json` is empty.
void write_answer_csv(std::ostream& out, std::string_view json,
                      const std::vector<serve::AnswerInfo>& answers);

}  // namespace banyan::cli
