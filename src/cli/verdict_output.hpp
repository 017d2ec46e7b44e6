// A verdict, for people.
#pragma once
#include <iosfwd>

#include "verify/judge.hpp"

namespace banyan::cli {

void print_verdict(std::ostream& out, const Verdict& verdict);

}  // namespace banyan::cli
