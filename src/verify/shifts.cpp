#include "verify/shifts.hpp"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

#include "verify/shift_count.hpp"
#include "verify/shift_sieve.hpp"
#include "verify/shift_table_arcs.hpp"
#include "verify/shift_tables.hpp"
#include "verify/shift_tree.hpp"

namespace banyan::verify {
namespace {

constexpr u64 max_per = u64{1} << 31;
constexpr std::size_t max_arcs = 8'000'000;  // kept at once, unless for a single channel

// Judges the shifts for one size of messages: bounds for all channels, then exact counts for those where the
// bound leaves something open, the highest bounds first.
template <class F>
class SizeJudge {
 public:
  SizeJudge(const Fabric& fabric, const F& forward, const Source& source, u64 bytes)
      : fabric_(fabric),
        forward_(forward),
        source_(source),
        bytes_(bytes),
        paths_(fabric, forward, source, bytes) {}

  std::optional<NotApplicable> judge(bool with_spans) {
    if (!judge_form(with_spans)) {
      are_apart_ = rails_are_apart(fabric_);
      sieve_ = ShiftSieve(fabric_, are_apart_ ? 1 : fabric_.columns());
      if (!sieve_tables()) sieve_paths();
      if (per == 0)
        return NotApplicable{"the numbers of ways that pairs have need too fine a share of a flow"};
      count();
      if (with_spans && worst.units <= per) keep_spans();
    }
    if (worst.units == 0 && left_out < pairs()) worst = any_flow();
    return std::nullopt;
  }

  u64 pairs() const {
    u64 sum = 0;
    for (u32 rail = 0; rail < fabric_.columns(); ++rail) sum += members(rail) * (members(rail) - 1);
    return sum;
  }

  // What the worst shift puts on its channel, flow by flow, followed anew.
  std::vector<ShiftFlow> flows() {
    std::vector<ShiftFlow> out;
    for (u32 rail = 0; worst.units && rail < fabric_.columns(); ++rail)
      for (u32 i = 0; i < fabric_.hosts(); ++i) {
        const u64 units = units_of(i, rail, worst.shift, worst.channel);
        if (units) out.push_back({nic(i, rail), nic(target(i, worst.shift), rail), units});
      }
    u64 sum = 0;
    for (const ShiftFlow& flow : out) sum += flow.units;
    if (sum != worst.units) throw std::logic_error("the worst shift does not add up; please report this");
    return out;
  }

  WorstShift worst;
  u64 per = 1;  // 0: there is none
  u64 left_out = 0;
  IdVector<Channel, ChannelSpan> spans;

 private:
  Nic nic(u32 host, u32 rail) const { return fabric_.in_column(Host{host}, rail); }  // none: it has none
  u64 members(u32 rail) const {
    u64 count = 0;
    for (u32 host = 0; host < fabric_.hosts(); ++host) count += nic(host, rail) != none<Nic>;
    return count;
  }
  u32 target(u32 host, u32 shift) const { return static_cast<u32>((u64{host} + shift) % fabric_.hosts()); }

  // Every destination, as a turn of the sieve.
  template <class Visit>
  void each_turn(Visit&& f) {
    const u32 rails = fabric_.columns();
    const auto visit = [&](u32 host, u32 rail, u32 turn) {
      if (nic(host, rail) != none<Nic>) f(host, rail, turn);
    };
    if (are_apart_) {
      for (u32 rail = 0; rail < rails; ++rail)
        for (u32 host = 0; host < fabric_.hosts(); ++host) visit(host, rail, host);
    } else {
      for (u32 host = 0; host < fabric_.hosts(); ++host)
        for (u32 rail = 0; rail < rails; ++rail) visit(host, rail, host * rails + rail);
    }
  }

  bool judge_form(bool with_spans) {
    if constexpr (std::is_same_v<F, TreeForm>) {
      auto found = tree_shifts(fabric_, forward_, source_, bytes_, with_spans);
      if (!found) return false;
      worst = found->worst;
      spans = std::move(found->spans);
      return true;
    }
    return false;
  }

  // The next NIC of the same rail; none if there is no other.
  Nic another(Nic to) const {
    for (u32 shift = 1; shift < fabric_.hosts(); ++shift)
      if (const Nic from = nic(target(index(fabric_.host(to)), shift), fabric_.column(to)); from != none<Nic>)
        return from;
    return none<Nic>;
  }

  // Whether every source asks for one and the same address of each destination; then the addresses.
  std::optional<std::vector<Address>> addresses() const {
    if constexpr (!std::is_same_v<F, Tables>) return std::nullopt;
    const u32 hosts = fabric_.hosts();
    if (source_.reads() != Reads::nothing || !enters_alike(forward_) || hosts < 2) return std::nullopt;
    std::vector<Address> out;
    for (Nic to : IdRange<Nic>(fabric_.nics())) {
      const Nic from = another(to);
      if (from == none<Nic>) {
        out.push_back(address_of(to));  // nobody sends to it
        continue;
      }
      if (source_.count(from, to, bytes_) != 1) return std::nullopt;
      out.push_back(source_.way(from, to, bytes_, 0).to);
    }
    return out;
  }

  bool sieve_tables() {
    if constexpr (std::is_same_v<F, Tables>) {
      if (!are_apart_) return false;
      addresses_ = addresses();
      if (!addresses_) return false;
      TableSieve table_sieve(fabric_, forward_, sieve_);
      u32 counted_rail = ~u32{0};
      u64 in_rail = 0;
      each_turn([&](u32 host, u32 rail, u32 turn) {
        const Address to = (*addresses_)[index(nic(host, rail))];
        const u32 arriving = table_sieve.arriving(host, rail, to);
        if (rail != counted_rail) in_rail = members(counted_rail = rail);
        if (arriving == TableSieve::circles)
          sieve_path(host, rail, turn);
        else
          left_out += in_rail - std::max<u64>(arriving, 1);
      });
      return true;
    }
    return false;
  }

  void sieve_paths() {
    each_turn([&](u32 host, u32 rail, u32 turn) { sieve_path(host, rail, turn); });
  }
  void sieve_path(u32 host, u32 rail, u32 turn) {
    left_out +=
        paths_.each(host, rail, [&](const ShiftOrigin& origin, std::span<const Channel> path, u32 ways) {
          if (ways > 1) {
            counts_all_ = true;
            per = per ? std::lcm(per, u64{ways}) : 0;
            if (per > max_per) per = 0;
          }
          for (std::size_t i = 1; i < path.size(); ++i) {
            sieve_.use(path[i], turn, origin.hosts.front().lo, origin.hosts.back().hi);
            if constexpr (!KeepsHeader<F>)  // a path may come by again in another state
              counts_all_ |= std::find(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(i),
                                       path[i]) != path.begin() + static_cast<std::ptrdiff_t>(i);
          }
        });
  }

  // The bound on the load of a channel; there is none worth having where ways share a flow. A NIC sends one
  // flow in a shift, so its own channels are not sieved.
  u64 at_most(Channel c) const {
    const bool is_used = sieve_.used(c) || !fabric_.is_switch(fabric_.from(c));
    return counts_all_ && is_used ? ~u64{0} : sieve_.at_most(c);
  }

  void count() {
    std::vector<std::pair<u64, Channel>> open;
    for (Channel c : fabric_.channels())
      if (const u64 bound = at_most(c); bound > 1) open.push_back({~bound, c});
    std::sort(open.begin(), open.end());
    std::vector<Channel> order;
    for (const auto& [bound, c] : open) order.push_back(c);
    ShiftCounter counter(fabric_);
    std::size_t together = addresses_ ? 1 : order.size();  // else every look costs the same
    for (std::size_t i = 0; i < order.size() && worst.units < at_most(order[i]);) {
      const auto some = fitting(std::span<const Channel>(order).subspan(i), together);
      counter.begin(some);
      if (!add_arcs(counter, some)) {
        together = (some.size() + 1) / 2;
        continue;
      }
      worst.take(counter.worst());
      i += some.size();
      together *= 8;
    }
  }

  // The first of these channels, as far as what is on them can probably be kept.
  std::span<const Channel> fitting(std::span<const Channel> channels, std::size_t maximum) const {
    std::size_t count = 0, arcs = 0;
    while (count < std::min(maximum, channels.size()) &&
           (count == 0 || arcs + sieve_.destinations(channels[count]) <= max_arcs))
      arcs += sieve_.destinations(channels[count++]);
    return channels.first(count);
  }

  // All that is on these channels; false if it is too much to keep.
  bool add_arcs(ShiftCounter& counter, std::span<const Channel> channels) {
    const std::size_t maximum = channels.size() == 1 ? ~std::size_t{0} : max_arcs;
    bool fits = true;
    each_turn([&](u32 host, u32 rail, u32) {
      fits = fits && counter.held() <= maximum;
      if (!fits || add_table_arcs(counter, channels, nic(host, rail))) return;
      paths_.each(host, rail, [&](const ShiftOrigin& origin, std::span<const Channel> path, u32 ways) {
        if (counts_all_) add_first(counter, origin, fabric_.port(path[0]), host, per / ways);
        for (Channel c : path.subspan(1))
          if (counter.counts(c)) counter.add(c, host, origin.hosts, per / ways);
      });
    });
    return fits && counter.held() <= maximum;
  }

  // What is asked of one NIC all send, each over its own channel.
  void add_first(ShiftCounter& counter, const ShiftOrigin& origin, Port port, u32 to, u64 units) const {
    for (Nic from : origin.nics) {
      const u32 host = index(fabric_.host(from));
      const Channel c = fabric_.channel(fabric_.node(from), port);
      if (host != to && counter.counts(c)) counter.add(c, to, {{host, host}}, units);
    }
  }

  // Where tables were sieved by address, they say at a glance whether a destination matters at all.
  bool add_table_arcs(ShiftCounter& counter, std::span<const Channel> channels, Nic to) {
    if constexpr (std::is_same_v<F, Tables>) {
      if (!addresses_) return false;
      if (!table_arcs_) table_arcs_.emplace(fabric_, forward_);
      const Address address = (*addresses_)[index(to)];
      const bool matters = std::any_of(channels.begin(), channels.end(), [&](Channel c) {
        return forward_(fabric_.from(c), address) == index(fabric_.port(c));
      });
      if (matters) table_arcs_->add(counter, to, address);
      return true;
    }
    return false;
  }

  void keep_spans() {
    spans.resize(fabric_.channels().size());
    for (Channel c : fabric_.channels()) {
      spans[c] = sieve_.span(c);
      if (counts_all_) spans[c].gap = 0;
    }
  }

  u64 units_of(u32 host, u32 rail, u32 shift, Channel c) {
    const Nic from = nic(host, rail), to = nic(target(host, shift), rail);
    if (from == none<Nic> || to == none<Nic>) return 0;
    const u32 ways = paths_.ways(from, to);
    u64 times = 0;
    for (u32 i = 0; i < ways; ++i)
      if (paths_.follow(from, to, i))
        times += static_cast<u64>(std::count(paths_.path().begin(), paths_.path().end(), c));
    return times ? times * (per / ways) : 0;
  }

  // Where no channel was counted one flow is the worst: the first that arrives.
  WorstShift any_flow() {
    for (u32 shift = 1; shift < fabric_.hosts(); ++shift)
      for (u32 rail = 0; rail < fabric_.columns(); ++rail)
        for (u32 i = 0; i < fabric_.hosts(); ++i)
          if (const Nic from = nic(i, rail), to = nic(target(i, shift), rail);
              from != none<Nic> && to != none<Nic> && paths_.ways(from, to) > 0 && paths_.follow(from, to, 0))
            return {per, shift, paths_.path().front()};
    return {};
  }

  const Fabric& fabric_;
  const F& forward_;
  const Source& source_;
  u64 bytes_;
  bool are_apart_ = true;                          // no channel is used by several rails
  bool counts_all_ = false;                        // a pair may put more or less than one flow on a channel
  std::optional<std::vector<Address>> addresses_;  // by NIC, where tables were sieved by them
  std::optional<TableArcs> table_arcs_;
  ShiftSieve sieve_;
  ShiftPaths<F> paths_;
};

template <class F>
std::variant<ShiftVerdict, NotApplicable> judge_forward(const Fabric& fabric, const F& forward,
                                                        const Source& source, const ShiftOptions& options) {
  ShiftVerdict verdict;
  ShiftCertificate certificate{fabric.hosts(), {}};
  for (u64 bytes : source.sizes()) {
    SizeJudge judge(fabric, forward, source, bytes);
    if (auto reason = judge.judge(options.certificate)) return *reason;
    verdict.pairs = judge.pairs();
    verdict.left_out = std::max(verdict.left_out, judge.left_out);
    certificate.parts.push_back({bytes, judge.per, std::move(judge.spans)});
    if (judge.worst.units * verdict.per <= verdict.units * judge.per) continue;
    verdict.worst_shift = judge.worst.shift;
    verdict.units = judge.worst.units;
    verdict.per = judge.per;
    verdict.bytes = bytes;
    verdict.channel = judge.worst.channel;
    verdict.flows = judge.flows();
  }
  if (options.certificate && verdict.contention_free()) verdict.certificate = std::move(certificate);
  return verdict;
}

}  // namespace

std::variant<ShiftVerdict, NotApplicable> judge_shifts(const Fabric& fabric, const Routing& routing,
                                                       const ShiftOptions& options) {
  return std::visit(
      [&](const auto& forward) -> std::variant<ShiftVerdict, NotApplicable> {
        if constexpr (Deterministic<std::decay_t<decltype(forward)>>)
          return judge_forward(fabric, forward, routing.source, options);
        else
          return NotApplicable{"where packets choose on the way no load of a channel is certain"};
      },
      routing.forward);
}

}  // namespace banyan::verify
