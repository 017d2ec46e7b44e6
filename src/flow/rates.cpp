#include "flow/rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/assert.hpp"
#include "base/options.hpp"
#include "flow/linear_program.hpp"

namespace banyan::flow {
namespace {

struct RateText {
  double link = 1, host = 0;
  DemandUse demands = DemandUse::weight;
  static void fields(auto& self, auto&& f) {
    f("link", self.link, "what a link of capacity 1 carries each way");
    f("host", self.host, "the most a host sends on a rail, and the most it receives; 0: no limit");
    f("demands", self.demands, "what unequal demands are: weight, limit or none");
  }
};

}  // namespace

RateOptions read_rate_options(std::string_view text) {
  const PluginText parts = parse_plugin(text);
  const RateText read = read_options<RateText>(parts);
  for (const RateModel model : {RateModel::max_min, RateModel::contention})
    if (parts.name == option_text(model))
      return {model, read.link, read.host == 0 ? unlimited : read.host, read.demands};
  throw InputError(fmt::format("unknown rate model '{}': expected max-min or contention", parts.name));
}

RateSolver::RateSolver(const Fabric& fabric, const RateOptions& options)
    : fabric_(fabric),
      model_(options.model),
      is_alone_(options.is_alone),
      demands_(options.demands),
      link_(options.link) {
  for (const double value : {options.link, options.host, options.inside.bandwidth})
    if (!(value > 0)) throw InputError(fmt::format("a rate of {}: expected one above 0", value));
  for (const LinkClass& link : fabric.link_classes())
    if (!(link.capacity > 0))
      throw InputError(fmt::format("a link of capacity {}: expected one above 0", link.capacity));
  capacity_.resize(fabric.channels().size());
  for (Channel c : fabric.channels()) capacity_[index(c)] = options.link * fabric.link_class(c).capacity;
  const u64 inside = u64{2} * fabric.hosts() * options.inside.accelerators;
  if (capacity_.size() + inside + 2 * u64{fabric.nics()} >= index(none<Channel>))
    throw InputError(fmt::format("{} accelerators in each of {} hosts are too many",
                                 options.inside.accelerators, fabric.hosts()));
  capacity_.resize(capacity_.size() + inside, options.inside.bandwidth);
  nic_limits_ = static_cast<u32>(capacity_.size());
  if (options.host == unlimited) return;
  for (Node nic : fabric.nic_nodes()) {
    nics_are_limits_ |= fabric.ports(nic) > 1;
    for (Channel c : fabric.channels(nic)) {
      if (!fabric.cabled(c)) continue;
      for (Channel d : {c, fabric.reverse(c)})
        capacity_[index(d)] = std::min(capacity_[index(d)], options.host);
    }
  }
  if (nics_are_limits_) capacity_.resize(capacity_.size() + 2 * fabric.nics(), options.host);
}

const std::vector<double>& RateSolver::solve(const Incidence& flows, std::span<const double> maximum) {
  BANYAN_ASSERT(maximum.empty() || maximum.size() == flows.flows(), "every flow has a maximum, or none has");
  const Incidence& all = nics_are_limits_ ? with_nics(flows) : flows;
  rates_.assign(all.flows(), unlimited);
  if (is_alone_)
    set_limits(all, maximum), rates_ = limit_;
  else if (model_ == RateModel::max_min)
    max_min(all, maximum);
  else
    contention(all, maximum);
  return rates_;
}

const std::vector<double>& RateSolver::solve(Incidence& listed, std::span<const Flow> flows,
                                             Demands demands) {
  const auto all = [&](double demand) {
    return std::all_of(flows.begin(), flows.end(), [&](const Flow& f) { return f.demand == demand; });
  };
  const bool by_weight = demands_ == DemandUse::weight;
  if (demands == Demands::bytes || demands_ == DemandUse::none) return solve(listed);
  if (by_weight && (model_ == RateModel::contention || all(1))) return solve(listed);
  asked_.clear();
  for (const Flow& flow : flows) asked_.push_back(flow.demand * (by_weight ? 1 : link_));
  return by_weight ? solve_weighted(listed) : solve(listed, asked_);
}

// With shares times demand, what is shared out are shares of demands.
const std::vector<double>& RateSolver::solve_weighted(Incidence& listed) {
  std::vector<u32> asking;
  for (u32 f = 0; f < asked_.size(); ++f) {
    if (asked_[f] > 0) asking.push_back(f);
    for (u64 i = listed.first[f]; i < listed.first[f + 1]; ++i) listed.shares[i] *= asked_[f];
  }
  Incidence some;
  if (asking.size() < asked_.size()) select(listed, asking, some);
  const std::vector<double> shares = solve(asking.size() < asked_.size() ? some : listed);
  rates_.assign(asked_.size(), 0);
  for (std::size_t i = 0; i < asking.size(); ++i) rates_[asking[i]] = shares[i] * asked_[asking[i]];
  return rates_;
}

// A NIC of several ports as two more channels, the sum of those out of it and into it.
const Incidence& RateSolver::with_nics(const Incidence& flows) {
  extended_.clear();
  const u32 sends = nic_limits_, receives = sends + fabric_.nics();
  const auto add = [&](Channel c, double share) {
    extended_.channels.push_back(c);
    extended_.shares.push_back(share);
  };
  for (std::size_t f = 0; f < flows.flows(); ++f) {
    for (u64 i = flows.first[f]; i < flows.first[f + 1]; ++i) {
      const Channel c = flows.channels[i];
      add(c, flows.shares[i]);
      if (index(c) >= fabric_.channels().size()) continue;  // inside a host
      const Node from = fabric_.from(c), to = fabric_.to(c);
      if (!fabric_.is_switch(from)) add(Channel{sends + index(from)}, flows.shares[i]);
      if (!fabric_.is_switch(to)) add(Channel{receives + index(to)}, flows.shares[i]);
    }
    extended_.first.push_back(extended_.channels.size());
    extended_.hops.push_back(flows.hops[f]);
  }
  return extended_;
}

void RateSolver::contention(const Incidence& flows, std::span<const double> maximum) {
  fill_.assign(capacity_.size(), {0, 0, 0});
  for (std::size_t i = 0; i < flows.channels.size(); ++i)
    fill_[index(flows.channels[i])].weight += flows.shares[i];
  for (std::size_t f = 0; f < flows.flows(); ++f) {
    if (!maximum.empty()) rates_[f] = maximum[f];
    for (const Channel c : flows.channels_of(f))
      rates_[f] = std::min(rates_[f], capacity_[index(c)] / fill_[index(c)].weight);
  }
}

// What each flow would get alone. A channel that could carry all its flows at those rates stops none of them
// and need not be looked at again: of a permutation's channels, those with a single flow.
void RateSolver::set_limits(const Incidence& flows, std::span<const double> maximum) {
  limit_.assign(flows.flows(), unlimited);
  if (!maximum.empty()) std::copy(maximum.begin(), maximum.end(), limit_.begin());
  fill_.resize(capacity_.size());
  for (std::size_t c = 0; c < fill_.size(); ++c) fill_[c] = {capacity_[c], 0, 0};
  wanted_.assign(capacity_.size(), 0);
  for (std::size_t f = 0; f < flows.flows(); ++f) {
    for (u64 i = flows.first[f]; i < flows.first[f + 1]; ++i)
      limit_[f] = std::min(limit_[f], capacity_[index(flows.channels[i])] / flows.shares[i]);
    for (u64 i = flows.first[f]; i < flows.first[f + 1]; ++i)
      wanted_[index(flows.channels[i])] += flows.shares[i] * limit_[f];
  }
}

void RateSolver::list_by_channel(const Incidence& flows) {
  const auto is_tight = [&](u32 c) { return wanted_[c] > capacity_[c]; };
  first_.assign(capacity_.size() + 1, 0);
  for (const Channel c : flows.channels) first_[index(c)] += is_tight(index(c));
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  flows_on_.resize(first_.back());
  for (std::size_t f = flows.flows(); f-- > 0;)
    for (u64 i = flows.first[f]; i < flows.first[f + 1]; ++i) {
      const u32 c = index(flows.channels[i]);
      if (!is_tight(c)) continue;
      flows_on_[--first_[c]] = static_cast<u32>(f);
      fill_[c].weight += flows.shares[i];
      ++fill_[c].rising;
    }
}

void RateSolver::start_heap() {
  heap_.clear();
  for (u32 c = 0; c < fill_.size(); ++c)
    if (fill_[c].rising) heap_.push_back({fill_[c].left / fill_[c].weight, c});
  std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
}

void RateSolver::sort_limits() {
  by_limit_.resize(limit_.size());
  std::iota(by_limit_.begin(), by_limit_.end(), 0u);
  const auto less = [&](u32 a, u32 b) { return limit_[a] < limit_[b] || (limit_[a] == limit_[b] && a < b); };
  if (!std::is_sorted(by_limit_.begin(), by_limit_.end(), less))  // they often are all the same
    std::sort(by_limit_.begin(), by_limit_.end(), less);
}

void RateSolver::replace_top(double rate) {
  std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
  heap_.back().rate = rate;
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

void RateSolver::stop(const Incidence& flows, u32 flow, double rate) {
  rates_[flow] = rate;
  for (u64 i = flows.first[flow]; i < flows.first[flow + 1]; ++i) {
    Fill& fill = fill_[index(flows.channels[i])];
    if (fill.rising == 0) continue;  // it stops nobody
    fill.left -= flows.shares[i] * rate;
    fill.weight -= flows.shares[i];
    --fill.rising;
  }
}

// The level at which a channel is full only rises while flows stop below it. So a channel is looked at when
// it comes to the top of the heap, and not at every flow that stops on it.
void RateSolver::max_min(const Incidence& flows, std::span<const double> maximum) {
  set_limits(flows, maximum);
  list_by_channel(flows);
  start_heap();
  sort_limits();
  auto limited = by_limit_.begin();
  while (!heap_.empty()) {
    const Level top = heap_.front();
    const Fill& fill = fill_[top.channel];
    if (fill.rising == 0) {
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      heap_.pop_back();
    } else if (const double now = fill.left / fill.weight; now > top.rate) {
      replace_top(now);
    } else if (limited != by_limit_.end() && limit_[*limited] <= top.rate) {
      if (rates_[*limited] == unlimited) stop(flows, *limited, limit_[*limited]);
      ++limited;
    } else {
      for (u32 i = first_[top.channel]; i < first_[top.channel + 1]; ++i)
        if (rates_[flows_on_[i]] == unlimited) stop(flows, flows_on_[i], top.rate);
    }
  }
  for (; limited != by_limit_.end(); ++limited)  // nothing is in their way
    if (rates_[*limited] == unlimited) rates_[*limited] = limit_[*limited];
}

std::vector<double> rates(const Fabric& fabric, const Routing& routing, std::span<const Flow> flows,
                          const RateOptions& options) {
  Incidence listed = incidence(fabric, routing, flows);
  return RateSolver(fabric, options).solve(listed, flows, Demands::relative);
}

}  // namespace banyan::flow
