#include "flow/channel_uses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "base/error.hpp"
#include "routing/visit_forward.hpp"

namespace banyan::flow {
namespace {

std::vector<Nic> nics_of(const Fabric& fabric, u32 rail) {
  std::vector<Nic> out;
  for (const Host host : IdRange<Host>(fabric.hosts())) {
    out.push_back(fabric.in_column(host, rail));
    if (out.back() == none<Nic>)
      throw InputError(fmt::format("{} has no NIC on rail {}, and here every host sends on it",
                                   fabric.host_name(host), rail));
  }
  return out;
}

// Sums of these are exact in any order.
double rounded_up(double value) { return std::ceil(value * 64) / 64; }

}  // namespace

ChannelUses::ChannelUses(const Fabric& fabric, const Routing& routing, u32 rail, unsigned threads)
    : fabric_(fabric),
      routing_(routing),
      lister_(fabric, routing),
      threads_(threads),
      nics_(nics_of(fabric, rail)),
      alike_(fabric, routing, nics_) {
  choose_whole();
}

// The least number that all counts of ways divide; adaptive hops divide further, as far as that goes.
void ChannelUses::choose_whole() {
  constexpr u64 maximum = u64{1} << 31;
  u64 whole = 1;
  for (u32 g = 0; g < groups() && whole <= maximum; ++g)
    for (Nic to : nics_) {
      const Nic from = alike_.follow(g, to);
      if (from == to) continue;
      whole = std::lcm(whole, u64{std::max(1u, routing_.source.count(from, to, long_message))});
      if (whole > maximum) break;
    }
  const bool adaptive = std::visit([]<class F>(const F&) { return !Deterministic<F>; }, routing_.forward);
  exact_ = whole <= maximum && !adaptive;
  whole_ = static_cast<u32>(exact_ ? whole : maximum / 720'720 * 720'720);  // divisible by 1 to 16
}

void ChannelUses::each_use(auto& walk, u32 group, Nic to, auto&& f) const {
  const auto alike = members(group);
  const Nic from = alike_.follow(group, to);
  if (from == to) return;
  for (const Use& use : walk(from, to)) {
    const Node node = fabric_.from(use.channel);
    if (fabric_.is_switch(node)) {
      f(group, use);
    } else if (fabric_.ports(node) > 1) {
      for (Nic nic : alike)
        if (nic != to)
          f(groups() + index(nic) - index(nics_[0]),
            Use{fabric_.channel(fabric_.node(nic), fabric_.port(use.channel)), use.weight});
    }
  }
}

void ChannelUses::in_parallel(const char* what, u64 count, auto&& body) const {
  Progress progress(what, count);
  visit_forward(
      [&](const auto& forward) {
        parallel_ranges(
            count, threads_,
            [&](u64 first, u64 last) {
              PairUses walk(lister_, forward, whole_);
              body(walk, first, last);
            },
            &progress);
      },
      routing_.forward);
}

ChannelUses::Bounds ChannelUses::sums(u64 count, auto&& of) const {
  const std::size_t channels = fabric_.channels().size();
  Bounds all{IdVector<Channel, u64>(channels), IdVector<Channel, double>(channels)};
  std::mutex merging;
  in_parallel("loads of channels, bounded", count, [&](auto& walk, u64 first, u64 last) {
    Bounds own{IdVector<Channel, u64>(channels), IdVector<Channel, double>(channels)};
    IdVector<Channel, double> heaviest(channels);
    std::vector<Channel> touched;
    for (u64 i = first; i < last; ++i) {
      of(walk, i, [&](Channel c, double capacity, u32 weight) {
        if (heaviest[c] == 0) touched.push_back(c);
        heaviest[c] = std::max(heaviest[c], capacity * weight);
        ++own.uses[c];
      });
      for (Channel c : touched) own.parts[c] += rounded_up(std::exchange(heaviest[c], 0.0));
      touched.clear();
    }
    const std::scoped_lock lock(merging);
    for (Channel c : fabric_.channels()) all.parts[c] += own.parts[c], all.uses[c] += own.uses[c];
  });
  return all;
}

ChannelUses::Bounds ChannelUses::bounds(std::span<const double> sent,
                                        std::span<const double> received) const {
  const Bounds by_source = sums(groups(), [&](auto& walk, u64 group, auto&& add) {
    for (Nic to : nics_)
      each_use(walk, static_cast<u32>(group), to,
               [&](u32 source, const Use& use) { add(use.channel, sent[source], use.weight); });
  });
  Bounds out = sums(nics_.size(), [&](auto& walk, u64 i, auto&& add) {
    for (u32 group = 0; group < groups(); ++group)
      each_use(walk, group, nics_[i],
               [&](u32, const Use& use) { add(use.channel, received[i], use.weight); });
  });
  for (Channel c : fabric_.channels()) out.parts[c] = std::min(out.parts[c], by_source.parts[c]);
  return out;
}

std::vector<std::vector<ChannelUse>> ChannelUses::gather(std::span<const Channel> channels) const {
  constexpr u32 other = ~u32{0};
  IdVector<Channel, u32> slot(fabric_.channels().size(), other);
  for (std::size_t i = 0; i < channels.size(); ++i) slot[channels[i]] = static_cast<u32>(i);
  struct SlotUse {
    u32 slot;
    ChannelUse use;
  };
  std::vector<std::vector<SlotUse>> by_destination(nics_.size());
  in_parallel("uses of channels", nics_.size(), [&](auto& walk, u64 first, u64 last) {
    for (u64 i = first; i < last; ++i)
      for (u32 group = 0; group < groups(); ++group)
        each_use(walk, group, nics_[i], [&](u32 source, const Use& use) {
          if (slot[use.channel] != other)
            by_destination[i].push_back({slot[use.channel], {source, nics_[i], use.weight}});
        });
  });
  std::vector<std::vector<ChannelUse>> out(channels.size());
  for (auto& found : by_destination) {
    for (const SlotUse& f : found) out[f.slot].push_back(f.use);
    std::vector<SlotUse>().swap(found);
  }
  return out;
}

}  // namespace banyan::flow
