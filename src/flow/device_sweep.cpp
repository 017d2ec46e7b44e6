#include "flow/device_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "base/shuffle.hpp"
#include "fabric/attachments.hpp"

namespace banyan::flow {
namespace {

constexpr u32 nobody = gpu::SweepData::nobody;

// Why a device does not count this, if so.
std::optional<NotApplicable> sweep_refusal(const Fabric& fabric, const Routing& routing,
                                           const Traffic& traffic, const Placement& placement) {
  if (traffic.draw != Traffic::Draw::permutation && traffic.draw != Traffic::Draw::bisection)
    return NotApplicable{"a GPU counts permutations and bisections in a sweep: the rest is for --device cpu"};
  if (!std::holds_alternative<Tables>(routing.forward) || routing.source.reads() != Reads::nothing)
    return NotApplicable{"a GPU counts loads of a sweep under tables, such as those of dmodc"};
  std::vector<Host> hosts(placement.begin(), placement.end());
  std::sort(hosts.begin(), hosts.end());
  if (hosts.empty() || std::adjacent_find(hosts.begin(), hosts.end()) != hosts.end())
    return NotApplicable{"a GPU counts loads of a sweep for ranks on different hosts"};
  for (const Host host : hosts) {
    const Nic nic{index(host)};
    if (routing.source.count(nic, nic, 0) != 1)
      return NotApplicable{"a GPU counts loads of a sweep where each pair has one way"};
    if (fabric.cabled_ports(fabric.node(nic)) != 1 || switch_of(fabric, nic) == none<Node>)
      return NotApplicable{"a GPU counts loads of a sweep where each host has one cable, to a switch"};
  }
  return std::nullopt;
}

}  // namespace

SweepArrays::SweepArrays(const Fabric& fabric, const Routing& routing, const Placement& placement,
                         u32 samples)
    : fabric_(&fabric), tables_(&std::get<Tables>(routing.forward)) {
  const Tables& tables = *tables_;
  // Nodes with tables come first; a NIC without one has a number behind them.
  const u32 first = tables.first_node(), all = static_cast<u32>(fabric.nodes().size());
  const auto number = [&](Node node) {
    return index(node) >= first ? index(node) - first : all - first + index(node);
  };
  data_.ranks = static_cast<u32>(placement.size());
  data_.nodes = all - first;
  data_.channels = static_cast<u32>(fabric.channels().size());
  data_.samples = samples;
  for (const Node node : fabric.nodes())
    if (index(node) >= first) first_out_.push_back(index(fabric.channel(node, Port{0})));
  first_out_.push_back(data_.channels);
  for (const Channel c : fabric.channels()) next_.push_back(fabric.cabled(c) ? number(fabric.to(c)) : nobody);
  for (const Host host : placement) {
    const Nic nic{index(host)};
    const Node node = fabric.node(nic);
    const Address address = routing.source.way(nic, nic, 0, 0).to;
    addresses_.push_back(address);
    goal_.push_back(number(node));
    entry_.push_back(number(tables.has(node) ? node : switch_of(fabric, nic)));
    const auto row = tables.towards(address);
    port_.insert(port_.end(), row.begin(), row.end());
  }
}

std::variant<SweepArrays, NotApplicable> SweepArrays::make(const Topology& topology, const Routing& routing,
                                                           const Traffic& traffic, const Placement& placement,
                                                           u64 seed, u64 samples) {
  const Fabric& fabric = topology.fabric;
  if (auto reason = sweep_refusal(fabric, routing, traffic, placement)) return *reason;
  const u64 max_samples = std::numeric_limits<u32>::max() / (placement.size() + fabric.channels().size());
  if (samples == 0 || samples > max_samples)
    return NotApplicable{fmt::format("a GPU takes 1 to {} samples of this sweep at once", max_samples)};
  SweepArrays out(fabric, routing, placement, static_cast<u32>(samples));
  out.draw(traffic.draw, seed);
  if (!out.count())
    return NotApplicable{
        fmt::format("a GPU counts loads of a sweep where all flows arrive, and up to {} on a channel",
                    gpu::SweepData::max_load)};
  return out;
}

void SweepArrays::draw(Traffic::Draw draw, u64 seed) {
  const u32 ranks = data_.ranks;
  source_.assign(std::size_t{data_.samples} * ranks, nobody);
  std::vector<u32> order(ranks);
  for (u32 sample = 0; sample < data_.samples; ++sample) {
    u32* const source = source_.data() + std::size_t{sample} * ranks;
    std::iota(order.begin(), order.end(), 0);
    shuffle(std::span(order), seed, sample);
    if (draw == Traffic::Draw::permutation)
      std::copy(order.begin(), order.end(), source);
    else
      for (u32 i = 0; i < ranks / 2; ++i) source[order[i + ranks / 2]] = order[i];
  }
}

bool SweepArrays::count() {
  load_.assign(std::size_t{data_.samples} * data_.channels, 0);
  with_load_.assign(std::size_t{data_.samples} * (gpu::SweepData::max_load + 1), 0);
  for (u32 sample = 0; sample < data_.samples; ++sample)
    if (!count(sample)) return false;
  return true;
}

bool SweepArrays::count(u32 sample) {
  u8* const load = load_.data() + std::size_t{sample} * data_.channels;
  for (u32 to = 0; to < data_.ranks; ++to) {
    const u32 from = source_[std::size_t{sample} * data_.ranks + to];
    if (from == nobody || from == to) continue;
    const u8* const row = port_.data() + std::size_t{to} * data_.nodes;
    u32 node = entry_[from];
    for (u32 left = data_.nodes; node != goal_[to]; --left) {
      if (left == 0 || node >= data_.nodes) return false;
      const u32 channel = first_out_[node] + row[node];
      if (channel >= first_out_[node + 1] || next_[channel] == nobody || ++load[channel] == 0) return false;
      node = next_[channel];
    }
  }
  for (u32 c = 0; c < data_.channels; ++c)
    ++with_load_[std::size_t{sample} * (gpu::SweepData::max_load + 1) + load[c]];
  return true;
}

gpu::SweepData SweepArrays::data() const {
  gpu::SweepData out = data_;
  out.port = port_.data();
  out.first_out = first_out_.data();
  out.next = next_.data();
  out.entry = entry_.data();
  out.goal = goal_.data();
  out.source = source_.data();
  out.load = load_.data();
  out.with_load = with_load_.data();
  return out;
}

std::vector<u32> SweepArrays::max_loads() const {
  std::vector<u32> out;
  for (auto at = load_.begin(); at != load_.end(); at += data_.channels)
    out.push_back(*std::max_element(at, at + data_.channels));
  return out;
}

std::optional<SweepPatch> SweepArrays::patch(const Fabric& rest, const Routing& routing) const {
  const auto* tables = std::get_if<Tables>(&routing.forward);
  if (!tables || routing.source.reads() != Reads::nothing || tables->first_node() != tables_->first_node() ||
      tables->addresses() != tables_->addresses())
    return std::nullopt;
  for (const Channel c : fabric_->channels()) {  // none leads over a cable that is gone
    if (rest.cabled(c) == fabric_->cabled(c)) continue;
    const Node from = fabric_->from(c);
    if (rest.cabled(c) || !tables->has(from) || !fabric_->is_switch(from)) return std::nullopt;
    for (const Address to : addresses_)
      if ((*tables)(from, to) == index(fabric_->port(c))) return std::nullopt;
  }
  SweepPatch out;
  for (u32 rank = 0; rank < data_.ranks; ++rank) {
    const auto before = tables_->towards(addresses_[rank]), after = tables->towards(addresses_[rank]);
    const u32 first = static_cast<u32>(out.entries.size());
    for (auto at = std::mismatch(before.begin(), before.end(), after.begin()).first; at != before.end();) {
      const std::size_t node = static_cast<std::size_t>(at - before.begin());
      out.entries.push_back(static_cast<u32>(node * 256 + after[node]));
      const auto behind = static_cast<std::ptrdiff_t>(node + 1);
      at = std::mismatch(before.begin() + behind, before.end(), after.begin() + behind).first;
    }
    const u32 last = static_cast<u32>(out.entries.size());
    if (last > first) out.changes.push_back({rank, first, last});
  }
  return out;
}

DeviceSweep::DeviceSweep(const gpu::Device& device, const SweepArrays& arrays)
    : samples_(arrays.samples()), loads_(device, arrays.data()) {}

std::vector<u32> DeviceSweep::max_loads(std::span<const SweepPatch* const> patches, unsigned threads) {
  first_change_.assign(1, 0);
  first_entry_.assign(1, 0);
  for (const SweepPatch* patch : patches) {
    first_change_.push_back(first_change_.back() + static_cast<u32>(patch->changes.size()));
    first_entry_.push_back(first_entry_.back() + static_cast<u32>(patch->entries.size()));
  }
  changes_.resize(std::max<std::size_t>(changes_.size(), first_change_.back()));
  entries_.resize(std::max<std::size_t>(entries_.size(), first_entry_.back()));
  parallel_for(patches.size(), threads, [&](u64 i) {
    const u32 shift = first_entry_[i];
    std::transform(patches[i]->changes.begin(), patches[i]->changes.end(),
                   changes_.begin() + first_change_[i], [shift](const gpu::SweepChange& change) {
                     return gpu::SweepChange{change.rank, change.first + shift, change.last + shift};
                   });
    std::copy(patches[i]->entries.begin(), patches[i]->entries.end(), entries_.begin() + shift);
  });
  std::vector<u32> out(patches.size() * samples_);
  loads_.run({static_cast<u32>(patches.size()), first_change_.data(), changes_.data(), entries_.data(),
              first_change_.back(), first_entry_.back()},
             out);
  return out;
}

}  // namespace banyan::flow
