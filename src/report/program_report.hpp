// The page of a program's run: timelines of its ranks, what decided when it ended, and the links that held it
// up.
#pragma once
#include <iosfwd>
#include <string>

#include "ask/program_picture.hpp"

namespace banyan::report {

void write_report(std::ostream& out, const ask::ProgramAnswer& answer, const ask::ProgramPicture& picture,
                  const std::string& program, const std::string& fabric, const std::string& command);

}  // namespace banyan::report
