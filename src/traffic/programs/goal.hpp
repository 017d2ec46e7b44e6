// Programs in GOAL's text, the format of LogGOPSim and ATLAHS (Hoefler, Siebert, Lumsdaine, "Group Operation
// Assembly Language", 2009). Numbers of `calc` are nanoseconds.
//
//   num_ranks 2
//   rank 0 {
//   l1: calc 100 cpu 0
//   l2: send 10b to 1 tag 5 cpu 0 nic 0
//   l2 requires l1
//   }
#pragma once
#include <istream>
#include <ostream>

#include "traffic/programs/program.hpp"

namespace banyan::traffic {

// Reads line by line; the text is not held. Statements end with a line or with ';'. Throws InputError with
// file and line.
Program read_goal(std::istream& in, const std::string& file);

// Times are rounded to nanoseconds.
void write_goal(std::ostream& out, const Program& program);

}  // namespace banyan::traffic
