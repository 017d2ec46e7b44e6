// All fuzz targets in one program: the environment variable BANYAN_FUZZ_TARGET names the one that runs.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define FUZZ_TARGET(name) extern "C" int name(const std::uint8_t* data, std::size_t size);
#include "targets.def"
#undef FUZZ_TARGET

namespace {

using Target = int (*)(const std::uint8_t*, std::size_t);

Target chosen() {
  const char* wanted = std::getenv("BANYAN_FUZZ_TARGET");
#define FUZZ_TARGET(name) \
  if (wanted && std::strcmp(wanted, #name) == 0) return name;
#include "targets.def"
#undef FUZZ_TARGET
  std::fprintf(stderr, "BANYAN_FUZZ_TARGET is %s, expected a file of tests/fuzz without its ending\n",
               wanted ? wanted : "not set");
  std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Target target = chosen();
  return target(data, size);
}
