// Follows flows through a forward and lists their channels with shares; incidence.hpp is the way in.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "flow/incidence.hpp"

namespace banyan {

template <class F>
class FlowLister {
 public:
  FlowLister(const Fabric& fabric, const F& forward, const Source& source, Incidence& out)
      : fabric_(fabric), forward_(forward), source_(source), out_(out) {}

  void list(const Flow& flow, u64 bytes) {
    flow_ = flow;
    longest_ = 0;
    const std::size_t first = out_.channels.size();
    if (flow.from != flow.to) {
      const u32 ways = source_.count(flow.from, flow.to, bytes);
      if (ways == 0) refuse("there is no way to start");
      for (u32 i = 0; i < ways; ++i) follow(source_.way(flow.from, flow.to, bytes, i));
      if (ways > 1 || !Deterministic<F>) merge(first, ways);
    }
    out_.first.push_back(out_.channels.size());
    out_.hops.push_back(longest_);
  }

 private:
  struct Place {
    Node node;
    u8 state;
    double share;  // of the way
    auto key() const { return std::tuple(node, state); }
  };

  void follow(Header header) {
    const Node start = fabric_.node(flow_.from);
    if constexpr (Deterministic<F>)
      walk(start, header);
    else
      spread(start, header);
  }

  void walk(Node node, Header header) {
    for (u32 hops = 1;; ++hops) {
      const Hop hop = forward_.next(node, header);
      node = step(node, hop, 1, hops);
      if (node == fabric_.node(flow_.to)) return;
      header.state = hop.state;
    }
  }

  // All that is under way moves one hop at a time, so that paths that meet again are followed once.
  void spread(Node start, Header header) {
    here_ = {{start, header.state, 1}};
    for (u32 hops = 1; !here_.empty(); ++hops) {
      there_.clear();
      for (const Place& place : here_) {
        header.state = place.state;
        offered(forward_, place.node, header, offers_);
        if (offers_.size() == 0) refuse(fmt::format("{} offers no hop", fabric_.name(place.node)));
        const double part = place.share / static_cast<double>(offers_.size());
        for (const Hop& hop : offers_) {
          const Node node = step(place.node, hop, part, hops);
          if (node != fabric_.node(flow_.to)) there_.push_back({node, hop.state, part});
        }
      }
      join_equal(there_);
      std::swap(here_, there_);
    }
  }

  static void join_equal(std::vector<Place>& places) {
    std::stable_sort(places.begin(), places.end(),
                     [](const Place& a, const Place& b) { return a.key() < b.key(); });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (kept && places[kept - 1].key() == places[i].key())
        places[kept - 1].share += places[i].share;
      else
        places[kept++] = places[i];
    places.resize(kept);
  }

  Node step(Node node, const Hop& hop, double part, u32 hops) {
    if (index(hop.port) >= fabric_.ports(node) || !fabric_.cabled(fabric_.channel(node, hop.port)))
      refuse(fmt::format("{} has no cabled port for it", fabric_.name(node)));
    const Channel c = fabric_.channel(node, hop.port);
    const Node next = fabric_.to(c);
    if (!fabric_.is_switch(next) && next != fabric_.node(flow_.to))
      refuse(fmt::format("it ends at {}", fabric_.name(next)));
    if (hops > most_hops()) refuse("it goes in circles");
    out_.channels.push_back(c);
    out_.shares.push_back(part);
    longest_ = std::max(longest_, hops);
    return next;
  }

  // A path through every node with a few states each is longer than any sane one.
  std::size_t most_hops() const { return 4 * fabric_.nodes().size(); }

  // Each channel once. Parts of ways are summed before they are divided: a channel that all ways share
  // carries exactly 1.
  void merge(std::size_t first, u32 ways) {
    if (seen_at_.empty()) seen_at_.assign(fabric_.channels().size(), 0);
    std::size_t end = first;
    for (std::size_t i = first; i < out_.channels.size(); ++i) {
      const Channel c = out_.channels[i];
      std::size_t& at = seen_at_[index(c)];
      if (at >= first && at < end && out_.channels[at] == c) {
        out_.shares[at] += out_.shares[i];
        continue;
      }
      at = end;
      out_.channels[end] = c;
      out_.shares[end++] = out_.shares[i];
    }
    out_.channels.resize(end);
    out_.shares.resize(end);
    for (std::size_t i = first; i < end; ++i) out_.shares[i] /= ways;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("the flow from {} to {} does not arrive: {}",
                                 fabric_.name(fabric_.node(flow_.from)), fabric_.name(fabric_.node(flow_.to)),
                                 why));
  }

  const Fabric& fabric_;
  const F& forward_;
  const Source& source_;
  Incidence& out_;
  Flow flow_{};
  u32 longest_ = 0;
  Hops offers_;
  std::vector<Place> here_, there_;
  std::vector<std::size_t> seen_at_;  // by channel: where it may stand in the list; checked when read
};

template <class F>
void list_flows(const Fabric& fabric, const F& forward, const Source& source, std::span<const Flow> flows,
                Demands demands, Incidence& out) {
  out.clear();
  FlowLister<F> lister(fabric, forward, source, out);
  for (const Flow& flow : flows)
    lister.list(flow, demands == Demands::bytes ? static_cast<u64>(std::llround(flow.demand)) : long_message);
}

}  // namespace banyan
