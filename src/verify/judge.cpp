#include "verify/judge.hpp"

#include <fmt/format.h>

#include <bit>

#include "fabric/levels.hpp"
#include "routing/visit_forward.hpp"
#include "verify/judge_forward.hpp"

namespace banyan::verify {

std::vector<Origin> origins_of(const std::vector<Attachment>& attached, bool by_attachment) {
  std::vector<Origin> out;
  for (u32 a = 0; a < attached.size(); ++a) {
    const u32 nics = static_cast<u32>(attached[a].nics.size());
    if (by_attachment) out.push_back({a, 0, nics});
    for (u32 i = 0; !by_attachment && i < nics; ++i) out.push_back({a, i, 1});
  }
  return out;
}

void PairFindings::take_detour(u32 by, const Witness& witness) {
  if (by < excess) return;
  if (by > excess) detour = {};
  excess = by;
  detour.take(witness);
}

void PairFindings::merge(const PairFindings& other) {
  pairs += other.pairs;
  disconnected += other.disconnected;
  failing += other.failing;
  longer += other.longer;
  longest = std::max(longest, other.longest);
  lengths += other.lengths;
  lost.take(other.lost);
  loop.take(other.loop);
  if (other.excess) take_detour(other.excess, other.detour);
}

namespace {

void add_pairs(const Fabric& fabric, const PairFindings& pairs, Verdict& verdict) {
  verdict.reachable = pairs.failing == 0;
  verdict.loop_free = pairs.loop.to == none<Nic>;
  verdict.minimal = pairs.longer == 0;
  verdict.pairs = pairs.pairs;
  verdict.disconnected_pairs = pairs.disconnected;
  verdict.failing_pairs = pairs.failing;
  verdict.longer_pairs = pairs.longer;
  verdict.longest_path = pairs.longest;
  verdict.longest_excess = pairs.excess;
  const u64 arriving = pairs.pairs - pairs.failing;
  verdict.average_path = arriving ? pairs.lengths / static_cast<double>(arriving) : 0;
  if (!verdict.minimal)
    verdict.detour = fmt::format("from {} to {}: {} channels more than needed",
                                 fabric.name(fabric.node(pairs.detour.from)),
                                 fabric.name(fabric.node(pairs.detour.to)), pairs.excess);
}

}  // namespace

void add_channels(const Fabric& fabric, const IdVector<Channel, u32>& destinations,
                  const IdVector<Node, u32>& level, Verdict& verdict) {
  for (Node v : fabric.switch_nodes()) {
    bool is_idle = fabric.cabled_ports(v) > 0;
    for (Channel c : fabric.channels(v)) {
      if (!fabric.cabled(c)) continue;
      const u32 count = destinations[c];
      if (count) is_idle = false;
      if (!fabric.is_switch(fabric.to(c))) continue;
      verdict.idle_channels += count == 0;
      verdict.max_destinations_per_channel = std::max(verdict.max_destinations_per_channel, count);
      if (level[fabric.to(c)] < level[v])
        verdict.max_destinations_per_down_channel =
            std::max(verdict.max_destinations_per_down_channel, count);
    }
    verdict.idle_switches += is_idle;
  }
}

void add_figures(const Fabric& fabric, const PairFindings& pairs, const Seen& seen,
                 const JudgeOptions& options, Verdict& verdict) {
  add_pairs(fabric, pairs, verdict);
  verdict.pair_scope = options.pairs;
  add_channels(fabric, seen.destinations, options.levels.empty() ? levels_from_hosts(fabric) : options.levels,
               verdict);
  verdict.lanes = static_cast<u32>(std::bit_width(seen.lanes));
  Certificate certificate{
      .lanes = seen.waits.lanes(), .number = seen.waits.numbering(), .scope = options.pairs};
  verdict.deadlock_free =
      !certificate.number.empty() || fabric.channels().size() == 0;  // nothing to wait for
  if (!verdict.deadlock_free) return;
  verdict.deadlock_proof = DeadlockProof::acyclic;
  verdict.certificate = std::move(certificate);
}

Verdict judge(const Fabric& fabric, const Routing& routing, const JudgeOptions& options) {
  assert_fits(routing, fabric);
  return visit_forward([&](const auto& forward) { return judge(fabric, forward, routing.source, options); },
                       routing.forward);
}

}  // namespace banyan::verify
