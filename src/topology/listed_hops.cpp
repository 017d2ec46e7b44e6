#include "topology/listed_hops.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "topology/bisection.hpp"
#include "topology/topology.hpp"

namespace banyan::topology {

ListedHops::ListedHops(const GraphShape& shape)
    : first_(std::size_t{shape.switches()} + 1), next_(2 * shape.edges.size()) {
  for (const auto& [a, b] : shape.edges) ++first_[a + 1], ++first_[b + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<u32> at(first_.begin(), first_.end() - 1);
  for (const auto& [a, b] : shape.edges) next_[at[a]++] = b, next_[at[b]++] = a;
}

HopSum ListedHops::from(std::span<const u32> sources) const {
  const std::size_t switches = first_.size() - 1;
  HopSum out;
  std::vector<u64> reached(switches), border(switches), found(switches);  // a bit for each source
  for (; !sources.empty(); sources = sources.subspan(std::min<std::size_t>(64, sources.size()))) {
    const std::size_t count = std::min<std::size_t>(64, sources.size());
    std::fill(reached.begin(), reached.end(), 0);
    for (std::size_t i = 0; i < count; ++i) reached[sources[i]] |= u64{1} << i;
    border = reached;
    for (u32 hops = 1;; ++hops) {
      u64 new_pairs = 0;
      for (std::size_t v = 0; v < switches; ++v) {
        u64 bits = 0;
        for (u32 i = first_[v]; i < first_[v + 1]; ++i) bits |= border[next_[i]];
        found[v] = bits & ~reached[v];
        new_pairs += static_cast<u64>(std::popcount(found[v]));
      }
      if (new_pairs == 0) break;
      for (std::size_t v = 0; v < switches; ++v) reached[v] |= found[v];
      border.swap(found);
      out.sum += hops * new_pairs;
      out.farthest = std::max(out.farthest, hops);
    }
  }
  return out;
}

HopSum ListedHops::from_all() const {
  std::vector<u32> all(first_.size() - 1);
  std::iota(all.begin(), all.end(), 0u);
  return from(all);
}

Distances distances_by(const HopSum& all, u32 switches, u32 hosts_per_switch) {
  Distances out;
  out.diameter = 2 + all.farthest;
  out.average = 2 + static_cast<double>(all.sum) / switches * hosts_per_switch /
                        (static_cast<double>(switches) * hosts_per_switch - 1);
  return out;
}

bool has_far_permutation(u64 switches, u64 degree, u32 farthest) {
  u64 nearer = 1, border = degree;  // at most
  for (u32 hops = 1; hops < farthest && nearer <= switches; ++hops, border *= degree - 1) nearer += border;
  return switches > 2 && 2 * nearer <= switches;
}

u64 cut_in_order(const GraphShape& shape, std::span<const u32> order) {
  std::vector<bool> is_first(order.size());
  for (std::size_t i = 0; i < order.size() / 2; ++i) is_first[order[i]] = true;
  u64 out = order.size() % 2 * (shape.hosts_per_switch / 2);
  for (const auto& [a, b] : shape.edges) out += is_first[a] != is_first[b];
  return out;
}

u64 mean_cut(const GraphShape& shape) {
  const u64 switches = shape.switches(), odd = switches % 2;
  const double between = odd ? static_cast<double>(switches + 1) / static_cast<double>(2 * switches)
                             : static_cast<double>(switches) / static_cast<double>(2 * (switches - 1));
  return static_cast<u64>(static_cast<double>(shape.edges.size()) * between + 1e-9) +
         odd * (shape.hosts_per_switch / 2);
}

u64 searched_cut(const GraphShape& shape, u64 known, std::size_t max_cables) {
  constexpr std::size_t few = 1 << 11, many = 1 << 14;
  const std::size_t cables = shape.edges.size();
  if (cables > max_cables || shape.hosts() < 2) return known;
  const u32 tries = cables <= few ? 32 : cables <= many ? 4 : 1;
  return std::min(known, search_bisection(build(shape).fabric, {.threads = 1, .max_tries = tries}).links);
}

}  // namespace banyan::topology
