// Follows flows through a forward and lists their channels with shares. Callers use incidence.hpp.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flow/incidence.hpp"
#include "flow/way_lister.hpp"

namespace banyan::flow {

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
  void follow(const Header& header) {
    if (!follow_way(fabric_, forward_, flow_.from, flow_.to, header, way_)) refuse(why_lost(way_, fabric_));
    longest_ = std::max(longest_, way_.hops);
    for (const Passage& part : way_.parts) {
      out_.channels.push_back(part.channel);
      out_.shares.push_back(part.share);
    }
  }

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
  FlowWay way_;
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

}  // namespace banyan::flow
