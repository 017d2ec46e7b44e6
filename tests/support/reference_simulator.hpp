// The model of docs/simulator.md, as plainly as it can be written: every flit is a value, every node is
// visited in every cycle, nothing is remembered that could be looked up. For holding the fast engines
// against. NICs may be replaced: reference_rails.hpp.
#pragma once
#include <deque>
#include <map>
#include <memory>

#include "flit/simulation.hpp"

namespace banyan::tests {

class ReferenceSimulator {
 public:
  ReferenceSimulator(const SimulationSetup& setup, Workload workload);
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
  };
  using PacketPtr = std::shared_ptr<Packet>;

  // A packet in a buffer or queue, as far as it is there.
  struct Held {
    PacketPtr packet;
    std::vector<u64> from;  // by flit: the cycle from which it may leave
    u32 left = 0;           // flits that have left
    bool routed = false;
    u32 output = 0;  // port
    u32 lanes = 0;   // permitted ones
    int lane = -1;   // taken: the packet is on its way

    bool can_leave(u64 now) const { return left < from.size() && from[left] <= now; }
    bool has_left() const { return left == packet->flits; }
  };
  struct Output {
    bool cabled = false, has_queue = false, unlimited = false;
    std::vector<u32> credits, room;  // by lane
    std::vector<bool> owned;         // by lane: a packet has begun and not ended
    std::vector<std::deque<Held>> queues;
    u32 slot_pointer = 0, lane_pointer = 0, send_pointer = 0;
    int sending = -1;    // vct with queues: the lane whose packet is on its way
    bool taken = false;  // vct without queues: a packet is on its way
    u32 writing = 0;     // packets on their way into the queues (vct), flits in this cycle (wormhole)
    u64 free_at = 0;     // of the channel, in 1/65536 of a cycle
  };
  struct Place {                                        // a node
    std::vector<std::vector<std::deque<Held>>> inputs;  // by port and lane; a NIC has one of each
    std::vector<bool> input_taken;                      // vct: a packet is on its way out
    std::vector<bool> input_used;                       // in this cycle
    std::vector<Output> outputs;
  };
  struct Sender {
    std::shared_ptr<Message> message;
    Nic to{};
    u32 flits = 0, flits_taken = 0, packets_taken = 0;
    u64 bytes = 0;    // of the message
    u64 packets = 0;  // ever
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
  void take_up(Nic nic);
  void route(Node node);
  Hop choose(Node node, const Packet& packet) const;
  u64 cost(const Place& place, const Hop& hop) const;
  u32 expanded(u32 classes) const;
  void cross(Node node);
  bool cross_one(Node node, u32 output);
  Held* candidate(Place& place, u32 port, u32 lane, u32 output);
  int free_lane(const Output& output, const Held& held) const;
  bool has_space(const Output& output, u32 lane, u32 flits) const;
  void go_on(Node node);
  void leave(Node node, u32 port, u32 lane, Held& held);
  void send_queues(Node node);
  void enter_channel(Node node, u32 output, u32 lane, const PacketPtr& packet, u32 flit);
  bool is_ready(const Output& output) const;  // its channel's rate lets it send
  void remove_empty(Place& place);

  bool vct() const { return setup_.network.flow_control == FlowControl::vct; }

  SimulationSetup setup_;
  Workload workload_;
  u64 now_ = 0, flits_inside_ = 0;
  double largest_capacity_ = 0;
  IdVector<Node, Place> places_;
  IdVector<Nic, Sender> senders_;
  std::multimap<u64, Transit> flits_;                   // by the cycle in which they are there
  std::multimap<u64, std::pair<Channel, u8>> credits_;  // likewise
  Tally tally_;
};

}  // namespace banyan::tests
