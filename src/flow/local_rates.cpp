#include "flow/local_rates.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "base/large_pages.hpp"
#include "flow/linear_program.hpp"

namespace banyan::flow {
namespace {

constexpr u32 no_bottleneck = LocalRates::none_stops;
constexpr double just_above = 1 + 1e-11;   // rounding: rates that are so close are equal
constexpr std::size_t always_spent = 256;  // entries that an update may look at in any case

}  // namespace

LocalRates::LocalRates(const RateSolver& solver, const Incidence& all)
    : solver_(solver), all_(all), fill_(solver.capacities().size(), Fill{0, 0, 0, 0}) {
  base::reserve_large(on_, solver.capacities().size());
  on_.resize(solver.capacities().size());
  grow();
}

void LocalRates::grow() {
  BANYAN_ASSERT(all_.channels.size() < ~u32{0}, "places in the list of channels fit into 32 bits");
  base::reserve_large(place_, all_.channels.size());
  place_.resize(all_.channels.size());
  base::reserve_large(flows_, all_.flows());
  flows_.resize(all_.flows());
}

void LocalRates::renumber(std::span<const u32> kept, const std::vector<bool>& active,
                          std::span<const u64> first) {
  BANYAN_HOT_ASSERT(is_current(), "rates are current before they are read");
  std::vector<u32> place(all_.channels.size());
  for (u32 flow = 0; flow < kept.size(); ++flow) {
    flows_[flow] = flows_[kept[flow]];  // places never lie behind the old numbers
    for (u64 at = all_.first[flow], old = first[kept[flow]]; at < all_.first[flow + 1]; ++at, ++old) {
      place[at] = place_[old];
      if (active[flow])
        on_[index(all_.channels[at])].flows[place[at]] = {flow, static_cast<u32>(at), all_.shares[at]};
    }
  }
  place_ = std::move(place);
  grow();
}

void LocalRates::add(u32 flow) {
  for (u64 at = all_.first[flow]; at < all_.first[flow + 1]; ++at) {
    FlowList& here = on_[index(all_.channels[at])].flows;
    place_[at] = here.size();
    here.push_back({flow, static_cast<u32>(at), all_.shares[at]});
  }
  begun_.push_back(flow);
  flows_[flow] = {};
  ++active_;
  entries_ += all_.channels_of(flow).size();
}

void LocalRates::remove(u32 flow) {
  for (u64 at = all_.first[flow]; at < all_.first[flow + 1]; ++at) {
    const u32 channel = index(all_.channels[at]);
    FlowList& here = on_[channel].flows;
    const Entry last = here.back();
    here[place_[at]] = last;
    place_[last.at] = place_[at];
    here.pop_back();
    if (!here.empty()) touched_.push_back(channel);
  }
  std::erase(begun_, flow);
  --active_;
  entries_ -= all_.channels_of(flow).size();
}

double LocalRates::carried(u32 channel) const {
  BANYAN_HOT_ASSERT(is_current(), "rates are current before they are read");
  double out = 0;
  for (const Entry& entry : on_[channel].flows) out += entry.share * flows_[entry.flow].rate;
  return out;
}

void LocalRates::update() {
  changed_.clear();
  area_.clear();
  if (is_current()) return;
  if (solver_.is_alone()) {
    go_alone();
  } else if (solver_.model() == RateModel::contention) {
    contend();
  } else {
    if (2 * begun_.size() > active_ || !follow()) compute_all();
    keep();
  }
  begun_.clear();
  touched_.clear();
  resized_.clear();
}

// A flow gets the capacity divided by the number of flows on the worst of its channels.
void LocalRates::contend() {
  touched_.insert(touched_.end(), resized_.begin(), resized_.end());
  for (const u32 flow : begun_)
    for (const Channel c : all_.channels_of(flow)) touched_.push_back(index(c));
  for (const u32 channel : touched_)
    for (const Entry& entry : on_[channel].flows) join(entry.flow);
  for (const u32 flow : area_) {
    flows_[flow].new_rate = unlimited;
    for (const Channel c : all_.channels_of(flow)) {
      double weight = 0;
      for (const Entry& entry : on_[index(c)].flows) weight += entry.share;
      flows_[flow].new_rate = std::min(flows_[flow].new_rate, solver_.capacities()[index(c)] / weight);
    }
    flows_[flow].new_bottleneck = no_bottleneck;
  }
  keep();
}

void LocalRates::go_alone() {
  for (const u32 flow : begun_) join(flow);
  for (const u32 channel : resized_)
    for (const Entry& entry : on_[channel].flows) join(entry.flow);
  for (const u32 flow : area_) {
    flows_[flow].new_rate = unlimited;
    flows_[flow].new_bottleneck = no_bottleneck;
    for (u64 at = all_.first[flow]; at < all_.first[flow + 1]; ++at)
      flows_[flow].new_rate =
          std::min(flows_[flow].new_rate, solver_.capacities()[index(all_.channels[at])] / all_.shares[at]);
  }
  keep();
}

void LocalRates::join(u32 flow) {
  if (flows_[flow].stage != outside) return;
  flows_[flow].stage = rising;
  area_.push_back(flow);
}

bool LocalRates::follow() {
  heap_.clear();
  ++stamp_;
  spent_ = 0;
  level_ = 0;
  plan_first();
  while (!heap_.empty()) {
    const Level top = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.pop_back();
    if (on_[top.channel].next.rate != top.rate) continue;  // it was planned again
    on_[top.channel].next.rate = unlimited;
    if (spent_ > always_spent + 2 * entries_) return filled_ += area_.size(), false;
    bool is_released = false;
    const double rate = next_change(top.channel, is_released);
    if (rate == unlimited) continue;
    if (!heap_.empty() && Level{rate, top.channel} > heap_.front()) {
      plan(rate, top.channel);
      continue;
    }
    level_ = rate;
    if (is_released)
      release(top.channel);
    else
      fill_up(top.channel, rate);
  }
  filled_ += area_.size();
  for (const u32 flow : area_)  // nothing is in their way
    if (flows_[flow].stage == rising)
      flows_[flow].new_rate = unlimited, flows_[flow].new_bottleneck = no_bottleneck;
  return true;
}

// What differs from the beginning: flows that began, and channels that lost flows or have other capacities.
void LocalRates::plan_first() {
  for (const u32 flow : begun_) join(flow);
  channels_.clear();
  const auto note = [&](u32 channel) {
    if (on_[channel].next.stamp == stamp_) return;
    on_[channel].next = {unlimited, stamp_};
    channels_.push_back(channel);
  };
  for (const u32 flow : begun_)
    for (const Channel c : all_.channels_of(flow)) note(index(c));
  for (const u32 channel : touched_) note(channel);
  for (const u32 channel : resized_) note(channel);
  for (const u32 channel : channels_) {
    bool is_released = false;
    const double rate = next_change(channel, is_released);
    if (rate == unlimited) continue;
    on_[channel].next.rate = rate;
    heap_.push_back({rate, channel});
  }
  std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
}

// The rate at which something happens on a channel as far as is known: its flows stop, or those that it
// stopped are released.
double LocalRates::next_change(u32 channel, bool& is_released) {
  double stopped_at = unlimited;  // the flows that it stopped before
  const double full = full_at(channel, stopped_at);
  is_released = full > stopped_at * just_above;
  return std::max(level_, is_released ? stopped_at : full);
}

// Something differs on a channel from the present rate on.
void LocalRates::touch(u32 channel) {
  if (on_[channel].next.stamp != stamp_ || on_[channel].next.rate > level_) plan(level_, channel);
}

void LocalRates::plan(double rate, u32 channel) {
  on_[channel].next = {rate, stamp_};
  heap_.push_back({rate, channel});
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

// At which rate a channel is full if flows that rise are stopped by it, and flows outside the area that it
// did not stop before stop where they did.
double LocalRates::full_at(u32 channel, double& stopped_at) {
  double left = solver_.capacities()[channel], weight = 0;
  bool has_rising = false;
  capped_.clear();
  spent_ += on_[channel].flows.size();
  for (const Entry& entry : on_[channel].flows) {
    const double share = entry.share, rate = flows_[entry.flow].rate;
    const u32 state = flows_[entry.flow].stage;
    if (state == stopped) {
      left -= share * flows_[entry.flow].new_rate;
    } else if (state == rising || flows_[entry.flow].bottleneck == channel) {
      weight += share;
      has_rising = true;
      if (state == outside) stopped_at = std::min(stopped_at, rate);
    } else if (rate <= level_) {
      left -= share * rate;
    } else {
      capped_.push_back({rate, share});
    }
  }
  return rise(left, weight, has_rising);
}

// Where `left` is used up by flows of this weight that rise, and by the capped ones.
double LocalRates::rise(double left, double weight, bool has_rising) {
  double sum = weight;
  for (const Capped& one : capped_) sum += one.share;
  for (;;) {
    if (capped_.empty() && !has_rising) return unlimited;
    const double rate = std::max(0.0, left) / sum;
    const auto end = std::remove_if(capped_.begin(), capped_.end(), [&](const Capped& one) {
      if (one.rate >= rate) return false;
      left -= one.share * one.rate;
      return true;
    });
    if (end == capped_.end()) return rate;
    spent_ += capped_.size();
    capped_.erase(end, capped_.end());
    sum = weight;
    for (const Capped& one : capped_) sum += one.share;
  }
}

// The flows that the channel stopped rise on.
void LocalRates::release(u32 channel) {
  for (const Entry& entry : on_[channel].flows) {
    if (flows_[entry.flow].stage != outside || flows_[entry.flow].bottleneck != channel) continue;
    join(entry.flow);
    for (const Channel c : all_.channels_of(entry.flow)) touch(index(c));
  }
}

void LocalRates::fill_up(u32 channel, double rate) {
  for (const Entry& entry : on_[channel].flows) {
    const u32 state = flows_[entry.flow].stage;
    if (state == rising || (state == outside && flows_[entry.flow].rate > rate * just_above))
      stop_at(entry.flow, rate, channel);
  }
}

// A flow that has risen since it began or was released: its channels are planned already. Another one stops
// earlier than before.
void LocalRates::stop_at(u32 flow, double rate, u32 channel) {
  const bool is_earlier = flows_[flow].stage == outside;
  join(flow);
  flows_[flow].stage = stopped;
  flows_[flow].new_rate = rate;
  flows_[flow].new_bottleneck = channel;
  if (!is_earlier) return;
  for (const Channel c : all_.channels_of(flow))
    if (index(c) != channel && !is_planned(index(c))) touch(index(c));
}

void LocalRates::compute_all() {
  for (const u32 flow : area_) flows_[flow].stage = outside;
  area_.clear();
  for (const OnChannel& here : on_)
    for (const Entry& entry : here.flows) join(entry.flow);
  fill();
}

void LocalRates::start_heap() {
  ++stamp_;
  channels_.clear();
  for (const u32 flow : area_) {
    flows_[flow].stage = rising;
    for (u64 at = all_.first[flow]; at < all_.first[flow + 1]; ++at) {
      const u32 channel = index(all_.channels[at]);
      Fill& fill = fill_[channel];
      if (fill.stamp != stamp_) {
        fill = {solver_.capacities()[channel], 0, 0, stamp_};
        channels_.push_back(channel);
        for (const Entry& entry : on_[channel].flows)
          if (flows_[entry.flow].stage == outside) fill.left -= entry.share * flows_[entry.flow].rate;
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
    if (top.rate == unlimited) break;
    const Fill& fill = fill_[top.channel];
    if (fill.rising > 0) {
      const double now = std::max(0.0, fill.left / fill.weight);
      if (now > top.rate) {
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        heap_.back().rate = now;
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
        continue;
      }
      for (const Entry& entry : on_[top.channel].flows)
        if (flows_[entry.flow].stage == rising) stop(entry.flow, top.rate, top.channel);
    }
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.pop_back();
  }
  for (const u32 flow : area_)  // nothing is in their way
    if (flows_[flow].stage == rising)
      flows_[flow].new_rate = unlimited, flows_[flow].new_bottleneck = no_bottleneck;
}

void LocalRates::stop(u32 flow, double rate, u32 channel) {
  flows_[flow].new_rate = rate;
  flows_[flow].new_bottleneck = channel;
  flows_[flow].stage = stopped;
  for (u64 at = all_.first[flow]; at < all_.first[flow + 1]; ++at) {
    Fill& fill = fill_[index(all_.channels[at])];
    fill.left -= all_.shares[at] * rate;
    fill.weight -= all_.shares[at];
    --fill.rising;
  }
}

void LocalRates::keep() {
  for (const u32 flow : area_) {
    flows_[flow].stage = outside;
    flows_[flow].bottleneck = flows_[flow].new_bottleneck;
    if (flows_[flow].rate == flows_[flow].new_rate) continue;
    flows_[flow].rate = flows_[flow].new_rate;
    changed_.push_back(flow);
  }
}

}  // namespace banyan::flow
