#include "flow/device_walks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

#include "base/progress.hpp"
#include "fabric/attachments.hpp"
#include "routing/flow_hash.hpp"

namespace banyan::flow {
namespace {

constexpr u32 no_place = gpu::WalkData::nobody;

// The hash of a routing's headers, with this seed.
FlowHash walk_hash(const Source& source, u64 seed) {
  const u8 state = source.way(Nic{0}, Nic{0}, long_message, 0).state;
  return {static_cast<HashKind>(state / 2), static_cast<HashSeeds>(state % 2), seed};
}

bool is_hash_of(const Source& source, u64 seed, u32 nics) {
  const FlowHash hash = walk_hash(source, seed);
  const Nic a{0}, b{nics - 1};
  return hash.header(a, b, 0) == source.way(a, b, long_message, 0) &&
         hash.header(b, a, 0) == source.way(b, a, long_message, 0);
}

}  // namespace

// --- the fabric
std::optional<NotApplicable> WalkArrays::refusal(const Fabric& fabric, const Forward& forward,
                                                 const Source& source) {
  const bool has_tables = std::holds_alternative<Tables>(forward) && source.reads() == Reads::nothing;
  if (!has_tables && !std::holds_alternative<HashedNextHops>(forward))
    return NotApplicable{
        "a GPU follows flows under tables of one lane, such as those of dmodc, and by the hashes of ecmp"};
  if (!nics_have_one_port(fabric)) return NotApplicable{"a GPU follows flows where each NIC has one port"};
  return std::nullopt;
}

u32 WalkArrays::number(Node node) const {
  return index(node) >= first_ ? index(node) - first_ : all_ - first_ + index(node);
}

WalkArrays::WalkArrays(const Fabric& fabric, const Ends& ends)
    : first_(fabric.nics()), all_(static_cast<u32>(fabric.nodes().size())) {
  data_.ends = static_cast<u32>(ends.nics.size());
  data_.nodes = all_ - first_;
  data_.first_node = first_;
  for (const Node node : fabric.nodes()) data_.ports = std::max(data_.ports, fabric.ports(node));
  hop_.resize(std::size_t{data_.nodes} * data_.ports);
  std::vector<u32> counter(fabric.channels().size(), no_place);
  for (const Channel c : fabric.channels()) {
    const bool is_counted =
        ends.counts_nics || (fabric.is_switch(fabric.from(c)) && fabric.is_switch(fabric.to(c)));
    if (!fabric.cabled(c)) continue;
    if (is_counted) counter[index(c)] = data_.counters++;
    if (fabric.is_switch(fabric.from(c)))
      hop_[std::size_t{number(fabric.from(c))} * data_.ports + index(fabric.port(c))] = {number(fabric.to(c)),
                                                                                         counter[index(c)]};
  }
  for (const Nic nic : ends.nics) {
    const Channel c = channel_to_switch(fabric, nic);
    goal_.push_back(number(fabric.node(nic)));
    entry_.push_back(c == none<Channel> ? no_place : number(fabric.to(c)));
    first_counter_.push_back(c == none<Channel> ? no_place : counter[index(c)]);
  }
}

void WalkArrays::add_tables(const Tables& tables, const Source& source, const Ends& ends) {
  data_.ways = source.count(ends.nics[0], ends.nics[0], 0);
  for (const Nic nic : ends.nics)
    for (u32 way = 0; way < data_.ways; ++way) {
      const auto row = tables.towards(source.way(nic, nic, 0, way).to);
      port_.insert(port_.end(), row.begin(), row.end());
    }
}

u32 WalkArrays::added_set(const Fabric& fabric, const PortSets& sets, Node node,
                          const PortSets::Exits& exits) {
  gpu::WalkSet out{static_cast<u32>(exits_.size()), 0};
  for (u32 port = 0; port < std::min(fabric.ports(node), 64 * sets.words()); ++port) {
    if ((exits.words[port / 64] >> (port % 64) & 1) == 0) continue;
    exits_.push_back(number(node) * data_.ports + port);
    ++out.count;
  }
  out.total = out.count;
  if (exits.sums) {
    out.first_sum = static_cast<u32>(sums_.size());
    out.total = exits.sums[out.count - 1];
    sums_.insert(sums_.end(), exits.sums, exits.sums + out.count);
  }
  sets_.push_back(out);
  return static_cast<u32>(sets_.size() - 1);
}

void WalkArrays::add_hashes(const Fabric& fabric, const HashedNextHops& hashed, const Source& source,
                            const Ends& ends) {
  const PortSets& sets = hashed.sets();
  data_.ways = source.count(ends.nics[0], ends.nics[0], long_message);
  data_.hash = {walk_hash(source, 0).kind, walk_hash(source, 0).seeds == HashSeeds::same};
  std::vector<u32> group(sets.groups(), no_place);
  using Key = std::tuple<std::vector<u64>, std::vector<u32>>;  // ports, sums of weights
  std::vector<std::map<Key, u32>> known(data_.nodes);
  for (const Nic nic : ends.nics) {
    nic_.push_back(index(nic));
    const Channel c = channel_to_switch(fabric, nic);
    exit_.push_back(c == none<Channel>
                        ? no_place
                        : number(fabric.to(c)) * data_.ports + index(fabric.port(fabric.reverse(c))));
    const u32 of = sets.group(nic);
    if (of == PortSets::nobody) {
      group_.push_back(no_place);
      continue;
    }
    if (group[of] == no_place) {
      group[of] = data_.groups++;
      for (const Node node : fabric.switch_nodes()) {
        const PortSets::Exits exits = sets.exits(node, nic);
        if (!exits.words) {
          set_.push_back(exits.only == none<Port> ? no_place : gpu::WalkData::own_exit);
          continue;
        }
        u32 count = 0;
        for (u32 i = 0; i < sets.words(); ++i) count += static_cast<u32>(std::popcount(exits.words[i]));
        if (count == 0) {
          set_.push_back(no_place);
          continue;
        }
        Key key{{exits.words, exits.words + sets.words()}, {}};
        if (exits.sums) std::get<1>(key).assign(exits.sums, exits.sums + count);
        const auto [at, is_new] = known[number(node)].try_emplace(std::move(key), 0);
        if (is_new) at->second = added_set(fabric, sets, node, exits);
        set_.push_back(at->second);
      }
    }
    group_.push_back(group[of]);
  }
}

void WalkArrays::add_cuts(const TreeCuts& cuts, const Ends& ends) {
  const u32 nics = first_;  // subtrees of height 0
  data_.heights = cuts.height() - 1;
  data_.subtrees = data_.heights == 0 ? 0 : static_cast<u32>(cuts.links().size()) - nics;
  for (const Nic nic : ends.nics)
    for (const u32 subtree : cuts.subtrees(nic).subspan(1)) subtree_.push_back(subtree - nics);
  links_.assign(cuts.links().begin() + nics, cuts.links().end());
}

std::variant<WalkArrays, NotApplicable> WalkArrays::make(const Fabric& fabric, const Routing& routing,
                                                         const Ends& ends, const TreeCuts* cuts) {
  if (auto reason = refusal(fabric, routing.forward, routing.source)) return *reason;
  const u64 hops = u64{fabric.switches()} * 255, rows = u64{ends.nics.size()} * fabric.switches();
  constexpr u64 max_hops = u64{1} << 31, max_rows = u64{1} << 34;
  if (ends.nics.empty() || hops > max_hops || rows > max_rows)
    return NotApplicable{"the fabric is too large for a GPU to follow flows in it"};
  WalkArrays out(fabric, ends);
  if (const auto* tables = std::get_if<Tables>(&routing.forward))
    out.add_tables(*tables, routing.source, ends);
  else
    out.add_hashes(fabric, std::get<HashedNextHops>(routing.forward), routing.source, ends);
  if (cuts) out.add_cuts(*cuts, ends);
  return out;
}

gpu::WalkData WalkArrays::data(u64 max_load) const {
  gpu::WalkData out = data_;
  const auto pointer = [](const auto& array) { return array.empty() ? nullptr : array.data(); };
  out.is_narrow = max_load <= std::numeric_limits<u16>::max();
  out.hop = pointer(hop_);
  out.entry = pointer(entry_);
  out.first_counter = pointer(first_counter_);
  out.goal = pointer(goal_);
  out.port = pointer(port_);
  out.nic = pointer(nic_);
  out.group = pointer(group_);
  out.exit = pointer(exit_);
  out.set = pointer(set_);
  out.sets = pointer(sets_);
  out.exits = pointer(exits_);
  out.sums = pointer(sums_);
  out.subtree = pointer(subtree_);
  out.links = pointer(links_);
  out.sets_count = static_cast<u32>(sets_.size());
  out.exits_count = static_cast<u32>(exits_.size());
  out.sums_count = static_cast<u32>(sums_.size());
  return out;
}

// --- samples
std::optional<NotApplicable> DeviceWalks::refusal(const LoadSampler& sampler, u64 seed) {
  const ListedKernel& listed = sampler.listed();
  const WayLister& lister = listed.lister();
  const Traffic& traffic = listed.traffic();
  if (traffic.draw != Traffic::Draw::permutation && traffic.draw != Traffic::Draw::bisection)
    return NotApplicable{"a GPU samples permutations and bisections: the rest is for --device cpu"};
  if (!listed.counts_flows())
    return NotApplicable{"a GPU counts flows, and finds no rates: they are for --device cpu"};
  std::vector<Host> hosts(listed.placement().begin(), listed.placement().end());
  std::sort(hosts.begin(), hosts.end());
  if (hosts.empty() || hosts.size() != traffic.ranks ||
      std::adjacent_find(hosts.begin(), hosts.end()) != hosts.end())
    return NotApplicable{"a GPU samples traffic of ranks on different hosts"};
  if (hosts.size() > gpu::max_shuffled)
    return NotApplicable{
        fmt::format("a GPU takes at most {} ranks, not {}", gpu::max_shuffled, hosts.size())};
  if (auto reason = WalkArrays::refusal(lister.fabric(), lister.forward(), lister.source())) return reason;
  const u32 ways = lister.source().count(Nic{0}, Nic{0}, long_message);
  constexpr u32 max_ways = 16;
  if (ways == 0 || ways > max_ways)
    return NotApplicable{fmt::format("a GPU takes 1 to {} ways of a pair, not {}", max_ways, ways)};
  if (std::holds_alternative<HashedNextHops>(lister.forward()) &&
      !is_hash_of(lister.source(), seed, lister.fabric().nics()))
    return NotApplicable{"a GPU takes the hash of --seed: expected no other seed of ecmp"};
  return std::nullopt;
}

std::variant<DeviceWalks, NotApplicable> DeviceWalks::make(const gpu::Device& device,
                                                           const LoadSampler& sampler, u64 seed) {
  if (auto reason = refusal(sampler, seed)) return *reason;
  const ListedKernel& listed = sampler.listed();
  WalkArrays::Ends ends;
  for (const Host host : listed.placement()) ends.nics.push_back(listed.lister().fabric().nic(host));
  const auto& cuts = listed.cuts();
  auto arrays =
      WalkArrays::make(listed.lister().fabric(), listed.lister().routing(), ends, cuts ? &*cuts : nullptr);
  if (auto* reason = std::get_if<NotApplicable>(&arrays)) return std::move(*reason);
  const u32 ways = std::get<WalkArrays>(arrays).data(0).ways;
  const gpu::WalkData data = std::get<WalkArrays>(arrays).data(u64{ways} * ends.nics.size());
  const u32 needed = gpu::WalkLayout(data, gpu::walk_warps, true, 0).bytes, most = device.facts().block_bytes;
  if (needed > most)
    return NotApplicable{fmt::format("a sample needs {} bytes of a multiprocessor's memory; of {} it is {}",
                                     needed, device.name(), most)};
  return DeviceWalks(sampler, gpu::Walks(device, data), ways, seed);
}

void DeviceWalks::run(u64 seed, u64 first, std::span<RoundLoads> out) const {
  const ListedKernel& listed = sampler_->listed();
  const bool is_bisection = listed.traffic().draw == Traffic::Draw::bisection;
  const u64 ranks = listed.placement().size();
  constexpr u64 at_once = u64{1} << 20;
  std::vector<gpu::WalkLoads> found(std::min<u64>(at_once, out.size()));
  for (u64 done = 0; done < out.size(); done += at_once) {
    const u64 count = std::min<u64>(at_once, out.size() - done);
    walks_.run({seed, first + done, count, hash_seed_, is_bisection}, found);
    for (u64 s = 0; s < count; ++s) {
      const gpu::WalkLoads& loads = found[s];
      if (loads.lost > 0) {  // the general kernel says what the others do
        sampler_->run(seed, first + done + s, out.subspan(done + s, 1));
        continue;
      }
      const bool sends = loads.sent > 0;  // then a flow is alone on the channels of its NICs
      const u32 max_load = sends ? std::max(loads.max_load, ways_) : 0;
      out[done + s] = {.max_load = static_cast<double>(max_load) / ways_,
                       .bound = sends && listed.cuts() ? std::max(loads.bound, 1.0) : 0,
                       .flows = is_bisection ? ranks / 2 : ranks};
    }
  }
}

LoadHistogram DeviceWalks::histogram(u64 seed, u64 first, u64 count) const {
  const ListedKernel& listed = sampler_->listed();
  const bool is_bisection = listed.traffic().draw == Traffic::Draw::bisection;
  std::vector<u64> counted(listed.placement().size() * ways_ + 1);
  constexpr u64 at_once = u64{1} << 20;
  std::vector<gpu::WalkLoads> found(std::min(at_once, count));
  for (u64 done = 0; done < count; done += at_once) {
    if (interrupted()) throw Interrupted();
    walks_.run({seed, first + done, std::min(at_once, count - done), hash_seed_, is_bisection,
                static_cast<u32>(counted.size()), counted.data()},
               found);
  }
  LoadHistogram out;
  for (std::size_t load = 1; load < counted.size(); ++load)
    if (counted[load] > 0) out[static_cast<double>(load) / ways_] = counted[load];
  return out;
}

// --- hashes
std::optional<NotApplicable> DeviceHashes::refusal(const Fabric& fabric, const Routing& routing,
                                                   std::span<const std::vector<Flow>> rounds,
                                                   Measure measure) {
  if (!std::holds_alternative<HashedNextHops>(routing.forward))
    return NotApplicable{"a GPU counts hashes where switches hash"};
  if (auto reason = WalkArrays::refusal(fabric, routing.forward, routing.source)) return reason;
  for (const std::vector<Flow>& flows : rounds)
    for (const Flow& flow : flows)
      if (flow.demand != flows.front().demand)
        return NotApplicable{"a GPU counts hashes for flows that all ask for the same"};
  std::optional<double> common;
  for (const Channel c : fabric.channels())
    if (fabric.cabled(c) && capacity(fabric, c, measure) != common.value_or(capacity(fabric, c, measure)))
      return NotApplicable{"a GPU counts hashes where all channels have the same capacity"};
    else if (fabric.cabled(c))
      common = capacity(fabric, c, measure);
  return std::nullopt;
}

std::variant<DeviceHashes, NotApplicable> DeviceHashes::make(const gpu::Device& device, const Fabric& fabric,
                                                             const Routing& routing,
                                                             std::span<const std::vector<Flow>> rounds,
                                                             Measure measure) {
  if (auto reason = refusal(fabric, routing, rounds, measure)) return *reason;
  WalkArrays::Ends ends{.nics = {}, .counts_nics = true};
  for (const Nic nic : IdRange<Nic>(fabric.nics())) ends.nics.push_back(nic);
  auto arrays = WalkArrays::make(fabric, routing, ends);
  if (auto* reason = std::get_if<NotApplicable>(&arrays)) return std::move(*reason);
  DeviceHashes out(device, std::get<WalkArrays>(std::move(arrays)));
  for (const std::vector<Flow>& flows : rounds) {
    for (const Flow& flow : flows) out.flows_.push_back({index(flow.from), index(flow.to)});
    out.first_flow_.push_back(out.flows_.size());
    out.demand_.push_back(flows.empty() ? 0 : flows.front().demand);
  }
  for (const Channel c : fabric.channels())
    if (fabric.cabled(c)) out.capacity_ = capacity(fabric, c, measure);
  return out;
}

std::vector<DeviceHashes::Load> DeviceHashes::run(std::span<const u64> seeds, u32 queue_pairs) const {
  u64 max_flows = 0;
  for (std::size_t r = 0; r < demand_.size(); ++r)
    max_flows = std::max(max_flows, first_flow_[r + 1] - first_flow_[r]);
  const gpu::Walks walks(*device_, arrays_.data(max_flows * queue_pairs));
  const u64 rounds = demand_.size();
  const u64 at_once = std::max<u64>(1, (u64{1} << 20) / std::max<u64>(1, rounds));
  std::vector<Load> out;
  for (u64 done = 0; done < seeds.size(); done += at_once) {
    if (interrupted()) throw Interrupted();
    const u64 count = std::min<u64>(at_once, seeds.size() - done);
    std::vector<gpu::WalkLoads> found(count * rounds);
    walks.run({static_cast<u32>(rounds), queue_pairs, count, first_flow_.data(), flows_.data(),
               seeds.data() + done, flows_.size()},
              found);
    const std::vector<Load> loads = counted(found, queue_pairs);
    out.insert(out.end(), loads.begin(), loads.end());
  }
  return out;
}

// Demands are added one after another, as a processor does: that gives the same bits whatever they are.
std::vector<DeviceHashes::Load> DeviceHashes::counted(std::span<const gpu::WalkLoads> found,
                                                      u32 queue_pairs) const {
  std::vector<std::vector<double>> sums(demand_.size(), {0});
  std::vector<Load> out;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t round = i % demand_.size();
    while (sums[round].size() <= found[i].max_load)
      sums[round].push_back(sums[round].back() + demand_[round]);
    out.push_back({sums[round][found[i].max_load] / queue_pairs / capacity_, found[i].lost});
  }
  return out;
}

}  // namespace banyan::flow
