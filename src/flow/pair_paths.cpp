#include "flow/pair_paths.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "routing/visit_forward.hpp"

namespace banyan::flow {
namespace {

// Follows the ways of pairs, and joins the parts on one channel.
class PairFollower {
 public:
  PairFollower(const WayLister& lister, Measure measure) : lister_(lister), measure_(measure) {}

  // False where a way does not arrive.
  bool append(Nic from, Nic to, std::vector<PairPaths::Part>& out) {
    const std::size_t first = out.size();
    lister_.source().ways(from, to, long_message, ways_);
    const auto follow = [&](const auto& forward) {
      for (const Header& header : ways_) {
        if (!lister_.list(forward, from, to, header, way_)) return false;
        for (const Passage& part : way_.parts)
          out.push_back({index(part.channel), part.share / static_cast<double>(ways_.size()) /
                                                  capacity(lister_.fabric(), part.channel, measure_)});
      }
      return !ways_.empty();
    };
    const bool arrives = visit_forward(follow, lister_.forward());
    join(out, first);
    return arrives;
  }

 private:
  static void join(std::vector<PairPaths::Part>& parts, std::size_t first) {
    using Part = PairPaths::Part;
    std::stable_sort(parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end(),
                     [](const Part& a, const Part& b) { return a.channel < b.channel; });
    std::size_t kept = first;
    for (std::size_t i = first; i < parts.size(); ++i)
      if (kept > first && parts[kept - 1].channel == parts[i].channel)
        parts[kept - 1].share += parts[i].share;
      else
        parts[kept++] = parts[i];
    parts.resize(kept);
  }

  const WayLister& lister_;
  Measure measure_;
  std::vector<Header> ways_;
  FlowWay way_;
};

}  // namespace

PairPaths::PairPaths(const WayLister& lister, std::span<const Host> hosts, Measure measure, unsigned threads)
    : parts_(hosts.size()), first_(hosts.size()) {
  std::vector<u32> lost(hosts.size(), static_cast<u32>(hosts.size()));  // by source
  parallel_ranges(hosts.size(), threads, [&](u64 from, u64 last) {
    PairFollower follower(lister, measure);
    for (; from < last; ++from)
      for (u32 to = 0; to <= hosts.size(); ++to) {
        first_[from].push_back(parts_[from].size());
        if (to == hosts.size() || to == from) continue;
        const Nic a = lister.fabric().nic(hosts[from]), b = lister.fabric().nic(hosts[to]);
        if (!follower.append(a, b, parts_[from])) lost[from] = std::min(lost[from], to);
      }
  });
  for (u32 from = 0; from < hosts.size() && !lost_; ++from)
    if (lost[from] < hosts.size()) lost_ = {from, lost[from]};
  std::vector<u32> number(lister.fabric().channels().size(), ~u32{0});
  for (auto& parts : parts_)
    for (Part& part : parts) {
      u32& dense = number[part.channel];
      if (dense == ~u32{0}) dense = channels_++;
      part.channel = dense;
    }
}

double PairPaths::mean_parts() const {
  std::size_t all = 0;
  for (const auto& parts : parts_) all += parts.size();
  return static_cast<double>(all) /
         std::max(1.0, static_cast<double>(parts_.size()) * static_cast<double>(std::max(1u, hosts() - 1)));
}

}  // namespace banyan::flow
