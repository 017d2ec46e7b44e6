// As goal_fuzz, of Chakra's protobuf.
#include "traffic/programs/chakra.hpp"

#include <array>

#include "support/program_fuzzer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace banyan::tests;
  return fuzz_program(data, size, [](std::istream& in) {
    return read_chakra(std::array{ChakraSource{in, "fuzz"}});
  });
}
