// AddressChoice: which addresses of its destination a message takes, by its size and by the positions of its
// two ends. domke19 leaves this choice to the message layer (section 3.2.4, Tables 1a and 1b).
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "routing/tables.hpp"

namespace banyan::routing {

struct AddressChoice {
  std::vector<u64> sizes = {0};  // ascending: the next tables apply to messages of at least this size
  u32 groups = 1;                // NICs of a group choose, and are chosen, in the same way
  std::vector<u8> group;         // by NIC
  std::vector<u32> first = {
      0};  // by size, group of the source, group of the destination; with one entry more at the end
  std::vector<u8> addresses =
      {};  // numbers from 0 to 2^lmc - 1; the addresses of a cell share its messages evenly

  u32 size_class(u64 bytes) const {
    u32 out = static_cast<u32>(sizes.size()) - 1;
    while (sizes[out] > bytes) --out;
    return out;
  }
  std::span<const u8> cell(u32 size, u32 from, u32 to) const {
    const std::size_t at = (std::size_t{size} * groups + from) * groups + to;
    return {addresses.data() + first[at], first[at + 1] - first[at]};
  }
  std::span<const u8> cell(Nic from, Nic to, u64 bytes) const {
    return cell(size_class(bytes), group[index(from)], group[index(to)]);
  }
  // Adds the next cell, in the order of `first`.
  void add_cell(std::span<const u8> numbers) {
    addresses.insert(addresses.end(), numbers.begin(), numbers.end());
    first.push_back(static_cast<u32>(addresses.size()));
  }
  bool operator==(const AddressChoice&) const = default;
};

// The source of a routing with tables that chooses addresses in this way.
struct ChosenWays {
  TableWays tables;
  AddressChoice chosen;
  Reads reading = Reads::attachment;  // nic, unless NICs on the same switch are in one group

  u32 count(Nic from, Nic to, u64 bytes) const {
    return static_cast<u32>(chosen.cell(from, to, bytes).size());
  }
  Header way(Nic from, Nic to, u64 bytes, u32 i) const {
    const Address address{(index(to) << tables.lmc) + chosen.cell(from, to, bytes)[i]};
    return {.to = address, .lane = tables.lane(from, address)};
  }
  Reads reads() const { return reading; }
  std::vector<u64> sizes() const { return chosen.sizes; }
  u8 lane(Nic from, Address to) const { return tables.lane(from, to); }
  const AddressChoice& choice() const { return chosen; }
};

}  // namespace banyan::routing
