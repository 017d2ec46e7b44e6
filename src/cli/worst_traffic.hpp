// The worst permutation and the oblivious ratio of a routing, for people and for machines.
#pragma once
#include <iosfwd>

#include "base/json_writer.hpp"
#include "flow/oblivious.hpp"
#include "flow/worst_permutation.hpp"

namespace banyan::cli {

void print_worst_permutation(std::ostream& out, const Fabric& fabric, const WorstPermutation& worst);
// As fields of the object that is open.
void write_worst_permutation(JsonWriter& json, const Fabric& fabric, const WorstPermutation& worst);

void print_oblivious_ratio(std::ostream& out, const Fabric& fabric, const ObliviousRatio& worst);
void write_oblivious_ratio(JsonWriter& json, const Fabric& fabric, const ObliviousRatio& worst);

}  // namespace banyan::cli
