// What comes of a choice among addresses, for people and for machines.
#pragma once
#include <iosfwd>

#include "base/json_writer.hpp"
#include "verify/choice_report.hpp"

namespace banyan::cli {

void print_choice(std::ostream& out, const ChoiceReport& report);
void write_choice(JsonWriter& json, const ChoiceReport& report);  // as the field `choice` of the open object

}  // namespace banyan::cli
