#include "ask/hash_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "ask/any_hash.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "flow/bound.hpp"
#include "flow/device_walks.hpp"
#include "flow/load_meter.hpp"
#include "routing/walk.hpp"

namespace banyan::ask {

u64 hash_seed(u64 seed, u64 i) {
  constexpr u64 hash_stream = 0x68617368;  // no other draws of the seed
  return Random(seed, hash_stream).at(i);
}

HashMeter::HashMeter(const Topology& topology, const Routing& routing, Measure measure, u32 queue_pairs)
    : fabric_(topology.fabric),
      forward_(std::get<HashedNextHops>(routing.forward)),
      hash_(hash_of(routing, 0)),
      measure_(measure),
      queue_pairs_(queue_pairs),
      load_(fabric_.channels().size()) {}

void HashMeter::measure(u64 seed, std::span<const Flow> flows) {
  for (const Channel c : touched_) load_[c] = 0;
  touched_.clear();
  undelivered_ = 0;
  hash_.seed = seed;
  for (const Flow& flow : flows) {
    bool arrives = true;
    for (u32 i = 0; flow.from != flow.to && i < queue_pairs_; ++i)
      arrives &= add(hash_.header(flow.from, flow.to, i), flow);
    undelivered_ += !arrives;
  }
  max_load_ = 0;
  for (const Channel c : touched_) max_load_ = std::max(max_load_, load(c));
}

double HashMeter::load(Channel channel) const {
  return load_[channel] / queue_pairs_ / capacity(fabric_, channel, measure_);
}

bool HashMeter::add(const Header& header, const Flow& flow) {
  way_.clear();
  const Node from = fabric_.node(flow.from), to = fabric_.node(flow.to);
  if (walk(fabric_, forward_, from, header, to, [&](Channel c) { way_.push_back(c); }).lost()) return false;
  for (const Channel c : way_) {
    if (load_[c] == 0) touched_.push_back(c);
    load_[c] += flow.demand;
  }
  return true;
}

namespace {

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double optimum_of_rounds(const HashForecast& forecast) {
  constexpr std::size_t max_programs = 64;
  if (!optimum_has_formula(forecast.topology) && forecast.rounds.size() > max_programs) return unknown;
  std::vector<double> found;
  for (const auto& flows : forecast.rounds) {
    const auto least = optimum(forecast.topology, flows, {.measure = forecast.measure});
    if (!std::holds_alternative<double>(least)) return unknown;
    found.push_back(std::get<double>(least));
  }
  return mean_of(found);
}

double spray_of_rounds(const HashForecast& forecast) {
  const auto routed = any_hash(forecast.topology.fabric, forecast.routing, NextHopWeights::kept);
  if (!routed || !std::holds_alternative<Routing>(*routed)) return unknown;
  const WayLister lister(forecast.topology.fabric, std::get<Routing>(*routed));
  LoadMeter meter(lister, false, forecast.measure);
  std::vector<double> found;
  for (const auto& flows : forecast.rounds) {
    meter.measure(flows);
    found.push_back(meter.max());
  }
  return mean_of(found);
}

// Every value by itself if they are few, else twenty ranges that are equally wide.
std::vector<HashAnswer::Range> ranges_of(const std::vector<double>& values) {
  constexpr std::size_t few = 20;
  std::map<double, u64> counts;
  for (const double value : values) ++counts[value];
  std::vector<HashAnswer::Range> out;
  const double least = counts.begin()->first, width = (counts.rbegin()->first - least) / few;
  std::size_t last = few;
  for (const auto& [value, count] : counts) {
    const auto range = std::min(few - 1, static_cast<std::size_t>(width > 0 ? (value - least) / width : 0));
    if (out.empty() || counts.size() <= few || range != last) out.push_back({value, value, 0});
    out.back().to = value;
    out.back().hashes += count;
    last = range;
  }
  return out;
}

// Adds the rounds of a hash as a processor does.
std::vector<HashLoad> device_hash_loads(const HashForecast& forecast, u32 queue_pairs) {
  std::vector<u64> seeds;
  for (u64 i = 0; i < forecast.hashes; ++i) seeds.push_back(hash_seed(forecast.seed, i));
  const auto found = forecast.device->run(seeds, queue_pairs);
  const std::size_t rounds = forecast.rounds.size();
  std::vector<HashLoad> out(forecast.hashes);
  for (std::size_t i = 0; i < found.size(); ++i) {
    out[i / rounds].max_load += found[i].max_load;
    out[i / rounds].undelivered += found[i].undelivered;
  }
  for (HashLoad& each : out) each.max_load /= static_cast<double>(std::max<std::size_t>(1, rounds));
  return out;
}

}  // namespace

std::vector<HashLoad> hash_loads(const HashForecast& forecast, u32 queue_pairs) {
  if (forecast.device) return device_hash_loads(forecast, queue_pairs);
  std::vector<HashLoad> out(forecast.hashes);
  parallel_ranges(forecast.hashes, forecast.threads, [&](u64 first, u64 last) {
    HashMeter meter(forecast.topology, forecast.routing, forecast.measure, queue_pairs);
    for (; first < last; ++first) {
      double sum = 0;
      for (const auto& flows : forecast.rounds) {
        meter.measure(hash_seed(forecast.seed, first), flows);
        sum += meter.max_load();
        out[first].undelivered += meter.undelivered();
      }
      out[first].max_load = sum / static_cast<double>(std::max<std::size_t>(1, forecast.rounds.size()));
    }
  });
  return out;
}

std::vector<double> max_loads(std::span<const HashLoad> loads) {
  std::vector<double> out;
  for (const HashLoad& each : loads) out.push_back(each.max_load);
  return out;
}

double quantile(std::vector<double> values, double share) {
  const double rank = std::ceil(share * static_cast<double>(values.size()) - 1e-9) - 1;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::max(0.0, rank));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

Result<HashAnswer> forecast_hashes(const HashForecast& forecast) {
  if (!hashes(forecast.routing))
    return NotApplicable{
        "--hashes is about the engine ecmp and tables of Ethernet switches; others hash nothing"};
  HashAnswer out;
  out.hashes = forecast.hashes;
  out.queue_pairs = forecast.routing.source.count(Nic{0}, Nic{0}, long_message);
  for (u32 k = 1; k < 2 * out.queue_pairs; k *= 2) {
    const u32 queue_pairs = std::min(k, out.queue_pairs);
    const std::vector<HashLoad> found = hash_loads(forecast, queue_pairs);
    const std::vector<double> loads = max_loads(found);
    out.by_queue_pairs.push_back({queue_pairs, mean_of(loads), quantile(loads, 0.99)});
    if (queue_pairs < out.queue_pairs) continue;
    out.max_load_mean = estimate(loads).interval();
    out.max_load_p99 = quantile(loads, 0.99);
    out.hash_distribution = ranges_of(loads);
    std::vector<double> lost;
    for (const HashLoad& each : found) lost.push_back(static_cast<double>(each.undelivered));
    out.undelivered_mean = mean_of(lost);
  }
  out.optimum = optimum_of_rounds(forecast);
  out.spray_max_load = spray_of_rounds(forecast);
  return out;
}

}  // namespace banyan::ask
