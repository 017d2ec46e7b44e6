#include "flow/table_kernel.hpp"

#include <algorithm>
#include <numeric>

#include "base/shuffle.hpp"

namespace banyan::flow {
namespace {

constexpr u32 nobody = ~u32{0};

}  // namespace

struct TableKernel::Batch {
  Batch(u32 ranks, std::size_t channels, std::size_t nodes)
      : order(ranks), source(std::size_t{ranks} * batch), load(channels * batch), row(nodes) {}

  u32 size = 0;
  std::vector<u32> order;
  std::vector<u32> source;  // by destination and sample: who sends to it
  std::vector<u8> load;     // by channel and sample
  std::vector<u8> row;      // what the tables say of one destination
  std::array<bool, batch> failed;

  std::array<u8, batch> heaviest() const {
    std::array<u8, batch> out{};
    const u8* at = load.data();
    for (const u8* end = at + load.size(); at != end; at += batch)
      for (u32 b = 0; b < batch; ++b) out[b] = std::max(out[b], at[b]);
    return out;
  }
};

std::optional<TableKernel> TableKernel::make(const Topology& topology, const Routing& routing,
                                             const Placement& placement, Traffic::Draw draw, bool rates) {
  const auto* tables = std::get_if<Tables>(&routing.forward);
  if (!tables || routing.source.reads() != Reads::nothing || placement.empty()) return std::nullopt;
  const Fabric& fabric = topology.fabric;
  TableKernel out(topology, *tables);
  out.draw_ = draw;
  out.rates_ = rates;
  out.ranks_ = static_cast<u32>(placement.size());
  out.cuts_ = tree_cuts(topology);
  const Nic anyone{index(placement[Rank{0}])};
  out.ways_ = routing.source.count(anyone, anyone, 0);
  out.least_bound_ = 1.0 / std::max(1u, fabric.cabled_ports(fabric.node(anyone)));
  for (const Host host : placement) {
    const Nic nic{index(host)};
    const Node node = fabric.node(nic);
    if (routing.source.count(nic, nic, 0) != out.ways_ || out.ways_ == 0 || out.ways_ > 16)
      return std::nullopt;
    for (u32 i = 0; i < out.ways_; ++i) out.addresses_.push_back(routing.source.way(nic, nic, 0, i).to);
    if (fabric.cabled_ports(node) == 0 ||
        fabric.cabled_ports(node) != fabric.cabled_ports(fabric.node(anyone)))
      return std::nullopt;  // a host with fewer cables than others
    out.nic_.push_back(index(nic));
    out.entry_.push_back(tables->has(node) ? index(node) : index(fabric.to(fabric.channel(node, Port{0}))));
  }
  for (Node node : fabric.nodes()) out.first_out_.push_back(index(fabric.channel(node, Port{0})));
  out.first_out_.push_back(static_cast<u32>(fabric.channels().size()));
  for (Channel c : fabric.channels()) out.next_.push_back(fabric.cabled(c) ? index(fabric.to(c)) : nobody);
  return out;
}

void TableKernel::draw(u64 seed, u64 first, Batch& samples) const {
  std::fill(samples.source.begin(), samples.source.end(), nobody);
  for (u32 b = 0; b < samples.size; ++b) {
    std::iota(samples.order.begin(), samples.order.end(), 0);
    shuffle(std::span(samples.order), seed, first + b);
    if (draw_ == Traffic::Draw::permutation) {
      for (u32 i = 0; i < ranks_; ++i) samples.source[std::size_t{i} * batch + b] = samples.order[i];
    } else {
      for (u32 i = 0; i < ranks_ / 2; ++i)
        samples.source[std::size_t{samples.order[i + ranks_ / 2]} * batch + b] = samples.order[i];
    }
  }
}

// visit(channel) along the way; false where it leads nowhere. A header that never changes goes in circles
// exactly if it takes more hops than there are nodes.
template <class Visit>
bool TableKernel::walk(const u8* row, u32 node, u32 goal, Visit&& visit) const {
  for (u32 left = static_cast<u32>(first_out_.size()); node != goal; --left) {
    if (left == 0 || node < tables_.first_node()) return false;
    const u32 channel = first_out_[node] + row[node - tables_.first_node()];
    if (channel >= first_out_[node + 1]) return false;
    node = next_[channel];
    if (node == nobody) return false;
    visit(channel);
  }
  return true;
}

// All samples take a step, then the next one: none waits for what another one fetches.
void TableKernel::walk_all(const u8* row, u32 to, Batch& samples) const {
  const u32 first_node = tables_.first_node(), goal = nic_[to];
  const u32 *first_out = first_out_.data(), *next = next_.data();
  u8* load = samples.load.data();
  std::array<u32, batch> node, sample;
  u32 active = 0;
  for (u32 b = 0; b < samples.size; ++b) {
    const u32 from = samples.source[std::size_t{to} * batch + b];
    if (from == nobody || from == to) continue;
    node[active] = entry_[from];
    sample[active++] = b;
  }
  for (u32 left = static_cast<u32>(first_out_.size()); active > 0 && left > 0; --left) {
    u32 kept = 0;
    for (u32 k = 0; k < active; ++k) {
      const u32 at = node[k], b = sample[k];
      const u32 channel = at < first_node ? nobody : first_out[at] + row[at - first_node];
      if (channel >= first_out[at + 1] || next[channel] == nobody) [[unlikely]] {
        samples.failed[b] = true;
        continue;
      }
      if (++load[std::size_t{channel} * batch + b] == 0) [[unlikely]]
        samples.failed[b] = true;
      node[kept] = next[channel];
      sample[kept] = b;
      kept += next[channel] != goal;
    }
    active = kept;
  }
  for (u32 k = 0; k < active; ++k) samples.failed[sample[k]] = true;
}

void TableKernel::count(Batch& samples) const {
  std::fill(samples.load.begin(), samples.load.end(), u8{0});
  samples.failed.fill(false);
  for (u32 to = 0; to < ranks_; ++to)
    for (u32 way = 0; way < ways_; ++way) {
      // A copy: read from the beginning to the end, it is fetched before it is asked for.
      const auto row = tables_.towards(addresses_[std::size_t{to} * ways_ + way]);
      std::copy(row.begin(), row.end(), samples.row.begin());
      walk_all(samples.row.data(), to, samples);
    }
}

void TableKernel::rate(const Batch& samples, std::span<RoundLoads> out) const {
  std::array<double, batch> sum{}, least;
  std::array<u32, batch> count{};
  least.fill(1);
  for (u32 to = 0; to < ranks_; ++to)
    for (u32 b = 0; b < samples.size; ++b) {
      const u32 from = samples.source[std::size_t{to} * batch + b];
      if (from == nobody || from == to || samples.failed[b]) continue;
      double rate = 0;
      for (u32 way = 0; way < ways_; ++way) {
        const u8* row = tables_.towards(addresses_[std::size_t{to} * ways_ + way]).data();
        u32 contention = ways_;
        walk(row, entry_[from], nic_[to], [&](u32 channel) {
          contention = std::max<u32>(contention, samples.load[std::size_t{channel} * batch + b]);
        });
        rate += static_cast<double>(ways_) / contention;
      }
      rate /= ways_;
      sum[b] += rate;
      least[b] = std::min(least[b], rate);
      ++count[b];
    }
  for (u32 b = 0; b < samples.size; ++b)
    if (count[b] > 0) {
      out[b].mean_rate = sum[b] / count[b];
      out[b].min_rate = least[b];
    }
}

double TableKernel::bound(const Batch& samples, u32 b, TreeCuts::Traffic& cut) const {
  cut.clear();
  bool sends = false;
  for (u32 to = 0; to < ranks_; ++to) {
    const u32 from = samples.source[std::size_t{to} * batch + b];
    if (from == nobody || from == to) continue;
    sends = true;
    cuts_->add<1>(Nic{nic_[from]}, Nic{nic_[to]}, 1, cut);
  }
  return sends ? std::max(cuts_->bound(cut), least_bound_) : 0;
}

std::vector<std::size_t> TableKernel::run(u64 seed, u64 first, std::span<RoundLoads> out) const {
  std::vector<std::size_t> failed;
  Batch samples(ranks_, next_.size(), tables_.towards(addresses_[0]).size());
  TreeCuts::Traffic cut = cuts_ ? cuts_->none() : TreeCuts::Traffic{};
  for (std::size_t done = 0; done < out.size(); done += batch) {
    samples.size = static_cast<u32>(std::min<std::size_t>(batch, out.size() - done));
    draw(seed, first + done, samples);
    count(samples);
    const std::array<u8, batch> heaviest = samples.heaviest();
    if (rates_) rate(samples, out.subspan(done));
    for (u32 b = 0; b < samples.size; ++b) {
      // Everyone who sends loads the channel to somebody, so that his own channel cannot be heavier.
      out[done + b].max_load = static_cast<double>(heaviest[b]) / ways_;
      if (cuts_) out[done + b].bound = bound(samples, b, cut);
      if (samples.failed[b]) failed.push_back(done + b);
    }
  }
  return failed;
}

}  // namespace banyan::flow
