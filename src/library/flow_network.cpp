#include "library/flow_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ask/link_speed.hpp"
#include "base/progress.hpp"
#include "library/given.hpp"

namespace banyan::library {
namespace {

constexpr double seconds_per_metre = 5e-9, infinite = std::numeric_limits<double>::infinity();

RateOptions rate_options(const FlowNetworkOptions& options) {
  RateOptions out;
  out.link = options.link.value;
  if (options.nic.value > 0) out.host = options.nic.value;
  return out;
}

void refuse_past(double time, double now) {
  if (!(time >= now)) throw InputError(fmt::format("time {} s is in the past: it is {} s", time, now));
}

// True while it is there, also where an exception ends that.
class While {
 public:
  explicit While(bool& truth) : truth_(truth) { truth_ = true; }
  ~While() { truth_ = false; }
  While(const While&) = delete;
  While& operator=(const While&) = delete;

 private:
  bool& truth_;
};

}  // namespace

FlowNetworkOptions network_options(const OpenRouting& routing, const Texts& texts) {
  Given given(texts);
  auto out = given.take<FlowNetworkOptions>();
  given.finish(option_infos<FlowNetworkOptions>);
  out.link = ask::link_speed(routing.fabric->loaded, out.link, given.has("link"));
  return out;
}

FlowNetwork::FlowNetwork(RoutingPtr routing, const FlowNetworkOptions& options, Arrived arrived)
    : routing_(std::move(routing)),
      options_(options),
      arrived_(std::move(arrived)),
      fluid_(routing_->fabric->loaded.topology.fabric, rate_options(options)) {}

void FlowNetwork::send(u32 from, u32 to, u64 bytes, u64 tag, double weight) {
  const Fabric& fabric = routing_->fabric->loaded.topology.fabric;
  for (const u32 host : {from, to})
    if (host >= fabric.hosts())
      throw InputError(fmt::format("there is no host {}: they are 0 to {}", host, fabric.hosts() - 1));
  constexpr double max_weight = 1e6;  // so that sums of weights keep the small ones
  if (!(weight >= 1 / max_weight && weight <= max_weight))
    throw InputError(fmt::format("a weight of {}: expected 1e-6 to 1e6", weight));
  const Flow flow{fabric.nic(Host{from}), fabric.nic(Host{to}), static_cast<double>(bytes)};
  list_channels(fabric, routing_->routing, std::span(&flow, 1), Demands::bytes, way_);
  const u32 hops = way_.hops[0];
  const Message message{{tag, from, to, bytes, now_, 0},
                        options_.overhead.value + hops * options_.cable.value * seconds_per_metre +
                            (hops > 0 ? hops - 1 : 0) * options_.switch_delay.value};
  if (bytes == 0 || way_.channels.empty()) return land_later(message, now_);
  forget_ended();
  const u32 number = fluid_.append(way_, std::span(&flow, 1), std::span(&weight, 1));
  messages_.push_back(message);
  fluid_.advance(now_);
  fluid_.begin(number, now_);
  ++flowing_;
}

// Twice as many as flow, so that each message costs a constant time.
void FlowNetwork::forget_ended() {
  constexpr std::size_t always = 1024;
  if (messages_.size() < always + 2 * flowing_) return;
  fluid_.forget([&](u32 before, u32 now) { messages_[now] = messages_[before]; });
  messages_.resize(flowing_);
}

void FlowNetwork::at(double time, std::function<void()> f) {
  refuse_past(time, now_);
  events_.emplace(Key{time, number_++}, std::move(f));
}

void FlowNetwork::land_later(const Message& message, double left) {
  ++flying_;
  landings_.push_back({{std::max(now_, left + message.latency), number_++}, message.arrival});
  std::push_heap(landings_.begin(), landings_.end(), std::greater<>());
}

void FlowNetwork::land() {
  Arrival arrival = landings_.front().arrival;
  std::pop_heap(landings_.begin(), landings_.end(), std::greater<>());
  landings_.pop_back();
  --flying_;
  arrival.time = now_;
  arrived_(arrival);
}

FlowNetwork::Key FlowNetwork::first_event() const {
  Key out{infinite, 0};
  if (!landings_.empty()) out = landings_.front().key;
  if (!events_.empty()) out = std::min(out, events_.begin()->first);
  return out;
}

double FlowNetwork::next() { return std::min(first_event().time, fluid_.next()); }

void FlowNetwork::advance(double until) {
  if (is_advancing_) throw InputError("the network is being advanced: what it calls may not advance it");
  refuse_past(until, now_);
  is_stopped_ = false;
  const While advancing(is_advancing_);
  for (double time = next(); std::isfinite(time) && time <= until; time = next()) {
    now_ = std::max(now_, time);
    if (fluid_.next() <= time) {
      fluid_.step([&](u32 flow, double left) {
        --flowing_;
        land_later(messages_[flow], left);
      });
      continue;
    }
    if (interrupted()) throw Interrupted();
    if (events_.empty() || first_event() < events_.begin()->first)
      land();
    else
      events_.extract(events_.begin()).mapped()();
    if (is_stopped_) return;
  }
  if (std::isfinite(until)) now_ = std::max(now_, until);
}

}  // namespace banyan::library
