// Stores of any content, damaged anywhere: every point that is given out is the one that was written.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <tuple>

#include "base/file.hpp"
#include "base/random.hpp"
#include "study/run.hpp"
#include "support/scratch.hpp"

namespace banyan::tests {
namespace {

std::string any_text(Random& random) {
  const u64 longest = random.below(20) == 0 ? 5000 : 20;
  std::string out(random.below(longest), ' ');
  for (char& c : out) c = static_cast<char>(random.below(256));
  return out;
}

double any_number(Random& random) {
  switch (random.below(5)) {
    case 0:
      return Row::none;
    case 1:
      return static_cast<double>(random.below(1000));
    case 2:
      return -0.0;
    case 3:
      return random.unit() * 1e-300;
    default:
      return random.unit();
  }
}

Rows any_rows(Random& random) {
  Rows out;
  const u64 rows = 1 + random.below(8), texts = random.below(3);
  for (u64 i = 0; i < rows; ++i) {
    const double value = any_number(random), half_width = any_number(random);
    out.add("metric" + std::to_string(i), value, any_text(random), half_width);
  }
  for (u64 i = 0; i < texts; ++i) out.texts.emplace_back("text" + std::to_string(i), any_text(random));
  return out;
}

// All that a caller sees of a point, to the last bit. SQLite keeps no sign of zero.
auto seen(const StoredPoint& p) {
  std::vector<std::tuple<std::string, std::string, std::string, std::string>> rows;
  const auto bits = [](double x) { return std::isnan(x) ? "none" : fmt::format("{:a}", x + 0.0); };
  for (const Row& r : p.rows) rows.emplace_back(r.metric, bits(r.value), r.unit, bits(r.half_width));
  return std::tuple(p.point, p.measure, p.fabric, p.without, p.engine, p.traffic, p.placement, p.options,
                    p.ranks, p.seed, rows, p.texts);
}

using SeenPoint = decltype(seen(StoredPoint{}));

// A few bytes anywhere: one bit, one byte, a run of zeros, a run of another place.
void damage(std::string& bytes, Random& random) {
  const u64 at = random.below(bytes.size());
  const u64 length = std::min<u64>(random.below(40), bytes.size() - at);
  switch (random.below(4)) {
    case 0:
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
      break;
    case 1:
      bytes[at] = static_cast<char>(random.below(256));
      break;
    case 2:
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), length, '\0');
      break;
    default: {
      const u64 from = random.below(bytes.size() - length + 1);
      bytes.replace(at, length, bytes.substr(from, length));
    }
  }
}

RC_GTEST_PROP(Stores, GiveOutWhatWasWrittenOrNothing, (u64 seed)) {
  Random random(seed);
  const Study study = read_study(
      "fabrics = '4-ary 2-tree'\ntraffic = 'permutation'\nseeds = [1, 2, 3, 4, 5, 6, 7]\n[load]\n", "s.toml");
  const std::vector<Point> points = points_of(study);
  std::vector<std::string> inputs;
  for (std::size_t i = 0; i < points.size(); ++i) inputs.push_back("inputs" + std::to_string(i));
  const Scratch scratch;
  const std::string folder = (scratch.path / "store").string();
  std::map<std::string, SeenPoint> written;
  {
    Store store(folder);
    store.plan(study, points, inputs);
    for (std::size_t i = 0; i < points.size(); ++i)
      store.finish(study, points[i], inputs[i], any_rows(random), 0.5);
    for (const StoredPoint& p : store.read()) written.emplace(p.point, seen(p));
  }
  RC_ASSERT(written.size() == points.size());
  std::string bytes = read_file(store_path(folder));
  damage(bytes, random);
  scratch.file("store/results.sqlite", bytes);
  try {
    Store store(folder);
    const bool is_sound = store.damage().empty();
    std::size_t known = 0;
    for (const std::string& i : inputs) known += store.has(i);
    RC_ASSERT(!is_sound || known == points.size());
    store.plan(study, points, inputs);
    const auto found = store.read();
    RC_ASSERT(found.size() == known);
    for (const StoredPoint& p : found) RC_ASSERT(written.at(p.point) == seen(p));
    RC_TAG(std::string(is_sound ? "harmless" : "named"));
  } catch (const InputError&) {
    RC_TAG(std::string("refused"));
  }
}

}  // namespace
}  // namespace banyan::tests
