// The verdict on all shifts, for people.
#pragma once
#include <iosfwd>

#include "verify/shifts.hpp"

namespace banyan::cli {

void print_shifts(std::ostream& out, const Fabric& fabric, const ShiftVerdict& verdict);

}  // namespace banyan::cli
