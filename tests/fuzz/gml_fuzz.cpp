#include "support/format_fuzzer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return banyan::tests::fuzz_format("gml", data, size);
}
