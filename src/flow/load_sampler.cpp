#include "flow/load_sampler.hpp"

#include <algorithm>

namespace banyan::flow {
namespace {

bool all_differ(const Placement& placement) {
  std::vector<Host> hosts(placement.begin(), placement.end());
  std::sort(hosts.begin(), hosts.end());
  return std::adjacent_find(hosts.begin(), hosts.end()) == hosts.end();
}

}  // namespace

LoadSampler::LoadSampler(const Topology& topology, const Routing& routing, const Traffic& traffic,
                         const Placement& placement, bool rates, Measure measure, const RailSplit& split)
    : listed_(topology, routing, traffic, placement, rates, measure, split) {
  if (split || !all_differ(placement)) return;
  if (traffic.draw == Traffic::Draw::uniform && !rates && placement.size() == traffic.ranks &&
      traffic.ranks > 1) {
    quick_.emplace<UniformKernel>(topology, routing, placement, measure);
    return;
  }
  const bool is_drawn =
      traffic.draw == Traffic::Draw::permutation || traffic.draw == Traffic::Draw::bisection;
  if (!is_drawn || measure != Measure::demand) return;
  if (const auto levels = tag_levels(topology, routing, placement))
    quick_.emplace<TagKernel>(topology, *levels, placement, traffic.draw, rates);
  else if (auto kernel = TableKernel::make(topology, routing, placement, traffic.draw, rates))
    quick_.emplace<TableKernel>(std::move(*kernel));
}

void LoadSampler::run(u64 seed, u64 first, std::span<RoundLoads> out, unsigned threads) const {
  if (const auto* all = uniform()) {
    for (RoundLoads& round : out) round = all->round(threads);
    return;
  }
  const auto* tables = std::get_if<TableKernel>(&quick_);
  if (const auto* tags = std::get_if<TagKernel>(&quick_))
    tags->run(seed, first, out);
  else if (!tables)
    return listed_.run(seed, first, out);
  else
    for (const std::size_t i : tables->run(seed, first, out)) listed_.run(seed, first + i, out.subspan(i, 1));
  const Traffic& traffic = listed_.traffic();
  for (RoundLoads& round : out)
    round.flows = traffic.draw == Traffic::Draw::bisection ? traffic.ranks / 2 : traffic.ranks;
}

}  // namespace banyan::flow
