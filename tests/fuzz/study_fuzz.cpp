// Study files and price lists: what cannot be read is refused with InputError, and what can has points.
#include <cstddef>
#include <cstdint>

#include "study/point.hpp"
#include "study/prices.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const banyan::Study study = banyan::read_study(text, "fuzz.toml");
    if (study.seeds.size() * study.traffic.size() * study.without.size() < 1000) banyan::points_of(study);
  } catch (const banyan::InputError&) {
  }
  try {
    banyan::read_prices(text, "fuzz.toml");
  } catch (const banyan::InputError&) {
  }
  return 0;
}
