// Cuts to start from are of two kinds. Fabrics are numbered as they are built, so halves by a digit of the
// number are natural: ((i / stride) mod width) cuts a grid across one dimension and gives each side every
// other subtree of a tree. The others are random. The best of the former and some of the latter are refined.
#include "topology/bisection.hpp"

#include <algorithm>
#include <numeric>

#include "base/random.hpp"
#include "topology/partition.hpp"

namespace banyan::topology {
namespace {

constexpr std::size_t max_digits = 2000;

struct Digit {
  u32 stride, width;
};

// All of numbers below `count`: stride x width divides it.
std::vector<Digit> digits(u32 count) {
  std::vector<u32> divisors;
  for (u32 d = 1; u64{d} * d <= count; ++d)
    if (count % d == 0) divisors.insert(divisors.end(), {d, count / d});
  std::vector<Digit> out;
  for (u32 stride : divisors)
    for (u32 width : divisors)
      if (width > 1 && count / stride % width == 0 && out.size() < max_digits) out.push_back({stride, width});
  return out;
}

class Starts {
 public:
  Starts(const Units& units, u64 seed) : units_(units), seed_(seed), position_(units.with_hosts()) {
    const u32 all = units.hosts(), largest = units.largest();
    const bool even = all % largest == 0;  // the place of a unit can be told even when others are gone
    for (u32 u = 0; u < units.with_hosts(); ++u) position_[u] = even ? units.first_host(u) / largest : u;
    digits_ = digits(even ? all / largest : units.with_hosts());
    digits_.push_back({1, 1});
    find_order_of_rest();
  }

  u32 natural() const { return static_cast<u32>(digits_.size()); }

  Sides natural(u32 i) const {
    const auto [stride, width] = digits_[i];
    return halves([&](u32 unit) { return position_[unit] / stride % width; });
  }

  Sides random(u64 i) const {
    std::vector<u32> key(units_.with_hosts());
    std::iota(key.begin(), key.end(), 0);
    Random(seed_, i).shuffle(std::span(key));
    return halves([&](u32 unit) { return key[unit]; });
  }

 private:
  // The half of the hosts with the smaller keys, and every other unit where most of its cables lead.
  template <class Key>
  Sides halves(Key&& key) const {
    std::vector<std::pair<u32, u32>> order;
    for (u32 u = 0; u < units_.with_hosts(); ++u) order.emplace_back(key(u), u);
    std::sort(order.begin(), order.end());
    constexpr u8 open = 2;
    Sides sides(units_.size(), open);
    u64 before = 0;
    for (const auto& [_, unit] : order) {
      sides[unit] = 2 * before + units_.hosts(unit) > units_.hosts();
      before += units_.hosts(unit);
    }
    for (u32 unit : rest_) {
      i64 lean = 0;
      for (const auto& [to, cables] : units_.arcs(unit))
        if (sides[to] != open) lean += sides[to] == 0 ? i64{cables} : -i64{cables};
      sides[unit] = lean < 0;
    }
    return sides;
  }

  // Units without hosts, nearest to hosts first.
  void find_order_of_rest() {
    std::vector<bool> seen(units_.size(), false);
    std::vector<u32> queue(units_.size());
    std::iota(queue.begin(), queue.end(), 0);
    queue.resize(units_.with_hosts());
    for (u32 u : queue) seen[u] = true;
    const auto spread = [&](std::size_t i) {
      for (; i < queue.size(); ++i)
        for (const auto& arc : units_.arcs(queue[i]))
          if (!seen[arc.to]) seen[arc.to] = true, queue.push_back(arc.to);
    };
    spread(0);
    rest_.assign(queue.begin() + units_.with_hosts(), queue.end());
    for (u32 u = 0; u < units_.size(); ++u)
      if (!seen[u]) rest_.push_back(u);  // out of reach
  }

  const Units& units_;
  u64 seed_;
  std::vector<u32> position_, rest_;
  std::vector<Digit> digits_;
};

// The natural cuts with the least cost.
std::vector<u32> best_natural(const Units& units, const Starts& starts, u32 count, unsigned threads) {
  std::vector<std::pair<u64, u32>> costs(starts.natural());
  parallel_for(costs.size(), threads, [&](u64 i) {
    costs[i] = {Cut(units, starts.natural(static_cast<u32>(i))).cost(), static_cast<u32>(i)};
  });
  std::sort(costs.begin(), costs.end());
  costs.resize(std::min<std::size_t>(count, costs.size()));
  std::vector<u32> out(costs.size());
  std::transform(costs.begin(), costs.end(), out.begin(), [](const auto& start) { return start.second; });
  return out;
}

}  // namespace

Bisection search_bisection(const Fabric& fabric, const BisectionOptions& options) {
  const Units units(fabric);
  if (units.hosts() < 2) return {};
  const Starts starts(units, options.seed);
  const u32 tries = std::min(
      options.max_tries, static_cast<u32>(std::clamp<std::size_t>(2'000'000 / (units.arcs() + 1), 2, 100)));
  const auto natural = best_natural(units, starts, tries, options.threads);
  std::vector<u64> costs(natural.size() + tries);
  Progress progress("bisection", costs.size());
  parallel_for(
      costs.size(), options.threads,
      [&](u64 i) {
        const bool is_natural = i < natural.size();
        const Sides start = is_natural ? starts.natural(natural[i]) : starts.random(i - natural.size());
        costs[i] = Cut(units, refine(units, start)).cost();
      },
      &progress);
  return {*std::min_element(costs.begin(), costs.end()), false};
}

}  // namespace banyan::topology
