// A fabric that is larger than a processor's cache: what a cycle touches lies anywhere in memory, and most of
// the time would be spent waiting for it. So it is asked for some steps ahead. Only where it comes from
// changes, never what happens.
#pragma once
#include <span>

#include "flit/candidates.hpp"

namespace banyan::flit {

template <SwitchKind kind>
class Ahead : public Candidates<kind> {
  using Base = Candidates<kind>;

 public:
  Ahead(Machine& the_machine, u16 the_number)
      : Base(the_machine, the_number), asks_ahead_(the_machine.is_large) {
    const auto& sites = this->own_sites_;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      Block& block = blocks_[this->layout.block_of[index(sites[i].node)]];
      if (block.first == block.last) block.first = i;
      block.last = i + 1;
    }
  }

  bool asks_ahead() const { return asks_ahead_; }
  // The switches that are visited next.
  void begin_block(u32 block) { block_ = blocks_[block]; }

  // What the items that are due soon will touch. What is found there leads on to the next: so arrivals are
  // looked at twice.
  [[gnu::always_inline]] void ask_ahead(const LaneId* lane, const LaneId* end) const {
    if (end - lane <= far) return;
    ask_for(this->out_lane(lane[far]));
    if constexpr (kind.mode != Mode::wormhole) ask_for(this->output_of(lane[far]));
  }
  [[gnu::always_inline]] void ask_ahead(const Arrival* arrival, const Arrival* end) const {
    if (end - arrival > far) ask_for_arrival(arrival[far]);
    if (end - arrival > near && !this->is_of_nic(arrival[near].lane)) ask_behind(arrival[near]);
  }
  [[gnu::always_inline]] void ask_ahead(const Release* release, const Release* end) const {
    if (end - release <= far) return;
    ask_for(this->output(release[far].input));
    ask_for(this->output(release[far].output));
  }
  // The same for the first items of a bag, before it is their turn; and when these are next.
  void ask_for_first(const Bag<LaneId>& lanes) const {
    for (std::ptrdiff_t i = 0; i < std::min<std::ptrdiff_t>(far, lanes.size()); ++i)
      ask_for(this->out_lane(lanes.begin()[i]));
  }
  void ask_for_first(const Bag<Arrival>& arrivals) const {
    for (std::ptrdiff_t i = 0; i < std::min<std::ptrdiff_t>(far, arrivals.size()); ++i)
      ask_for_arrival(arrivals.begin()[i]);
  }
  void ask_behind_first(const Bag<Arrival>& arrivals) const {
    for (std::ptrdiff_t i = 0; i < std::min<std::ptrdiff_t>(near, arrivals.size()); ++i)
      ask_behind(arrivals.begin()[i]);
  }
  // What the switches of the block will touch for an arrival that was delivered.
  [[gnu::always_inline]] void ask_after(const Arrival& arrival) const {
    if (kind.mode != Mode::wormhole || arrival.packet != none<PacketId>) return;
    const EntryId last = this->input(arrival.lane).back;
    if (last != none<EntryId>) ask_to_cross(this->entries[last].exit);
  }

 protected:
  using typename Base::Site;

  // visit(site) for the switches of this block that has_work(node), in order.
  template <class HasWork, class Visit>
  [[gnu::always_inline]] void each_switch(HasWork&& has_work, Visit&& visit) {
    if (!asks_ahead_ || blocks_.size() > 1) {  // of a block most is there: it was delivered
      for (const Site& at : sites())
        if (has_work(at.node)) visit(at);
      return;
    }
    order_.clear();
    for (const Site& at : sites())
      if (has_work(at.node)) order_.push_back(&at);
    visit_order(visit);
  }
  // The same for switches that the caller has put into order_.
  template <class Visit>
  [[gnu::always_inline]] void visit_order(Visit&& visit) {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (i + 3 < order_.size()) ask_for_outputs(*order_[i + 3]);
      if (i + 2 < order_.size()) ask_for_buffers(*order_[i + 2]);
      if (i + 1 < order_.size()) ask_for_entries(*order_[i + 1]);
      visit(*order_[i]);
    }
  }

  std::vector<const Site*> order_;  // of the switches of this cycle

 private:
  static constexpr std::ptrdiff_t far = 16, near = 6;  // items ahead: memory answers in about this time

  template <class T>
  [[gnu::always_inline]] static void ask_for(const T& what) {
    __builtin_prefetch(&what, 1);
  }
  [[gnu::always_inline]] void ask_for_arrival(const Arrival& arrival) const {
    ask_for(this->input(arrival.lane));
    if (arrival.packet != none<PacketId>) ask_for(this->state.packets[arrival.packet]);
  }
  [[gnu::always_inline]] void ask_behind(const Arrival& arrival) const {
    const Input& buffer = this->input(arrival.lane);
    if (kind.mode != Mode::packets && arrival.packet == none<PacketId>) {
      if (buffer.back != none<EntryId>) ask_for(this->entries[buffer.back]);
    } else if (this->knows_way_) {
      const Packet& packet = this->state.packets[arrival.packet];
      ask_to_cross(Channel{buffer.first_exit + packet.ports[packet.hop]});
    }
  }
  [[gnu::always_inline]] void ask_to_cross(Channel exit) const {
    ask_for(this->output(exit));
    if constexpr (kind.mode == Mode::packets) return;
    ask_for(this->out_lane(LaneId{index(exit) << this->shift_}));
    if constexpr (kind.wide) ask_for(this->state.masks[std::size_t{index(exit)} * 2 * this->words()]);
  }

  template <class F>
  [[gnu::always_inline]] void each_ready_output(const Site& at, F&& f) {
    const u64* mask = this->ready(at.node);
    for (u32 w = 0; w < this->port_words(); ++w)
      for (u64 bits = mask[w]; bits != 0; bits &= bits - 1)
        f(at.outputs[w * 64 + static_cast<u32>(std::countr_zero(bits))]);
  }
  void ask_for_outputs(const Site& at) {
    each_ready_output(at, [&](Output& out) {
      ask_for(out);
      if constexpr (!kind.wide) return;
      ask_for(*this->heads(out));
    });
  }
  // The buffer of some candidate; it need not be the one that is chosen.
  Input& some_buffer(const Site& at, Output& out) {
    for (u32 w = 0; w < this->words(); ++w) {
      const u64 bodies = kind.mode == Mode::wormhole ? this->bodies(out)[w] : 0;
      if (const u64 any = this->heads(out)[w] | bodies; any != 0)
        return at.inputs[w * 64 + static_cast<u32>(std::countr_zero(any))];
    }
    return at.inputs[0];
  }
  void ask_for_buffers(const Site& at) {
    each_ready_output(at, [&](Output& out) {
      ask_for(some_buffer(at, out));
      ask_for(this->out_lane(out.first_lane));
    });
  }
  void ask_for_entries(const Site& at) {
    if constexpr (kind.voq) return;  // its queues stand elsewhere
    each_ready_output(at, [&](Output& out) {
      const EntryId front = some_buffer(at, out).front;
      if (front != none<EntryId>) ask_for(this->entries[front]);
    });
  }

  struct Block {  // of own_sites_
    std::size_t first = 0, last = 0;
  };
  std::span<const Site> sites() const {
    return std::span(this->own_sites_).subspan(block_.first, block_.last - block_.first);
  }

  const bool asks_ahead_;
  std::vector<Block> blocks_ = std::vector<Block>(this->layout.blocks);
  Block block_;
};

}  // namespace banyan::flit
