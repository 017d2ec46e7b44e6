// Judges all pairs to NICs that are cabled alike at once, where every source NIC is asked separately and has
// one way: a header that several of these destinations share is followed once for all of them.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "verify/distances_to.hpp"
#include "verify/pair_findings.hpp"
#include "verify/starts.hpp"
#include "verify/together_walk.hpp"

namespace banyan::verify {

inline constexpr u32 max_together = 64;  // destinations: a set of them is one word

template <class F>
class TogetherJudge {
 public:
  TogetherJudge(const Fabric& fabric, const F& forward, const Source& source,
                const std::vector<Attachment>& attached, Seen& seen)
      : source_(source), attached_(attached), walker_(fabric, forward, seen) {}

  static bool applies(const F& forward, const Source& source) {
    return leads_alike(forward) && enters_alike(forward) && source.reads() == Reads::nic &&
           source.sizes().size() == 1;
  }

  // Adds the findings about all pairs to these NICs of an attachment, to which the distances lead. False,
  // with nothing added, where a pair has several ways or one that does not arrive on a shortest path.
  bool judge(u32 goal, std::span<const Nic> to, const DistancesTo& distances, PairFindings& found) {
    if (!is_of_use_) return false;
    is_of_use_ = false;
    PairFindings sum;
    collect_starts(goal, to, distances, sum);
    walker_.begin(attached_[goal], to);
    headers_.clear();
    for (std::size_t first = 0; first < starts_.size(); first += block) {
      const std::size_t count = std::min(block, starts_.size() - first);
      if (!ask(first, count, to)) return false;
      for (u32 h = 0; h < headers_.headers(); ++h)
        if (!walker_.follow(headers_.header(h), std::span(starts_).subspan(first, count), &wanted_[h * row]))
          return false;
    }
    walker_.count();
    found.merge(sum);
    return is_of_use_ = true;
  }

 private:
  using Walker = TogetherWalker<F>;
  static constexpr std::size_t block = 512;      // sources whose headers are known at once
  static constexpr std::size_t row = block + 8;  // of wanted_; no power of two, for the cache's sake
  static constexpr std::size_t max_cells = 8192 * row;

  // Where all arrive on shortest paths, the distances say everything about the pairs.
  void collect_starts(u32 goal, std::span<const Nic> to, const DistancesTo& distances, PairFindings& sum) {
    starts_.clear();
    sources_.clear();
    for (u32 a = 0; a < attached_.size(); ++a) {
      const Attachment& at = attached_[a];
      if (at.rail != attached_[goal].rail) continue;
      const u64 pairs = (at.nics.size() - (a == goal)) * to.size();
      if (pairs == 0) continue;
      const u32 distance = distances.from(at);
      if (distance == out_of_reach) {
        sum.disconnected += pairs;
        continue;
      }
      sum.pairs += pairs;
      sum.longest = std::max(sum.longest, distance);
      sum.lengths += static_cast<double>(pairs * distance);
      starts_.push_back({at.nics[at.nics.front() == to.front()], distance});
      sources_.push_back(at.nics);
    }
  }

  // Asks for the headers of a block of sources, and notes to which destinations each source sends each.
  bool ask(std::size_t first, std::size_t count, std::span<const Nic> to) {
    wanted_.assign(headers_.headers() * row, 0);
    Header last;
    std::size_t last_row = 0;
    bool has_last = false;
    const u64 bytes = source_.sizes().front();
    for (std::size_t s = 0; s < count; ++s)
      for (Nic from : sources_[first + s])
        for (std::size_t i = 0; i < to.size(); ++i) {
          if (from == to[i]) continue;
          if (source_.count(from, to[i], bytes) != 1) return false;
          Header header = source_.way(from, to[i], bytes, 0);
          if (header.to != address_of(to[i])) return false;
          header.to = {};
          if (!has_last || header != last) {
            last = header;
            has_last = true;
            last_row = headers_.number(header) * row;
            if (last_row >= max_cells) return false;
            if (last_row >= wanted_.size()) wanted_.resize(last_row + row);
          }
          wanted_[last_row + s] |= u64{1} << i;
        }
    return true;
  }

  const Source& source_;
  const std::vector<Attachment>& attached_;
  Walker walker_;
  bool is_of_use_ = true;  // it always succeeded so far
  Starts headers_;
  std::vector<typename Walker::Start> starts_;
  std::vector<std::span<const Nic>> sources_;   // by start
  std::vector<typename Walker::Goals> wanted_;  // by header and source of the block
};

}  // namespace banyan::verify
