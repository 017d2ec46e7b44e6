// Study files and price lists: what cannot be read is refused with InputError, and what can has points.
#include <cstddef>
#include <cstdint>

#include "study/point.hpp"
#include "study/prices.hpp"

namespace {

// Few enough to be listed in no time.
bool is_small(const banyan::tests::Study& study) {
  double all = 0;
  for (const banyan::tests::StudyPart& part : study.parts) {
    double points = static_cast<double>(part.seeds.size() * part.ranks.size() * (part.traffic.size() + 1));
    double states = 0;
    for (const auto& on : part.fabrics)
      states += static_cast<double>(on.without.size() * (on.engines.size() + 1) * on.placements.size());
    for (const banyan::tests::u32 m : part.measures)
      for (const auto& settings : study.measures[m].varied) points *= static_cast<double>(settings.size());
    all += points * states;
  }
  return all < 1e4;
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
