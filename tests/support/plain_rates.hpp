// Rates as one would write them first: shares from listed paths, every channel looked at in every step. The
// real ones are held against it.
#pragma once
#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "flow/rates.hpp"
#include "routing/paths.hpp"

namespace banyan::tests {

// What a flow shares with others: a channel, or a side of a NIC.
struct PlainPort {
  enum Kind { channel, sends, receives } kind;
  u32 number;
  auto operator<=>(const PlainPort&) const = default;
};

struct PlainRates {
  std::map<PlainPort, double> capacity;
  std::vector<std::map<PlainPort, double>> shares;  // by flow
  std::vector<double> maximum;

  PlainRates(const Fabric& fabric, const Routing& routing, const std::vector<Flow>& flows,
             const RateOptions& options, std::vector<double> limits)
      : maximum(std::move(limits)) {
    const double inf = std::numeric_limits<double>::infinity();
    if (maximum.empty()) maximum.assign(flows.size(), inf);
    for (const Flow& flow : flows) {
      auto& share = shares.emplace_back();
      if (flow.from == flow.to) continue;
      for (const RoutedPath& path : paths(fabric, routing, flow.from, flow.to, long_message))
        for (const Channel c : path.channels) share[{PlainPort::channel, index(c)}] += path.weight;
      for (const auto& [port, part] : share)
        capacity[port] = options.link * fabric.link_class(Channel{port.number}).capacity;
      for (const PlainPort& nic :
           {PlainPort{PlainPort::sends, index(flow.from)}, PlainPort{PlainPort::receives, index(flow.to)}}) {
        share[nic] = 1;
        capacity[nic] = options.host;
      }
    }
  }

  // Again and again: the rate at which the next thing is full, or the next flow has enough; its flows stop.
  std::vector<double> max_min() const {
    const double inf = std::numeric_limits<double>::infinity();
    std::vector<double> rate(shares.size(), -1);
    for (;;) {
      double least = inf;
      std::vector<std::size_t> stopping;
      const auto offer = [&](double level, const std::vector<std::size_t>& flows) {
        if (level < least) least = level, stopping = flows;
      };
      for (const auto& [port, whole] : capacity) {
        double left = whole, weight = 0;
        std::vector<std::size_t> rising;
        for (std::size_t f = 0; f < shares.size(); ++f) {
          if (!shares[f].contains(port)) continue;
          if (rate[f] >= 0) left -= rate[f] * shares[f].at(port);
          if (rate[f] < 0) weight += shares[f].at(port), rising.push_back(f);
        }
        if (!rising.empty()) offer(left / weight, rising);
      }
      for (std::size_t f = 0; f < shares.size(); ++f)
        if (rate[f] < 0) offer(maximum[f], {f});
      for (const std::size_t f : stopping) rate[f] = least;
      if (stopping.empty()) break;
    }
    for (double& r : rate)
      if (r < 0) r = inf;
    return rate;
  }

  double load(const PlainPort& port, const std::vector<double>& rate) const {
    double out = 0;
    for (std::size_t f = 0; f < shares.size(); ++f)
      if (shares[f].contains(port)) out += shares[f].at(port) * rate[f];
    return out;
  }

  // The definition: nothing carries more than it can, and every flow has its limit, or a full channel on
  // which no flow is faster.
  bool are_max_min(const std::vector<double>& rate, double tolerance = 1e-9) const {
    const auto full = [&](const PlainPort& port) {
      return load(port, rate) >= capacity.at(port) * (1 - tolerance);
    };
    const auto fastest = [&](const PlainPort& port, std::size_t flow) {
      for (std::size_t f = 0; f < shares.size(); ++f)
        if (shares[f].contains(port) && rate[f] > rate[flow] * (1 + tolerance)) return false;
      return true;
    };
    for (const auto& [port, whole] : capacity)
      if (load(port, rate) > whole * (1 + tolerance)) return false;
    for (std::size_t f = 0; f < shares.size(); ++f) {
      if (rate[f] > maximum[f]) return false;
      const bool has_bottleneck = std::any_of(shares[f].begin(), shares[f].end(), [&](const auto& at) {
        return full(at.first) && fastest(at.first, f);
      });
      if (rate[f] < maximum[f] && !has_bottleneck && !shares[f].empty()) return false;
    }
    return true;
  }

  std::vector<double> contention() const {
    std::vector<double> out = maximum;
    for (std::size_t f = 0; f < shares.size(); ++f)
      for (const auto& [port, share] : shares[f]) {
        double flows = 0;
        for (const auto& other : shares) flows += other.contains(port) ? other.at(port) : 0;
        out[f] = std::min(out[f], capacity.at(port) / flows);
      }
    return out;
  }
};

}  // namespace banyan::tests
