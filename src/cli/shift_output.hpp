// The verdict on all shifts, for people and for machines.
#pragma once
#include <iosfwd>

#include "base/json_writer.hpp"
#include "verify/shifts.hpp"

namespace banyan::cli {

void print_shifts(std::ostream& out, const Fabric& fabric, const ShiftVerdict& verdict);
void write_shifts(JsonWriter& json, const Fabric& fabric, const ShiftVerdict& verdict);

}  // namespace banyan::cli
