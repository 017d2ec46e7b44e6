// What a study found: for people, as CSV, as JSON.
#pragma once
#include <iosfwd>
#include <vector>

#include "study/store.hpp"

namespace banyan::study {

void write_csv(std::ostream& out, const std::vector<StoredPoint>& points);  // a line for each row
void write_json(std::ostream& out, const Study& study, const std::vector<StoredPoint>& points);

// A line for each fabric, state, engine, traffic and placement, with the headline of every measure; means
// over seeds.
void print_summary(std::ostream& out, const std::vector<StoredPoint>& points);

}  // namespace banyan::study
