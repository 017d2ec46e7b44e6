// Which packets in a switch are candidates for which of its outputs, as bit masks over slots: only outputs
// that may have a candidate are visited. Arbitration by flow control stands on this: wormhole.hpp,
// cut_through.hpp.
#pragma once
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "flit/channels.hpp"
#include "flit/masks.hpp"

namespace banyan::flit {

// What the switches of a machine are compiled for.
struct SwitchKind {
  Mode mode;
  bool voq;             // virtual output queues
  bool queues;          // some output has a queue
  bool wide;            // some switch has more than 64 slots
  bool staged = false;  // lanes and the switch are allocated one after the other: staged.hpp
};

template <SwitchKind kind>
class Candidates : public Channels<unit_of(kind.mode)> {
  using Base = Channels<unit_of(kind.mode)>;

 public:
  using Base::clock, Base::entries, Base::layout, Base::machine, Base::number, Base::state;
  using Base::output, Base::output_of, Base::out_lane, Base::input, Base::wake;

  Candidates(Machine& the_machine, u16 the_number)
      : Base(the_machine, the_number),
        ready_(state.ready.data()),
        knows_way_(machine.tree != nullptr),
        first_switch_(layout.nics),
        full_words_(layout.words),
        full_port_words_(layout.port_words) {
    for (u32 v = first_switch_; v < layout.nodes; ++v) {
      const Node node{v};
      sites_.push_back(
          {&output(layout.exit(node, 0)), &input(layout.first_lane(node)), node, layout.ports(node)});
      if (layout.part(node) == number) switches_.push_back(node), own_sites_.push_back(sites_.back());
    }
  }

  // What heads of packets do that enter a buffer: they know their way and join the packets there, or are
  // routed first, in order of their lanes or in any.
  enum class OnArrival : u8 { goes_on, is_ordered, is_routed };
  OnArrival on_arrival() const {
    if (knows_way_) return OnArrival::goes_on;
    return machine.orders_lanes ? OnArrival::is_ordered : OnArrival::is_routed;
  }
  // Flits that enter buffers of switches. ask_ahead(item, end): of what will be read.
  template <OnArrival what, class F>
  [[gnu::always_inline]] void arrive(Bag<Arrival>& due, F&& ask_ahead) {
    const typename SharedPool<PacketId, Packet>::View packets(state.packets);
    for (const Arrival *item = due.begin(), *const end = due.end(); item != end; ++item) {
      ask_ahead(item, end);
      const Arrival arrival = *item;
      Input& buffer = input(arrival.lane);
      if (kind.mode != Mode::packets && arrival.packet == none<PacketId>)
        add_flit(buffer);
      else if (what == OnArrival::goes_on)
        go_on(arrival.packet, packets[arrival.packet], buffer);
      else if (what == OnArrival::is_ordered)
        this->lane_order_.add(arrival.lane, arrival.packet);
      else
        this->route_soon(arrival.lane, arrival.packet);
    }
    due.clear();
  }
  // A routed packet is behind those before it.
  [[gnu::always_inline]] void join(const RouteJob& job) {
    join({.packet = job.packet, .left = job.flits, .exit = job.exit, .lanes = job.lanes, .there = 1},
         input(job.lane), output(job.exit));
  }

  // Where packets choose again: those whose head waits at the front join the packets to be routed.
  [[gnu::noinline]] void choose_again() {
    for (const Node v : switches_) {
      const Site& at = sites_[index(v) - first_switch_];
      for (u32 port = 0; port < at.ports; ++port) {
        Output& out = at.outputs[port];
        for (u32 w = 0; any_head(out) && w < words(); ++w)
          scan_bits(heads(out)[w], w * 64, [&](u32 slot) {
            const Entry& entry = entries[at.inputs[slot].front];
            this->jobs_.add() = {
                this->lane_of(at.inputs[slot]), entry.packet, entry.exit, entry.left, entry.lanes, true};
            return false;
          });
      }
    }
  }
  // A packet that waits has chosen again.
  void join_again(const RouteJob& job) {
    const Input& buffer = input(job.lane);
    Entry& entry = entries[buffer.front];
    clear_head(output(entry.exit), buffer.slot);
    entry.exit = job.exit;
    entry.lanes = job.lanes;
    set_head(output(job.exit), buffer.slot);
    set_ready(output(job.exit));
  }

 protected:
  struct Site {  // a switch
    Output* outputs;
    Input* inputs;
    Node node;
    u32 ports;
  };

  // A packet that knows its way has come to a switch.
  [[gnu::always_inline]] void go_on(PacketId id, Packet& packet, Input& buffer) {
    const u32 hop = packet.hop;
    const Channel exit{buffer.first_exit + packet.ports[hop]};
    packet.hop = static_cast<u8>(hop + 1);
    Output& out = output(exit);
    BANYAN_HOT_ASSERT(out.node == this->node_of(this->lane_of(buffer)),
                      "a candidate stands at the node of its buffer");
    if (out.far == none<LaneId>) [[unlikely]]
      no_way(machine.setting, out.node, packet);
    join({.packet = id, .left = packet.flits, .exit = exit, .lanes = packet.lanes, .there = 1}, buffer, out);
  }
  [[gnu::always_inline]] void join(const Entry& entry, Input& buffer, Output& out) {
    const EntryId id = this->new_entry(entry);
    if constexpr (kind.voq) buffer.back = id;  // where its flits arrive
    Queue& queue = candidates(buffer, out);
    if (!queue.is_empty()) {
      entries[queue.back].next = id;
      queue.back = id;
      return;
    }
    queue = {id, id};
    if constexpr (kind.staged) shows(id, clock.now);
    set_head(out, buffer.slot);
    set_ready(out);
  }
  [[gnu::always_inline]] void add_flit(const Input& buffer) {
    Entry& entry = entries[buffer.back];
    ++entry.there;
    if (kind.mode == Mode::wormhole && entry.asleep) {
      Output& out = output(entry.exit);
      wake_body(out, out_lane(this->lane_of(out, entry.lane)));
      set_ready(out);
    }
  }
  // The packets of a buffer of which the first may cross to the output.
  [[gnu::always_inline]] Queue& candidates(Input& buffer, const Output& out) {
    if constexpr (kind.voq)
      return state.voq[state.voq_place(out.node, buffer.slot, out.port)];
    else
      return buffer;
  }
  // An entry begins a stage of its way through the switch.
  void shows(EntryId id, u64 since) {
    if (since_.size() <= index(id)) since_.resize(entries.size());
    since_[index(id)] = static_cast<u32>(since);
  }
  // The front goes, the next shows.
  [[gnu::always_inline]] void drop(Queue& queue, EntryId next, Slot slot) {
    queue.front = next;
    if (next == none<EntryId>) return;
    if constexpr (kind.staged) shows(next, clock.now + 1);
    Output& out = output(entries[next].exit);
    set_head(out, slot);
    set_ready(out);
  }
  // Inputs that may write to an output at once.
  [[gnu::always_inline]] u32 writers(const Output& out) const {
    if (!kind.queues || !out.has_queue) return 1;
    return out.is_endless ? 256 : state.options.writers;
  }

  // --- outputs that may have a candidate
  [[gnu::always_inline]] bool may_have_candidate(const Output& out) const {
    if constexpr (kind.mode == Mode::wormhole || kind.staged)
      return any_body(out) || (any_head(out) && (out.free_lanes & out.open_lanes) != 0);
    else
      return any_head(out) && out.writing < writers(out) && (out.open_lanes != 0 || !machine.even);
  }
  [[gnu::always_inline]] void set_ready(const Output& out) {
    set(ready(out.node), out.port);
    if constexpr (kind.mode == Mode::packets) wake(out.node);
  }
  [[gnu::always_inline]] void update_ready(Output& out) {
    if (may_have_candidate(out)) set_ready(out);
  }
  // f(output) for those that may have a candidate, in the order of this cycle. Those that have none left are
  // forgotten.
  template <class F>
  [[gnu::always_inline]] void each_ready(const Site& at, F&& f) {
    const u64 now = clock.now;
    const u32 start = now >> 32 == 0 ? static_cast<u32>(now) % at.ports : static_cast<u32>(now % at.ports);
    u64* mask = ready(at.node);
    if constexpr (kind.wide) {
      scan_round(
          port_words(), start, [&](u32 w) { return mask[w]; },
          [&](Slot port) __attribute__((always_inline)) {
            Output& out = at.outputs[port.number];
            f(out);
            if (!may_have_candidate(out)) clear(mask, port);
            return false;
          });
    } else {
      const u64 visited = std::exchange(mask[0], 0);
      u64 kept = 0;
      each_round(
          visited, ~u64{0} << start, [&](Slot port) __attribute__((always_inline)) {
            Output& out = at.outputs[port.number];
            f(out);
            if (may_have_candidate(out)) kept |= port.bit;
          });
      mask[0] |= kept;  // and what f() has set
    }
  }
  // attempt(slot) for the slots in words get(w), in the output's order, until one returns true.
  template <class Get, class Attempt>
  [[gnu::always_inline]] bool each_candidate(const Output& out, Get&& get, Attempt&& attempt) {
    if constexpr (kind.wide)
      return scan_round(words(), out.pointer, get, attempt);
    else
      return scan_round(get(0), out.from, attempt);
  }
  void go_behind(Output& out, Slot slot) {
    if constexpr (kind.wide)
      out.pointer = static_cast<u16>(slot + 1 == 64 * words() ? 0 : slot + 1);
    else
      out.from = -(slot.bit << 1);
  }
  // Which outputs, or input ports, of a switch; likewise slots.
  u64* ready(Node v) { return ready_ + std::size_t{index(v)} * port_words(); }
  u64* of_ports(PagedVector<u64>& masks, Node v) { return &masks[std::size_t{index(v)} * port_words()]; }
  u64* idle(Node v) { return &state.idle[std::size_t{index(v)} * words()]; }
  u64& idle_word(Node v, u32 slot) { return idle(v)[word_of(slot)]; }
  bool any_ready(Node v) const { return any_port(ready_, v); }
  bool any_port(const u64* masks, Node v) const {
    const u64* mask = masks + std::size_t{index(v)} * port_words();
    u64 any = mask[0];
    for (u32 w = 1; w < port_words(); ++w) any |= mask[w];
    return any != 0;
  }

  // --- masks of an output
  u32 words() const { return kind.wide ? full_words_ : 1; }
  u32 port_words() const { return kind.wide ? full_port_words_ : 1; }
  static u32 word_of(u32 slot) { return kind.wide ? slot / 64 : 0; }
  static bool has(const u64* mask, Slot i) { return (mask[word_of(i)] & i.bit) != 0; }
  static void set(u64* mask, Slot i) { mask[word_of(i)] |= i.bit; }
  static void clear(u64* mask, Slot i) { mask[word_of(i)] &= ~i.bit; }
  u64* heads(Output& out) {
    return kind.wide ? &state.masks[std::size_t{index(this->exit_of(out))} * 2 * words()] : &out.heads;
  }
  u64* bodies(Output& out) { return kind.wide ? heads(out) + words() : &out.bodies; }
  void set_head(Output& out, Slot slot) {
    set(heads(out), slot);
    if constexpr (kind.wide) ++out.head_count;
  }
  void clear_head(Output& out, Slot slot) {
    clear(heads(out), slot);
    if constexpr (kind.wide) --out.head_count;
  }
  void set_body(Output& out, Slot slot) {
    if (kind.wide && !has(bodies(out), slot)) ++out.body_count;
    set(bodies(out), slot);
  }
  // The packet that owns a lane may be able to move again; whether it can is seen when the output is visited.
  void wake_body(Output& out, const OutLane& lane) {
    entries[lane.owner].asleep = 0;
    set_body(out, lane.owner_slot);
  }
  void clear_body(Output& out, Slot slot) {
    if (kind.wide && has(bodies(out), slot)) --out.body_count;
    clear(bodies(out), slot);
  }
  static bool any_head(const Output& out) { return kind.wide ? out.head_count > 0 : out.heads != 0; }
  static bool any_body(const Output& out) { return kind.wide ? out.body_count > 0 : out.bodies != 0; }

  u64* const ready_;
  const bool knows_way_;
  const u32 first_switch_, full_words_, full_port_words_;
  std::vector<Site> sites_;  // by switch
  std::vector<Site> own_sites_;
  std::vector<Node> switches_;  // of this part
  std::vector<u32> since_;      // by entry, of switches in stages: when its present stage began, modulo 2^32
};

}  // namespace banyan::flit
