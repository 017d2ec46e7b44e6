// The judge as one would write it first: pair by pair, path by path, nothing remembered. The real one is held
// against it.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "fabric/levels.hpp"
#include "support/plain_escape.hpp"
#include "verify/judge.hpp"

namespace banyan::tests {

template <class F>
class PlainJudge {
 public:
  PlainJudge(const Fabric& fabric, const F& forward, const Source& source)
      : fabric_(fabric), forward_(forward), source_(source) {}

  Verdict judge() {
    double lengths = 0;
    for (u32 from = 0; from < fabric_.nics(); ++from)
      for (u32 to = 0; to < fabric_.nics(); ++to)
        if (from != to && fabric_.rail(Nic{from}) == fabric_.rail(Nic{to}))
          lengths += pair(Nic{from}, Nic{to});
    verdict_.reachable = verdict_.failing_pairs == 0;
    verdict_.minimal = verdict_.longer_pairs == 0;
    const u64 arriving = verdict_.pairs - verdict_.failing_pairs;
    verdict_.average_path = arriving ? lengths / static_cast<double>(arriving) : 0;
    verdict_.deadlock_free = is_acyclic() || plain_escape(fabric_, forward_, source_);
    count_channels();
    return verdict_;
  }

 private:
  using Vertex = std::pair<Channel, u32>;
  struct Result {
    bool fails = false;
    u32 longest = 0, arriving = 0;
    double average = 0;
  };

  double pair(Nic from, Nic to) {
    const u32 shortest = distance(from, to);
    if (shortest == 0) return ++verdict_.disconnected_pairs, 0;
    ++verdict_.pairs;
    goal_ = to;
    Result all;
    for (u64 bytes : source_.sizes())
      for (u32 i = 0; i < source_.count(from, to, bytes); ++i)
        join(all, visit(fabric_.node(from), source_.way(from, to, bytes, i), none<Channel>, 0));
    verdict_.failing_pairs += all.fails;
    if (all.fails) return 0;
    if (all.longest > shortest) {
      ++verdict_.longer_pairs;
      verdict_.longest_excess = std::max(verdict_.longest_excess, all.longest - shortest);
    }
    verdict_.longest_path = std::max(verdict_.longest_path, all.longest);
    return all.average / all.arriving;
  }

  static void join(Result& all, const Result& one) {
    all.fails |= one.fails;
    all.longest = std::max(all.longest, one.longest);
    all.arriving += one.longest > 0;
    all.average += one.average;
  }

  Result visit(Node node, const Header& header, Channel held, u16 held_lanes) {
    const std::tuple place(node, header.state, held, held_lanes);
    if (std::find(path_.begin(), path_.end(), place) != path_.end()) {
      verdict_.loop_free = false;
      return {.fails = true};
    }
    path_.push_back(place);
    Hops hops;
    offered(forward_, node, header, hops);
    Result all;
    if (hops.size() == 0) all.fails = true;
    for (const Hop& hop : hops) join(all, take(node, header, hop, held, held_lanes));
    path_.pop_back();
    if (all.arriving) all.average /= all.arriving;
    return all;
  }

  Result take(Node node, Header header, const Hop& hop, Channel held, u16 held_lanes) {
    if (index(hop.port) >= fabric_.ports(node) || hop.lanes == 0) return {.fails = true};
    const Channel c = fabric_.channel(node, hop.port);
    if (!fabric_.cabled(c)) return {.fails = true};
    const bool arrives = fabric_.to(c) == fabric_.node(goal_);
    if (!arrives && !fabric_.is_switch(fabric_.to(c))) {
      record(c, hop.lanes, held, held_lanes);
      return {.fails = true};
    }
    record(c, hop.lanes, held, held_lanes);
    header.state = hop.state;
    Result behind = arrives ? Result{} : visit(fabric_.to(c), header, c, hop.lanes);
    if (arrives || behind.longest) behind.longest += 1, behind.average += 1;
    return behind;
  }

  void record(Channel c, u16 lanes, Channel held, u16 held_lanes) {
    destinations_[c].insert(goal_);
    for (u32 b = 0; b < 16; ++b) {
      if (!(lanes >> b & 1)) continue;
      verdict_.lanes = std::max(verdict_.lanes, b + 1);
      for (u32 a = 0; a < 16; ++a)
        if (held != none<Channel> && (held_lanes >> a & 1)) waits_[{held, a}].insert({c, b});
    }
  }

  // Channels on a shortest path, 0 if there is none.
  u32 distance(Nic from, Nic to) const {
    std::map<Node, u32> seen = {{fabric_.node(from), 0}};
    std::deque<Node> queue = {fabric_.node(from)};
    for (; !queue.empty(); queue.pop_front()) {
      const Node v = queue.front();
      if (v == fabric_.node(to)) return seen[v];
      if (!fabric_.is_switch(v) && v != fabric_.node(from)) continue;
      for (Channel c : fabric_.channels(v))
        if (fabric_.cabled(c) && seen.emplace(fabric_.to(c), seen[v] + 1).second)
          queue.push_back(fabric_.to(c));
    }
    return 0;
  }

  bool is_acyclic() {  // takes away what waits for nothing, until nothing changes
    for (bool changed = true; changed;) {
      changed = false;
      for (auto at = waits_.begin(); at != waits_.end();) {
        std::erase_if(at->second, [&](const Vertex& next) { return !waits_.contains(next); });
        changed |= at->second.empty();
        at = at->second.empty() ? waits_.erase(at) : std::next(at);
      }
    }
    return waits_.empty();
  }

  void count_channels() {
    const auto rank = levels_from_hosts(fabric_);
    for (Node v : fabric_.switch_nodes()) {
      bool is_idle = fabric_.cabled_ports(v) > 0;
      for (Channel c : fabric_.channels(v)) {
        const u32 count = destinations_.contains(c) ? static_cast<u32>(destinations_[c].size()) : 0;
        if (count) is_idle = false;
        if (!fabric_.cabled(c) || !fabric_.is_switch(fabric_.to(c))) continue;
        verdict_.idle_channels += count == 0;
        u32& maximum = verdict_.max_destinations_per_channel;
        u32& max_down = verdict_.max_destinations_per_down_channel;
        maximum = std::max(maximum, count);
        if (rank[fabric_.to(c)] < rank[v]) max_down = std::max(max_down, count);
      }
      verdict_.idle_switches += is_idle;
    }
  }

  const Fabric& fabric_;
  const F& forward_;
  const Source& source_;
  Nic goal_{};
  Verdict verdict_;
  std::vector<std::tuple<Node, u8, Channel, u16>> path_;
  std::map<Vertex, std::set<Vertex>> waits_;
  std::map<Channel, std::set<Nic>> destinations_;
};

template <class F>
Verdict plain_judge(const Fabric& fabric, const F& forward, const Source& source) {
  return PlainJudge<F>(fabric, forward, source).judge();
}
inline Verdict plain_judge(const Fabric& fabric, const Routing& routing) {
  return std::visit([&](const auto& forward) { return plain_judge(fabric, forward, routing.source); },
                    routing.forward);
}

// Everything but texts and certificates.
inline std::string figures(const Verdict& v) {
  return fmt::format(
      "reachable {} loop_free {} minimal {} deadlock_free {} lanes {} pairs {} disconnected {} failing {} "
      "longer "
      "{} longest {} excess {} average {:.9f} idle {} {} destinations {} {}",
      v.reachable, v.loop_free, v.minimal, v.deadlock_free, v.lanes, v.pairs, v.disconnected_pairs,
      v.failing_pairs, v.longer_pairs, v.longest_path, v.longest_excess, v.average_path, v.idle_channels,
      v.idle_switches, v.max_destinations_per_channel, v.max_destinations_per_down_channel);
}

}  // namespace banyan::tests
