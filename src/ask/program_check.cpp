#include "ask/program_check.hpp"

#include <fmt/format.h>

namespace banyan::ask {

ProgramCheckAnswer check_program(const Program& program) {
  ProgramCheckAnswer out{.ranks = program.ranks,
                         .operations = program.size(),
                         .messages = program.messages(),
                         .bytes = program.bytes()};
  std::vector<Op> cycle = find_cycle(program, Buffering::all);
  out.deadlock_free = cycle.empty();
  if (cycle.empty()) cycle = find_cycle(program, Buffering::none);
  out.deadlock_free_unbuffered = cycle.empty();
  out.unequal_sizes = program.unequal.size();
  if (!program.unequal.empty()) {
    const auto [receive, bytes] = program.unequal.front();
    out.first_unequal =
        fmt::format("{}, and its send has {:.12g}b", program.name(receive, bytes), program.amount[receive]);
  }
  for (const Op op : cycle) out.cycle.push_back({program.rank[op], program.line[op], program.text(op)});
  return out;
}

}  // namespace banyan::ask
