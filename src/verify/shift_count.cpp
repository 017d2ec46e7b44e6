#include "verify/shift_count.hpp"

namespace banyan::verify {

void ShiftCounter::begin(std::span<const Channel> channels) {
  for (Channel c : channels_) place_[c] = none_here;
  channels_.assign(channels.begin(), channels.end());
  for (u32 i = 0; i < channels_.size(); ++i) place_[channels_[i]] = i;
  open_.assign(channels_.size(), {});
  arcs_.clear();
}

void ShiftCounter::add(Channel c, u32 to, const std::vector<ShiftOrigin::Hosts>& hosts, u64 units) {
  const u32 place = place_[c];
  for (const auto [lo, hi] : hosts) {
    Arc& open = open_[place];
    if (open.units == units && open.to == to && open.hi + 1 == lo) {
      open.hi = hi;
    } else {
      close(place);
      open = {place, to, lo, hi, units};
    }
  }
}

void ShiftCounter::close(u32 place) {
  if (open_[place].units) arcs_.push_back(open_[place]);
}

WorstShift ShiftCounter::worst() {
  for (u32 place = 0; place < channels_.size(); ++place) close(place);
  open_.assign(channels_.size(), {});
  std::vector<u32> first(channels_.size() + 1), order(arcs_.size());
  for (const Arc& arc : arcs_) ++first[arc.place + 1];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  std::vector<u32> next = first;
  for (u32 i = 0; i < arcs_.size(); ++i) order[next[arcs_[i].place]++] = i;
  WorstShift out;
  for (u32 place = 0; place < channels_.size(); ++place)
    out.take(
        sweep(channels_[place], std::span(order).subspan(first[place], first[place + 1] - first[place])));
  return out;
}

WorstShift ShiftCounter::sweep(Channel c, std::span<const u32> arcs) {
  std::fill(change_.begin(), change_.end(), 0);
  for (u32 i : arcs) {
    const Arc& arc = arcs_[i];
    const u32 begin = (arc.to + ring_ - arc.hi) % ring_, end = (arc.to + ring_ - arc.lo) % ring_ + 1;
    change_[begin] += static_cast<i64>(arc.units);
    change_[end] -= static_cast<i64>(arc.units);
    if (begin >= end) change_[0] += static_cast<i64>(arc.units);  // around the end
  }
  WorstShift out{0, 0, c};
  i64 load = change_[0], maximum = 0;
  for (u32 s = 1; s < ring_; ++s) {
    load += change_[s];
    if (load > maximum) maximum = load, out.shift = s;
  }
  out.units = static_cast<u64>(maximum);
  return out;
}

}  // namespace banyan::verify
