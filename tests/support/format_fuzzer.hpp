// What every fuzz target of a format does: any bytes are read or refused with an InputError; what was read
// can be written and read again, in its own format and in our JSON, and is the same.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "base/error.hpp"
#include "formats/format.hpp"

namespace banyan::tests {

inline void check_round_trip(const Format& format, const FabricFile& first) {
  std::ostringstream out;
  try {
    format.write(first, out);
    std::istringstream in(out.str());
    if (format.read(in, "again").topology.fabric == first.topology.fabric) return;
    std::fprintf(stderr, "%s: reads back as another fabric\n%s\n", std::string(format.name).c_str(),
                 out.str().c_str());
  } catch (const InputError& error) {
    std::fprintf(stderr, "%s: cannot be read again: %s\n%s\n", std::string(format.name).c_str(), error.what(),
                 out.str().c_str());
  }
  std::abort();
}

inline int fuzz_format(std::string_view name, const u8* data, std::size_t size) {
  const Format& format = formats::formats().at(name);
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  try {
    const FabricFile first = format.read(in, "fuzz");
    if (format.write) check_round_trip(format, first);
    if (name != "json") check_round_trip(formats::formats().at("json"), first);
  } catch (const InputError&) {
  }
  return 0;
}

}  // namespace banyan::tests
