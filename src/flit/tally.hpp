// What a simulation counts: integers only, so that threads and orders of visiting cannot change a sum.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/histogram_slots.hpp"
#include "base/ids.hpp"
#include "fabric/ids.hpp"

namespace banyan::flit {

// Latencies in cycles: exact below 2048, then in steps of less than 0.1 %.
class Histogram {
 public:
  void add(u64 value) {
    const std::size_t slot = histogram_slot(value);
    if (slot >= counts_.size()) counts_.resize(slot + 1);
    ++counts_[slot];
    ++count_;
    sum_ += value;
  }
  void add(const Histogram& other);
  static Histogram of(std::span<const u32> counts, u64 sum);  // by slot; of all values
  void pack(std::string& out) const;
  static Histogram unpack(std::string_view& in);
  u64 count() const { return count_; }
  u64 sum() const { return sum_; }
  double mean() const { return count_ ? static_cast<double>(sum_) / static_cast<double>(count_) : 0; }
  u64 percentile(double share) const;  // the least value that this share of all does not exceed
  bool operator==(const Histogram&) const = default;

 private:
  std::vector<u64> counts_;
  u64 count_ = 0, sum_ = 0;
};

struct Tally {
  u64 cycles = 0;                            // of partitions that ran at the same time: of one
  u64 packets = 0, flits = 0, messages = 0;  // consumed
  u64 flit_hops = 0;                         // flits that left a switch
  u64 network_cycles = 0;                    // of those packets, from their heads' leaving the NIC, in all
  // Packets in the network, from a head's leaving its NIC until its last flit is consumed: their number after
  // each cycle, added up. Counted apart from network_cycles; of one part or process modulo 2^64.
  u64 packet_cycles = 0;
  Histogram packet_latency, message_latency;
  u64 last_message = 0;  // the cycle in which the last one was consumed
  IdVector<Channel, u64> channel_flits;
  // Of hosts with several NICs: consumed flits by the columns of the NICs that sent and received them, row by
  // row; empty: none so far.
  std::vector<u64> rail_flits;
  void add_rail_flits(u32 rails, u32 from, u32 to, u64 count) {
    if (rail_flits.empty()) rail_flits.resize(std::size_t{rails} * rails);
    rail_flits[std::size_t{from} * rails + to] += count;
  }

  void add(const Tally& other);       // what was counted elsewhere in the same cycles
  void pack(std::string& out) const;  // all but channels and rails
  static Tally unpack(std::string_view& in);
  void append(const Tally& later);  // what was counted in other cycles
  bool operator==(const Tally&) const = default;
};

// Packets that enter the network and leave it, from which their number in each cycle follows. All sums are
// modulo 2^64: packets may enter in one part and leave in another.
struct Presence {
  u64 inside = 0;  // packets that have entered, less those that have left
  u64 times = 0;   // the cycles in which they left, less those in which they entered

  void enter(u64 now) { ++inside, times -= now; }
  void leave(u64 now) { --inside, times += now; }
  Presence& operator+=(const Presence& other) {
    inside += other.inside, times += other.times;
    return *this;
  }
  u64 packet_cycles(u64 now) const { return now * inside + times; }  // as in Tally, since cycle 0
};

}  // namespace banyan::flit
