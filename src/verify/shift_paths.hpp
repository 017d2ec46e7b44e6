// Every path that arrives at a host, with one source for all that start alike; the judge of shifts counts
// them.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "fabric/attachments.hpp"
#include "routing/walk.hpp"

namespace banyan::verify {

// NICs of one column, which is a rail here, of which one may be asked for all, and their hosts as intervals
// of numbers.
struct ShiftOrigin {
  struct Hosts {
    u32 lo, hi;
  };
  std::vector<Nic> nics;     // ascending
  std::vector<Hosts> hosts;  // ascending, apart from each other
};
// By rail, in order of their first hosts.
std::vector<std::vector<ShiftOrigin>> shift_origins(const Fabric& fabric, bool by_attachment);

// Whether no cables connect NICs of different rails.
bool rails_are_apart(const Fabric& fabric);

template <Deterministic F>
class ShiftPaths {
 public:
  ShiftPaths(const Fabric& fabric, const F& forward, const Source& source, u64 bytes)
      : fabric_(fabric), forward_(forward), source_(source), bytes_(bytes) {}

  // f(origin, channels, ways) for every way of every origin that arrives; returns how many pairs have one
  // that does not.
  template <class Visit>
  u64 each(u32 host, u32 rail, Visit&& f) {
    if (origins_.empty())
      origins_ = shift_origins(fabric_, source_.reads() != Reads::nic && enters_alike(forward_));
    const Nic to = fabric_.in_column(Host{host}, rail);
    if (to == none<Nic>) return 0;
    u64 left_out = 0;
    for (const ShiftOrigin& origin : origins_[rail]) {
      const std::vector<Nic>& nics = origin.nics;
      const bool is_own = std::binary_search(nics.begin(), nics.end(), to);
      if (nics.size() == is_own) continue;
      const Nic from = nics[nics.front() == to];
      const u32 ways = source_.count(from, to, bytes_);
      bool all_arrive = ways > 0;
      for (u32 i = 0; i < ways; ++i)
        if (follow(from, to, i))
          f(origin, std::span<const Channel>(path_), ways);
        else
          all_arrive = false;
      if (!all_arrive) left_out += nics.size() - is_own;
    }
    return left_out;
  }

  // The i-th way of a pair: whether it arrives, and over which channels.
  bool follow(Nic from, Nic to, u32 i) {
    path_.clear();
    return walk(fabric_, forward_, fabric_.node(from), source_.way(from, to, bytes_, i), fabric_.node(to),
                [&](Channel c) { path_.push_back(c); })
        .arrived();
  }
  std::span<const Channel> path() const { return path_; }
  u32 ways(Nic from, Nic to) const { return source_.count(from, to, bytes_); }

 private:
  const Fabric& fabric_;
  const F& forward_;
  const Source& source_;
  u64 bytes_;
  std::vector<std::vector<ShiftOrigin>> origins_;  // by rail, once they are needed
  std::vector<Channel> path_;
};

}  // namespace banyan::verify
