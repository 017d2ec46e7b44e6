// What comes of a choice among addresses, for people.
#pragma once
#include <iosfwd>

#include "verify/choice_report.hpp"

namespace banyan::cli {

void print_choice(std::ostream& out, const ChoiceReport& report);

}  // namespace banyan::cli
