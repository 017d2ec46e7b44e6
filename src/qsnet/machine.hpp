// Hosts with Elans on a network of Elites. A program posts transfers, and runs it from notice to notice.
#pragma once
#include <optional>

#include "base/progress.hpp"
#include "base/random.hpp"
#include "qsnet/card.hpp"

namespace banyan::qsnet {

struct Faults {
  double bad_crc = 0;  // share of packets that arrive damaged and are refused
  u64 seed = 1;
};

// What a program hears: an event told its host, a thread processor is done, or a time has come.
struct Notice {
  enum class From : u8 { event, thread, clock } from;
  u32 host, tag;
};

class Machine {
 public:
  Machine(const Routes& routes, const Parameters& parameters, Faults faults = {});

  // --- what programs do, now
  u32 add_event(const CardEvent& event);
  void reset_event(u32 event, u32 count) { events_[event].count = count; }
  void put(const Transfer& transfer);        // by the host that has the data, through its command port
  void get(const Transfer& transfer);        // by the host that wants them
  u32 prepare(const Transfer& transfer);     // a DMA that an event will begin
  void start(u32 dma);                       // by the card: no command
  void fetch(const Transfer& transfer);      // a get by the card
  void set(u32 event);                       // by the card
  void think(u32 card, u32 tag);             // thread processor: matches a tag
  void wake(Time after, u32 host, u32 tag);  // host software that takes so long
  std::optional<Notice> next();              // runs until there is one, or to the end
  void show(Progress* progress) { progress_ = progress; }  // a step is a packet delivered

  Time now() const { return agenda_.now(); }
  u64 handled() const { return agenda_.handled(); }
  const Network& network() const { return network_; }
  const Parameters& parameters() const { return p_; }
  u32 hosts() const { return static_cast<u32>(cards_.size()); }
  u64 bytes_delivered() const { return bytes_delivered_; }
  u64 packets_delivered() const { return packets_delivered_; }
  u64 refused() const { return refused_; }

 private:
  void look_up();
  void handle(const Event& event);
  // --- microcode and thread processor
  void work(u32 card, Job job);
  void finish(u32 card);
  void fire(u32 event);
  // --- sending
  u32 add_dma(const Transfer& transfer);
  u32 add_request(const Transfer& transfer);
  void enqueue(u32 dma);
  void schedule_engine(u32 card) { agenda_.add(agenda_.now(), Kind::engine, card); }
  void run_engine(u32 card);
  bool next_packet(u32 card, Outgoing& next);
  void stage(u32 card, u32 lane, const Outgoing& next);
  Route route_of(const Transfer& transfer) const;
  void open_staged(u32 card, u32 lane);
  void fetch_blocks(u32 card, u32 lane);
  void fetch_block(u32 card, u32 lane, Outgoing& out);
  void block_ready(u32 card, u32 lane);
  void block_left(u32 packet);
  void answered(u32 packet);
  u64 packet_bytes(const Dma& dma, u32 number) const;
  // --- receiving
  void arrived(u32 segment);
  void taken(u32 card, u32 lane);
  void judge(u32 segment);
  void accept(u32 dma, u32 card, u64 bytes);
  // --- data bus and host bus
  void move_data(u32 card, Direction direction, u32 lane);
  void data_moved(u32 subject);
  void ask_bus(u32 card, Direction direction, u32 what);
  void try_bus(u32 card);
  void bus_moved(u32 subject);

  const Routes& routes_;
  Parameters p_;
  Faults faults_;
  Random luck_;
  Agenda agenda_;
  Network network_;
  std::vector<Card> cards_;
  Pool<Dma> dmas_;
  std::vector<std::vector<bool>> reached_;  // by broadcast, by host
  std::vector<CardEvent> events_;
  Pool<Notice> wakes_;
  Ring<Notice> notices_;
  u64 max_packet_, bytes_delivered_ = 0, packets_delivered_ = 0, refused_ = 0;
  Progress* progress_ = nullptr;
  u64 shown_ = 0;  // packets
  u32 ahead_;      // blocks of a packet that its card fetches before the first has left
  struct Times {
    Time command, dma, input, event, match, data, read_latency, pace[2];
  } t_;
};

}  // namespace banyan::qsnet
