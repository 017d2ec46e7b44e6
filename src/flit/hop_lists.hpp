// The hops that a forward offers, listed once, where that is little memory: listing them anew costs more than
// all else that a hop does. Only for answers that do not depend, but for the last hop, on which NIC of a
// switch the destination is. There are three kinds of lists:
// - by state of the header, switch of the destination, and switch: where the tag does not matter. A hash is
//   one of them: it reads the tag to choose from its list.
// - by state, tag, switch of the destination, and switch: where a packet may go through a middle, which the
//   tag names.
// - by tag and switch: on the way to a middle of a HyperX. `left` is that of some destination there: the same
//   for all hops of a list, and good for comparing these only.
#pragma once
#include <vector>

#include "flit/layout.hpp"
#include "routing/detour.hpp"
#include "routing/routing.hpp"

namespace banyan::flit {

// Forwards whose packets go through a middle, named by the tag, until they have the state to_goal().
template <class F>
concept Detouring = std::same_as<F, HyperXDetours> || std::same_as<F, DragonflyDetours>;
template <class F>
concept ReadsNoTag = std::same_as<F, OpenNextHops> || std::same_as<F, AdaptiveHyperX>;
template <class F>
concept Listed = ReadsNoTag<F> || Detouring<F> || std::same_as<F, HashedNextHops>;

// A hop whose port is cabled.
struct ListedHop {
  u16 port;   // of_nic: the destination's, which stands alone
  u16 lanes;  // permitted ones, of the channel
  u8 state, left;
  u8 first = 0, second = 0;  // of the permitted lanes; the last one, if it is the only one
  static constexpr u16 of_nic = 0xffff;
};

class HopLists {
 public:
  static constexpr u64 max_rows = u64{1} << 18;
  static constexpr u32 max_states = 16;

  // The hops of a packet at a switch, those with the fewest channels left first.
  struct Row {
    u32 first = 0;
    u16 count = 0;        // 0: nothing is listed, the forward has to be asked
    bool differ = false;  // in their lanes, or in how many channels follow
    u8 lanes = 0;         // that each of them permits: 1, 2, or 4, which are the first four; else 0
  };

  HopLists() = default;  // empty
  // `permitted`: by a hop's lanes, those that they stand for. Empty for other forwards, where NICs have
  // several ports or several addresses, and where it would be too large.
  HopLists(const Layout& layout, const Fabric& fabric, const Routing& routing,
           const std::vector<u16>& permitted);

  bool is_empty() const { return rows_.empty(); }
  // The hops of a packet at a switch.
  [[gnu::always_inline]] const Row& row(Node node, const Header& header) const {
    const Row& found = row(node, header, header.state);
    return found.count == 0 && tags_ > 0 ? row_of_tag(node, header) : found;
  }
  // The same for a hash, whose headers keep their state.
  [[gnu::always_inline]] const Row& row_of_hash(Node node, const Header& header) const {
    return row(node, header, 0);
  }
  const ListedHop* hops(const Row& row) const { return hops_.data() + row.first; }
  [[gnu::always_inline]] u32 port(const ListedHop& hop, Address to) const {
    return hop.port == ListedHop::of_nic ? port_[index(to)] : hop.port;
  }
  // The lanes of the only channel that leaves a NIC; 0: the forward has to be asked. The state is kept.
  [[gnu::always_inline]] u16 nic_lanes(const Header& header) const {
    return header.lane == 0 && header.state < nic_states_ ? nic_lanes_ : u16{0};
  }

 private:
  template <class F>
  friend class HopLister;

  [[gnu::always_inline]] const Row& row(Node node, const Header& header, u32 state) const {
    if (header.lane != 0 || state >= states_) [[unlikely]]
      return rows_[0];
    return rows_[first_row_[index(header.to)] + state * rows_of_state_ + (index(node) - first_switch_)];
  }
  [[gnu::always_inline]] const Row& row_of_tag(Node node, const Header& header) const {
    if (header.tag >= tags_ || header.lane != 0 || header.state > Detour::to_middle) [[unlikely]]
      return rows_[0];
    if (header.state >= tagged_states_)
      return header.state == Detour::to_middle ? row_to_middle(node, header) : rows_[0];
    return tagged_[(header.state * tags_ + header.tag) * rows_of_state_ + (first_row_[index(header.to)] - 1) +
                   (index(node) - first_switch_)];
  }
  // At the middle a packet goes on like one that has passed it.
  [[gnu::always_inline]] const Row& row_to_middle(Node node, const Header& header) const {
    if (to_middle_.empty() || leaf_[index(header.to)] == node) [[unlikely]]
      return rows_[0];
    const Row& found = to_middle_[header.tag * switches_ + (index(node) - first_switch_)];
    return found.count != 0 ? found : row(node, header, Detour::to_goal(1));
  }

  u32 first_switch_ = 0, switches_ = 0, states_ = 0, rows_of_state_ = 0;
  std::vector<Row> rows_;  // the first is empty; then by state, switch of the destination, and switch
  std::vector<ListedHop> hops_;
  std::vector<u32> first_row_;  // by NIC
  std::vector<u8> port_;        // by NIC: of its switch
  std::vector<Node> leaf_;      // by NIC: its switch
  u64 tags_ = 0;                // middles that tags name, if hops are listed by them
  u32 tagged_states_ = 0;       // the first ones, undecided and to_middle, or fewer
  std::vector<Row> tagged_;     // by state of these, tag, switch of the destination, and switch
  std::vector<Row> to_middle_;  // by tag and switch, for all destinations; empty at the middle
  u16 nic_lanes_ = 0;
  u32 nic_states_ = 0;
};

}  // namespace banyan::flit
