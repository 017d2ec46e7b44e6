// Study files and price lists: what cannot be read is refused with InputError, and what can has points.
#include <cstddef>
#include <cstdint>

#include "study/point.hpp"
#include "study/prices.hpp"

namespace {

// Few enough to be listed in no time.
bool is_small(const banyan::tests::Study& study) {
  double points = static_cast<double>(study.fabrics.size() * study.without.size() * study.seeds.size() *
                                      study.ranks.size() * study.placements.size());
  for (const auto& measure : study.measures)
    for (const auto& [key, values] : measure.options) points *= static_cast<double>(values.size());
  return points * static_cast<double>(study.traffic.size() + 1) < 1e4;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const banyan::tests::Study study = banyan::tests::read_study(text, "fuzz.toml");
    if (is_small(study)) banyan::tests::points_of(study);
  } catch (const banyan::tests::InputError&) {
  }
  try {
    banyan::tests::read_prices(text, "fuzz.toml");
  } catch (const banyan::tests::InputError&) {
  }
  return 0;
}
