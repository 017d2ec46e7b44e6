#include "verify/change_judge.hpp"

#include <algorithm>

#include "fabric/levels.hpp"
#include "verify/judge_forward.hpp"

namespace banyan::verify {
namespace {

struct Concerned {
  IdVector<Nic, bool> nics;
  u32 count = 0;
};

// Destinations with other entries than before, or with an entry for a channel that is gone; none if cables of
// hosts or new ones are among what changed.
std::optional<Concerned> concerned(const Fabric& old_fabric, const Tables& old_tables, const Fabric& fabric,
                                   const Tables& tables, u32 lmc) {
  std::vector<Channel> gone;
  for (Channel c : fabric.channels()) {
    if (old_fabric.cabled(c) == fabric.cabled(c)) continue;
    if (fabric.cabled(c) || !fabric.is_switch(fabric.from(c)) || !fabric.is_switch(old_fabric.to(c)))
      return std::nullopt;
    gone.push_back(c);
  }
  Concerned out{IdVector<Nic, bool>(fabric.nics()), 0};
  for (Nic nic : IdRange<Nic>(fabric.nics())) {
    bool is_concerned = false;
    for (u32 i = 0; i < 1u << lmc && !is_concerned; ++i) {
      const Address to = address_of(nic, lmc, i);
      const auto x = old_tables.towards(to), y = tables.towards(to);
      is_concerned = !std::equal(x.begin(), x.end(), y.begin(), y.end()) ||
                     std::any_of(gone.begin(), gone.end(), [&](Channel c) {
                       return y[index(fabric.from(c)) - tables.first_node()] == index(fabric.port(c));
                     });
    }
    out.nics[nic] = is_concerned;
    out.count += is_concerned;
  }
  return out;
}

// Whether the numbers rise along all that was seen.
bool rises(const Certificate& certificate, const Fabric& fabric, const Dependencies& waits) {
  if (waits.lanes() > certificate.lanes) return false;
  const auto number = [&](LanedChannel c) {
    return certificate.number[index(c.channel) * certificate.lanes + c.lane];
  };
  bool rising = true;
  for (Channel c : fabric.channels())
    for (u32 lane = 0; lane < waits.lanes(); ++lane)
      waits.each_wanted({c, lane}, [&](LanedChannel next) {
        if (fabric.is_switch(fabric.to(next.channel))) rising &= number({c, lane}) < number(next);
      });
  return rising;
}

u64 arriving(const PairFindings& pairs) { return pairs.pairs - pairs.failing; }

}  // namespace

struct ChangeJudge::Before {
  const Fabric& fabric;
  const Routing& routing;
  std::vector<Attachment> attached;
  ForwardFindings found;
  Verdict verdict;
};

ChangeJudge::ChangeJudge(const Fabric& fabric, const Routing& routing, const JudgeOptions& options) {
  if (!std::holds_alternative<Tables>(routing.forward) || routing.source.reads() != Reads::nothing) return;
  std::vector<Attachment> attached = attachments(fabric, options.pairs);
  ForwardFindings found =
      examine(fabric, std::get<Tables>(routing.forward), routing.source, attached, options.threads);
  Verdict verdict;
  add_figures(fabric, found.pairs, found.seen, options, verdict);
  if (!verdict.yes()) return;
  before_ = std::make_unique<const Before>(
      Before{fabric, routing, std::move(attached), std::move(found), std::move(verdict)});
}

ChangeJudge::~ChangeJudge() = default;

std::optional<ChangeJudge::Answer> ChangeJudge::after(const Fabric& fabric, const Routing& routing,
                                                      const IdVector<Node, u32>& levels) const {
  const auto* tables = std::get_if<Tables>(&routing.forward);
  if (!before_ || !tables || routing.source.reads() != Reads::nothing ||
      routing.lmc != before_->routing.lmc || fabric.channels().size() != before_->fabric.channels().size())
    return std::nullopt;
  const Tables& old_tables = std::get<Tables>(before_->routing.forward);
  const auto some = concerned(before_->fabric, old_tables, fabric, *tables, routing.lmc);
  if (!some || 2 * some->count > fabric.nics()) return std::nullopt;

  const ForwardFindings then =
      examine(before_->fabric, old_tables, before_->routing.source, before_->attached, 1, &some->nics);
  const ForwardFindings now = examine(fabric, *tables, routing.source, before_->attached, 1, &some->nics);
  if (!rises(*before_->verdict.certificate, fabric, now.seen.waits)) return std::nullopt;

  IdVector<Channel, u32> destinations = before_->found.seen.destinations;
  for (Channel c : destinations.ids())
    destinations[c] += now.seen.destinations[c] - then.seen.destinations[c];
  Verdict channels;
  add_channels(fabric, destinations, levels.empty() ? levels_from_hosts(fabric) : levels, channels);
  const bool yes = now.pairs.lost.to == none<Nic> && now.pairs.loop.to == none<Nic>;
  return Answer{yes, arriving(before_->found.pairs) - arriving(then.pairs) + arriving(now.pairs),
                channels.max_destinations_per_channel, channels.max_destinations_per_down_channel};
}

}  // namespace banyan::verify
