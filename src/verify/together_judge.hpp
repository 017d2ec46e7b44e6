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
    list_headers();
    for (std::size_t s = 0; s < starts_.size(); ++s) {
      const bool is_asked = source_.numbered().empty() ? ask_each(sources_[s], to) : ask(sources_[s], to);
      if (!is_asked || !walker_.enter(starts_[s], wanted_)) return false;
      std::fill(wanted_.begin(), wanted_.end(), 0);
    }
    if (!walker_.finish()) return false;
    found.merge(sum);
    return is_of_use_ = true;
  }

 private:
  using Walker = TogetherWalker<F>;
  static constexpr u32 max_headers = 8192;

  // Where all arrive on shortest paths, the distances say everything about the pairs.
  void collect_starts(u32 goal, std::span<const Nic> to, const DistancesTo& distances, PairFindings& sum) {
    starts_.clear();
    sources_.clear();
    for (u32 a = 0; a < attached_.size(); ++a) {
      const Attachment& at = attached_[a];
      if (at.domain != attached_[goal].domain) continue;
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

  // Begins with the headers that the source lists, or with none.
  void list_headers() {
    headers_.clear();
    wanted_.assign(source_.numbered().size(), 0);
    for (const Header& header : source_.numbered()) walker_.add(header);
  }

  // Asks for the numbers of these sources' headers, and notes to which destinations they send each.
  bool ask(std::span<const Nic> from, std::span<const Nic> to) {
    numbers_.resize(from.size() * to.size());
    source_.numbers(from, to, source_.sizes().front(), numbers_.data());
    const u32* number = numbers_.data();
    for (const Nic source : from)
      for (std::size_t i = 0; i < to.size(); ++i, ++number) {
        if (source == to[i]) continue;
        if (*number >= wanted_.size()) return false;
        wanted_[*number] |= Goals{1} << i;
      }
    return true;
  }

  // The same where the source lists no headers: they are numbered as they come.
  bool ask_each(std::span<const Nic> from, std::span<const Nic> to) {
    const u64 bytes = source_.sizes().front();
    for (const Nic source : from)
      for (std::size_t i = 0; i < to.size(); ++i) {
        if (source == to[i]) continue;
        if (source_.count(source, to[i], bytes) != 1) return false;
        Header header = source_.way(source, to[i], bytes, 0);
        if (header.to != address_of(to[i])) return false;
        header.to = {};
        const u32 number = headers_.number(header);
        if (number >= max_headers) return false;
        if (number >= wanted_.size()) {
          wanted_.push_back(0);
          walker_.add(header);
        }
        wanted_[number] |= Goals{1} << i;
      }
    return true;
  }

  const Source& source_;
  const std::vector<Attachment>& attached_;
  Walker walker_;
  bool is_of_use_ = true;  // it always succeeded so far
  Starts headers_;
  std::vector<typename Walker::Start> starts_;
  std::vector<std::span<const Nic>> sources_;  // by start
  std::vector<u32> numbers_;                   // of the headers of one attachment's sources
  std::vector<Goals> wanted_;                  // by header
};

}  // namespace banyan::verify
