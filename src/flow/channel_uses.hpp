// For each channel, the pairs of hosts whose traffic uses it. Sources that a routing does not distinguish
// form one group: tables send all hosts of a leaf the same way. worst_permutation.hpp and oblivious.hpp use
// it.
#pragma once
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "flow/alike_nics.hpp"
#include "flow/pair_uses.hpp"

namespace banyan::flow {

// A source, a destination, and the parts of that pair's traffic that use the channel.
struct ChannelUse {
  u32 source;  // see ChannelUses::members()
  Nic to;
  u32 weight;
  bool operator==(const ChannelUse&) const = default;
};

class ChannelUses {
 public:
  // For pairs on one rail. Fabric and routing must outlive this object.
  ChannelUses(const Fabric& fabric, const Routing& routing, u32 rail = 0,
              unsigned threads = default_threads());

  u32 whole() const { return whole_; }      // number of parts of a pair's traffic
  bool is_exact() const { return exact_; }  // no share was rounded
  std::span<const Nic> nics() const { return nics_; }
  const WayLister& lister() const { return lister_; }

  // Sources are the groups of NICs that are cabled and routed alike, each for all its members; after them
  // come the single NICs. Single NICs are the sources of channels out of NICs with several ports. Channels
  // out of NICs with one port are left out: each carries everything that its NIC sends.
  u32 groups() const { return alike_.groups(); }
  u32 sources() const { return groups() + static_cast<u32>(nics_.size()); }
  std::span<const Nic> members(u32 source) const {
    if (source >= groups()) return nics().subspan(source - groups(), 1);
    return alike_.members(source);
  }

  // By channel: the number of its uses, and an upper bound of the parts that traffic can put on it if every
  // source sends and every destination receives at most the given amounts, by source and by NIC of the rail.
  struct Bounds {
    IdVector<Channel, u64> uses;
    IdVector<Channel, double> parts;
  };
  Bounds bounds(std::span<const double> sent, std::span<const double> received) const;

  // For each of these channels its uses, sorted by destination and then by source.
  std::vector<std::vector<ChannelUse>> gather(std::span<const Channel> channels) const;

 private:
  void choose_whole();
  // Calls f(source, use) for every use by the traffic of a group to one NIC.
  void each_use(auto& walk, u32 group, Nic to, auto&& f) const;
  // Calls body(walk, first, last) for ranges that cover 0 .. count-1.
  void in_parallel(const char* what, u64 count, auto&& body) const;
  // By channel, the sum over i of what of(walk, i, add) adds: add(channel, capacity, weight); of several
  // weights the maximum counts.
  Bounds sums(u64 count, auto&& of) const;

  const Fabric& fabric_;
  const Routing& routing_;
  WayLister lister_;
  unsigned threads_;
  u32 whole_ = 1;
  bool exact_ = true;
  std::vector<Nic> nics_;
  AlikeNics alike_;
};

}  // namespace banyan::flow
