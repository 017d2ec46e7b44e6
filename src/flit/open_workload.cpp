#include "flit/open_workload.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/random.hpp"
#include "flit/seats.hpp"

namespace banyan::flit {
namespace {

// Messages a cycle. Who sends less often sends nothing: in no run would there be a message, and the time of
// the first might be no number of a cycle.
constexpr double least_rate = 1e-15;
constexpr double rounding = 1e-9;  // by which a rate of 1 may be exceeded

// Ranks in a row that send the same to the same others: what the first of them sends stands for all. Of
// several processes to a host, each has its own.
u32 sharing_ranks(const Traffic& traffic, u32 processes) { return processes == 0 ? traffic.alike : 1; }

std::vector<Demand> demands_of(const Traffic& traffic, u64 seed, u64 round, u32 alike) {
  std::vector<Demand> out;
  (alike > 1 ? traffic.list_firsts : traffic.list)(seed, 0, round, out);
  std::erase_if(out, [](const Demand& demand) { return demand.from == demand.to || demand.amount <= 0; });
  return out;
}

// By who sends them; of several processes to a host those that leave it.
std::vector<Demand> remote_demands(const Traffic& traffic, const Placement& placement, u64 seed,
                                   u32 processes) {
  std::vector<Demand> out = demands_of(traffic, seed, 0, sharing_ranks(traffic, processes));
  if (processes > 0 &&
      std::erase_if(out, [&](const Demand& d) { return placement[d.from] == placement[d.to]; }) > 0 &&
      out.empty())
    throw InputError("all messages stay inside hosts: expected some that leave theirs");
  std::stable_sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.from < b.from; });
  return out;
}

std::vector<PacketLength> packet_lengths(const MessageOptions& options) {
  return options.packet_lengths.empty() ? std::vector<PacketLength>{}
                                        : read_packet_lengths(options.packet_lengths);
}

// Of a message.
double mean_of(const MessageOptions& options, const std::vector<PacketLength>& lengths) {
  double out = lengths.empty() ? static_cast<double>(options.packet_flits) * options.message_packets : 0;
  double before = 0;
  for (const PacketLength& length : lengths) {
    out += length.flits * (length.until - before);
    before = length.until;
  }
  return out;
}

// An exponential variate in whole flits is geometric from 1 on. With this scale, and rounded down, it has the
// mean less 1; what is rounded up would have more than its mean.
double size_scale_of(const MessageOptions& options) {
  const u32 mean = options.packet_flits * options.message_packets;
  return mean > 1 ? 1 / minus_log1p(1.0 / mean) : 0;
}

}  // namespace

void Workload::Open::begin(const MessageOptions& the_options, u32 seats) {
  options = the_options;
  senders.resize(seats);
  burst = burst_of(options);
  on_share = burst.share();
  if (burst.off > 0) periods.resize(seats);
  lengths = packet_lengths(options);
  mean_flits = mean_of(options, lengths);
  const bool is_drawn = !lengths.empty() || options.sizes != Sizes::fixed;
  fixed_flits = is_drawn ? 0 : options.packet_flits * options.message_packets;
  size_scale = size_scale_of(options);
  if (options.reply_flits > 0) answering.resize(seats);
}

std::vector<bool> Workload::Open::answering_seats() const {
  std::vector<bool> out(senders.size());
  if (options.reply_flits > 0)
    for (const Target& target : targets) out[index(target.to)] = true;
  return out;
}

Workload Workload::open(const Fabric& fabric, const Traffic& traffic, const Placement& placement,
                        const MessageOptions& options, u64 seed, u32 processes,
                        const std::vector<bool>& mine) {
  check_sizes(options);
  const Seats seats = seats_of(fabric, traffic, placement, processes, mine);
  Workload out;
  out.open_ = std::make_unique<Open>();
  Open& open = *out.open_;
  open.begin(options, seats.count);
  std::vector<double> row(traffic.ranks, traffic.ranks > 1 ? 1.0 : 0.0);  // what each rank sends in all
  if (traffic.draw == Traffic::Draw::uniform) {
    open.everyone = seats.of;
    if (processes > 0) open.hosts = fabric.hosts();
    if (processes > 0 &&
        std::all_of(placement.begin(), placement.end(), [&](Host h) { return h == placement[Rank{0}]; }))
      throw InputError("all ranks are on one host: expected some that send to others");
  } else {
    row = open.list_targets(remote_demands(traffic, placement, seed, processes), seats.of,
                            sharing_ranks(traffic, processes));
  }
  const double largest = row.empty() ? 0 : *std::max_element(row.begin(), row.end());
  const double flits = open.mean_flits + options.reply_flits;  // of a message and its reply
  std::vector<double> rates(seats.count);
  std::vector<u32> sharing(fabric.hosts());  // ranks of each
  for (const Host host : placement) ++sharing[index(host)];
  const std::vector<bool> answers = open.answering_seats();
  for (const Rank rank : placement.ids()) {
    const Seat seat = seats.of[rank];
    const double sent = row[index(rank)];
    const double capacity =
        seat_capacity(fabric, placement[rank], processes, sharing[index(placement[rank])]);
    if (sent > 0 || answers[index(seat)]) out.capacity_ += capacity;
    if (sent > 0) {
      const double rate = options.load * (sent / largest) * capacity / flits;
      if (rate > least_rate) rates[index(seat)] = rate;
      if (rate > least_rate) check_sender(fabric, placement[rank], processes);
    }
    if (!mine.empty() && !mine[index(seat)]) continue;
    Open::Sender& sender = open.senders[index(seat)];
    sender.rate = rates[index(seat)] / open.on_share;
    if (sender.rate > 0) open.set_scale(sender);
    if (options.arrivals == Arrivals::bernoulli && sender.rate > 1 + rounding)
      throw InputError(fmt::format(
          "bernoulli arrivals are at most one message a cycle: {}{} would have to create {:.3g}",
          open.burst.off > 0 ? "during bursts " : "", fabric.host_name(placement[rank]), sender.rate));
    sender.rank = rank;
    sender.random = SeatRandom(Random(seed, index(seat))());
    if (open.burst.off > 0) open.begin_periods(seat);
  }
  for (const Seat seat : IdRange<Seat>(seats.count)) {
    out.offered_ += rates[index(seat)];
    out.next_.push_back(open.draw(seat));
  }
  out.is_answered_ = options.reply_flits > 0;
  out.takes_simply_ = traffic.draw == Traffic::Draw::uniform && options.arrivals == Arrivals::poisson &&
                      open.periods.empty() && open.hosts == 0 && open.fixed_flits > 0 && !out.is_answered_;
  out.offered_ *= flits;
  if (options.arrivals == Arrivals::back_to_back) out.offered_ = out.capacity_;
  return out;
}

}  // namespace banyan::flit
