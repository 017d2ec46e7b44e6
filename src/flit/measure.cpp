#include "flit/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "flit/seats.hpp"

namespace banyan::flit {
namespace {

constexpr std::size_t max_batches = 64;  // then neighbours are put together
constexpr u64 least_batch_cycles = 256;
constexpr double least_growth = 0.01;  // of the backlog, as a share of the load: less is no saturation
constexpr u64 least_latencies = 4;     // that a run measures: in fewer a backlog may only fill the network

// Batches that are shorter than a message say much about the next: they are at least as long as a mean
// message takes on a channel, if that leaves enough of them.
u64 first_batch(const MessageOptions& messages, u64 max_cycles) {
  const u64 message = u64{messages.packet_flits} * messages.message_packets;
  const u64 batch = std::max(least_batch_cycles, std::min(message, max_cycles / max_batches));
  return std::min(batch, max_cycles);
}

// By host: the flits a cycle that it could send; 0: it sends nothing, or is another process's.
std::vector<double> sending_hosts(const SimulationSetup& setup, const Workload& workload) {
  std::vector<double> out(setup.fabric.hosts());
  const std::vector<bool> mine = own_nics(setup);
  const u32 processes = setup.rails ? setup.rails->processes : 0;
  for (u32 seat = 0; seat < mine.size(); ++seat)
    if (const Host host{seat % setup.fabric.hosts()}; mine[seat] && workload.sends(Seat{seat}))
      out[index(host)] = seat_capacity(setup.fabric, host, processes, 1);
  return out;
}

// The batches of a run, and what they say.
class Run {
 public:
  explicit Run(const SimulationSetup& setup)
      : fabric_(setup.fabric),
        exchange_(setup.exchange),
        switch_cycles_(u64{setup.network.switch_cycles} + setup.network.crossing_cycles),
        channels_(own_channels(setup)),
        has_control_(setup.rails) {}
  Run(const SimulationSetup& setup, const Workload& workload, WarmUp rule, Watch watch) : Run(setup) {
    by_change_ = rule == WarmUp::change;
    offered_ = workload.offered();
    capacity_ = workload.capacity();
    watch_ = std::move(watch);
    if (!workload.ends()) hosts_ = sending_hosts(setup, workload);
  }

  // What was counted since the last call, until `now`; what has been created since the start.
  void take(Tally batch, u64 now, double created) {
    if (watch_) {
      const double could = capacity_ * static_cast<double>(batch.cycles);
      watch_({now, capacity_ > 0 ? offered_ / capacity_ : 0,
              could > 0 ? static_cast<double>(batch.flits) / could : 0, batch});
    }
    add(std::move(batch), created);
  }
  // The same, of nobody who watches.
  void add(Tally batch, double created) {
    batches_.push_back(std::move(batch));
    created_.push_back(created - created_before_);
    created_before_ = created;
  }
  std::size_t batches() const { return batches_.size(); }
  u64 last_message() const {  // the cycle in which it was consumed
    u64 out = 0;
    for (const Tally& batch : batches_) out = std::max(out, batch.last_message);
    return out;
  }

  void halve() {
    std::vector<Tally> halved;
    for (std::size_t i = 0; i + 1 < batches_.size(); i += 2) {
      batches_[i].append(batches_[i + 1]);
      halved.push_back(std::move(batches_[i]));
      created_[i / 2] = created_[i] + created_[i + 1];
    }
    batches_ = std::move(halved);
    created_.resize(batches_.size());
  }

  // Of a run that ends: there is no warm-up, and the time after its end does not count.
  Measurement everything(std::optional<u64> completion) const {
    Measurement out;
    for (const Tally& batch : batches_) out.counted.append(batch);
    if (completion) out.counted.cycles = *completion;
    out.completion_cycles = completion;
    out.packet_latency.mean = out.counted.packet_latency.mean();
    const double used = utilisation(out.counted);
    // With several NICs to a host, control packets follow the last message.
    out.max_channel_utilisation = has_control_ ? std::min(1.0, used) : used;
    return out;
  }

  Measurement evaluate() const {
    std::vector<double> accepted, latency, backlog;  // the last: by how much it grows
    for (std::size_t i = 0; i < batches_.size(); ++i) {
      const Tally& batch = batches_[i];
      const double flits = static_cast<double>(batch.flits);
      accepted.push_back(flits / static_cast<double>(batch.cycles) / capacity_);
      backlog.push_back((created_[i] - flits) / static_cast<double>(batch.cycles) / capacity_);
      latency.push_back(batch.packet_latency.mean());
    }
    Measurement out;
    out.offered = offered_ / capacity_;
    std::size_t first = by_change_ ? warm_up_by_change({accepted}) : warm_up(accepted);
    out.accepted = batch_estimate(std::span(accepted).subspan(first));
    const Interval growth = batch_estimate(std::span(backlog).subspan(first));
    out.growth = growth;
    // Before the first flit is consumed nothing is steady, and a backlog only fills the network.
    const auto consumed = std::find_if(accepted.begin(), accepted.end(), [](double a) { return a > 0; });
    const bool is_late = 4 * (consumed - accepted.begin()) > std::ssize(accepted) ||
                         is_short(std::span(batches_).subspan(first));
    out.saturated = is_saturated(growth, out.offered) && !is_late;
    if (!out.saturated) {
      out.undecided = is_late || may_be_saturated(growth, out.offered);
      first = by_change_ ? warm_up_by_change({accepted, latency}) : std::max(first, warm_up(latency));
      out.accepted = batch_estimate(std::span(accepted).subspan(first));
    }
    out.is_warm = first < batches_.size() / 2 && !is_late;
    out.packet_latency = batch_estimate(std::span(latency).subspan(first));
    for (std::size_t i = 0; i < batches_.size(); ++i)
      if (i < first)
        out.warm_up_cycles += batches_[i].cycles;
      else
        out.counted.append(batches_[i]);
    out.packet_latency.mean = out.counted.packet_latency.mean();
    out.max_channel_utilisation = utilisation(out.counted);
    compare_hosts(out);
    return out;
  }

  // Hosts that had something to send all the time that was measured, and sent nothing.
  u64 starved(const WaitsSince& waits_since, u64 now, const Measurement& found) const {
    const std::vector<double> flits = flits_by_host(found.counted);
    const u64 begin = now - found.counted.cycles;
    u64 count = 0;
    for (u32 h = 0; h < hosts_.size(); ++h) {
      if (hosts_[h] <= 0 || flits[h] > 0) continue;
      const std::optional<u64> since = waits_since(Nic{h});
      if (since && *since < begin) ++count;
    }
    return sum_of(exchange_, count);
  }

 private:
  // Compared with what was created in the same time and not with the mean, whose noise both share.
  static bool is_saturated(const Interval& growth, double offered) {
    return growth.mean >
           std::max(growth.half_width, least_growth * offered);  // too short a run: an infinite half-width
  }

  // Whether the batches are few against what flits take without waiting, which does not grow where a network
  // is saturated: the mean over all flits, or the longest channel that carried some, whichever takes longer.
  bool is_short(std::span<const Tally> batches) const {
    u64 measured = 0, cycles = 0, sent = 0, longest = 0;
    for (const Tally& batch : batches) measured += batch.cycles;
    for (const Tally& batch : batches_)
      each_channel(batch, [&](Channel c, double count) {
        if (count == 0) return;
        const u64 flits = static_cast<u64>(count), latency = cycles_of(c);
        cycles += flits * latency;
        if (!fabric_.is_switch(fabric_.from(c))) sent += flits;
        longest = std::max(longest, latency);
      });
    cycles = sum_of(exchange_, cycles), sent = sum_of(exchange_, sent);
    longest = std::ranges::max(values_of(exchange_, longest));
    return measured < least_latencies * std::max(longest, cycles / std::max<u64>(1, sent));
  }

  // Through a channel, and the switch at its end.
  u64 cycles_of(Channel c) const {
    const double latency = std::max(1.0, std::round(fabric_.link_class(c).latency));
    return static_cast<u64>(latency) + (fabric_.is_switch(fabric_.to(c)) ? switch_cycles_ : 0);
  }

  // f(channel of this process, flits that entered it)
  template <class F>
  void each_channel(const Tally& tally, F&& f) const {
    const std::size_t count = std::min<std::size_t>(channels_.size(), tally.channel_flits.size());
    for (u32 i = 0; i < count; ++i) f(channels_[i], static_cast<double>(tally.channel_flits[Channel{i}]));
  }

  std::vector<double> flits_by_host(const Tally& counted) const {  // that it put into the network
    std::vector<double> flits(hosts_.size());
    each_channel(counted, [&](Channel c, double count) {
      const Node from = fabric_.from(c);
      if (!fabric_.is_switch(from)) flits[index(from) % flits.size()] += count;
    });
    return flits;
  }

  void compare_hosts(Measurement& out) const {
    const std::vector<double> flits = flits_by_host(out.counted);
    double least = std::numeric_limits<double>::infinity(), greatest = 0;
    for (std::size_t h = 0; h < hosts_.size(); ++h) {
      if (hosts_[h] <= 0) continue;
      const double share = flits[h] / hosts_[h] / static_cast<double>(std::max<u64>(1, out.counted.cycles));
      least = std::min(least, share);
      greatest = std::max(greatest, share);
    }
    out.min_host_throughput = std::ranges::min(values_of(exchange_, least));
    out.max_host_throughput = std::ranges::max(values_of(exchange_, greatest));
  }

  double utilisation(const Tally& tally) const {
    double largest_capacity = 0, out = 0;
    for (const LinkClass& link_class : fabric_.link_classes())
      largest_capacity = std::max(largest_capacity, link_class.capacity);
    each_channel(tally, [&](Channel c, double flits) {
      if (fabric_.cabled(c)) out = std::max(out, flits / (fabric_.link_class(c).capacity / largest_capacity));
    });
    out = std::ranges::max(values_of(exchange_, out));
    return tally.cycles ? out / static_cast<double>(tally.cycles) : 0;
  }

  const Fabric& fabric_;
  const Exchange* exchange_;
  u64 switch_cycles_ = 0;  // through a switch, without waiting
  double offered_ = 0, capacity_ = 0;
  bool by_change_ = false;  // the warm-up ends so
  Watch watch_;
  std::vector<Channel> channels_;  // of this process
  bool has_control_ = false;       // packets that are no messages
  std::vector<double> hosts_;      // as sending_hosts() says
  std::vector<Tally> batches_;
  std::vector<double> created_;  // in each
  double created_before_ = 0;
};

void advance(Simulation& simulation, u64 cycles, Progress* progress) {
  if (interrupted()) throw Interrupted();
  simulation.advance(cycles);
  if (progress) progress->advance(cycles);
}

bool is_precise(const Measurement& m, double precision) {
  if (!m.is_warm || m.accepted.half_width > precision * m.accepted.mean) return false;
  return m.saturated || m.packet_latency.half_width <= precision * m.packet_latency.mean;
}

Measurement run_to_the_end(Simulation& simulation, Run& run, const MeasureOptions& options,
                           Progress* progress) {
  for (u64 batch = least_batch_cycles;
       !simulation.is_done() && simulation.now() < options.max_cycles && !simulation.deadlock();) {
    advance(simulation, std::min(batch, options.max_cycles - simulation.now()), progress);
    run.take(simulation.take_tally(), simulation.now(), simulation.created_flits());
    if (run.batches() == max_batches) {
      run.halve();
      batch *= 2;
    }
  }
  return run.everything(simulation.is_done() ? std::optional(run.last_message()) : std::nullopt);
}

Traffic only_round(const Traffic& traffic, u64 round) {
  Traffic out = traffic;
  out.rounds = 1;
  out.draw = Traffic::Draw::listed;
  out.alike = 1;
  out.list = [list = traffic.list, round](u64 seed, u64 sample, u64, std::vector<Demand>& demands) {
    list(seed, sample, round, demands);
  };
  return out;
}

}  // namespace

struct OpenMeasurement::Impl {
  Impl(const SimulationSetup& setup, const Workload& workload, const MeasureOptions& the_options,
       const Watch& watch)
      : run(setup, workload, the_options.warm_up, watch),
        options(the_options),
        has_rails(setup.rails.has_value()),
        batch(options.cycles > 0 ? std::max<u64>(1, options.cycles / 50)
                                 : first_batch(setup.messages, options.max_cycles)),
        step(next_step(false)) {}

  // For as long as it was told, in fifty batches; or until it is precise.
  u64 next_step(bool has_deadlock) {
    if (options.cycles > 0) {
      const u64 left = has_deadlock ? 0 : options.cycles - now;
      return left < 2 * batch ? left : batch;
    }
    if (now == 0) return batch;
    const bool is_last = now + batch > options.max_cycles || has_deadlock;
    if (is_last) return 0;
    if (run.batches() >= max_batches / 2 && run.batches() % 16 == 0)
      if (is_precise(run.evaluate(), options.precision)) return 0;
    if (run.batches() == max_batches) {
      run.halve();
      batch *= 2;
    }
    return batch;
  }

  Run run;
  const MeasureOptions options;
  const bool has_rails;
  u64 now = 0, batch, step;
};

OpenMeasurement::OpenMeasurement(const SimulationSetup& setup, const Workload& workload,
                                 const MeasureOptions& options, const Watch& watch) {
  check_measure(options);
  if (!(workload.offered() > 0)) throw InputError("no rank sends anything to another");
  impl_ = std::make_unique<Impl>(setup, workload, options, watch);
}
OpenMeasurement::~OpenMeasurement() = default;
OpenMeasurement::OpenMeasurement(OpenMeasurement&&) noexcept = default;

u64 OpenMeasurement::next_step() const { return impl_->step; }
void OpenMeasurement::take(Tally counted, double created, bool has_deadlock) {
  impl_->now += impl_->step;
  impl_->run.take(std::move(counted), impl_->now, created);
  impl_->step = impl_->next_step(has_deadlock);
}
Measurement OpenMeasurement::result(const WaitsSince& waits_since) const {
  Measurement out = impl_->run.evaluate();
  if (!impl_->has_rails)
    out.starved_hosts = static_cast<double>(impl_->run.starved(waits_since, impl_->now, out));
  return out;
}

void check_measure(const MeasureOptions& options) {
  if (options.max_cycles == 0) throw InputError("max-cycles must be at least 1");
  if (options.replicas == 0) throw InputError("replicas must be at least 1");
  if (!(options.precision > 0))
    throw InputError(fmt::format("precision is {}; expected more than 0", options.precision));
}

bool may_be_saturated(const Interval& growth, double offered) {
  return growth.mean + growth.half_width > least_growth * offered;
}

RunFigures<double> figures_of(const Measurement& m) {
  RunFigures<double> out;
  if (m.replicas) {
    transform_figures(m.replicas->figures, out, [](const Interval& over) { return over.mean; });
    return out;
  }
  const Tally& counted = m.counted;
  const auto percentile = [](const Histogram& latency, double share) {
    return static_cast<double>(latency.percentile(share));
  };
  out.min_host_throughput = m.min_host_throughput;
  out.max_host_throughput = m.max_host_throughput;
  out.starved_hosts = m.starved_hosts;
  if (counted.cycles > 0)
    out.packets_in_network = static_cast<double>(counted.packet_cycles) / static_cast<double>(counted.cycles);
  if (counted.packets > 0)
    out.network_latency = static_cast<double>(counted.network_cycles) / static_cast<double>(counted.packets);
  out.packet_latency_p50 = percentile(counted.packet_latency, 0.5);
  out.packet_latency_p99 = percentile(counted.packet_latency, 0.99);
  if (counted.messages > 0) out.message_latency = counted.message_latency.mean();
  out.message_latency_p50 = percentile(counted.message_latency, 0.5);
  out.message_latency_p99 = percentile(counted.message_latency, 0.99);
  out.max_channel_utilisation = m.max_channel_utilisation;
  if (m.completion_cycles) out.completion = static_cast<double>(*m.completion_cycles);
  return out;
}

namespace {

Measurement measure_open(const SimulationSetup& setup, Workload workload, const MeasureOptions& options,
                         Progress* progress, const Watch& watch) {
  OpenMeasurement measurement(setup, workload, options, watch);
  Simulation simulation(setup, std::move(workload));
  while (const u64 step = measurement.next_step()) {
    advance(simulation, step, progress);
    const bool has_deadlock = simulation.deadlock().has_value();
    measurement.take(simulation.take_tally(), simulation.created_flits(), has_deadlock);
  }
  Measurement out = measurement.result([&](Nic nic) { return simulation.waits_since(nic); });
  out.granularity = simulation.granularity();
  out.deadlock = simulation.deadlock();
  if (out.deadlock) out.saturated = true, out.undecided = false;  // those that wait will never arrive
  return out;
}

}  // namespace

Measurement measure(const SimulationSetup& setup, Workload workload, const MeasureOptions& options,
                    Progress* progress, const Watch& watch) {
  if (!workload.ends()) return measure_open(setup, std::move(workload), options, progress, watch);
  check_measure(options);
  Run run(setup, workload, options.warm_up, watch);
  Simulation simulation(setup, std::move(workload));
  Measurement out = run_to_the_end(simulation, run, options, progress);
  out.granularity = simulation.granularity();
  out.deadlock = simulation.deadlock();
  return out;
}

Measurement measure_rounds(const SimulationSetup& setup, const Traffic& traffic, const Placement& placement,
                           const MeasureOptions& options, Progress* progress, const Watch& watch) {
  const u32 processes = setup.rails ? setup.rails->processes : 0;
  if (setup.messages.rounds != Rounds::barrier)
    return measure(setup,
                   Workload::closed(setup.fabric, traffic, placement, setup.messages, setup.seed, processes,
                                    own_nics(setup)),
                   options, progress, watch);
  const std::vector<bool> mine = own_nics(setup);
  Run run(setup);
  Measurement last;
  u64 end = 0;
  bool completes = true;
  for (u64 round = 0; round < traffic.rounds && completes; ++round) {
    Workload workload = Workload::closed(setup.fabric, only_round(traffic, round), placement, setup.messages,
                                         setup.seed, processes, mine);
    if (workload.messages() == 0) continue;
    MeasureOptions rest = options;
    rest.max_cycles -= std::min(end, rest.max_cycles);
    last = measure(setup, std::move(workload), rest, progress, watch);
    completes = last.completion_cycles.has_value();
    if (completes) end += (end > 0 ? setup.messages.reaction_cycles : 0) + *last.completion_cycles;
    run.add(last.counted, 0);
  }
  Measurement out = run.everything(completes ? std::optional(end) : std::nullopt);
  out.granularity = last.granularity;
  out.deadlock = last.deadlock;
  return out;
}

Saturation find_saturation(const std::function<Measurement(double)>& measure_at, double resolution) {
  Saturation out;
  const auto is_saturated = [&](double load) {
    out.points.emplace_back(load, measure_at(load));
    const Measurement& m = out.points.back().second;
    out.throughput = std::max(out.throughput, m.accepted.mean);
    return m.saturated || m.deadlock.has_value();
  };
  double low = 0, high = 1;
  if (!is_saturated(high)) low = high;
  while (high - low > resolution) {
    const double middle = (low + high) / 2;
    (is_saturated(middle) ? high : low) = middle;
  }
  out.load = low;
  std::sort(out.points.begin(), out.points.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return out;
}

std::vector<std::pair<double, Measurement>> adaptive_curve(
    const std::function<Measurement(double load)>& measure_at, u32 count) {
  constexpr double least_distance = 0.01, steepest = 4;
  std::vector<std::pair<double, Measurement>> out;
  const auto height = [&](std::size_t i) {
    const Measurement& m = out[i].second;
    const double rise = m.packet_latency.mean / out[0].second.packet_latency.mean - 1;
    return m.saturated || m.deadlock || !(rise < steepest - 1) ? 1 : std::max(0.0, rise) / (steepest - 1);
  };
  for (const double load : {0.05, 0.25, 0.5, 0.75, 1.0}) out.emplace_back(load, measure_at(load));
  while (out.size() < count) {
    std::size_t longest = 0;  // the piece before this point
    double length = 0;
    for (std::size_t i = 1; i < out.size(); ++i) {
      const double distance = out[i].first - out[i - 1].first;
      const double own = distance + std::abs(height(i) - height(i - 1));
      if (distance >= least_distance && own > length) length = own, longest = i;
    }
    if (longest == 0) break;  // all are close together
    const double middle = (out[longest - 1].first + out[longest].first) / 2;
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(longest), {middle, measure_at(middle)});
  }
  return out;
}

}  // namespace banyan::flit
