// Results -> one HTML file: of a study, and of a paper. docs/report.md says what is on the page; web/src
// draws it from the data that is embedded here.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "study/materials.hpp"
#include "study/paper.hpp"
#include "study/store.hpp"

namespace banyan::report {

struct StudyResults {
  const Study& study;
  const std::vector<Point>& points;  // those that were asked for
  const std::vector<StoredPoint>& found;
  const std::vector<LeftOut>& left_out;
  const std::vector<PointPicture>& pictures;
  const std::vector<std::string>& remarks;  // on pictures that are left out
  std::string command;                      // that gives the same results
};

void write_report(std::ostream& out, const StudyResults& results);

void write_report(std::ostream& out, const Paper& paper, const Reproduction& found,
                  const PaperOptions& options, const std::string& command);

std::string report_path(const std::string& folder);

}  // namespace banyan::report
