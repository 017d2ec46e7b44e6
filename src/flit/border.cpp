#include "flit/border.hpp"

namespace banyan::flit {

struct Border::Parcel {
  Packet packet;  // its message is the number where that began
  u64 created;
  u32 flits, round;  // of the message
  u32 number;        // of the packet, where it comes from
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
  return machine_.state.layout.is_own(index(nic_of(packet.header.to, machine_.setting.lmc)));
}

std::string Border::meet(const std::vector<std::unique_ptr<Part>>& parts, u32 read, std::vector<Mail>& in,
                         const std::string& failure) {
  const Layout& layout = machine_.state.layout;
  for (std::string& bytes : out_) bytes.clear();
  for (std::string& bytes : out_) put_all(bytes, std::vector<char>(failure.begin(), failure.end()));
  for (const auto& part : parts) {
    Mail& dismissed = part->mail[read][layout.parts];
    for (const u32 i : dismissed.packets) dismiss(i);
    for (const u32 i : dismissed.messages) dismiss_message(i);
    dismissed.clear();
    for (u32 to = 0; to < layout.parts; ++to) {
      if (rank_of(to) == exchange_.rank) continue;
      pack(part->mail[read][to], to, in);
      part->mail[read][to].clear();
    }
  }
  for (u32 rank = 0; rank < exchange_.ranks; ++rank) {
    put(out_[rank], absent);
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
  if (mail.arrivals.empty() && mail.credits.empty() && mail.trickles.empty()) return;
  std::string& out = out_[rank_of(part)];
  put(out, part);
  put(out, u64{mail.arrivals.size()});
  for (const Mail::Late& late : mail.arrivals) {
    put(out, late);
    if (late.arrival.packet != absent) pack_packet(out, late.arrival.packet, in);
  }
  put_all(out, mail.credits);
  put_all(out, mail.trickles);
}

void Border::pack_packet(std::string& out, u32 i, std::vector<Mail>& in) {
  State& state = machine_.state;
  Parcel parcel{state.packets[i], 0, 0, 0, i};
  const u32 number = parcel.packet.message;
  const Message& message = state.messages[number];
  const bool is_guest_message = !state.layout.is_own(index(parcel.packet.source));
  if (is_guest_message) parcel.packet.message = their_messages_[number].home;
  parcel.created = message.created;
  parcel.flits = message.flits;
  parcel.round = message.round;
  put(out, parcel);
  if (!keeps_copies_) come_home(i, in);
}

void Border::unpack(std::string_view bytes, u32 rank, std::vector<Mail>& in) {
  const u32 first = exchange_.rank * own_parts_;
  for (u32 part; (part = take<u32>(bytes)) != absent;) {
    Mail& mail = in[part - first];
    for (u64 left = take<u64>(bytes); left > 0; --left) {
      auto late = take<Mail::Late>(bytes);
      if (late.arrival.packet != absent) late.arrival.packet = admit(take<Parcel>(bytes), rank);
      mail.arrivals.push(late);
    }
    for (const Mail::Late& late : take_all<Mail::Late>(bytes)) mail.credits.push(late);
    for (const Mail::Late& late : take_all<Mail::Late>(bytes)) mail.trickles.push(late);
  }
  for (const u32 i : take_all<u32>(bytes)) come_home(i, in);
  for (const u32 i : take_all<u32>(bytes)) in[machine_.state.messages.owner(i) - first].messages.push(i);
}

u32 Border::admit(const Parcel& parcel, u32 rank) {
  State& state = machine_.state;
  const u32 i = state.packets.take(static_cast<u16>(state.layout.parts), packets_);
  Guest guest{rank, parcel.number, false};
  state.packets[i] = parcel.packet;
  state.packets[i].message = message_of(parcel, guest.owns_message);
  guests_[i] = guest;
  return i;
}

// Where a message ends, all its packets count on the same record.
u32 Border::message_of(const Parcel& parcel, bool& is_for_it_alone) {
  State& state = machine_.state;
  const Packet& packet = parcel.packet;
  const u32 source = index(packet.source);
  if (state.layout.is_own(source)) return packet.message;  // it has come back to where it began
  const u32 rank = rank_of(state.layout.part_of[source]);
  const u64 key = u64{rank} << 32 | packet.message;
  is_for_it_alone = !ends_here(packet);
  const bool is_shared = !is_for_it_alone && parcel.flits > packet.flits;
  if (is_shared)
    if (const auto found = shared_.find(key); found != shared_.end()) return found->second;
  const u32 i = state.messages.take(static_cast<u16>(state.layout.parts), messages_);
  state.messages[i] = {parcel.created, parcel.flits, parcel.round};
  their_messages_[i] = {packet.message, rank};
  if (is_shared) shared_[key] = i;
  return i;
}

// A number of this process is free: it goes back to the part that gave it out, or further back.
void Border::come_home(u32 i, std::vector<Mail>& in) {
  const u32 owner = machine_.state.packets.owner(i);
  if (is_guest(owner)) return dismiss(i);
  in[owner - exchange_.rank * own_parts_].packets.push(i);
}

void Border::dismiss(u32 i) {
  const Guest& guest = guests_[i];
  if (guest.owns_message) messages_.free.push(machine_.state.packets[i].message);
  if (keeps_copies_) back_packets_[guest.rank].push_back(guest.number);
  packets_.free.push(i);
}

void Border::dismiss_message(u32 i) {
  const GuestMessage& message = their_messages_[i];
  back_messages_[message.rank].push_back(message.home);
  shared_.erase(u64{message.rank} << 32 | message.home);
  messages_.free.push(i);
}

}  // namespace banyan::flit
