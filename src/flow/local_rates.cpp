#include "flow/local_rates.hpp"

#include <algorithm>
#include <cassert>

#include "flow/linear_program.hpp"

namespace banyan::flow {
namespace {

constexpr u32 no_bottleneck = LocalRates::none_stops;
constexpr double nearly = 1 - 1e-9;  // rounding: a channel is full, two rates are equal
constexpr u32 patient_fillings = 4;  // then the area grows by whole channels

}  // namespace

LocalRates::LocalRates(const RateSolver& solver, const Incidence& all)
    : solver_(solver),
      all_(all),
      on_(solver.capacities().size()),
      fill_(solver.capacities().size(), Fill{0, 0, 0, 0}) {
  grow();
}

void LocalRates::grow() {
  assert(all_.channels.size() < ~u32{0});
  place_.resize(all_.channels.size());
  rate_.resize(all_.flows(), 0);
  new_rate_.resize(all_.flows());
  bottleneck_.resize(all_.flows(), no_bottleneck);
  new_bottleneck_.resize(all_.flows());
  state_.resize(all_.flows(), outside);
}

void LocalRates::renumber(std::span<const u32> kept, const std::vector<bool>& active,
                          std::span<const u64> first) {
  assert(is_current());
  std::vector<u32> place(all_.channels.size());
  for (u32 flow = 0; flow < kept.size(); ++flow) {
    rate_[flow] = rate_[kept[flow]];  // places never lie behind the old numbers
    bottleneck_[flow] = bottleneck_[kept[flow]];
    for (u64 at = all_.first[flow], old = first[kept[flow]]; at < all_.first[flow + 1]; ++at, ++old) {
      place[at] = place_[old];
      if (active[flow]) on_[index(all_.channels[at])][place[at]] = {flow, static_cast<u32>(at)};
    }
  }
  place_ = std::move(place);
  grow();
}

void LocalRates::add(u32 flow) {
  for (u64 at = all_.first[flow]; at < all_.first[flow + 1]; ++at) {
    auto& here = on_[index(all_.channels[at])];
    place_[at] = static_cast<u32>(here.size());
    here.push_back({flow, static_cast<u32>(at)});
  }
  begun_.push_back(flow);
  rate_[flow] = 0;
  bottleneck_[flow] = no_bottleneck;
  ++active_;
}

void LocalRates::remove(u32 flow) {
  for (u64 at = all_.first[flow]; at < all_.first[flow + 1]; ++at) {
    const u32 channel = index(all_.channels[at]);
    auto& here = on_[channel];
    const Entry last = here.back();
    here[place_[at]] = last;
    place_[last.at] = place_[at];
    here.pop_back();
    if (!here.empty()) touched_.push_back(channel);
  }
  std::erase(begun_, flow);
  --active_;
}

double LocalRates::carried(u32 channel) const {
  assert(is_current());
  double out = 0;
  for (const Entry& entry : on_[channel]) out += all_.shares[entry.at] * rate_[entry.flow];
  return out;
}

void LocalRates::update() {
  changed_.clear();
  if (is_current()) return;
  if (solver_.is_alone()) {
    go_alone();
  } else if (solver_.model() == RateModel::contention) {
    contend();
  } else {
    begin_area();
    std::size_t spent = 0;
    for (u32 filling = 0;; ++filling) {
      const std::size_t before = area_.size();
      spent += before;
      fill();
      if (before == active_) break;  // nobody is left outside
      widen(filling >= patient_fillings);
      if (area_.size() == before) break;
      // What was spent would have been enough for all: so an update costs at most two computations of all.
      if (spent + area_.size() > active_)
        for (const std::vector<Entry>& here : on_)
          for (const Entry& entry : here) join(entry.flow);
    }
    keep();
  }
  begun_.clear();
  touched_.clear();
  resized_.clear();
}

// A flow gets the capacity divided by the number of flows on the worst of its channels.
void LocalRates::contend() {
  area_.clear();
  touched_.insert(touched_.end(), resized_.begin(), resized_.end());
  for (const u32 flow : begun_)
    for (const Channel c : all_.channels_of(flow)) touched_.push_back(index(c));
  for (const u32 channel : touched_)
    for (const Entry& entry : on_[channel]) join(entry.flow);
  for (const u32 flow : area_) {
    new_rate_[flow] = unlimited;
    for (const Channel c : all_.channels_of(flow)) {
      double weight = 0;
      for (const Entry& entry : on_[index(c)]) weight += all_.shares[entry.at];
      new_rate_[flow] = std::min(new_rate_[flow], solver_.capacities()[index(c)] / weight);
    }
    new_bottleneck_[flow] = no_bottleneck;
  }
  keep();
}

void LocalRates::go_alone() {
  area_.clear();
  for (const u32 flow : begun_) join(flow);
  for (const u32 channel : resized_)
    for (const Entry& entry : on_[channel]) join(entry.flow);
  for (const u32 flow : area_) {
    new_rate_[flow] = unlimited;
    new_bottleneck_[flow] = no_bottleneck;
    for (u64 at = all_.first[flow]; at < all_.first[flow + 1]; ++at)
      new_rate_[flow] =
          std::min(new_rate_[flow], solver_.capacities()[index(all_.channels[at])] / all_.shares[at]);
  }
  keep();
}

void LocalRates::join(u32 flow) {
  if (state_[flow] != outside) return;
  state_[flow] = rising;
  area_.push_back(flow);
}

// Those that began, those whose bottleneck got or lost a flow, and those on a channel of another capacity.
void LocalRates::begin_area() {
  area_.clear();
  ++stamp_;
  const auto join_stopped_at = [&](u32 channel) {
    if (fill_[channel].stamp == stamp_) return;  // many flows may begin on one channel: it is looked at once
    fill_[channel].stamp = stamp_;
    for (const Entry& entry : on_[channel])
      if (bottleneck_[entry.flow] == channel) join(entry.flow);
  };
  for (const u32 flow : begun_) {
    join(flow);
    for (const Channel c : all_.channels_of(flow)) join_stopped_at(index(c));
  }
  for (const u32 channel : touched_) join_stopped_at(channel);
  for (const u32 channel : resized_)
    for (const Entry& entry : on_[channel]) join(entry.flow);
}

void LocalRates::start_heap() {
  ++stamp_;
  channels_.clear();
  for (const u32 flow : area_) {
    state_[flow] = rising;
    for (u64 at = all_.first[flow]; at < all_.first[flow + 1]; ++at) {
      const u32 channel = index(all_.channels[at]);
      Fill& fill = fill_[channel];
      if (fill.stamp != stamp_) {
        fill = {solver_.capacities()[channel], 0, 0, stamp_};
        channels_.push_back(channel);
        for (const Entry& entry : on_[channel])
          if (state_[entry.flow] == outside) fill.left -= all_.shares[entry.at] * rate_[entry.flow];
        fill.left = std::max(fill.left, 0.0);
      }
      fill.weight += all_.shares[at];
      ++fill.rising;
    }
  }
  heap_.clear();
  for (const u32 channel : channels_) heap_.push_back({fill_[channel].left / fill_[channel].weight, channel});
  std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
}

// Progressive filling. The level at which a channel is full only rises while flows stop below it, so a
// channel is looked at when it comes to the top of the heap.
void LocalRates::fill() {
  filled_ += area_.size();
  start_heap();
  while (!heap_.empty()) {
    const Level top = heap_.front();
    const Fill& fill = fill_[top.channel];
    if (fill.rising > 0) {
      const double now = std::max(0.0, fill.left / fill.weight);
      if (now > top.rate) {
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        heap_.back().rate = now;
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
        continue;
      }
      for (const Entry& entry : on_[top.channel])
        if (state_[entry.flow] == rising) stop(entry.flow, top.rate, top.channel);
    }
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.pop_back();
  }
  for (const u32 flow : area_)  // nothing is in their way
    if (state_[flow] == rising) new_rate_[flow] = unlimited, new_bottleneck_[flow] = no_bottleneck;
}

void LocalRates::stop(u32 flow, double rate, u32 channel) {
  new_rate_[flow] = rate;
  new_bottleneck_[flow] = channel;
  state_[flow] = stopped;
  for (u64 at = all_.first[flow]; at < all_.first[flow + 1]; ++at) {
    Fill& fill = fill_[index(all_.channels[at])];
    fill.left -= all_.shares[at] * rate;
    fill.weight -= all_.shares[at];
    --fill.rising;
  }
}

void LocalRates::widen(bool fast) {
  for (const u32 channel : channels_) widen_on(channel, fast);
}

// Flows outside the area that are faster than one that stops here, or that stopped here and may no more.
void LocalRates::widen_on(u32 channel, bool fast) {
  double used = 0, fastest = 0, stops_at = unlimited;
  bool is_all = true;
  for (const Entry& entry : on_[channel]) {
    const bool is_outside = state_[entry.flow] == outside;
    const double rate = is_outside ? rate_[entry.flow] : new_rate_[entry.flow];
    used += all_.shares[entry.at] * rate;
    fastest = std::max(fastest, rate);
    if (is_outside)
      is_all = false;
    else if (new_bottleneck_[entry.flow] == channel)
      stops_at = std::min(stops_at, rate);
  }
  if (is_all) return;
  const bool is_full = used >= solver_.capacities()[channel] * nearly;
  for (const Entry& entry : on_[channel]) {
    const u32 flow = entry.flow;
    if (state_[flow] != outside) continue;
    const bool is_too_fast = rate_[flow] * nearly > stops_at;
    const bool is_loose = bottleneck_[flow] == channel && (!is_full || rate_[flow] < fastest * nearly);
    if (fast || is_too_fast || is_loose) join(flow);
  }
}

void LocalRates::keep() {
  for (const u32 flow : area_) {
    state_[flow] = outside;
    bottleneck_[flow] = new_bottleneck_[flow];
    if (rate_[flow] == new_rate_[flow]) continue;
    rate_[flow] = new_rate_[flow];
    changed_.push_back(flow);
  }
}

}  // namespace banyan::flow
