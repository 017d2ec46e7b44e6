// Cables that are lost and regained while something runs. A file has a line for each change:
//   1.5ms  lose    link=s3:2
//   4ms    regain  link=s3:2
// What is lost is named as in faults.hpp; what is regained was lost before, by the same words. # begins a
// comment.
#pragma once
#include <istream>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::fabric {

struct CableChange {
  double time = 0;  // seconds
  // All that is lost from then on, in the order in which it was lost.
  std::vector<std::string> lost{};
};

// In the order of time. Throws InputError with file and line.
std::vector<CableChange> read_timeline(std::istream& in, const std::string& file);

}  // namespace banyan::fabric
