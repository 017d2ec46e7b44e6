#include "flit/hop_lists.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <unordered_map>

#include "fabric/attachments.hpp"

namespace banyan::flit {

// Fills the lists of a forward.
template <class F>
class HopLister {
 public:
  HopLister(HopLists& lists, const Layout& layout, const Fabric& fabric, const Source& source,
            const F& forward, const std::vector<u16>& permitted)
      : lists_(lists),
        layout_(layout),
        fabric_(fabric),
        source_(source),
        forward_(forward),
        permitted_(permitted) {}

  // Whether all is listed; else the lists are of no use.
  bool run() {
    if (!group_nics()) return false;
    const u32 switches = lists_.switches_;
    if (u64{groups_.size()} * switches > HopLists::max_rows) return false;
    lists_.rows_of_state_ = static_cast<u32>(groups_.size()) * switches;
    lists_.rows_.resize(1);
    // With a middle in the tag, states in which it does not matter come behind those in which it does.
    std::vector<bool> is_known(
        Detouring<F> ? Detour::to_goal(static_cast<u32>(std::bit_width(permitted_.size())) - 1) : 1u,
        !Detouring<F>);
    if (Detouring<F>) std::fill(is_known.begin() + Detour::to_goal(0), is_known.end(), true);
    for (u32 state = 0; state < is_known.size(); ++state) {
      if (state == HopLists::max_states || u64{state + 1} * lists_.rows_of_state_ > HopLists::max_rows)
        return false;
      lists_.rows_.resize(1 + u64{state + 1} * lists_.rows_of_state_);
      lists_.states_ = state + 1;
      if (!is_known[state]) continue;
      for (u32 g = 0; g < groups_.size(); ++g)
        for (u32 v = 0; v < switches; ++v)
          lists_.rows_[1 + state * lists_.rows_of_state_ + g * switches + v] =
              row(Node{layout_.nics + v}, groups_[g], static_cast<u8>(state), 0, &is_known);
    }
    enter();
    if constexpr (Detouring<F>) list_tags();
    return true;
  }

 private:
  struct Group {  // NICs of a switch
    Node leaf;
    std::vector<Nic> nics;
  };

  // False if some NIC has several ports.
  bool group_nics() {
    lists_.first_switch_ = layout_.nics;
    lists_.switches_ = layout_.nodes - layout_.nics;
    std::unordered_map<u32, u32> number;  // by switch
    if (!nics_have_one_port(fabric_)) return false;
    for (const Nic nic : IdRange<Nic>(layout_.nics)) {
      const Channel c = channel_to_switch(fabric_, nic);
      if (c == none<Channel>) return false;
      const Node leaf = fabric_.to(c);
      const u32 group = number.emplace(index(leaf), static_cast<u32>(groups_.size())).first->second;
      if (group == groups_.size()) groups_.push_back({leaf, {}});
      groups_[group].nics.push_back(nic);
      lists_.first_row_.push_back(1 + group * lists_.switches_);
      lists_.port_.push_back(static_cast<u8>(index(fabric_.port(fabric_.reverse(c)))));
      lists_.leaf_.push_back(leaf);
    }
    return !groups_.empty();
  }

  // What the forward offers; all hops of a hash.
  void ask(Node node, Nic to, u8 state, u64 tag, Hops& out) const {
    out.clear();
    if constexpr (std::same_as<F, HashedNextHops>)
      list_set(forward_.sets().exits(node, to), forward_.sets().words(), out);
    else
      forward_.hops(node, {.to = address_of(to), .state = state, .tag = tag}, out);
  }
  // Ports of which some take more than others are not listed.
  static void list_set(const PortSets::Exits& exits, u32 words, Hops& out) {
    if (exits.sums) return;
    if (!exits.words && exits.only != none<Port>) out.push_back({exits.only, 1, 0, exits.left});
    for (u32 w = 0; exits.words && w < words; ++w)
      for (u32 bit = 0; bit < 64; ++bit)
        if ((exits.words[w] >> bit & 1) != 0) out.push_back({Port{64 * w + bit}, 1, 0, exits.left});
  }

  // `is_known`: states that packets may have next are marked there.
  HopLists::Row row(Node node, const Group& to, u8 state, u64 tag, std::vector<bool>* is_known = nullptr) {
    ask(node, to.nics[0], state, tag, hops_);
    const bool is_listed = list_hops(node);
    for (const ListedHop& hop : list_) {
      if (!is_known) break;
      if (hop.state >= is_known->size()) is_known->resize(hop.state + 1u);
      (*is_known)[hop.state] = true;
    }
    return is_listed && (node != to.leaf || is_last_hop(node, to, state, tag)) ? keep() : HopLists::Row{};
  }
  // Fills list_ from what was offered; false if there is no hop, or one that cannot be taken. Those that are
  // equally far stay in their order: it says who is drawn.
  bool list_hops(Node node) {
    list_.clear();
    for (const Hop& hop : hops_) {
      const u16 lanes = permitted_[hop.lanes & (permitted_.size() - 1)];
      if (!is_cabled(node, hop.port) || lanes == 0) return false;
      const u32 others = lanes & (lanes - 1u);
      const auto place = [](u32 bits) { return static_cast<u8>(std::countr_zero(bits)); };
      list_.push_back({static_cast<u16>(index(hop.port)), lanes, hop.state, hop.left, place(lanes),
                       place(others != 0 ? others : lanes)});
    }
    std::stable_sort(list_.begin(), list_.end(),
                     [](const ListedHop& a, const ListedHop& b) { return a.left < b.left; });
    return !list_.empty() && list_.size() <= 0xffff;
  }
  bool is_cabled(Node node, Port port) const {
    return index(port) < layout_.ports(node) && fabric_.cabled(fabric_.channel(node, port));
  }
  // At the switch of the destination: one hop, to the NIC, and the same for all NICs but for its port.
  bool is_last_hop(Node node, const Group& to, u8 state, u64 tag) {
    const Hop first = hops_.size() == 1 ? hops_[0] : Hop{};
    for (const Nic nic : to.nics) {
      ask(node, nic, state, tag, hops_);
      Hop expected = first;
      expected.port = Port{lists_.port_[index(nic)]};
      if (hops_.size() != 1 || hops_[0] != expected) return false;
    }
    list_[0].port = ListedHop::of_nic;
    return true;
  }
  // The same list is kept once.
  HopLists::Row keep() {
    HopLists::Row out{static_cast<u32>(lists_.hops_.size()), static_cast<u16>(list_.size())};
    const std::string bytes(reinterpret_cast<const char*>(list_.data()), list_.size() * sizeof(ListedHop));
    const auto [found, is_new] = kept_.emplace(bytes, out.first);
    out.first = found->second;
    if (is_new) lists_.hops_.insert(lists_.hops_.end(), list_.begin(), list_.end());
    for (const ListedHop& hop : list_)
      if (hop.lanes != list_[0].lanes || hop.left != list_[0].left) out.differ = true;
    out.lanes = lanes_of_each();
    return out;
  }
  u8 lanes_of_each() const {
    const auto count = [](const ListedHop& hop) { return std::popcount(hop.lanes); };
    const int lanes = count(list_[0]);
    for (const ListedHop& hop : list_)
      if (count(hop) != lanes || (lanes == 4 && hop.lanes != 0xf)) return 0;
    return lanes == 1 || lanes == 2 || lanes == 4 ? static_cast<u8>(lanes) : u8{0};
  }

  // States in which the tag matters, from that in which packets start.
  void list_tags() {
    const u32 start = start_state();
    if (start > Detour::to_middle) return;
    if constexpr (std::same_as<F, HyperXDetours>) {
      if (list_middles()) lists_.tags_ = forward_.plan().switches();
      list_tagged(start, 1, forward_.plan().switches());
    } else {
      list_tagged(start, 2, forward_.groups());
    }
  }
  // The least of any packet: undecided, to_middle, or behind these.
  u32 start_state() const {
    u32 out = 255;
    for (const Group& from : groups_)
      for (const Group& to : groups_)
        if (&from != &to && source_.count(from.nics[0], to.nics[0], 0) > 0)
          out = std::min<u32>(out, source_.way(from.nics[0], to.nics[0], 0, 0).state);
    return out;
  }
  void list_tagged(u32 start, u32 states, u64 tags) {
    const u64 rows_of_tags = tags * lists_.rows_of_state_;
    if (start >= states || states * rows_of_tags > HopLists::max_rows) return;
    lists_.tags_ = tags;
    lists_.tagged_states_ = states;
    lists_.tagged_.reserve(states * rows_of_tags);
    lists_.tagged_.resize(start * rows_of_tags);
    for (u32 state = start; state < states; ++state)
      for (u64 tag = 0; tag < tags; ++tag)
        for (const Group& to : groups_)
          for (u32 v = 0; v < lists_.switches_; ++v)
            lists_.tagged_.push_back(row(Node{layout_.nics + v}, to, static_cast<u8>(state), tag));
  }
  // The hops to a middle do not depend on the destination, except at its switch. An empty row is that of the
  // middle, so that none are listed where a missing cable leaves another one empty: then it is false.
  bool list_middles() {
    const auto& plan = forward_.plan();
    const u32 switches = lists_.switches_, middles = plan.switches();
    if (u64{middles} * switches > HopLists::max_rows) return false;
    std::vector<HopLists::Row> rows(std::size_t{middles} * switches);
    for (u32 middle = 0; middle < middles; ++middle)
      for (u32 v = 0; v < switches; ++v) {
        const Node node{layout_.nics + v};
        if (plan.switch_at(node) == middle) continue;
        if (!ask_for_middle(node, middle) || !list_hops(node)) return false;
        rows[std::size_t{middle} * switches + v] = keep();
      }
    lists_.to_middle_ = std::move(rows);
    return true;
  }
  // Asks for a packet whose destination is at another switch; false if there is none.
  bool ask_for_middle(Node node, u32 middle) {
    for (const Group& to : groups_) {
      if (forward_.plan().switch_of(to.nics[0]) == forward_.plan().switch_at(node)) continue;
      ask(node, to.nics[0], Detour::to_middle, middle, hops_);
      return true;
    }
    return false;
  }

  // NICs that are cabled alike enter alike: one of each switch is asked.
  void enter() {
    if (!enters_alike(forward_)) return;
    const u32 states = Detouring<F> ? Detour::to_middle + 1u : 1u;
    u16 lanes = 0;
    for (const Group& from : groups_)
      for (const Group& to : groups_)
        for (u32 state = 0; state < states; ++state) {
          if (&from == &to && to.nics.size() == 1) continue;
          ask(Node{index(from.nics[0])}, to.nics.back(), static_cast<u8>(state), 0, hops_);
          if (hops_.size() != 1 || hops_[0].port != Port{0} || hops_[0].state != state) return;
          const u16 own = permitted_[hops_[0].lanes & (permitted_.size() - 1)];
          if (lanes != 0 && own != lanes) return;
          lanes = own;
        }
    lists_.nic_lanes_ = lanes;
    lists_.nic_states_ = std::same_as<F, HashedNextHops> ? 256 : states;  // a hash is no matter of NICs
  }

  HopLists& lists_;
  const Layout& layout_;
  const Fabric& fabric_;
  const Source& source_;
  const F& forward_;
  const std::vector<u16>& permitted_;
  std::vector<Group> groups_;
  std::unordered_map<std::string, u32> kept_;  // where a list stands, by its bytes
  std::vector<ListedHop> list_;
  Hops hops_;
};

HopLists::HopLists(const Layout& layout, const Fabric& fabric, const Routing& routing,
                   const std::vector<u16>& permitted) {
  if (routing.lmc != 0) return;
  std::visit(
      [&]<class F>(const F& forward) {
        if constexpr (Listed<F>)
          if (!HopLister<F>(*this, layout, fabric, routing.source, forward, permitted).run()) *this = {};
      },
      routing.forward);
}

}  // namespace banyan::flit
