// Judges all pairs of one destination after the other: the part of the judge that runs in every thread.
#pragma once
#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "verify/distances_to.hpp"
#include "verify/graph_walk.hpp"
#include "verify/starts.hpp"
#include "verify/together_judge.hpp"

namespace banyan::verify {

// NICs of which one is asked for all: they are attached alike, and the routing reads no more than that.
struct Origin {
  u32 attachment;
  u32 first, count;  // of Attachment::nics
};
std::vector<Origin> origins_of(const std::vector<Attachment>& attached, bool by_attachment);

// Calls f(from, to, header) for every NIC as a source to every other of its domain, with one of those
// attached alike for all, until it returns true.
template <class F>
void each_start(const std::vector<Attachment>& attached, const Source& source, F&& f) {
  for (const Attachment& goal : attached)
    for (Nic to : goal.nics)
      for (const Attachment& at : attached)
        for (Nic from : at.nics) {
          if (from == to || at.domain != goal.domain) continue;
          for (u64 bytes : source.sizes())
            for (u32 i = 0; i < source.count(from, to, bytes); ++i)
              if (f(from, to, source.way(from, to, bytes, i))) return;
          if (source.reads() != Reads::nic) break;
        }
}

template <class F>
class DestinationJudge {
 public:
  DestinationJudge(const Fabric& fabric, const F& forward, const Source& source,
                   const std::vector<Attachment>& attached, const std::vector<Origin>& origins)
      : seen(fabric),
        fabric_(fabric),
        forward_(forward),
        source_(source),
        attached_(attached),
        origins_(origins),
        distances_(fabric),
        walker_(fabric, forward, seen) {}

  // Judges all pairs to the NICs of an attachment, or to some of them.
  PairFindings judge(u32 goal, const IdVector<Nic, bool>* only = nullptr) {
    distances_.search(attached_[goal]);
    walker_.forget();
    wanted_.clear();
    for (Nic to : attached_[goal].nics)
      if (!only || (*only)[to]) wanted_.push_back(to);
    PairFindings found;
    bool has_pairs = false;
    for (std::size_t first = 0; first < wanted_.size(); first += max_together) {
      const auto some =
          std::span(wanted_).subspan(first, std::min<std::size_t>(max_together, wanted_.size() - first));
      if (judge_together(goal, some, found)) continue;
      if (!has_pairs) collect_pairs(goal);
      has_pairs = true;
      for (Nic to : some) judge(to, found);
    }
    return found;
  }

  Seen seen;

 private:
  // The pairs of an origin and the current destination.
  struct Pairs {
    std::span<const Nic> nics;
    u32 distance = 0;
    bool at_goal = false;  // attached like the destination
    u32 count = 0;         // of the NICs, without the destination
    Nic asked{};           // one of them, for all
    u32 arriving = 0, longest = 0;
    double lengths = 0;  // of the ways that arrive
    Header longest_header{};
    bool failing = false;
    bool connected() const { return count > 0 && distance != out_of_reach; }
  };

  // A pair of one NIC and the current destination.
  struct Single {
    Nic from;
    u32 distance;
  };

  bool judge_together(u32 goal, std::span<const Nic> to, PairFindings& found) {
    if constexpr (KeepsHeader<F>) {
      if (!Together::applies(forward_, source_)) return false;
      if (!together_) together_.emplace(fabric_, forward_, source_, attached_, seen);
      return together_->judge(goal, to, distances_, found);
    }
    return false;
  }

  void collect_pairs(u32 goal) {
    pairs_.clear();
    for (const Origin& origin : origins_) {
      const Attachment& at = attached_[origin.attachment];
      if (at.domain == attached_[goal].domain)
        pairs_.push_back({std::span(at.nics).subspan(origin.first, origin.count), distances_.from(at),
                          origin.attachment == goal});
    }
    singles_.clear();
    for (const Pairs& p : pairs_)
      if (p.nics.size() == 1) singles_.push_back({p.nics.front(), p.distance});
  }

  void judge(Nic to, PairFindings& found) {
    if constexpr (KeepsHeader<F>)
      if (judge_one_header(to, found) || judge_single_ways(to, found)) return;
    for (Pairs& p : pairs_) {
      const bool is_own =
          p.nics.front() <= to && to <= p.nics.back() && std::binary_search(p.nics.begin(), p.nics.end(), to);
      p = {p.nics, p.distance, p.at_goal, static_cast<u32>(p.nics.size()) - is_own};
      if (p.count) p.asked = p.nics[p.nics.front() == to];
    }
    collect(to);
    for (u32 h = 0; h < starts_.headers(); ++h) {
      const Header& header = starts_.header(h);
      // Only a source at the goal's own attachment depends on which of its NICs is the goal.
      const bool keeps = !KeepsHeader<F> && source_.reads() == Reads::nothing && starts_.headers() == 1;
      const auto walk = [&](Pairs& p, bool now) {
        if (now) note(p, walker_.from(p.asked), {to, p.asked, header}, found);
      };
      walker_.begin(header, to);
      starts_.each(h, [&](u32 p) { walk(pairs_[p], !keeps || !pairs_[p].at_goal); });
      if (!keeps) continue;
      walker_.keep();
      starts_.each(h, [&](u32 p) { walk(pairs_[p], pairs_[p].at_goal); });
    }
    for (const Pairs& p : pairs_) add(p, to, found);
  }

  // The same where all sources have one way with one header, with less state for a pair. Returns false,
  // without doing anything, where this does not hold.
  bool judge_one_header(Nic to, PairFindings& found) {
    if (source_.reads() != Reads::nothing || source_.sizes().size() != 1) return false;
    const u64 bytes = source_.sizes().front();
    bool has_begun = false;
    u64 lengths = 0, disconnected = 0;
    for (const Pairs& p : pairs_) {
      const bool is_own = p.at_goal && std::binary_search(p.nics.begin(), p.nics.end(), to);
      const u32 count = static_cast<u32>(p.nics.size()) - is_own;
      if (count == 0) continue;
      if (p.distance == out_of_reach) {
        disconnected += count;
        continue;
      }
      const Nic asked = p.nics[p.nics.front() == to];
      if (!has_begun) {
        if (source_.count(asked, to, bytes) != 1) return false;
        only_ = source_.way(asked, to, bytes, 0);
        walker_.begin(only_, to, true);
        has_begun = true;
      }
      const u32 length = walker_.length(asked);
      found.pairs += count;
      if (length >= Walker::lost) {
        found.failing += count;
        (length == Walker::lost ? found.lost : found.loop).take({to, asked, only_});
        continue;
      }
      lengths += u64{count} * length;
      found.longest = std::max(found.longest, length);
      if (length == p.distance) continue;
      found.longer += count;
      found.take_detour(length - p.distance, {to, asked, only_});
    }
    found.disconnected += disconnected;
    found.lengths += static_cast<double>(lengths);
    return true;
  }

  // The same where every NIC is asked separately and has one way, with less state for a pair. Returns false,
  // without doing anything, where this does not hold.
  bool judge_single_ways(Nic to, PairFindings& found) {
    if (source_.reads() != Reads::nic || source_.sizes().size() != 1) return false;
    const u64 bytes = source_.sizes().front();
    u64 disconnected = 0;
    starts_.clear();
    for (u32 p = 0; p < singles_.size(); ++p) {
      const auto [from, distance] = singles_[p];
      if (from == to) continue;
      disconnected += distance == out_of_reach;
      if (distance == out_of_reach) continue;
      if (source_.count(from, to, bytes) != 1) return false;
      starts_.add(starts_.number(source_.way(from, to, bytes, 0)), p);
    }
    found.disconnected += disconnected;
    for (u32 h = 0; h < starts_.headers(); ++h) {
      walker_.begin(starts_.header(h), to);
      starts_.each(h, [&](u32 p) {
        add(singles_[p], walker_.from(singles_[p].from), {to, singles_[p].from, starts_.header(h)}, found);
      });
    }
    return true;
  }

  static void add(const Single& pair, const WalkOutcome& outcome, const Witness& witness,
                  PairFindings& found) {
    ++found.pairs;
    if (outcome.lost) found.lost.take(witness);
    if (outcome.loops) found.loop.take(witness);
    found.failing += !outcome.arrives();
    if (!outcome.arrives()) return;
    found.lengths += outcome.average;
    found.longest = std::max(found.longest, outcome.longest);
    if (outcome.longest == pair.distance) return;
    ++found.longer;
    found.take_detour(outcome.longest - pair.distance, witness);
  }

  // Collects the headers and their sources.
  void collect(Nic to) {
    starts_.clear();
    const bool ask_once = source_.reads() == Reads::nothing;
    for (u32 p = 0; p < pairs_.size(); ++p) {
      if (!pairs_[p].connected()) continue;
      for (u64 bytes : source_.sizes())
        for (u32 i = 0, ways = source_.count(pairs_[p].asked, to, bytes); i < ways; ++i) {
          const u32 header = starts_.number(source_.way(pairs_[p].asked, to, bytes, i));
          if (!ask_once) starts_.add(header, p);
        }
      if (ask_once) break;
    }
    for (u32 h = 0; ask_once && h < starts_.headers(); ++h)
      for (u32 p = 0; p < pairs_.size(); ++p)
        if (pairs_[p].connected()) starts_.add(h, p);
  }

  static void note(Pairs& p, const WalkOutcome& outcome, const Witness& witness, PairFindings& found) {
    p.failing |= !outcome.arrives();
    if (outcome.lost) found.lost.take(witness);
    if (outcome.loops) found.loop.take(witness);
    if (outcome.longest == 0) return;
    ++p.arriving;
    p.lengths += outcome.average;
    if (outcome.longest > p.longest) p.longest = outcome.longest, p.longest_header = witness.header;
  }

  static void add(const Pairs& p, Nic to, PairFindings& found) {
    if (p.distance == out_of_reach) found.disconnected += p.count;
    if (!p.connected()) return;
    found.pairs += p.count;
    if (p.arriving == 0 && !p.failing) found.lost.take({to, p.asked, {}});  // no way is offered
    if (p.arriving == 0 || p.failing) {
      found.failing += p.count;
      return;
    }
    found.lengths += p.count * (p.lengths / p.arriving);
    found.longest = std::max(found.longest, p.longest);
    if (p.longest == p.distance) return;
    found.longer += p.count;
    found.take_detour(p.longest - p.distance, {to, p.asked, p.longest_header});
  }

  using Together = TogetherJudge<F>;

  const Fabric& fabric_;
  const F& forward_;
  const Source& source_;
  const std::vector<Attachment>& attached_;
  const std::vector<Origin>& origins_;
  DistancesTo distances_;
  using Walker = typename WalkerOf<F>::type;
  Walker walker_;
  Header only_;  // of all sources
  std::vector<Pairs> pairs_;
  std::vector<Single> singles_;
  Starts starts_;
  std::vector<Nic> wanted_;  // destinations
  std::conditional_t<KeepsHeader<F>, std::optional<Together>, std::monostate> together_;
};

// Workers for a loop over threads; there are at most as many as threads.
template <class W>
class Workers {
 public:
  std::unique_ptr<W> take(auto&& make) {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) return make();
    auto worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
  }
  void give_back(std::unique_ptr<W> worker) {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(worker));
  }
  void each(auto&& f) const {
    for (const auto& worker : idle_) f(*worker);
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<W>> idle_;
};

}  // namespace banyan::verify
