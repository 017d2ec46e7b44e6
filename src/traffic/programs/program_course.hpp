// What ranks did in a run of a program, for those who look at it: how long they computed, the chain of
// operations that decided when it ended, and a timeline.
#pragma once
#include <array>
#include <vector>

#include "traffic/programs/program_run.hpp"

namespace banyan::traffic {

// By rank: how long at least one of its streams computed.
std::vector<double> computing_seconds(const Program& program, const ProgramLog& log);
// The share of the ranks' time until `end` in which they compute nothing.
double exposed_share(const Program& program, const ProgramLog& log, double end);

// The others need a log of all operations.

// The chain that ends with the last operation: each waited for the one before it. In the order of time,
// without gaps.
struct ChainStep {
  Op op;
  bool is_message;  // of a send: until its message was there, or, of a long one, had left
  double begin, end;
};
// Sends of more than `eager_bytes` end when their message has left.
std::vector<ChainStep> deciding_chain(const Program& program, const ProgramLog& log, double eager_bytes);

// What ranks do in the course of time, as shares of cells: the rows are ranks, or groups of neighbours of
// equal size where there are more ranks than rows; the columns divide the time evenly.
struct Course {
  u32 rows = 0, columns = 0, ranks_of_row = 1;
  double seconds = 0;
  std::vector<double> computing, sending, waiting;  // by row and column; what is left: the ranks have ended
};
Course course_of(const Program& program, const ProgramLog& log, u32 max_rows, u32 columns);

}  // namespace banyan::traffic
