// Cables that are lost and regained while something runs. A file has a line for each change:
//   1.5ms  lose    link=s3:2
//   4ms    regain  link=s3:2
// What is lost is named as in faults.hpp, and found once, when it is lost: cables are drawn from those that
// are left then. What is regained was lost before, by the same words: its cables are there again, but for
// those that something else took too. # begins a comment.
#pragma once
#include <istream>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"

namespace banyan::fabric {

struct CableChange {
  double time = 0;           // seconds
  std::vector<Link> lost{};  // all that are lost from then on, in order
};

// In the order of time, at least one. Throws InputError with file and line.
std::vector<CableChange> read_timeline(std::istream& in, const std::string& file, const Fabric& whole);

}  // namespace banyan::fabric
