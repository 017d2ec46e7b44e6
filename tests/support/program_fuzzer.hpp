// Reads any bytes as a program; one that was read is written as GOAL and read again.
#pragma once
#include <cstdlib>
#include <sstream>

#include "base/error.hpp"
#include "traffic/programs/goal.hpp"

namespace banyan::tests {

template <class Read>
int fuzz_program(const std::uint8_t* data, std::size_t size, Read read) {
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  try {
    const Program program = read(in);
    (void)find_cycle(program, Buffering::all);
    (void)find_cycle(program, Buffering::none);
    if (program.ranks > 1000) return 0;
    std::stringstream first, second;
    write_goal(first, program);
    write_goal(second, read_goal(first, "again"));
    if (first.str() != second.str()) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}

}  // namespace banyan::tests
