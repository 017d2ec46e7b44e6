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

// What belongs to records of a pool, by their id: as the pool, it grows by chunks.
template <DenseId Id, class T>
class PoolColumn {
 public:
  T& operator[](Id id) {
    constexpr u32 bits = SharedPool<Id, T>::chunk_bits;
    const u32 i = index(id);
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
    u32 rank;           // the process it came from
    PacketId there;     // its id there
    bool owns_message;  // the record of its message is for it alone
  };
  struct GuestMessage {
    MessageId home;  // its id where it began
    u32 rank;        // which process that is
  };
  struct Copy;

  u32 rank_of(u32 part) const { return part / own_parts_; }
  bool is_guest(u32 owner) const { return owner == machine_.state.layout.parts; }
  bool ends_here(const Packet& packet) const;
  void pack(const Mail& mail, u32 part, std::vector<Mail>& in);
  void pack_packet(std::string& out, PacketId id, std::vector<Mail>& in);
  void unpack(std::string_view bytes, u32 rank, std::vector<Mail>& in);
  PacketId admit(const Copy& copy, u32 rank);
  MessageId message_of(const Copy& copy, bool& is_for_it_alone);
  void come_home(PacketId id, std::vector<Mail>& in);
  void dismiss(PacketId id);           // a guest has left, or was consumed
  void dismiss_message(MessageId id);  // all of it was consumed

  Machine& machine_;
  const Exchange& exchange_;
  const u32 own_parts_;
  const bool keeps_copies_;  // flits of a packet may still be here when its head has left
  SharedPool<PacketId, Packet>::Stock packets_;
  SharedPool<MessageId, Message>::Stock messages_;
  PoolColumn<PacketId, Guest> guests_;
  PoolColumn<MessageId, GuestMessage> their_messages_;
  std::unordered_map<u64, MessageId> shared_;  // of several packets, by rank and home: the record here
  std::vector<std::string> out_;
  std::vector<std::vector<PacketId>> back_packets_;    // by rank: they go home
  std::vector<std::vector<MessageId>> back_messages_;  // likewise
};

}  // namespace banyan::flit
