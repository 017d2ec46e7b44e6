#include "flit/workload.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "flit/closed_workload.hpp"
#include "flit/open_workload.hpp"
#include "flit/program_workload.hpp"
#include "flit/recorded_workload.hpp"

namespace banyan::flit {
namespace {

constexpr u64 created_unit = u64{1} << 20;  // of a flit

}  // namespace

void check_sizes(const MessageOptions& options) {
  if (options.packet_flits == 0) throw InputError("a packet has at least one flit");
  if (options.message_packets == 0) throw InputError("a message has at least one packet");
  if (options.flit_bytes == 0) throw InputError("a flit has at least one byte");
  const u64 flits = u64{options.packet_flits} * options.message_packets;
  if (flits > u64{1} << 30) throw InputError("a message has at most 2^30 flits");
  if (flits > u64{1} << 26 && options.sizes == Sizes::exponential)
    throw InputError("messages of exponential sizes have at most 2^26 flits in the mean");
  burst_of(options);
  if (options.reply_flits > u32{1} << 30) throw InputError("a reply has at most 2^30 flits");
  if (options.packet_lengths.empty()) return;
  if (const u32 largest = largest_packet(options); largest != options.packet_flits)
    throw InputError(fmt::format("packet-lengths has packets of up to {} flits, and packet-flits is {}",
                                 largest, options.packet_flits));
  if (options.message_packets > 1 || options.sizes != Sizes::fixed)
    throw InputError(
        "packet-lengths is for messages of one packet: it takes no message-packets and no sizes");
}

std::vector<PacketLength> read_packet_lengths(std::string_view text) {
  std::vector<PacketLength> out;
  double sum = 0;
  for (const std::string_view piece : split(text, ',')) {
    const auto parts = split(piece, ':');
    const auto flits = parse_unsigned(parts.empty() ? "" : parts[0]);
    const auto weight = parts.size() < 2 ? std::optional(1.0) : parse_real(parts[1]);
    if (parts.size() > 2 || !flits || *flits < 1 || *flits > u64{1} << 20 || !weight ||
        !(*weight > 0 && *weight <= 1e9))
      throw InputError(fmt::format(
          "packet-lengths: found '{}', expected flits and a weight, such as 1:3 in 1:3,5:1", piece));
    out.push_back({static_cast<u32>(*flits), sum += *weight});
  }
  for (PacketLength& length : out) length.until /= sum;
  return out;
}

u32 largest_packet(const MessageOptions& options) {
  if (options.packet_lengths.empty()) return options.packet_flits;
  u32 out = options.reply_flits;
  for (const PacketLength& length : read_packet_lengths(options.packet_lengths))
    out = std::max(out, length.flits);
  return out;
}

Burst burst_of(const MessageOptions& options) {
  if (options.burst.empty()) return {};
  const auto parts = split(options.burst, ':');
  const auto on = parse_real(parts[0]), off = parse_real(parts.size() == 2 ? parts[1] : "");
  if (!on || !off || !(*on >= 1 && *on <= 1e9) || !(*off >= 1 && *off <= 1e9))
    throw InputError(fmt::format(
        "burst is '{}'; expected two mean lengths from 1 to 1e9 cycles, such as 200:800", options.burst));
  if (options.arrivals == Arrivals::back_to_back)
    throw InputError("back-to-back arrivals have no bursts; expected poisson or bernoulli");
  return {*on, *off};
}

Workload::Post Workload::take(Seat seat, u64 now) {
  BANYAN_HOT_ASSERT(next_[seat] <= now, "a message is taken when it is there");
  if (open_ && !is_answered_) {
    Post out = open_->senders[index(seat)].pending;
    if (open_->options.arrivals == Arrivals::back_to_back) out.created = now;
    next_[seat] = open_->draw(seat);
    return out;
  }
  if (is_answered_) {
    const Post out = open_->take_answered(seat, now);
    next_[seat] = open_->next_answered(seat);
    return out;
  }
  if (running_) {
    next_[seat] = 0;  // it is asked as soon as the message has left
    return running_->take(seat);
  }
  if (recorded_) {
    const Post out = recorded_->waiting[seat].take();
    next_[seat] = recorded_->next_time(seat);
    return out;
  }
  Closed::Member& member = closed_->members[seat];
  Post out = member.posts[member.next_post++];
  if (!closed_->waits) out.created = now;
  next_[seat] = member.next_time();
  return out;
}

void Workload::arrived(Seat at, u32 round, u64 now) {
  if (running_) {
    next_[at] = running_->arrived(at, round, now);
    return;
  }
  if (is_answered_) {
    open_->hear(at, round, now);
    next_[at] = open_->next_answered(at);
    return;
  }
  if (open_ || recorded_ || !closed_->waits) return;
  Closed::Member& member = closed_->members[at];
  const auto found = std::lower_bound(member.awaited.begin(), member.awaited.end(), round,
                                      [](const Closed::Awaited& a, u32 r) { return a.round < r; });
  --found->messages;
  member.open(now + closed_->reaction_cycles);
  next_[at] = member.next_time();
}

bool Workload::sends(Seat seat) const {
  if (running_) return running_->sends(seat);
  if (recorded_) return recorded_->senders[index(seat)];
  return open_ ? open_->senders[index(seat)].rate > 0 : !closed_->members[seat].posts.empty();
}

u64 Workload::created(u64 now) const {
  if (!open_ || open_->options.arrivals == Arrivals::back_to_back) return 0;
  const double flits = open_->mean_flits;
  u64 out = 0;
  for (const Open::Answering& answering : open_->answering) out += answering.replied * created_unit;
  for (const Open::Sender& sender : open_->senders) {
    if (sender.rate <= 0) continue;
    out += sender.drawn * created_unit;
    if (sender.pending.created >= now)
      out -= sender.pending.flits * created_unit;
    else
      out += static_cast<u64>(static_cast<double>(now - sender.pending.created) * sender.rate *
                              open_->on_share * flits * created_unit);
  }
  return out;
}

double Workload::in_flits(u64 created, u64 now) const {
  if (open_ && open_->options.arrivals == Arrivals::back_to_back) return capacity_ * static_cast<double>(now);
  return static_cast<double>(created) / created_unit;
}

u64 Workload::messages() const {
  return running_ ? running_->messages : recorded_ ? recorded_->messages : closed_ ? closed_->messages : 0;
}

void Workload::settle(Seat seat, u64 now) { next_[seat] = running_->settle(seat, now); }
double Workload::program_end() { return running_->finish(); }

bool Workload::has_only_multiples_of(u32 flits) const {
  if (open_) {
    const MessageOptions& options = open_->options;
    const bool are_equal = options.sizes == Sizes::fixed && open_->lengths.size() < 2;
    const u32 message = open_->lengths.empty() ? options.packet_flits * options.message_packets
                                               : open_->lengths.front().flits;
    return are_equal && message % flits == 0 && options.reply_flits % flits == 0;
  }
  return (running_    ? running_->common_flits
          : recorded_ ? recorded_->common_flits
                      : closed_->common_flits) %
             flits ==
         0;
}

Workload::Workload() = default;
Workload::~Workload() = default;
Workload::Workload(Workload&&) noexcept = default;
Workload& Workload::operator=(Workload&&) noexcept = default;

}  // namespace banyan::flit
