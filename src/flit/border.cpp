#include "flit/border.hpp"

namespace banyan::flit {
namespace {

constexpr u32 no_part = ~u32{0};

u64 key_of(u32 rank, MessageId home) { return u64{rank} << 32 | index(home); }

}  // namespace

struct Border::Copy {
  Packet packet;  // its message is the number where that began
  u64 created;
  u32 flits, round;  // of the message
  PacketId there;    // its id where it comes from
};

Border::Border(Machine& machine, const Exchange& exchange)
    : machine_(machine),
      exchange_(exchange),
      own_parts_(machine.state.layout.own_parts),
      keeps_copies_(machine.state.mode != Mode::packets),
      out_(exchange.ranks),
      back_packets_(exchange.ranks),
      back_messages_(exchange.ranks) {}

bool Border::ends_here(const Packet& packet) const {
  return machine_.state.layout.is_own(Node{index(nic_of(packet.header.to, machine_.setting.lmc))});
}

std::string Border::meet(const std::vector<std::unique_ptr<Part>>& parts, u32 read, std::vector<Mail>& in,
                         const std::string& failure) {
  const Layout& layout = machine_.state.layout;
  for (std::string& bytes : out_) bytes.clear();
  for (std::string& bytes : out_) put_all(bytes, std::vector<char>(failure.begin(), failure.end()));
  for (const auto& part : parts) {
    Mail& dismissed = part->clock.written_to(static_cast<u16>(layout.parts), read);
    for (const PacketId id : dismissed.packets) dismiss(id);
    for (const MessageId id : dismissed.messages) dismiss_message(id);
    dismissed.clear();
    for (u32 to = 0; to < layout.parts; ++to) {
      if (rank_of(to) == exchange_.rank) continue;
      Mail& mail = part->clock.written_to(static_cast<u16>(to), read);
      pack(mail, to, in);
      mail.clear();
    }
  }
  for (u32 rank = 0; rank < exchange_.ranks; ++rank) {
    put(out_[rank], no_part);
    put_all(out_[rank], back_packets_[rank]);
    put_all(out_[rank], back_messages_[rank]);
    back_packets_[rank].clear();
    back_messages_[rank].clear();
  }
  std::vector<std::string_view> came;
  exchange_.swap(out_, came);
  std::string why;
  for (u32 rank = 0; rank < exchange_.ranks; ++rank) {
    const auto words = take_all<char>(came[rank]);
    if (why.empty()) why.assign(words.begin(), words.end());
    if (rank != exchange_.rank) unpack(came[rank], rank, in);
  }
  return why;
}

void Border::pack(const Mail& mail, u32 part, std::vector<Mail>& in) {
  if (mail.arrivals.empty() && mail.credits.empty() && mail.trickles.empty() && mail.acknowledgements.empty())
    return;
  std::string& out = out_[rank_of(part)];
  put(out, part);
  put(out, u64{mail.arrivals.size()});
  for (const Mail::LateArrival& late : mail.arrivals) {
    put(out, late);
    if (late.arrival.packet != none<PacketId>) pack_packet(out, late.arrival.packet, in);
  }
  put_all(out, mail.credits);
  put_all(out, mail.trickles);
  put_all(out, mail.acknowledgements);
}

void Border::pack_packet(std::string& out, PacketId id, std::vector<Mail>& in) {
  State& state = machine_.state;
  Copy copy{state.packets[id], 0, 0, 0, id};
  const MessageId here = copy.packet.message;
  const Message& message = state.messages[here];
  const bool is_guest_message = !state.layout.is_own(Node{index(copy.packet.source)});
  if (is_guest_message) copy.packet.message = their_messages_[here].home;
  copy.created = message.created;
  copy.flits = message.flits;
  copy.round = message.round;
  put(out, copy);
  if (!keeps_copies_) come_home(id, in);
}

void Border::unpack(std::string_view bytes, u32 rank, std::vector<Mail>& in) {
  const u32 first = exchange_.rank * own_parts_;
  for (u32 part; (part = take<u32>(bytes)) != no_part;) {
    Mail& mail = in[part - first];
    for (u64 left = take<u64>(bytes); left > 0; --left) {
      auto late = take<Mail::LateArrival>(bytes);
      if (late.arrival.packet != none<PacketId>) late.arrival.packet = admit(take<Copy>(bytes), rank);
      mail.arrivals.push(late);
    }
    for (const Mail::LateCredit& late : take_all<Mail::LateCredit>(bytes)) mail.credits.push(late);
    for (const Mail::LateCredit& late : take_all<Mail::LateCredit>(bytes)) mail.trickles.push(late);
    for (const Acknowledgement& one : take_all<Acknowledgement>(bytes)) mail.acknowledgements.push(one);
  }
  for (const PacketId id : take_all<PacketId>(bytes)) come_home(id, in);
  for (const MessageId id : take_all<MessageId>(bytes))
    in[machine_.state.messages.owner(id) - first].messages.push(id);
}

PacketId Border::admit(const Copy& copy, u32 rank) {
  State& state = machine_.state;
  const PacketId id = state.packets.take(static_cast<u16>(state.layout.parts), packets_);
  Guest guest{rank, copy.there, false};
  state.packets[id] = copy.packet;
  state.packets[id].message = message_of(copy, guest.owns_message);
  guests_[id] = guest;
  return id;
}

// Where a message ends, all its packets count on the same record.
MessageId Border::message_of(const Copy& copy, bool& is_for_it_alone) {
  State& state = machine_.state;
  const Packet& packet = copy.packet;
  const Node source{index(packet.source)};
  if (state.layout.is_own(source)) return packet.message;  // it has come back to where it began
  const u32 rank = rank_of(state.layout.part(source));
  const u64 key = key_of(rank, packet.message);
  is_for_it_alone = !ends_here(packet);
  const bool is_shared = !is_for_it_alone && copy.flits > packet.flits;
  if (is_shared)
    if (const auto found = shared_.find(key); found != shared_.end()) return found->second;
  const MessageId id = state.messages.take(static_cast<u16>(state.layout.parts), messages_);
  state.messages[id] = {copy.created, copy.flits, copy.round};
  their_messages_[id] = {packet.message, rank};
  if (is_shared) shared_[key] = id;
  return id;
}

// An id of this process is free: it goes back to the part that gave it out, or further back.
void Border::come_home(PacketId id, std::vector<Mail>& in) {
  const u32 owner = machine_.state.packets.owner(id);
  if (is_guest(owner)) return dismiss(id);
  in[owner - exchange_.rank * own_parts_].packets.push(id);
}

void Border::dismiss(PacketId id) {
  const Guest& guest = guests_[id];
  if (guest.owns_message) messages_.free.push(machine_.state.packets[id].message);
  if (keeps_copies_) back_packets_[guest.rank].push_back(guest.there);
  packets_.free.push(id);
}

void Border::dismiss_message(MessageId id) {
  const GuestMessage& message = their_messages_[id];
  back_messages_[message.rank].push_back(message.home);
  shared_.erase(key_of(message.rank, message.home));
  messages_.free.push(id);
}

}  // namespace banyan::flit
