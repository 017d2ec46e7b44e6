// Any bytes are read as a program, or refused with an InputError; what was read and is written reads the
// same.
#include "traffic/programs/goal.hpp"

#include "support/program_fuzzer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace banyan::tests;
  return fuzz_program(data, size, [](std::istream& in) { return read_goal(in, "fuzz"); });
}
