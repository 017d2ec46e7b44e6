// The page of a program's run: timelines of its ranks, what decided when it ended, and the links that held it
// up.
#pragma once
#include <iosfwd>
#include <string>

#include "ask/time.hpp"

namespace banyan::report {

// The answer has its picture.
void write_report(std::ostream& out, const ask::ProgramAnswer& answer, const std::string& program,
                  const std::string& fabric, const std::string& command);

}  // namespace banyan::report
