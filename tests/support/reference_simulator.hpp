// The model of docs/simulator.md, as plainly as it can be written: every flit is a value, every node is
// visited in every cycle, nothing is remembered that could be looked up. For holding the fast engines
// against. NICs may be replaced: reference_rails.hpp.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "flit/simulation.hpp"
#include "support/reference_workload.hpp"

namespace banyan::tests {

class ReferenceSimulator {
 public:
  ReferenceSimulator(const SimulationSetup& setup, ReferenceWorkload workload);
  virtual ~ReferenceSimulator() = default;

  void advance(u64 cycles);
  Tally take_tally();
  u64 flits_inside() const { return flits_inside_; }

 protected:
  struct Message {
    u64 created;
    u32 round, packets_left;
  };
  struct Packet {
    Header header;
    Nic from, to;
    u64 number;  // among those its NIC has sent
    u32 flits;
    std::shared_ptr<Message> message;
    u64 entered = 0;  // the cycle in which its head left its NIC
    // Recycled paths:
    u32 path = 0;
    u64 way_cycles = 0;  // of its head, if nothing were in its way
    bool is_marked = false;
  };
  using PacketPtr = std::shared_ptr<Packet>;

  // A packet in a buffer or queue, as far as it is there.
  struct Held {
    PacketPtr packet;
    std::vector<u64> from;  // by flit: the cycle from which it may leave
    u32 left = 0;           // flits that have left
    std::optional<u64> first_since =
        {};            // in stages: when it became the first of its lane, or for its output
    u64 given_at = 0;  // likewise: when it was given its lane
    bool routed = false;
    u8 came_with = 0;  // the header's state before it was routed
    u32 output = 0;    // port
    u32 lanes = 0;     // permitted ones
    int lane = -1;     // taken: the packet is on its way

    bool can_leave(u64 now) const { return left < from.size() && from[left] <= now; }
    bool has_left() const { return left == packet->flits; }
  };
  struct Output {
    bool cabled = false, has_queue = false, unlimited = false;
    std::vector<u32> credits, room;  // by lane
    std::vector<bool> owned;         // by lane: a packet has begun and not ended
    std::vector<std::deque<Held>> queues;
    u32 slot_pointer = 0, lane_pointer = 0, send_pointer = 0;
    std::vector<u32> head_pointers;   // in stages, by lane: over slots
    std::vector<u32> place_pointers;  // in stages, by place: over groups
    int sending = -1;                 // vct with queues: the lane whose packet is on its way
    bool taken = false;               // vct without queues: a packet is on its way
    u32 writing = 0;  // packets on their way into the queues (vct), flits in this cycle (wormhole)
    u64 free_at = 0;  // of the channel, in 1/65536 of a cycle
  };
  struct Connection {
    u32 port, lane, output, place;
    PacketPtr packet;
  };
  struct Place {                                        // a node
    std::vector<std::vector<std::deque<Held>>> inputs;  // by port and lane; a NIC has one of each
    std::vector<bool> input_taken;                      // vct: a packet is on its way out
    std::vector<bool> input_used;                       // in this cycle
    std::vector<Output> outputs;
    std::vector<u32> group_pointers;                   // in stages, by group of input lanes: over outputs
    std::map<std::pair<u32, u32>, u32> lane_pointers;  // by group and output: over lanes
    std::vector<std::optional<Connection>> holds;      // likewise: the packet that keeps the switch
  };
  // In stages: a flit that could cross.
  struct Asking {
    u32 group, output, place;
    u32 port, lane;  // of the input
    Held* held;
  };
  using Chosen = std::vector<std::size_t>;  // numbers of those that ask
  struct Sender {
    std::shared_ptr<Message> message;
    Nic to{};
    u32 flits = 0, flits_taken = 0, packets_taken = 0;
    u64 bytes = 0;    // of the message
    u64 packets = 0;  // ever
  };
  // Recycled paths: what a NIC knows of those to another one.
  struct Remembered {
    u32 path;
    bool is_fresh;
  };
  struct Memory {
    std::deque<Remembered> paths;
    std::map<u64, u64> outstanding;  // by number of the packet: when it was taken up
    u64 frozen_until = 0;
  };
  struct Transit {
    Channel channel;
    u8 lane;
    PacketPtr packet;
    u32 flit;
  };

  void cycle();
  void arrive();
  virtual void consume(const Transit& flit);  // at a NIC
  virtual void serve_nics();                  // before packets are routed: those that NICs take up
  virtual void send_from(Node nic);
  virtual bool holds_data(const Packet&) const { return true; }
  void take_up(Nic nic);
  void acknowledge();  // what is due
  u32 recycled(Nic nic, Nic to, u64 packet, u32 drawn);
  void route(Node node);
  void route_one(Node node, Held& held);
  Hop choose(Node node, const Packet& packet) const;
  std::vector<Hop> cheapest(const Hops& hops, const std::function<u64(const Hop&)>& cost) const;
  u64 cost(Node node, const Hop& hop) const;
  u64 cost_of_way(Node node, const Packet& packet, const Hop& hop) const;
  u64 waiting(Node node, const Hop& hop, u64 flits) const;
  u64 queued(Node node, u32 output) const;
  void follow(Node node, Packet& packet, u32 output) const;
  u32 expanded(u32 classes) const;
  void cross(Node node);
  bool cross_one(Node node, u32 output);
  Held* candidate(Place& place, u32 port, u32 lane, u32 output);
  int free_lane(const Output& output, const Held& held) const;
  bool has_space(const Output& output, u32 lane, u32 flits) const;
  void go_on(Node node);
  void leave(Node node, u32 port, u32 lane, Held& held);
  void send_queues(Node node);
  // Crossing in stages: reference_stages.cpp.
  bool in_stages() const;
  void begin_stages(Place& place) const;
  void cross_in_stages(Node node, u32 step);
  void see_who_is_first(Place& place) const;
  void give_lanes(Place& place, u32 output);
  Held* next_head(Place& place, u32 output, u32 lane, u32& slot);
  std::vector<Asking> asking(Place& place, bool late);
  void keep_crossing(Node node);
  void allocate(Node node, const std::vector<Asking>& all, u64 turn);
  Chosen input_first(const Place& place, const std::vector<Asking>& all) const;
  Chosen output_first(const Place& place, const std::vector<Asking>& all) const;
  Chosen wavefront(const Place& place, const std::vector<Asking>& all, u64 turn) const;
  bool is_open(const Asking& one) const;
  u64 rank_of(const Packet& packet) const;
  std::optional<std::size_t> next_of(const Place& place, const std::vector<Asking>& all, const Chosen& among,
                                     u32 Asking::*number, u32 pointer) const;
  void match(Node node, const Asking& one, bool moves_pointers);
  void enter_network(Packet& packet);
  void enter_channel(Node node, u32 output, u32 lane, const PacketPtr& packet, u32 flit);
  u64 step_of(Channel c) const;
  bool is_ready(const Output& output) const;  // its channel's rate lets it send
  void remove_empty(Place& place);

  bool vct() const { return setup_.network.flow_control == FlowControl::vct; }

  SimulationSetup setup_;
  ReferenceWorkload workload_;
  u64 now_ = 0, flits_inside_ = 0;
  u64 packets_inside_ = 0;  // with data, whose heads have left their NICs
  double largest_capacity_ = 0;
  IdVector<Node, Place> places_;
  IdVector<Nic, Sender> senders_;
  std::multimap<u64, Transit> flits_;                   // by the cycle in which they are there
  std::multimap<u64, std::pair<Channel, u8>> credits_;  // likewise
  std::map<std::pair<Nic, Nic>, Memory> memories_;
  std::map<std::pair<Nic, Nic>, std::pair<u64, u32>> flowlets_;  // the last packet's cycle and path
  std::map<std::pair<Node, u32>, u64> queued_before_;  // by node and output, before this cycle's packets
  std::map<std::tuple<u64, Nic, u64>, PacketPtr> acknowledgements_;  // by cycle, NIC and number of the packet
  Tally tally_;
  std::set<u32> busy_groups_;                  // of the visited switch, in this cycle
  std::set<std::pair<u32, u32>> busy_places_;  // likewise: output and place
};

}  // namespace banyan::tests
