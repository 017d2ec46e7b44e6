#include "flow/fluid.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "base/assert.hpp"
#include "base/large_pages.hpp"

namespace banyan::flow {
namespace {

constexpr double together = 1 + 1e-9;  // ends so close to each other are one event
constexpr double rounding = 1e-15;     // of times

void weigh(Incidence& listed, u64 first, std::span<const double> weights) {
  for (std::size_t f = 0; f < weights.size(); ++f)
    for (u64 i = listed.first[first + f]; i < listed.first[first + f + 1]; ++i)
      listed.shares[i] *= weights[f];
}

Incidence weighted(Incidence listed, std::span<const double> weights) {
  weigh(listed, 0, weights);
  return listed;
}

}  // namespace

Fluid::Fluid(const Fabric& fabric, const RateOptions& options, const Incidence& all,
             std::span<const Flow> flows, double resolution, std::span<const double> weights)
    : solver_(fabric, options),
      own_(solver_.limits_nics() ? weighted(solver_.with_nics(all), weights)
           : weights.empty()     ? Incidence{}
                                 : weighted(all, weights)),
      all_(solver_.limits_nics() || !weights.empty() ? own_ : all),
      rates_(solver_, all_),
      resolution_(resolution) {
  base::reserve_large(messages_, flows.size());
  add_messages(all, flows, weights);
}

Fluid::Fluid(const Fabric& fabric, const RateOptions& options, double resolution)
    : solver_(fabric, options), all_(own_), rates_(solver_, all_), resolution_(resolution) {}

void Fluid::add_messages(const Incidence& listed, std::span<const Flow> flows,
                         std::span<const double> weights) {
  for (std::size_t f = 0; f < flows.size(); ++f) {
    Message message{.left = listed.channels_of(f).empty() ? 0 : flows[f].demand};
    if (!weights.empty()) message.weight = weights[f];
    BANYAN_HOT_ASSERT(message.weight > 0, "a message has a weight above 0");
    messages_.push_back(message);
  }
  ends_.grow(messages_.size());
}

u32 Fluid::append(const Incidence& more, std::span<const Flow> flows, std::span<const double> weights) {
  BANYAN_HOT_ASSERT(&all_ == &own_, "only flows of its own can be added");
  const u32 first = static_cast<u32>(messages_.size());
  const Incidence& listed = solver_.limits_nics() ? solver_.with_nics(more) : more;
  own_.channels.insert(own_.channels.end(), listed.channels.begin(), listed.channels.end());
  own_.shares.insert(own_.shares.end(), listed.shares.begin(), listed.shares.end());
  own_.hops.insert(own_.hops.end(), listed.hops.begin(), listed.hops.end());
  const u64 before = own_.first.back();
  for (std::size_t f = 0; f < flows.size(); ++f) own_.first.push_back(before + listed.first[f + 1]);
  weigh(own_, first, weights);
  add_messages(more, flows, weights);
  rates_.grow();
  return first;
}

bool Fluid::goes_by(u32 first, const Incidence& ways) {
  const Incidence& listed = solver_.limits_nics() ? solver_.with_nics(ways) : ways;
  for (std::size_t f = 0; f < listed.flows(); ++f) {
    const auto mine = all_.channels_of(first + f), other = listed.channels_of(f);
    if (!std::equal(mine.begin(), mine.end(), other.begin(), other.end())) return false;
    for (std::size_t i = 0; i < mine.size(); ++i)
      if (all_.shares_of(first + f)[i] != listed.shares_of(f)[i] * messages_[first + f].weight) return false;
  }
  return true;
}

void Fluid::forget(const std::function<void(u32 before, u32 now)>& renumbered) {
  BANYAN_ASSERT(&all_ == &own_ && ended_.empty() && watched_.empty(),
                "no end waits to be told when flows are forgotten");
  update();
  std::vector<bool> is_kept(messages_.size());
  for (u32 flow = 0; flow < messages_.size(); ++flow) is_kept[flow] = messages_[flow].is_active;
  for (const Start& start : waiting_) is_kept[start.flow] = true;
  std::vector<u32> kept, number(messages_.size());
  std::vector<bool> active;
  for (u32 flow = 0; flow < messages_.size(); ++flow) {
    if (!is_kept[flow]) continue;
    number[flow] = static_cast<u32>(kept.size());
    messages_[kept.size()] = messages_[flow];
    active.push_back(messages_[flow].is_active);
    renumbered(flow, number[flow]);
    kept.push_back(flow);
  }
  messages_.erase(messages_.begin() + static_cast<std::ptrdiff_t>(kept.size()), messages_.end());
  Incidence before;
  std::swap(before, own_);
  select(before, kept, own_);
  rates_.renumber(kept, active, before.first);
  ends_.renumber(kept.size(), [&](u32 flow) { return number[flow]; });
  for (Start& start : waiting_) start.flow = number[start.flow];
}

void Fluid::set_capacity(Channel c, double capacity) {
  solver_.set_capacity(c, capacity);
  rates_.resize(index(c));
}

void Fluid::replace(std::span<const Successor> successors) {
  std::unordered_map<u32, u32> by;
  for (const Successor& one : successors) {
    by[one.flow] = one.by;
    Message& old = messages_[one.flow];
    if (!old.is_active) continue;
    Message& next = messages_[one.by];
    next.left = std::max(0.0, old.left - old.rate * (now_ - old.since));
    next.since = now_;
    next.order = old.order;
    next.is_active = true;
    old.is_active = false;
    ends_.erase(one.flow);
    rates_.remove(one.flow);
    rates_.add(one.by);
  }
  for (Start& start : waiting_)
    if (const auto found = by.find(start.flow); found != by.end()) start.flow = found->second;
  std::make_heap(waiting_.begin(), waiting_.end(), std::greater<>());
}

void Fluid::watch(std::vector<u32> flows) {
  watched_.assign(messages_.size(), {});
  for (const u32 flow : flows) watched_[flow].alone = rate_alone(flow);
}

double Fluid::rate_alone(u32 flow) const {
  double out = std::numeric_limits<double>::infinity();
  for (u64 i = all_.first[flow]; i < all_.first[flow + 1]; ++i)
    out = std::min(out, solver_.capacity(all_.channels[i]) / all_.shares[i]);
  return out * messages_[flow].weight;
}

// Since its rate changed last.
void Fluid::note_held(u32 flow, double time) {
  if (watched_.empty() || !(watched_[flow].alone > 0)) return;
  Watched& watched = watched_[flow];
  const Message& message = messages_[flow];
  const double lasted = time - message.since, lost = lasted * (1 - message.rate / watched.alone);
  if (lost > 1e-9 * lasted && watched.bottleneck != LocalRates::none_stops)
    held_.push_back({flow, watched.bottleneck, lost});
  watched.bottleneck = rates_.bottleneck(flow);
}

void Fluid::begin(u32 flow, double time) {
  waiting_.push_back({time, flow});
  std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
}

void Fluid::run(const Done& done) {
  while (next() < std::numeric_limits<double>::infinity()) step(done);
}

double Fluid::next() {
  take_starts();
  if (!ended_.empty()) return now_;
  update();
  double out = std::numeric_limits<double>::infinity();
  if (!waiting_.empty()) out = std::max(now_, waiting_.front().time);
  if (!ends_.empty()) out = std::min(out, ends_.front().time);
  return out;
}

void Fluid::step(const Done& done) {
  const double time = next();
  if (ended_.empty()) {
    const double step = time - now_;
    take_ends((now_ + std::max(step * together, step + resolution_)) * (1 + rounding));
    now_ = time;
    take_starts();
  }
  const auto is_earlier = [](const End& a, const End& b) { return a.time < b.time; };
  if (ended_.size() > 1) std::stable_sort(ended_.begin(), ended_.end(), is_earlier);
  reported_.swap(ended_);
  ended_.clear();
  for (const End& end : reported_) done(end.flow, end.time);
}

void Fluid::take_starts() {
  while (!waiting_.empty() && waiting_.front().time <= std::max(now_ * together, now_ + resolution_)) {
    const Start start = waiting_.front();
    std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
    waiting_.pop_back();
    Message& message = messages_[start.flow];
    message.order = order_++;
    if (message.left > 0) {
      message.since = now_;
      message.is_active = true;
      message.rate = 0;
      rates_.add(start.flow);
      ++events_;
      ++active_;
    } else {
      ended_.push_back({start.time, message.order, start.flow});
    }
  }
}

void Fluid::take_ends(double until) {
  while (!ends_.empty() && ends_.front().time <= until) {
    const End end = ends_.front();
    ends_.erase(end.flow);
    note_held(end.flow, end.time);
    messages_[end.flow].is_active = false;
    rates_.remove(end.flow);
    ended_.push_back(end);
    ++events_;
    --active_;
  }
}

// Where a rate changed, so does the end.
void Fluid::update() {
  if (rates_.is_current()) return;
  rates_.update();
  for (const u32 flow : rates_.changed()) {
    note_held(flow, now_);
    Message& message = messages_[flow];
    message.left = std::max(0.0, message.left - message.rate * (now_ - message.since));
    message.since = now_;
    message.rate = rates_.rate(flow) * message.weight;
    const double end = message.left > 0 ? now_ + message.left / message.rate : now_;  // a rate may be 0
    ends_.set({end, message.order, flow});
  }
}

}  // namespace banyan::flow
