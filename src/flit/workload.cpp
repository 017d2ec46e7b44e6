#include "flit/workload.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/random.hpp"
#include "flit/zero_pages.hpp"

namespace banyan::flit {
namespace {

// Where ranks sit: with one process to a host at its NIC of the first rail; else process p of host h is
// known as p * hosts + h.
struct Seats {
  IdVector<Rank, Nic> of;
  u32 count;
};

Seats seats_of(const Fabric& fabric, const Placement& placement, u32 processes) {
  Seats out{{}, processes == 0 ? fabric.nics() : fabric.hosts() * processes};
  std::vector<u32> taken(fabric.hosts());
  for (const Rank rank : placement.ids()) {
    const u32 host = index(placement[rank]), slot = processes == 0 ? 0 : taken[host]++;
    if (processes > 0 && slot >= processes)
      throw InputError("more than " + std::to_string(processes) + " ranks on " +
                       fabric.host_name(Host{host}));
    out.of.push_back(Nic{slot * fabric.hosts() + host});
  }
  return out;
}

void check_mine(const std::vector<bool>& mine, const Seats& seats) {
  if (!mine.empty() && mine.size() != seats.count) throw std::logic_error("mine is not by seat");
}

std::vector<Demand> demands_of(const Traffic& traffic, u64 seed, u64 round) {
  std::vector<Demand> out;
  traffic.list(seed, 0, round, out);
  std::erase_if(out, [](const Demand& demand) { return demand.from == demand.to || demand.amount <= 0; });
  return out;
}

// The random numbers of a NIC: a function of its key and a counter (Steele, Lea and Flood's SplitMix64,
// OOPSLA 2014); cheaper than Random, of which the key is one.
class Draws {
 public:
  explicit Draws(u64 key) : key_(key) {}
  u64 operator()() {
    u64 x = key_ += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
  }
  double unit() { return static_cast<double>(static_cast<i64>((*this)() >> 11)) * 0x1.0p-53; }
  u64 below(u32 bound) {  // uniform but for one part in 2^32
    return ((*this)() >> 32) * bound >> 32;
  }

 private:
  u64 key_;
};

constexpr u64 created_unit = u64{1} << 20;  // of a flit

// Flits a cycle that each NIC's channels carry together.
double injection_capacity(const Fabric& fabric, Nic nic);

// Of a rank's share of its host; `sharing`: ranks there.
double seat_capacity(const Fabric& fabric, Host host, u32 processes, u32 sharing) {
  if (processes == 0) return injection_capacity(fabric, Nic{index(host)});
  double sum = 0;
  for (u32 rail = 0; rail < fabric.rails(); ++rail) sum += injection_capacity(fabric, fabric.nic(host, rail));
  return sum / sharing;
}

double injection_capacity(const Fabric& fabric, Nic nic) {
  double largest = 0, own = 0;
  for (const LinkClass& link_class : fabric.link_classes()) largest = std::max(largest, link_class.capacity);
  for (const Channel c : fabric.channels(fabric.node(nic)))
    if (fabric.cabled(c)) own += fabric.link_class(c).capacity;
  return own / largest;
}

}  // namespace

// --- a random process
// ----------------------------------------------------------------------------------------

struct Workload::Open {
  struct Sender {
    Draws random{0};
    double time = 0;          // of the last arrival
    double rate = 0;          // messages a cycle
    u32 first = 0, last = 0;  // its targets
    Rank rank{};
    Post pending{};
    u64 drawn = 0;  // flits of all its messages, the pending one included
  };
  struct Target {
    Nic to;
    double until;  // share of this and all before it
  };

  MessageOptions options;
  PagedVector<Sender> senders;  // by NIC
  std::vector<Target> targets;
  IdVector<Rank, Nic> everyone;  // of uniform traffic, which lists no targets
  u32 hosts = 0;                 // several processes to a host: those of one do not send each other

  [[gnu::always_inline]] Nic draw_target(Sender& sender) {
    if (!everyone.empty()) {
      for (;;) {
        const u64 other = sender.random.below(static_cast<u32>(everyone.size()) - 1);
        const Nic to = everyone[Rank{static_cast<u32>(other + (other >= index(sender.rank)))}];
        if (hosts == 0 || index(to) % hosts != index(everyone[sender.rank]) % hosts) return to;
      }
    }
    if (sender.last - sender.first == 1) return targets[sender.first].to;
    const double at = sender.random.unit();
    const auto begin = targets.begin() + sender.first, end = targets.begin() + sender.last;
    const auto found =
        std::upper_bound(begin, end, at, [](double x, const Target& t) { return x < t.until; });
    return (found == end ? end - 1 : found)->to;
  }

  // Of demands in the order of who sends them; what each rank sends in all.
  std::vector<double> list_targets(const std::vector<Demand>& demands, u32 ranks,
                                   const IdVector<Rank, Nic>& seats) {
    std::vector<double> row(ranks, 0);
    for (const Demand& demand : demands) {
      Sender& sender = senders[index(seats[demand.from])];
      if (row[index(demand.from)] == 0) sender.first = static_cast<u32>(targets.size());
      row[index(demand.from)] += demand.amount;
      targets.push_back({seats[demand.to], row[index(demand.from)]});
      sender.last = static_cast<u32>(targets.size());
    }
    return row;
  }

  u32 draw_flits(Sender& sender) {
    const u32 mean = options.packet_flits * options.message_packets;
    if (options.sizes == Sizes::fixed) return mean;
    const double drawn = -std::log1p(-sender.random.unit()) * mean;
    return static_cast<u32>(std::clamp(std::ceil(drawn), 1.0, 1e9));
  }

  // The cycle in which the next message is created.
  u64 draw_time(Sender& sender) {
    const double u = sender.random.unit();
    if (options.arrivals == Arrivals::bernoulli) {
      const double gap = sender.rate >= 1 ? 0 : std::floor(std::log1p(-u) / std::log1p(-sender.rate));
      sender.time += 1 + gap;
      return static_cast<u64>(sender.time) - 1;
    }
    sender.time += -std::log1p(-u) / sender.rate;
    return static_cast<u64>(static_cast<i64>(sender.time));
  }

  [[gnu::always_inline]] u64 draw(Nic nic) {
    Sender& sender = senders[index(nic)];
    if (sender.rate <= 0) return never;
    const u64 created = options.arrivals == Arrivals::back_to_back ? 0 : draw_time(sender);
    const Nic to = draw_target(sender);
    const u32 flits = draw_flits(sender);
    sender.pending = {created, to, flits, 0, u64{flits} * options.flit_bytes};
    sender.drawn += sender.pending.flits;
    return created;
  }
};

void check_sizes(const MessageOptions& options) {
  if (options.packet_flits == 0) throw InputError("a packet has at least one flit");
  if (options.message_packets == 0) throw InputError("a message has at least one packet");
  if (options.flit_bytes == 0) throw InputError("a flit has at least one byte");
  if (u64{options.packet_flits} * options.message_packets > u64{1} << 30)
    throw InputError("a message has at most 2^30 flits");
}

namespace {

void check_placement(const Fabric& fabric, const Traffic& traffic, const Placement& placement) {
  if (placement.size() != traffic.ranks) throw InputError("the placement has another number of ranks");
  for (const Host host : placement)
    if (index(host) >= fabric.hosts()) throw InputError("a rank is placed on a host that is not there");
}

// By who sends them; of several processes to a host those that leave it.
std::vector<Demand> remote_demands(const Traffic& traffic, const Placement& placement, u64 seed,
                                   u32 processes) {
  std::vector<Demand> out = demands_of(traffic, seed, 0);
  if (processes > 0 &&
      std::erase_if(out, [&](const Demand& d) { return placement[d.from] == placement[d.to]; }) > 0 &&
      out.empty())
    throw InputError("all messages stay inside hosts: expected some that leave theirs");
  std::stable_sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.from < b.from; });
  return out;
}

}  // namespace

Workload Workload::open(const Fabric& fabric, const Traffic& traffic, const Placement& placement,
                        const MessageOptions& options, u64 seed, u32 processes,
                        const std::vector<bool>& mine) {
  check_sizes(options);
  check_placement(fabric, traffic, placement);
  const Seats seats = seats_of(fabric, placement, processes);
  check_mine(mine, seats);
  Workload out;
  out.open_ = std::make_unique<Open>();
  Open& open = *out.open_;
  open.options = options;
  open.senders.resize(seats.count);
  std::vector<double> row(traffic.ranks, traffic.ranks > 1 ? 1.0 : 0.0);  // what each rank sends in all
  if (traffic.draw == Traffic::Draw::uniform) {
    open.everyone = seats.of;
    if (processes > 0) open.hosts = fabric.hosts();
    if (processes > 0 &&
        std::all_of(placement.begin(), placement.end(), [&](Host h) { return h == placement[Rank{0}]; }))
      throw InputError("all ranks are on one host: expected some that send to others");
  } else {
    row = open.list_targets(remote_demands(traffic, placement, seed, processes), traffic.ranks, seats.of);
  }
  const double largest = row.empty() ? 0 : *std::max_element(row.begin(), row.end());
  const double flits = static_cast<double>(options.packet_flits) * options.message_packets;
  std::vector<double> rates(seats.count);
  std::vector<u32> sharing(fabric.hosts());  // ranks of each
  for (const Host host : placement) ++sharing[index(host)];
  for (const Rank rank : placement.ids()) {
    const Nic nic = seats.of[rank];
    const double sent = row[index(rank)];
    if (sent > 0) {
      const double capacity =
          seat_capacity(fabric, placement[rank], processes, sharing[index(placement[rank])]);
      out.capacity_ += capacity;
      rates[index(nic)] = options.load * (sent / largest) * capacity / flits;
    }
    if (!mine.empty() && !mine[index(nic)]) continue;
    Open::Sender& sender = open.senders[index(nic)];
    sender.rate = rates[index(nic)];
    for (u32 i = sender.first; i < sender.last; ++i) open.targets[i].until /= sent;
    sender.rank = rank;
    sender.random = Draws(Random(seed, index(nic))());
  }
  for (u32 nic = 0; nic < seats.count; ++nic) {
    out.offered_ += rates[nic];
    out.next_.push_back(open.draw(Nic{nic}));
  }
  out.offered_ = out.offered_ * options.packet_flits * options.message_packets;
  if (options.arrivals == Arrivals::back_to_back) out.offered_ = out.capacity_;
  return out;
}

// --- rounds
// --------------------------------------------------------------------------------------------------

struct Workload::Closed {
  struct Awaited {
    u32 round, messages;
  };
  struct Member {
    std::vector<Post> posts;       // in order of their rounds
    std::vector<Awaited> awaited;  // likewise: what has not arrived yet
    std::size_t next_post = 0, open_posts = 0, first_awaited = 0;

    // Posts that wait for nothing any more are created now.
    void open(u64 now) {
      while (first_awaited < awaited.size() && awaited[first_awaited].messages == 0) ++first_awaited;
      const u32 gate = first_awaited < awaited.size() ? awaited[first_awaited].round : ~u32{0};
      for (; open_posts < posts.size() && posts[open_posts].round <= gate; ++open_posts)
        posts[open_posts].created = now;
    }
    u64 next_time() const { return next_post < open_posts ? posts[next_post].created : never; }
  };

  IdVector<Nic, Member> members;
  u32 reaction_cycles = 0;
  u64 messages = 0;
  u32 common_flits = 0;  // the largest number that divides the size of every message
  bool waits = true;     // for what arrives
};

Workload Workload::closed(const Fabric& fabric, const Traffic& traffic, const Placement& placement,
                          const MessageOptions& options, u64 seed, u32 processes,
                          const std::vector<bool>& mine) {
  check_sizes(options);
  check_placement(fabric, traffic, placement);
  const Seats seats = seats_of(fabric, placement, processes);
  check_mine(mine, seats);
  const auto is_mine = [&](Nic nic) { return mine.empty() || mine[index(nic)]; };
  if (options.rounds == Rounds::barrier && traffic.rounds > 1)
    throw InputError("one workload cannot have barriers between its rounds; expected a single round");
  Workload out;
  out.closed_ = std::make_unique<Closed>();
  Closed& closed = *out.closed_;
  closed.members.resize(seats.count);
  closed.reaction_cycles = options.reaction_cycles;
  closed.waits = options.rounds != Rounds::independent;
  const double unit = traffic.in_bytes ? 1.0 / options.flit_bytes
                                       : static_cast<double>(options.packet_flits) * options.message_packets;
  for (u64 round = 0; round < traffic.rounds; ++round) {
    const u32 r = static_cast<u32>(round);
    std::vector<Demand> demands;
    traffic.list(seed, 0, round, demands);
    for (const Demand& demand : demands) {
      if (demand.from == demand.to) continue;
      if (processes > 0 && placement[demand.from] == placement[demand.to]) continue;  // inside a host
      const Nic from = seats.of[demand.from], to = seats.of[demand.to];
      // a message without bytes is one flit
      const u32 flits = static_cast<u32>(std::clamp(std::ceil(demand.amount * unit), 1.0, 4e9));
      const u64 bytes =
          traffic.in_bytes ? static_cast<u64>(std::ceil(demand.amount)) : u64{flits} * options.flit_bytes;
      if (is_mine(from)) closed.members[from].posts.push_back({0, to, flits, r, bytes});
      closed.common_flits = std::gcd(closed.common_flits, flits);
      ++closed.messages;
      if (!closed.waits || !is_mine(to)) continue;
      auto& awaited = closed.members[to].awaited;
      if (awaited.empty() || awaited.back().round != r) awaited.push_back({r, 0});
      ++awaited.back().messages;
    }
  }
  for (Closed::Member& member : closed.members) {
    member.open(0);
    out.next_.push_back(member.next_time());
  }
  return out;
}

// --- both
// ----------------------------------------------------------------------------------------------------

Workload::Post Workload::take(Nic nic, u64 now) {
  assert(next_[nic] <= now);
  if (open_) {
    Post out = open_->senders[index(nic)].pending;
    if (open_->options.arrivals == Arrivals::back_to_back) out.created = now;
    next_[nic] = open_->draw(nic);
    return out;
  }
  Closed::Member& member = closed_->members[nic];
  Post out = member.posts[member.next_post++];
  if (!closed_->waits) out.created = now;
  next_[nic] = member.next_time();
  return out;
}

void Workload::arrived(Nic at, u32 round, u64 now) {
  if (open_ || !closed_->waits) return;
  Closed::Member& member = closed_->members[at];
  const auto found = std::lower_bound(member.awaited.begin(), member.awaited.end(), round,
                                      [](const Closed::Awaited& a, u32 r) { return a.round < r; });
  --found->messages;
  member.open(now + closed_->reaction_cycles);
  next_[at] = member.next_time();
}

u64 Workload::created(u64 now) const {
  if (!open_ || open_->options.arrivals == Arrivals::back_to_back) return 0;
  const double flits = static_cast<double>(open_->options.packet_flits) * open_->options.message_packets;
  u64 out = 0;
  for (const Open::Sender& sender : open_->senders) {
    if (sender.rate <= 0) continue;
    out += sender.drawn * created_unit;
    if (sender.pending.created >= now)
      out -= sender.pending.flits * created_unit;
    else
      out += static_cast<u64>(static_cast<double>(now - sender.pending.created) * sender.rate * flits *
                              created_unit);
  }
  return out;
}

double Workload::in_flits(u64 created, u64 now) const {
  if (open_ && open_->options.arrivals == Arrivals::back_to_back) return capacity_ * static_cast<double>(now);
  return static_cast<double>(created) / created_unit;
}

u64 Workload::messages() const { return closed_ ? closed_->messages : 0; }

bool Workload::has_only_multiples_of(u32 flits) const {
  if (open_) {
    const MessageOptions& options = open_->options;
    return options.sizes == Sizes::fixed && options.packet_flits * options.message_packets % flits == 0;
  }
  return closed_->common_flits % flits == 0;
}

Workload::Workload() = default;
Workload::~Workload() = default;
Workload::Workload(Workload&&) noexcept = default;
Workload& Workload::operator=(Workload&&) noexcept = default;

}  // namespace banyan::flit
