// Forward in a PGFT without tables: up by the ports in the header's tag, a byte for each level, until the
// destination is below; then down, at each level by the cable number that the way up took.
#pragma once
#include <array>
#include <bit>
#include <vector>

#include "routing/header.hpp"
#include "topology/pgft.hpp"

namespace banyan::routing {

class TreeForm {
 public:
  static constexpr u32 max_levels = 8, max_up_ports = 256;  // the tag holds no more

  TreeForm(const Pgft& tree, u32 planes, u32 lmc = 0);

  // Inline, so that the compiler drops `left` where the caller ignores it.
  [[gnu::always_inline]] Hop next(Node node, const Header& header) const {
    const u16 lanes = static_cast<u16>(1u << header.lane);
    const u32 to = endpoint(index(header.to) >> lmc_);
    if (planes_.is_nic(node)) {  // how far up depends on where the two hosts meet
      const u32 from = endpoint(index(node));
      u32 meeting = 0;
      while (meeting < height_ && to / levels_[meeting].M != from / levels_[meeting].M) ++meeting;
      return {Port{up_port(header.tag, 0)}, lanes, header.state, static_cast<u8>(2 * meeting - 1)};
    }
    const Place place = places_[planes_.switch_number(node)];
    const u32 l = place.level;
    const Level& here = levels_[l];
    if (to / here.M == place.subtree) {
      const u32 cable = up_port(header.tag, l - 1) / here.w;
      return {Port{to / here.M_below % here.m + cable * here.stride}, lanes, header.state,
              static_cast<u8>(l - 1)};
    }
    u32 meeting = l;
    while (meeting < height_ && to / levels_[meeting].M != place.subtree / (levels_[meeting].M / here.M))
      ++meeting;
    return {Port{here.down_ports + up_port(header.tag, l)}, lanes, header.state,
            static_cast<u8>(2 * meeting - l - 1)};
  }
  // The ports of the whole way, the NIC's own first: the same as next() node by node, where switches have at
  // most 256 ports. A port is a byte, the first one the lowest; `up` of them go up, as many go down.
  struct Way {
    u64 ascent, descent;
    u32 up;
  };
  [[gnu::always_inline]] Way way(Node nic, const Header& header) const {
    u32 from = endpoint(index(nic)), to = endpoint(index(header.to) >> lmc_);
    if (!digits_.empty()) [[likely]] {  // all levels at once
      const u64 down = digits_[to], differing = digits_[from] ^ down;
      const u32 up = differing == 0 ? 1 : static_cast<u32>(std::bit_width(differing) + 7) / 8;
      const u64 taken = ~u64{0} >> (64 - 8 * up);
      return {(first_up_ports_ + header.tag) & taken, __builtin_bswap64(down) >> (64 - 8 * up), up};
    }
    Way out{0, 0, 0};
    const Level* here = levels_.data();
    do {
      const u32 up = up_port(header.tag, out.up);
      out.ascent |= u64{(here->down_ports + up) & 0xff} << (8 * out.up++);
      ++here;
      const u32 cable = up < here->w ? 0 : up / here->w;
      out.descent = out.descent << 8 | (to % here->m + cable * here->stride);
      from /= here->m, to /= here->m;
    } while (from != to);
    return out;
  }
  static constexpr bool keeps_header = true;
  bool enters_alike() const { return true; }
  bool leads_alike() const { return lmc_ == 0; }
  const Pgft& tree() const { return tree_; }
  const Planes& planes() const { return planes_; }
  u32 lmc() const { return lmc_; }

  static u32 up_port(u64 tag, u32 level) { return static_cast<u32>(tag >> (8 * level)) & 0xff; }

 private:
  u32 endpoint(u32 nic) const {
    const u32 i = planes_.number(Nic{nic});
    return tree_.nics_are_endpoints() ? i : tree_.endpoint_of_nic(Nic{i});
  }

  struct Level {
    u32 first, last;    // switches of a plane, counted from its first one
    u32 M, W;           // hosts below a switch; switches above a host
    u32 M_below, m, w;  // of the step up to this level
    u32 stride, down_ports;
  };

  struct Place {
    u32 level, subtree;
  };

  void number_digits();

  Pgft tree_;
  Planes planes_;
  u32 lmc_, height_;
  std::array<Level, max_levels + 1> levels_{};  // levels_[1] are the leaves
  std::vector<Place> places_;                   // by switch of a plane
  // For trees without parallel cables whose digits fit into bytes, the lowest level first:
  std::vector<u64> digits_;  // by endpoint
  u64 first_up_ports_ = 0;   // by level
};

}  // namespace banyan::routing
