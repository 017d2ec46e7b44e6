#include "ask/program_check.hpp"

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
  for (const Op op : cycle) out.cycle.push_back(program.name(op));
  return out;
}

}  // namespace banyan::ask
