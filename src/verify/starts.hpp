// The different headers that start towards one destination, with their sources: a header that many sources
// share is followed once.
#pragma once
#include <vector>

#include "routing/header.hpp"

namespace banyan::verify {

class Starts {
 public:
  void clear() {
    for (const Group& group : groups_) table_[group.slot] = empty;
    groups_.clear();
    links_.clear();
  }

  // The number of a header; equal headers have the same number.
  [[gnu::always_inline]] u32 number(const Header& header) {
    if (table_.empty()) grow();
    const u32 slot = find(header);
    return table_[slot] != empty ? table_[slot] : insert(header, slot);
  }
  void add(u32 number, u32 who) {
    links_.push_back({who, groups_[number].last});
    groups_[number].last = static_cast<u32>(links_.size() - 1);
  }

  u32 headers() const { return static_cast<u32>(groups_.size()); }
  const Header& header(u32 number) const { return groups_[number].header; }
  template <class F>
  void each(u32 number, F&& f) const {
    for (u32 l = groups_[number].last; l != empty; l = links_[l].before) f(links_[l].who);
  }

 private:
  static constexpr u32 empty = ~u32{0};
  struct Group {
    Header header;
    u32 slot, last;
  };
  struct Link {
    u32 who, before;
  };

  // Few slots are taken, so that the first probe nearly always decides: this is asked for every pair.
  [[gnu::noinline]] u32 insert(const Header& header, u32 slot) {
    if (8 * (groups_.size() + 1) > table_.size()) {
      grow();
      slot = find(header);
    }
    table_[slot] = static_cast<u32>(groups_.size());
    groups_.push_back({header, slot, empty});
    return table_[slot];
  }
  [[gnu::always_inline]] u32 find(const Header& header) const {
    const u64 key = (header.tag ^ u64{index(header.to)} << 20 ^ u64{header.lane} << 8 ^ header.state) *
                    0x9e3779b97f4a7c15;
    const u32 mask = static_cast<u32>(table_.size()) - 1;
    u32 slot = static_cast<u32>(key >> 32) & mask;
    while (table_[slot] != empty && !is(groups_[table_[slot]].header, header)) slot = (slot + 1) & mask;
    return slot;
  }
  static bool is(const Header& a, const Header& b) {  // without a branch for each member
    return ((a.tag ^ b.tag) | (index(a.to) ^ index(b.to)) | (a.lane ^ b.lane) | (a.state ^ b.state)) == 0;
  }
  void grow() {
    table_.assign(table_.empty() ? 64 : 2 * table_.size(), empty);
    for (u32 g = 0; g < groups_.size(); ++g) {
      groups_[g].slot = find(groups_[g].header);
      table_[groups_[g].slot] = g;
    }
  }

  std::vector<Group> groups_;
  std::vector<Link> links_;
  std::vector<u32> table_;  // of group numbers; open addressing, a power of two
};

}  // namespace banyan::verify
