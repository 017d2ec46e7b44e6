#include "topology/partition.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/progress.hpp"

namespace banyan::topology {
namespace {

// Hosts and switches that belong together: union by path halving, the smaller number leads.
struct Together {
  std::vector<u32> leader;

  explicit Together(u32 count) : leader(count) { std::iota(leader.begin(), leader.end(), 0); }
  u32 find(u32 i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  }
  void join(u32 a, u32 b) {
    a = find(a), b = find(b);
    leader[std::max(a, b)] = std::min(a, b);
  }
};

}  // namespace

Units::Units(const Fabric& fabric) : order_(fabric.hosts(), none_) {
  order_hosts(fabric);
  const auto unit_of = number(fabric);
  add_arcs(fabric, unit_of);
  add_kinds(fabric, unit_of);
}

void Units::order_hosts(const Fabric& fabric) {
  for (const Host host : IdRange<Host>(fabric.hosts()))
    if (fabric.sends(host)) order_[host] = all_hosts_++;
}

std::vector<u32> Units::number(const Fabric& fabric) {
  const u32 items = hosts() + fabric.switches();
  Together together(items);
  for (Node nic : fabric.nic_nodes())
    for (Channel c : fabric.channels(nic)) {
      if (!fabric.cabled(c)) continue;
      const u32 a = item(fabric, nic), b = item(fabric, fabric.to(c));
      if (a != none_ && b != none_) together.join(a, b);
    }
  std::vector<u32> unit_of(items);
  for (u32 i = 0; i < items; ++i) {
    if (i == hosts()) with_hosts_ = size();
    if (together.find(i) == i) {
      unit_of[i] = size();
      hosts_.push_back(0);
      first_host_.push_back(i);
    } else {
      unit_of[i] = unit_of[together.find(i)];
    }
    if (i < hosts()) largest_ = std::max(largest_, ++hosts_[unit_of[i]]);
  }
  if (fabric.switches() == 0) with_hosts_ = size();
  return unit_of;
}

void Units::add_arcs(const Fabric& fabric, const std::vector<u32>& unit_of) {
  std::vector<std::pair<u32, u32>> ends;
  fabric.each_link([&](Link link) {
    const Node a = fabric.from(link.a), b = fabric.from(link.b);
    if (!fabric.is_switch(a) || !fabric.is_switch(b)) return;
    const u32 from = unit_of[item(fabric, a)], to = unit_of[item(fabric, b)];
    if (from != to) ends.insert(ends.end(), {{from, to}, {to, from}});
  });
  std::sort(ends.begin(), ends.end());
  first_arc_.assign(size() + 1, 0);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (i > 0 && ends[i] == ends[i - 1]) {
      ++arcs_.back().cables;
    } else {
      arcs_.push_back({ends[i].second, 1});
      ++first_arc_[ends[i].first + 1];
    }
  }
  std::partial_sum(first_arc_.begin(), first_arc_.end(), first_arc_.begin());
}

void Units::add_kinds(const Fabric& fabric, const std::vector<u32>& unit_of) {
  std::vector<std::pair<u32, u32>> hosts;  // unit, cables
  for (Host host : IdRange<Host>(fabric.hosts())) {
    if (order_[host] == none_) continue;
    u32 cables = 0;
    for (u32 slot = 0; slot < fabric.nics(host); ++slot)
      cables += fabric.cabled_ports(fabric.node(fabric.nic(host, slot)));
    hosts.emplace_back(unit_of[order_[host]], cables);
    max_cables_ = std::max(max_cables_, cables);
  }
  std::sort(hosts.begin(), hosts.end());
  first_kind_.assign(size() + 1, 0);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (i > 0 && hosts[i] == hosts[i - 1]) {
      ++kinds_.back().count;
    } else {
      kinds_.push_back({hosts[i].second, 1});
      ++first_kind_[hosts[i].first + 1];
    }
  }
  std::partial_sum(first_kind_.begin(), first_kind_.end(), first_kind_.begin());
}

Cut::Cut(const Units& units, Sides sides) : units_(units), sides_(std::move(sides)) {
  for (auto& counts : by_cables_) counts.assign(units.max_cables() + 1, 0);
  for (u32 u = 0; u < units.size(); ++u) {
    count(u, sides_[u], true);
    for (const auto& [to, cables] : units.arcs(u))
      if (u < to && sides_[u] != sides_[to]) between_ += cables;
  }
}

void Cut::count(u32 unit, u8 side, bool arrives) {
  const u32 sign = arrives ? 1 : ~0U;  // unsigned arithmetic wraps
  hosts_[side] += sign * units_.hosts(unit);
  for (const auto& [cables, hosts] : units_.kinds(unit)) by_cables_[side][cables] += sign * hosts;
}

i64 Cut::gain(u32 unit) const {
  i64 gain = 0;
  for (const auto& [to, cables] : units_.arcs(unit))
    gain += sides_[to] == sides_[unit] ? -i64{cables} : i64{cables};
  return gain;
}

void Cut::flip(u32 unit) {
  between_ -= static_cast<u64>(gain(unit));  // wraps back when the gain is negative
  count(unit, sides_[unit], false);
  sides_[unit] ^= 1;
  count(unit, sides_[unit], true);
}

u32 Cut::alone() const {
  const u32 half = (units_.hosts() + 1) / 2, larger = std::max(hosts_[0], hosts_[1]);
  return larger > half ? larger - half : 0;
}

u64 Cut::cost() const {
  u64 cost = between_;
  u32 left = alone();
  const auto& counts = by_cables_[hosts_[1] > hosts_[0]];
  for (u32 cables = 0; left > 0; ++cables) {  // those with the fewest cables go
    const u32 going = std::min(left, counts[cables]);
    cost += u64{going} * cables;
    left -= going;
  }
  return cost;
}

namespace {

// Units by gain, the last one put in first out; a unit is in at most one of the queues that share its links.
class Buckets {
 public:
  struct Links {
    std::vector<u32> next, previous;
  };
  static constexpr u32 end = ~0U;

  Buckets(u32 max_gain, Links& links)
      : max_gain_(max_gain), heads_(2 * std::size_t{max_gain} + 1, end), links_(links) {}

  void insert(u32 unit, i64 gain) {
    u32& head = heads_[slot(gain)];
    links_.next[unit] = head;
    links_.previous[unit] = end;
    if (head != end) links_.previous[head] = unit;
    head = unit;
    top_ = std::max(top_, slot(gain));
  }
  void remove(u32 unit, i64 gain) {
    const u32 next = links_.next[unit], previous = links_.previous[unit];
    if (previous == end)
      heads_[slot(gain)] = next;
    else
      links_.next[previous] = next;
    if (next != end) links_.previous[next] = previous;
  }
  u32 best() {
    while (top_ > 0 && heads_[top_] == end) --top_;
    return heads_[top_];
  }

 private:
  std::size_t slot(i64 gain) const { return static_cast<std::size_t>(gain + max_gain_); }

  u32 max_gain_;
  std::size_t top_ = 0;
  std::vector<u32> heads_;
  Links& links_;
};

u32 max_gain(const Units& units) {
  u64 maximum = 0;
  for (u32 u = 0; u < units.size(); ++u) {
    u64 cables = 0;
    for (const auto& arc : units.arcs(u)) cables += arc.cables;
    maximum = std::max(maximum, cables);
  }
  return static_cast<u32>(maximum);
}

// One pass: every unit changes sides once, always the one that gains most while the sides stay nearly even.
class Pass {
 public:
  Pass(const Units& units, Cut& cut, u32 max_gain)
      : units_(units),
        cut_(cut),
        links_{std::vector<u32>(units.size()), std::vector<u32>(units.size())},
        queues_{Buckets(max_gain, links_), Buckets(max_gain, links_), Buckets(max_gain, links_),
                Buckets(max_gain, links_)},
        gain_(units.size()),
        fixed_(units.size(), false) {
    for (u32 u = 0; u < units.size(); ++u) {
      gain_[u] = cut.gain(u);
      queue(u).insert(u, gain_[u]);
    }
  }

  // Leaves the best cut it met; says whether it is better than before.
  bool run() {
    u64 best = cut_.cost();
    std::vector<u32> flipped;
    std::size_t kept = 0;
    const std::size_t patience = 200 + units_.size() / 4;
    for (u32 unit; flipped.size() < kept + patience && (unit = choose()) != Buckets::end;) {
      flip(unit);
      flipped.push_back(unit);
      if (!cut_.is_allowed() || cut_.cost() >= best) continue;
      best = cut_.cost();
      kept = flipped.size();
    }
    for (std::size_t i = flipped.size(); i > kept; --i) cut_.flip(flipped[i - 1]);
    return kept > 0;
  }

 private:
  // Units with hosts and without are queued apart: the latter may always move.
  Buckets& queue(u32 unit) { return queues_[2 * (units_.hosts(unit) > 0) + cut_.side(unit)]; }

  u32 choose() {
    const u8 larger = cut_.hosts(1) > cut_.hosts(0);
    u32 chosen = Buckets::end;
    const auto consider = [&](u32 unit) {
      if (unit != Buckets::end && (chosen == Buckets::end || gain_[unit] > gain_[chosen])) chosen = unit;
    };
    consider(queues_[larger].best());
    consider(queues_[larger ^ 1].best());
    if (chosen != Buckets::end && gain_[chosen] > 0)
      return chosen;  // before hosts move, all else has settled
    for (u8 side : {larger, static_cast<u8>(larger ^ 1)})
      if (const u32 unit = queues_[2 + side].best(); unit != Buckets::end && has_room(side ^ 1, unit))
        consider(unit);
    return chosen;
  }

  bool has_room(u32 side, u32 unit) const {
    return cut_.hosts(static_cast<u8>(side)) + units_.hosts(unit) <=
           (units_.hosts() + 1) / 2 + units_.largest();
  }

  void flip(u32 unit) {
    queue(unit).remove(unit, gain_[unit]);
    fixed_[unit] = true;
    cut_.flip(unit);
    for (const auto& [to, cables] : units_.arcs(unit)) {
      if (fixed_[to]) continue;
      queue(to).remove(to, gain_[to]);
      gain_[to] += cut_.side(to) == cut_.side(unit) ? -2 * i64{cables} : 2 * i64{cables};
      queue(to).insert(to, gain_[to]);
    }
  }

  const Units& units_;
  Cut& cut_;
  Buckets::Links links_;
  std::array<Buckets, 4> queues_;
  std::vector<i64> gain_;
  std::vector<bool> fixed_;
};

}  // namespace

Sides refine(const Units& units, Sides sides) {
  Cut cut(units, std::move(sides));
  const u32 maximum = max_gain(units);
  while (Pass(units, cut, maximum).run())
    if (interrupted()) throw Interrupted();
  return cut.sides();
}

}  // namespace banyan::topology
