#include "support/reference_workload.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/error.hpp"
#include "base/logarithm.hpp"
#include "base/random.hpp"

namespace banyan::tests {
namespace {

std::vector<std::string> pieces(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string piece; std::getline(in, piece, separator);) out.push_back(piece);
  return out;
}

// 5:3,9 is 5 flits with the weight 3, and 9 with 1.
std::vector<WeightedLength> lengths_of(const MessageOptions& options) {
  std::vector<WeightedLength> out;
  for (const std::string& piece : pieces(options.packet_lengths, ',')) {
    const auto parts = pieces(piece, ':');
    out.push_back({static_cast<u32>(std::stoul(parts[0])), parts.size() > 1 ? std::stod(parts[1]) : 1.0});
  }
  return out;
}

// Of the first `count` lengths, in all that are drawn.
double share(const std::vector<WeightedLength>& lengths, std::size_t count) {
  double some = 0, all = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    all += lengths[i].weight;
    if (i < count) some += lengths[i].weight;
  }
  return some / all;
}

double mean_flits(const MessageOptions& options) {
  const auto lengths = lengths_of(options);
  if (lengths.empty()) return static_cast<double>(options.packet_flits) * options.message_packets;
  double out = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    out += lengths[i].flits * (share(lengths, i + 1) - share(lengths, i));
  return out;
}

// The links of a NIC, in those of the fastest kind.
double links_of_nic(const Fabric& fabric, Nic nic) {
  double fastest = 0, sum = 0;
  for (const LinkClass& link_class : fabric.link_classes()) fastest = std::max(fastest, link_class.capacity);
  for (const Channel c : fabric.channels(fabric.node(nic)))
    if (fabric.cabled(c)) sum += fabric.link_class(c).capacity;
  return sum / fastest;
}

}  // namespace

// --- random numbers
// ------------------------------------------------------------------------------------------

u64 SeatNumbers::next() {
  state += 0x9E3779B97F4A7C15;
  u64 z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

u32 SeatNumbers::below(u32 bound) { return static_cast<u32>((next() >> 32) * bound >> 32); }
double SeatNumbers::uniform() { return std::ldexp(static_cast<double>(next() >> 11), -53); }
double SeatNumbers::exponential() { return base::minus_log(1 - uniform()); }

// --- messages for ever
// ---------------------------------------------------------------------------------------

RandomMessages::RandomMessages(const MessageOptions& options, double rate, SeatNumbers numbers, Target target)
    : options_(options),
      lengths_(lengths_of(options)),
      numbers_(numbers),
      target_(std::move(target)),
      rate_(rate) {
  double on_share = 1;
  if (!options.burst.empty()) {
    const auto parts = pieces(options.burst, ':');
    on_ = std::stod(parts[0]);
    off_ = std::stod(parts[1]);
    on_share = on_ / (on_ + off_);
    rate_ = rate / on_share;
  }
  if (options.arrivals == Arrivals::bernoulli && rate_ > 1 + 1e-9)
    throw InputError("more than one message a cycle");
  if (options.burst.empty()) return;
  on_until_ = numbers_.uniform() < on_share ? period(on_) : 0;
}

Workload::Post RandomMessages::next() {
  const u64 created = next_time();
  const Seat to = target_(numbers_);
  const u32 length = flits();
  return {created, to, length, 0, u64{length} * options_.flit_bytes};
}

u64 RandomMessages::next_time() {
  if (options_.arrivals == Arrivals::back_to_back) return 0;
  const double drawn = numbers_.exponential();
  if (options_.arrivals == Arrivals::poisson) {
    clock_ += drawn * (1 / rate_);
    pass_until([&] { return clock_ < on_until_; });
    return static_cast<u64>(std::floor(clock_ + been_off_));
  }
  // The clock is at the end of the cycle that brings the message.
  const double cycles_without = rate_ < 1 ? std::floor(drawn * (1 / base::minus_log1p(rate_))) : 0;
  clock_ += cycles_without + 1;
  pass_until([&] { return clock_ <= on_until_; });
  return static_cast<u64>(clock_ + been_off_) - 1;
}

void RandomMessages::pass_until(const std::function<bool()>& is_on) {
  while (!is_on()) {
    been_off_ += period(off_);
    on_until_ += period(on_);
  }
}

double RandomMessages::period(double mean) {
  const double drawn = numbers_.exponential();
  if (options_.arrivals == Arrivals::poisson) return drawn * mean;
  return mean > 1 ? 1 + std::floor(drawn / base::minus_log1p(1 / mean)) : 1;
}

u32 RandomMessages::flits() {
  if (!lengths_.empty()) {
    const double u = numbers_.uniform();
    std::size_t i = 0;
    while (u >= share(lengths_, i + 1)) ++i;
    return lengths_[i].flits;
  }
  const u32 mean = options_.packet_flits * options_.message_packets;
  if (options_.sizes == Sizes::fixed) return mean;
  const double drawn = numbers_.exponential();
  return mean > 1 ? 1 + static_cast<u32>(std::floor(drawn * (1 / base::minus_log1p(1.0 / mean)))) : 1;
}

// --- who sends
// -----------------------------------------------------------------------------------------------

bool SeatedRanks::may_send(Rank from, Rank to) const {
  return from != to && (processes == 0 || hosts[from] != hosts[to]);
}

Seat SeatedRanks::other_than(Rank from, SeatNumbers& numbers) const {
  for (;;) {
    const u32 drawn = numbers.below(static_cast<u32>(hosts.size()) - 1);
    const Rank to{drawn < index(from) ? drawn : drawn + 1};
    if (may_send(from, to)) return seats[to];
  }
}

ReferenceWorkload::ReferenceWorkload(const Fabric& fabric, const Placement& placement,
                                     const MessageOptions& options, u32 processes)
    : ranks_{placement, processes}, options_(options) {
  members_.resize(processes == 0 ? fabric.nics() : fabric.hosts() * processes);
  std::map<Host, u32> ranks_there;
  for (const Host host : placement)
    ranks_.seats.push_back(Seat{index(host) + fabric.hosts() * ranks_there[host]++});
}

double ReferenceWorkload::links_of(const Fabric& fabric, Rank rank) const {
  const Host host = ranks_.hosts[rank];
  if (ranks_.processes == 0) return links_of_nic(fabric, fabric.nic(host, 0));
  double sum = 0;
  for (u32 rail = 0; rail < fabric.columns(); ++rail) sum += links_of_nic(fabric, fabric.nic(host, rail));
  return sum / static_cast<double>(std::count(ranks_.hosts.begin(), ranks_.hosts.end(), host));
}

ReferenceWorkload ReferenceWorkload::open(const Fabric& fabric, const Traffic& traffic,
                                          const Placement& placement, const MessageOptions& options, u64 seed,
                                          u32 processes) {
  ReferenceWorkload out(fabric, placement, options, processes);
  out.ends_ = false;
  const bool is_uniform = traffic.draw == Traffic::Draw::uniform;
  std::vector<Demand> demands;
  if (!is_uniform) traffic.list(seed, 0, 0, demands);
  std::erase_if(demands,
                [&](const Demand& d) { return !out.ranks_.may_send(d.from, d.to) || d.amount <= 0; });
  const auto sent_by = [&](Rank rank) {
    double sum = is_uniform && traffic.ranks > 1 ? 1 : 0;
    for (const Demand& d : demands) sum += d.from == rank ? d.amount : 0;
    return sum;
  };
  double busiest = 0;
  for (const Rank rank : placement.ids()) busiest = std::max(busiest, sent_by(rank));
  const double flits = mean_flits(options) + options.reply_flits;
  for (const Rank rank : placement.ids()) {
    const bool answers = options.reply_flits > 0 &&
                         std::any_of(demands.begin(), demands.end(), [&](auto& d) { return d.to == rank; });
    const double sent = sent_by(rank), links = out.links_of(fabric, rank);
    if (sent > 0 || answers) out.capacity_ += links;
    if (sent == 0) continue;
    const double rate = options.load * (sent / busiest) * links / flits;
    if (rate <= 1e-15) continue;
    out.offered_ += rate * flits;
    std::vector<Demand> own;
    std::copy_if(demands.begin(), demands.end(), std::back_inserter(own),
                 [&](auto& d) { return d.from == rank; });
    const auto target = [=, ranks = out.ranks_](SeatNumbers& numbers) {
      if (is_uniform) return ranks.other_than(rank, numbers);
      if (own.size() == 1) return ranks.seats[own[0].to];
      const double u = numbers.uniform();
      double sum = 0;
      for (const Demand& d : own)
        if (u < (sum += d.amount) / sent) return ranks.seats[d.to];
      return ranks.seats[own.back().to];
    };
    const Seat seat = out.ranks_.seats[rank];
    Member& member = out.members_[seat];
    member.random.emplace_back(options, rate, SeatNumbers{base::Random(seed, index(seat)).at(0)}, target);
    member.request = member.random[0].next();
  }
  if (options.arrivals == Arrivals::back_to_back) out.offered_ = out.capacity_;
  return out;
}

// --- messages once
// -------------------------------------------------------------------------------------------

void ReferenceWorkload::post(Rank from, Post message) {
  members_[ranks_.seats[from]].posts.push_back(message);
  ++members_[message.to].awaited[message.round];
  ++messages_;
}

ReferenceWorkload ReferenceWorkload::closed(const Fabric& fabric, const Traffic& traffic,
                                            const Placement& placement, const MessageOptions& options,
                                            u64 seed, u32 processes) {
  ReferenceWorkload out(fabric, placement, options, processes);
  for (u64 round = 0; round < traffic.rounds; ++round) {
    std::vector<Demand> demands;
    traffic.list(seed, 0, round, demands);
    for (const Demand& demand : demands) {
      if (!out.ranks_.may_send(demand.from, demand.to)) continue;
      const double flits = traffic.in_bytes
                               ? demand.amount / options.flit_bytes
                               : demand.amount * (options.packet_flits * options.message_packets);
      const u32 whole = static_cast<u32>(std::max(1.0, std::ceil(flits)));
      const u64 bytes =
          traffic.in_bytes ? static_cast<u64>(std::ceil(demand.amount)) : u64{whole} * options.flit_bytes;
      out.post(demand.from, {0, out.ranks_.seats[demand.to], whole, static_cast<u32>(round), bytes});
    }
  }
  return out;
}

ReferenceWorkload ReferenceWorkload::recorded(const Fabric& fabric,
                                              const std::vector<RecordedMessage>& messages,
                                              const Placement& placement, const MessageOptions& options,
                                              u32 processes) {
  ReferenceWorkload out(fabric, placement, options, processes);
  out.is_recorded_ = true;
  for (const RecordedMessage& message : messages) {
    if (!out.ranks_.may_send(message.from, message.to)) continue;
    const u64 flits = (u64{message.bytes} + options.flit_bytes - 1) / options.flit_bytes;
    out.post(message.from, {message.time, out.ranks_.seats[message.to], std::max(1u, static_cast<u32>(flits)),
                            0, message.bytes});
  }
  return out;
}

// Of a collective: after the last of what its seat awaits from earlier rounds.
u64 ReferenceWorkload::created(const Member& member, const Post& post) const {
  if (is_recorded_) return post.created;
  if (options_.rounds == Rounds::independent) return 0;
  u64 missing = 0, last = 0;
  for (const auto& [round, count] : member.awaited) missing += round < post.round ? count : 0;
  if (missing == 0) return 0;
  for (const Arrival& arrival : member.arrivals) {
    if (arrival.round >= post.round) continue;
    --missing;
    last = std::max(last, arrival.cycle);
  }
  return missing > 0 ? never : last + options_.reaction_cycles;
}

// --- what simulators ask
// -------------------------------------------------------------------------------------

bool ReferenceWorkload::may_ask(const Member& member) const {
  return !member.random.empty() && (options_.max_requests == 0 || member.unanswered < options_.max_requests);
}

u64 ReferenceWorkload::when(Seat seat) const {
  const Member& member = members_[seat];
  if (ends_) return member.taken < member.posts.size() ? created(member, member.posts[member.taken]) : never;
  u64 out = may_ask(member) ? member.request.created : never;
  for (const auto& [key, reply] : member.replies) out = std::min(out, reply.created);
  return out;
}

ReferenceWorkload::Post ReferenceWorkload::take(Seat seat, u64 now) {
  Member& member = members_[seat];
  if (ends_) {
    Post out = member.posts[member.taken];
    out.created = created(member, out);
    if (!is_recorded_ && options_.rounds == Rounds::independent) out.created = now;
    ++member.taken;
    return out;
  }
  if (!member.replies.empty() && member.replies.begin()->second.created <= now)
    return member.replies.extract(member.replies.begin()).mapped();
  Post out = member.request;
  member.request = member.random[0].next();
  if (options_.arrivals == Arrivals::back_to_back) out.created = now;
  if (options_.reply_flits == 0) return out;
  ++member.unanswered;
  out.round = 1 + index(seat);
  return out;
}

void ReferenceWorkload::arrived(Seat at, u32 round, u64 now) {
  Member& member = members_[at];
  if (ends_) return member.arrivals.push_back({round, now});
  if (options_.reply_flits == 0) return;
  if (round == 0) {
    --member.unanswered;
    return;
  }
  const Seat asked{round - 1};
  const u64 bytes = u64{options_.reply_flits} * options_.flit_bytes;
  member.replies.insert({{now, asked}, {now + options_.reply_cycles, asked, options_.reply_flits, 0, bytes}});
}

}  // namespace banyan::tests
