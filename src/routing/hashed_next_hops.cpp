#include "routing/hashed_next_hops.hpp"

#include <algorithm>
#include <bit>

namespace banyan {
namespace {

constexpr u32 nobody = ~u32{0};

u64 mixed(u64 x) {
  x = (x ^ x >> 32) * 0xD6E8FEB86659FD93;
  x = (x ^ x >> 32) * 0xD6E8FEB86659FD93;
  return x ^ x >> 32;
}

// The k-th set bit of a row of words.
u32 nth_bit(const u64* words, u32 k) {
  u32 first = 0;
  for (; k >= static_cast<u32>(std::popcount(*words)); ++words, first += 64)
    k -= static_cast<u32>(std::popcount(*words));
  u64 word = *words;
  for (; k > 0; --k) word &= word - 1;
  return first + static_cast<u32>(std::countr_zero(word));
}

}  // namespace

HashedNextHops::HashedNextHops(const Fabric& fabric)
    : first_node_(fabric.nics()), group_of_(fabric.nics(), nobody), leaf_(fabric.nics(), nobody) {
  u32 most_ports = 1;
  for (Node v : fabric.nodes()) {
    most_ports = std::max(most_ports, fabric.ports(v));
    if (!fabric.is_switch(v) && fabric.ports(v) > 1) first_node_ = 0;
  }
  nodes_ = fabric.nodes().size() - first_node_;
  words_ = (most_ports + 63) / 64;
  group_nics(fabric);
  distance_.assign(slot(static_cast<u32>(start_.size()), 0), far_);
  ports_.assign(distance_.size() * words_, 0);
  std::vector<u32> queue;
  for (u32 group = 0; group < start_.size(); ++group) search(fabric, group, queue);
}

void HashedNextHops::group_nics(const Fabric& fabric) {
  std::vector<u32> group_at(nodes_, nobody);
  exit_.assign(fabric.nics(), none<Port>);
  for (Node nic : fabric.nic_nodes())
    for (Channel c : fabric.channels(nic)) {
      if (!fabric.cabled(c) || !fabric.is_switch(fabric.to(c))) continue;
      leaf_[index(nic)] = index(fabric.to(c)) - first_node_;
      exit_[index(nic)] = fabric.port(fabric.reverse(c));
      const u32 start = first_node_ == 0 ? index(nic) : leaf_[index(nic)];
      if (group_at[start] == nobody) {
        group_at[start] = static_cast<u32>(start_.size());
        start_.push_back(start);
      }
      group_of_[index(nic)] = group_at[start];
      break;
    }
}

// Breadth-first from the start; hosts do not forward.
void HashedNextHops::search(const Fabric& fabric, u32 group, std::vector<u32>& queue) {
  queue.assign(1, start_[group]);
  distance_[slot(group, start_[group])] = 0;
  for (std::size_t place = 0; place < queue.size(); ++place) {
    const u32 v = queue[place];
    const u8 next = static_cast<u8>(std::min(distance_[slot(group, v)] + 1, far_ - 1));
    if (place > 0 && !fabric.is_switch(Node{v + first_node_})) continue;
    for (Channel c : fabric.channels(Node{v + first_node_})) {
      if (!fabric.cabled(c) || index(fabric.to(c)) < first_node_) continue;
      const u32 other = index(fabric.to(c)) - first_node_;
      u8& distance = distance_[slot(group, other)];
      if (distance < next) continue;
      if (distance == far_) queue.push_back(other);
      distance = next;
      const u32 port = index(fabric.port(fabric.reverse(c)));
      ports_[slot(group, other) * words_ + port / 64] |= u64{1} << (port % 64);
    }
  }
}

Hop HashedNextHops::next(Node node, const Header& header) const {
  const u16 lanes = static_cast<u16>(1u << header.lane);
  const u32 to = index(header.to), group = group_of_[to];
  Hop hop{none<Port>, lanes, header.state, 0};
  if (group == nobody) return hop;
  const bool one_exit = first_node_ > 0;
  if (index(node) < first_node_) {
    if (leaf_[index(node)] == nobody) return hop;
    const u8 distance = distance_[slot(group, leaf_[index(node)])];
    return {distance == far_ ? none<Port> : Port{0}, lanes, header.state,
            static_cast<u8>(distance + one_exit)};
  }
  const u32 v = index(node) - first_node_;
  const u8 distance = distance_[slot(group, v)];
  if (distance == far_) return hop;
  hop.left = static_cast<u8>(distance - !one_exit);
  if (distance == 0) {
    hop.port = exit_[to];
    return hop;
  }
  const u64* words = &ports_[slot(group, v) * words_];
  u32 count = 0;
  for (u32 i = 0; i < words_; ++i) count += static_cast<u32>(std::popcount(words[i]));
  const u64 hash = mixed(header.tag + u64{index(node)} * 0x9E3779B97F4A7C15);
  hop.port = Port{static_cast<std::underlying_type_t<Port>>(
      nth_bit(words, static_cast<u32>((hash >> 32) * count >> 32)))};
  return hop;
}

}  // namespace banyan
