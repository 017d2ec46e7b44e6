#include "traffic/programs/program_run.hpp"

#include <fmt/format.h>

#include <unordered_map>

namespace banyan::traffic {

Resources::Resources(const Program& program, u32 Program::Where::*which) : of_(program.size()) {
  std::unordered_map<u64, u32> numbers;
  u64 last = ~u64{0};
  for (Op op = 0; op < program.size(); ++op) {
    const u64 wanted = u64{program.rank[op]} << 32 | program.where[op].*which;
    of_[op] = wanted == last ? of_[op - 1]
                             : numbers.try_emplace(wanted, static_cast<u32>(numbers.size())).first->second;
    last = wanted;
  }
  free_.assign(numbers.size(), 0);
}

ProgramState::ProgramState(const Program& program)
    : streams(program, &Program::Where::stream),
      nics(program, &Program::Where::nic),
      messages(program.size()),
      program_(program),
      waits_(program.size()) {
  for (const u32 next : program.next) ++waits_[next / 2];
}

bool ProgramState::is_awaited_at_beginning(Op op) const {
  for (u32 i = program_.first_next[op]; i < program_.first_next[op + 1]; ++i)
    if (program_.next[i] % 2 == 1) return true;
  return false;
}

void refuse_run(const Program& program, double eager_bytes) {
  require_end(program);
  const std::vector<Op> cycle = find_cycle(program, Buffering::none);
  throw InputError(
      Place{program.file, cycle.empty() ? 0 : program.line[cycle.front()]},
      fmt::format("the program waits for ever, as sends of more than {} bytes wait for their receives: {}",
                  eager_bytes, cycle_text(program, cycle)));
}

}  // namespace banyan::traffic
