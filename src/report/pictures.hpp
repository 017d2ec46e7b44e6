// What rows do not hold and a page shows all the same: fabrics drawn and coloured by load, and the bandwidth
// of every pair. Fabrics are built and routed anew.
#pragma once
#include "base/json_writer.hpp"
#include "study/point.hpp"

namespace banyan::report {

// "drawings", "matrices" and "remarks" of the page's data. Left out, and said so: what would take too long.
void write_pictures(JsonWriter& json, const Study& study, const std::vector<Point>& points, unsigned threads);

}  // namespace banyan::report
