// A verdict, for people and for machines.
#pragma once
#include <iosfwd>

#include "base/json_writer.hpp"
#include "verify/judge.hpp"

namespace banyan::cli {

void print_verdict(std::ostream& out, const Verdict& verdict);
void write_verdict(JsonWriter& json, const Verdict& verdict);  // as fields of the object that is open

}  // namespace banyan::cli
