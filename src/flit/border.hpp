// The border between this process's parts and those of other processes. Between threads packets stay where
// they are and only their numbers travel; over a border a packet is copied, with what its message is about.
// The copy is a guest: its numbers come from the border's own stock, whose owner is part number
// `layout.parts`.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "flit/exchange.hpp"
#include "flit/part.hpp"

namespace banyan::flit {

// What belongs to records of a pool, by their number.
template <class T>
class Beside {
 public:
  T& operator[](u32 i) {
    constexpr u32 bits = SharedPool<Packet>::chunk_bits;
    if (i >> bits >= chunks_.size()) chunks_.resize((i >> bits) + 1);
    if (chunks_[i >> bits].empty()) chunks_[i >> bits].resize(1u << bits);
    return chunks_[i >> bits][i & ((1u << bits) - 1)];
  }

 private:
  std::vector<PagedVector<T>> chunks_;
};

class Border {
 public:
  Border(Machine& machine, const Exchange& exchange);

  // When all threads of this process have met: sends what lies in the parts' mail for others and fills `in`,
  // by own part. `failure`: why this process cannot go on; gives the first such reason of any process, or
  // nothing.
  std::string meet(const std::vector<std::unique_ptr<Part>>& parts, u32 read, std::vector<Mail>& in,
                   const std::string& failure);

 private:
  struct Guest {
    u32 rank, number;   // the process it came from, and its number there
    bool owns_message;  // the record of its message is for it alone
  };
  struct GuestMessage {
    u32 home;  // its number where it began
    u32 rank;  // which that is
  };
  struct Parcel;

  u32 rank_of(u32 part) const { return part / own_parts_; }
  bool is_guest(u32 owner) const { return owner == machine_.state.layout.parts; }
  bool ends_here(const Packet& packet) const;
  void pack(const Mail& mail, u32 part, std::vector<Mail>& in);
  void pack_packet(std::string& out, u32 i, std::vector<Mail>& in);
  void unpack(std::string_view bytes, u32 rank, std::vector<Mail>& in);
  u32 admit(const Parcel& parcel, u32 rank);
  u32 message_of(const Parcel& parcel, bool& is_for_it_alone);
  void come_home(u32 packet, std::vector<Mail>& in);
  void dismiss(u32 packet);          // a guest has left, or was consumed
  void dismiss_message(u32 number);  // all of it was consumed

  Machine& machine_;
  const Exchange& exchange_;
  const u32 own_parts_;
  const bool keeps_copies_;  // flits of a packet may still be here when its head has left
  SharedPool<Packet>::Stock packets_;
  SharedPool<Message>::Stock messages_;
  Beside<Guest> guests_;
  Beside<GuestMessage> their_messages_;
  std::unordered_map<u64, u32> shared_;  // of several packets, by rank and home: the record here
  std::vector<std::string> out_;
  std::vector<std::vector<u32>> back_packets_, back_messages_;  // by rank: numbers that go home
};

}  // namespace banyan::flit
