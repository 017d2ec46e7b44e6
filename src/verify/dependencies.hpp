// The channel dependency graph (Dally and Seitz 1987): a packet that holds a channel on a lane may wait for
// another one. Only channels between switches are stored, because a channel to a host never waits.
//
// It is a bit mask over the ports of the far node, for each channel and pair of lanes.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <vector>

#include "fabric/fabric.hpp"
#include "routing/header.hpp"

namespace banyan::verify {

struct LanedChannel {
  Channel channel;
  u32 lane;
  bool operator==(const LanedChannel&) const = default;
};

class Dependencies {
 public:
  static constexpr u32 max_lanes = 16;

  explicit Dependencies(const Fabric& fabric);

  // Dependencies from one lane to another; valid as long as all of them are.
  class Plane {
   public:
    void add(Channel held, u32 wanted_port) {
      words_[first_word_[index(held)] + wanted_port / 64] |= u64{1} << wanted_port % 64;
    }

    void add(Channel held, std::span<const u64> wanted_ports) {
      u64* row = words_ + first_word_[index(held)];
      for (std::size_t w = 0; w < wanted_ports.size(); ++w) row[w] |= wanted_ports[w];
    }

   private:
    friend class Dependencies;
    Plane(u64* words, const u32* first_word) : words_(words), first_word_(first_word) {}
    u64* words_;
    const u32* first_word_;
  };
  Plane plane(u32 held_lane, u32 wanted_lane);

  // Adds dependencies from a channel between switches to a port of its far switch, or to several as a bit
  // set.
  void add(Channel held, u16 held_lanes, u32 wanted_port, u16 wanted_lanes);
  void add(Channel held, u16 held_lanes, std::span<const u64> wanted_ports, u16 wanted_lanes);
  void merge(const Dependencies& other);

  u32 lanes() const { return lanes_; }  // the highest one with a dependency, plus one

  // Calls f(LanedChannel) for everything that a packet on this one may wait for.
  template <class F>
  void each_wanted(LanedChannel held, F&& f) const;

  // A number for each channel * lanes() + lane that rises along every dependency between channels of
  // switches. Empty if there is no such numbering: then cycle() returns a cycle.
  std::vector<u32> numbering() const;
  std::vector<LanedChannel> cycle() const;  // a short one, not always the shortest

 private:
  u32 vertices() const { return static_cast<u32>(fabric_.channels().size()) * lanes_; }
  u32 vertex(LanedChannel c) const { return index(c.channel) * lanes_ + c.lane; }
  LanedChannel laned(u32 vertex) const { return {Channel{vertex / lanes_}, vertex % lanes_}; }
  struct Sorted {
    std::vector<u32> number, waiting_for_it;  // by vertex; nobody waits any more where it could be numbered
    bool is_complete = true;
  };
  Sorted sort() const;
  std::vector<u32> shortest_way_back(u32 vertex, const Sorted& sorted) const;

  const Fabric& fabric_;
  std::vector<u32> first_word_;  // by channel, with one entry more at the end
  std::array<std::vector<u64>, max_lanes * max_lanes> planes_;
  u32 lanes_ = 1;
};

inline Dependencies::Plane Dependencies::plane(u32 held_lane, u32 wanted_lane) {
  auto& words = planes_[held_lane * max_lanes + wanted_lane];
  if (words.empty()) words.resize(first_word_.back() + 1);
  lanes_ = std::max({lanes_, held_lane + 1, wanted_lane + 1});
  return {words.data(), first_word_.data()};
}

inline void Dependencies::add(Channel held, u16 held_lanes, u32 wanted_port, u16 wanted_lanes) {
  for (u32 a = held_lanes; a; a &= a - 1)
    for (u32 b = wanted_lanes; b; b &= b - 1)
      plane(static_cast<u32>(std::countr_zero(a)), static_cast<u32>(std::countr_zero(b)))
          .add(held, wanted_port);
}

inline void Dependencies::add(Channel held, u16 held_lanes, std::span<const u64> wanted_ports,
                              u16 wanted_lanes) {
  for (u32 a = held_lanes; a; a &= a - 1)
    for (u32 b = wanted_lanes; b; b &= b - 1)
      plane(static_cast<u32>(std::countr_zero(a)), static_cast<u32>(std::countr_zero(b)))
          .add(held, wanted_ports);
}

template <class F>
void Dependencies::each_wanted(LanedChannel held, F&& f) const {
  const u32 first = first_word_[index(held.channel)], last = first_word_[index(held.channel) + 1];
  if (first == last) return;
  const u32 out = index(fabric_.channel(fabric_.to(held.channel), Port{0}));
  for (u32 lane = 0; lane < lanes_; ++lane) {
    const auto& words = planes_[held.lane * max_lanes + lane];
    if (words.empty()) continue;
    for (u32 w = first; w < last; ++w)
      for (u64 bits = words[w]; bits; bits &= bits - 1)
        f(LanedChannel{Channel{out + 64 * (w - first) + static_cast<u32>(std::countr_zero(bits))}, lane});
  }
}

}  // namespace banyan::verify
