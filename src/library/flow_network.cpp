#include "library/flow_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/progress.hpp"

namespace banyan::library {
namespace {

constexpr double seconds_per_metre = 5e-9, infinite = std::numeric_limits<double>::infinity();
constexpr double almost_none = 1e-9;  // of a message: less than that is rounding

RateOptions rate_options(const FlowNetworkOptions& options) {
  RateOptions out;
  out.link = options.link.value;
  if (options.nic.value > 0) out.host = options.nic.value;
  return out;
}

void refuse_past(double time, double now) {
  if (!(time >= now)) throw InputError(fmt::format("time {} s is in the past: it is {} s", time, now));
}

}  // namespace

FlowNetwork::FlowNetwork(RoutingPtr routing, const FlowNetworkOptions& options, Arrived arrived)
    : routing_(std::move(routing)),
      options_(options),
      arrived_(std::move(arrived)),
      solver_(routing_->fabric->loaded.topology.fabric, rate_options(options)) {}

void FlowNetwork::send(u32 from, u32 to, u64 bytes, u64 tag) {
  const Fabric& fabric = routing_->fabric->loaded.topology.fabric;
  for (const u32 host : {from, to})
    if (host >= fabric.hosts())
      throw InputError(fmt::format("there is no host {}: they are 0 to {}", host, fabric.hosts() - 1));
  const Flow flow{fabric.nic(Host{from}), fabric.nic(Host{to}), static_cast<double>(bytes)};
  const Incidence way = incidence(fabric, routing_->routing, std::span(&flow, 1), Demands::bytes);
  const u32 hops = way.hops[0];
  Message message{{tag, from, to, bytes, now_, 0},
                  static_cast<double>(bytes),
                  0,
                  options_.overhead.value + hops * options_.cable.value * seconds_per_metre +
                      (hops > 0 ? hops - 1 : 0) * options_.switch_delay.value};
  if (bytes == 0 || way.channels.empty()) return land_later(message);
  active_.push_back(message);
  listed_.channels.insert(listed_.channels.end(), way.channels.begin(), way.channels.end());
  listed_.shares.insert(listed_.shares.end(), way.shares.begin(), way.shares.end());
  listed_.hops.push_back(hops);
  listed_.first.push_back(listed_.channels.size());
  is_solved_ = false;
}

void FlowNetwork::at(double time, std::function<void()> f) {
  refuse_past(time, now_);
  events_.emplace(Key{time, number_++}, std::move(f));
}

void FlowNetwork::land_later(const Message& message) {
  ++flying_;
  at(now_ + message.latency, [this, arrival = message.arrival]() mutable {
    --flying_;
    arrival.time = now_;
    arrived_(arrival);
  });
}

void FlowNetwork::solve() {
  if (is_solved_) return;
  const std::vector<double>& rates = solver_.solve(listed_);
  for (std::size_t i = 0; i < active_.size(); ++i) active_[i].rate = rates[i];
  is_solved_ = true;
}

double FlowNetwork::next() {
  solve();
  double out = events_.empty() ? infinite : events_.begin()->first.time;
  for (const Message& message : active_) out = std::min(out, now_ + message.left / message.rate);
  return out;
}

void FlowNetwork::drain(double until) {
  for (Message& message : active_) message.left -= message.rate * (until - now_);
  now_ = until;
}

void FlowNetwork::land() {
  std::vector<u32> kept;
  for (u32 i = 0; i < active_.size(); ++i) {
    const Message& message = active_[i];
    // So little is left that the clock does not show it, or that it is rounding.
    const bool is_over = message.left <= almost_none * static_cast<double>(message.arrival.bytes) ||
                         now_ + message.left / message.rate <= now_;
    is_over ? land_later(message) : kept.push_back(i);
  }
  if (kept.size() == active_.size()) return;
  Incidence left;
  select(listed_, kept, left);
  listed_ = std::move(left);
  for (std::size_t i = 0; i < kept.size(); ++i) active_[i] = active_[kept[i]];
  active_.resize(kept.size(), Message{});
  is_solved_ = false;
}

void FlowNetwork::advance(double until) {
  refuse_past(until, now_);
  is_stopped_ = false;
  for (double time = next(); std::isfinite(time) && time <= until; time = next()) {
    drain(time);
    land();
    while (!events_.empty() && events_.begin()->first.time <= now_) {
      if (interrupted()) throw Interrupted();
      events_.extract(events_.begin()).mapped()();
      if (is_stopped_) return;
    }
  }
  if (std::isfinite(until)) drain(until);
}

}  // namespace banyan::library
