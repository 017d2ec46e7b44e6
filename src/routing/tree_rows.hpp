// Computes the tables of a PGFT one row at a time, from the tags of a source's ways. Switches of one level in
// one subtree are adjacent.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "routing/routing.hpp"
#include "routing/way_addresses.hpp"

namespace banyan::routing {

class TreeRows {
 public:
  TreeRows(const Pgft& tree, const Source& source) : tree_(tree), source_(source) {
    for (u32 l = 0; l <= tree.h(); ++l) {
      M_.push_back(static_cast<u32>(tree.M(l)));
      W_.push_back(static_cast<u32>(tree.W(l)));
      first_.push_back(l == 0 ? 0 : tree.first_switch(l));
    }
  }

  // Collects the ways of one source at each level.
  WaysByLevel ways(Nic to) const {
    WaysByLevel out(tree_.h() + 1);
    for (u32 k = 1; k <= tree_.h(); ++k) {
      if (tree_.m[k - 1] == 1) continue;  // no pair meets there and not below
      const Nic from = source_meeting(to, k);
      for (u32 i = 0, count = source_.count(from, to, 0); i < count; ++i)
        out[k].push_back(source_.way(from, to, 0, i).tag);
    }
    return out;
  }

  // The maximum number of ways that any source has to this endpoint.
  u64 max_paths(Nic to) const {
    u64 maximum = 1;
    for (u32 k = 1; k <= tree_.h(); ++k)
      if (tree_.m[k - 1] > 1) maximum = std::max<u64>(maximum, source_.count(source_meeting(to, k), to, 0));
    return maximum;
  }

  // The meaning of an address: a tag for each level where pairs meet.
  using Tags = std::array<u64, TreeForm::max_levels + 1>;

  // The tags of the way with this number at each level, modulo the number of ways.
  Tags tags_of_way(Nic to, u32 way) const {
    Tags out{};
    for (u32 k = 1; k <= tree_.h(); ++k) {
      if (tree_.m[k - 1] == 1) continue;
      const Nic from = source_meeting(to, k);
      out[k] = source_.way(from, to, 0, way % source_.count(from, to, 0)).tag;
    }
    return out;
  }

  // The entries of the plane's switches, from its first on, and of its NICs if they have any.
  void fill(Nic to, const Tags& tags, u8* switches, u8* nics) const {
    const u32 j = tree_.endpoint_of_nic(to);
    u32 top = tree_.h();
    while (top > 0 && tree_.m[top - 1] == 1) --top;
    for (u32 k = top; k >= 1; --k)
      if (tree_.m[k - 1] > 1) fill_up(j, k, tags[k], switches, nics);
    if (top) fill_down(j, tags[top], switches);
    if (nics) nics[index(tree_.nic_of_endpoint(j))] = Tables::no_port;
  }

  // Overwrites the cables down with those of one way of the pairs that meet at level k.
  void fill_way_down(Nic to, u32 k, u64 tag, u8* switches) const {
    const u32 j = tree_.endpoint_of_nic(to);
    for (u32 l = 1, position = 0; l <= k; ++l) {
      const u32 digit = TreeForm::up_port(tag, l - 1), w = tree_.w[l - 1];
      position = position * w + digit % w;
      switches[first_[l] + std::size_t{j / M_[l]} * W_[l] + position] = down_port(j, l, digit / w);
    }
  }

 private:
  // Writes the entries up from the switches that meet the endpoint at level k. Those that meet it below come
  // later.
  void fill_up(u32 j, u32 k, u64 tag, u8* switches, u8* nics) const {
    const u32 subtree = j / M_[k];
    for (u32 l = 1; l < k; ++l)
      std::memset(switches + first_[l] + std::size_t{subtree} * (M_[k] / M_[l]) * W_[l],
                  static_cast<int>(tree_.down_ports(l) + TreeForm::up_port(tag, l)),
                  std::size_t{M_[k] / M_[l]} * W_[l]);
    if (nics)
      for (u32 i = subtree * M_[k]; i < (subtree + 1) * M_[k]; ++i)
        nics[index(tree_.nic_of_endpoint(i))] = static_cast<u8>(TreeForm::up_port(tag, 0));
  }

  // Writes the entries down by the cables that pairs meeting at the top take.
  void fill_down(u32 j, u64 tag, u8* switches) const {
    for (u32 l = 1; l <= tree_.h(); ++l)
      std::memset(switches + first_[l] + std::size_t{j / M_[l]} * W_[l],
                  down_port(j, l, TreeForm::up_port(tag, l - 1) / tree_.w[l - 1]), W_[l]);
  }

  u8 down_port(u32 j, u32 l, u32 cable) const {
    return static_cast<u8>(j / M_[l - 1] % tree_.m[l - 1] + cable * tree_.down_stride(l));
  }

  // An endpoint that differs from this one in digit k, and not in lower digits.
  Nic source_meeting(Nic to, u32 k) const {
    const u32 j = tree_.endpoint_of_nic(to), plane = index(to) / tree_.endpoints() * tree_.endpoints();
    const u32 digit = j / M_[k - 1] % tree_.m[k - 1], other = (digit + 1) % tree_.m[k - 1];
    return Nic{plane + index(tree_.nic_of_endpoint(j + other * M_[k - 1] - digit * M_[k - 1]))};
  }

  const Pgft& tree_;
  const Source& source_;
  std::vector<u32> M_, W_, first_;
};

}  // namespace banyan::routing
