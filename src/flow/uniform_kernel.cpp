#include "flow/uniform_kernel.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "routing/visit_forward.hpp"

namespace banyan::flow {
namespace {

constexpr u64 max_blocks =
    16;  // of destinations: sums of blocks are added in order, on any number of threads
constexpr u64 max_units = u64{1} << 32;  // beyond, sums are rounded as usual

std::vector<Nic> nics_of(const Placement& placement) {
  std::vector<Nic> out;
  for (const Host host : placement) out.push_back(Nic{index(host)});
  std::sort(out.begin(), out.end());
  return out;
}

// By source and destination, the parts of a flow together.
void in_order(HotChannel& channel) {
  std::vector<HotChannel::Share> parts = std::exchange(channel.flows, {});
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  });
  for (const HotChannel::Share& part : parts) channel.add(part.from, part.to, part.load);
}

}  // namespace

// Flows count `units` each.
struct UniformKernel::Sums {
  IdVector<Channel, double> load;
  u64 units = 1, undelivered = 0;
};

struct UniformKernel::Walk {
  std::vector<Header> ways;
  FlowWay way;
};

UniformKernel::UniformKernel(const Topology& topology, const Routing& routing, const Placement& placement,
                             Measure measure)
    : topology_(topology),
      lister_(topology.fabric, routing),
      nics_(nics_of(placement)),
      sources_(topology.fabric, routing, nics_),
      measure_(measure) {
  for (const Nic nic : nics_)
    max_ports_ = std::max(max_ports_, topology.fabric.ports(topology.fabric.node(nic)));
  cuts_ = tree_cuts(topology, measure);
}

// f(part) for the parts of all ways to a destination, of the member that is followed for its group. False
// where a way does not arrive.
template <class F, class G>
bool UniformKernel::each_part(const F& forward, Nic from, Nic to, Walk& walk, G&& f) const {
  bool arrives = !walk.ways.empty();
  for (const Header& header : walk.ways) {
    if (lister_.list(forward, from, to, header, walk.way))
      for (const Passage& part : walk.way.parts) f(part);
    else
      arrives = false;
  }
  return arrives;
}

// The channel out of a source is its own: what goes over it is kept apart, and is then that of every member;
// but of what goes to a member, the member itself sends nothing.
template <class F>
bool UniformKernel::add_range(const F& forward, u64 first, u64 last, Sums& out) const {
  const Fabric& fabric = topology_.fabric;
  std::fill(out.load.begin(), out.load.end(), 0);
  out.undelivered = 0;
  std::vector<double> own(std::size_t{sources_.groups()} * max_ports_);
  Walk walk;
  for (u64 d = first; d < last; ++d)
    for (u32 group = 0; group < sources_.groups(); ++group) {
      const auto alike = sources_.members(group);
      const Nic to = nics_[d], from = sources_.follow(group, to);
      if (from == to) continue;
      lister_.source().ways(from, to, long_message, walk.ways);
      const u64 ways = walk.ways.size();
      if (ways > 0 && out.units % ways != 0 && out.units < max_units) {
        out.units = std::min(max_units, std::lcm(out.units, ways));
        return false;
      }
      const double unit = static_cast<double>(out.units) / static_cast<double>(ways);
      const bool is_member = std::binary_search(alike.begin(), alike.end(), to);
      const u64 senders = alike.size() - is_member;
      const double together = static_cast<double>(senders) * unit;
      const bool arrives = each_part(forward, from, to, walk, [&](const Passage& part) {
        if (fabric.is_switch(fabric.from(part.channel))) {
          out.load[part.channel] += together * part.share;
          return;
        }
        const Port port = fabric.port(part.channel);
        own[std::size_t{group} * max_ports_ + index(port)] += unit * part.share;
        if (is_member) out.load[fabric.channel(fabric.node(to), port)] -= unit * part.share;
      });
      if (!arrives) out.undelivered += senders;
    }
  for (u32 group = 0; group < sources_.groups(); ++group)
    for (const Nic nic : sources_.members(group))
      for (u32 port = 0; port < fabric.ports(fabric.node(nic)); ++port)
        out.load[fabric.channel(fabric.node(nic), Port{port})] += own[std::size_t{group} * max_ports_ + port];
  return true;
}

std::vector<UniformKernel::Sums> UniformKernel::blocks(unsigned threads) const {
  const u64 count = std::min<u64>(max_blocks, nics_.size());
  std::vector<Sums> out(count);
  const auto by = [&](const auto& forward) {
    parallel_for(count, threads, [&](u64 b) {
      out[b].load.resize(topology_.fabric.channels().size());
      while (!add_range(forward, nics_.size() * b / count, nics_.size() * (b + 1) / count, out[b])) {
      }
    });
  };
  visit_forward(by, lister_.forward());
  return out;
}

double UniformKernel::of_load(Channel c, double parts) const {
  const double others = static_cast<double>(std::max<std::size_t>(nics_.size(), 2) - 1);
  return parts / others / capacity(topology_.fabric, c, measure_);
}

const UniformKernel::Loads& UniformKernel::loads(unsigned threads) const {
  std::call_once(lazy_->once, [&] { lazy_->loads = computed(threads); });
  return lazy_->loads;
}

UniformKernel::Loads UniformKernel::computed(unsigned threads) const {
  const std::vector<Sums> all = blocks(threads);
  u64 units = 1;
  for (const Sums& block : all) units = std::min(max_units, std::lcm(units, block.units));
  Loads out{IdVector<Channel, double>(topology_.fabric.channels().size())};
  for (const Sums& block : all) {
    out.undelivered += block.undelivered;
    const double scale = static_cast<double>(units) / static_cast<double>(block.units);
    for (Channel c : out.load.ids()) out.load[c] += block.load[c] * scale;
  }
  for (Channel c : out.load.ids()) out.load[c] = of_load(c, out.load[c] / static_cast<double>(units));
  return out;
}

RoundLoads UniformKernel::round(unsigned threads) const {
  const Loads& found = loads(threads);
  const auto heaviest = std::max_element(found.load.begin(), found.load.end());
  RoundLoads out{.max_load = heaviest == found.load.end() ? 0 : *heaviest,  // there may be no channels
                 .flows = u64{nics_.size()} * (nics_.size() - 1),
                 .undelivered = found.undelivered};
  if (cuts_ && out.undelivered == 0) out.bound = cuts_->bound(cuts_->uniform(nics_));
  return out;
}

void UniformKernel::add_flows(std::vector<HotChannel>& hot) const {
  const Fabric& fabric = topology_.fabric;
  IdVector<Channel, u32> place(fabric.channels().size(), ~u32{0});
  for (u32 i = 0; i < hot.size(); ++i) place[hot[i].channel] = i;
  Walk walk;
  const auto by = [&](const auto& forward) {
    for (u32 group = 0; group < sources_.groups(); ++group) {
      const auto alike = sources_.members(group);
      const auto is_own = [&](const HotChannel& channel) {
        const Node node = fabric.from(channel.channel);
        return !fabric.is_switch(node) && std::binary_search(alike.begin(), alike.end(), Nic{index(node)});
      };
      std::vector<HotChannel*> own;
      for (HotChannel& channel : hot)
        if (is_own(channel)) own.push_back(&channel);
      for (const Nic to : nics_) {
        const Nic from = sources_.follow(group, to);
        if (from == to) continue;
        lister_.source().ways(from, to, long_message, walk.ways);
        each_part(forward, from, to, walk, [&](const Passage& part) {
          const double share = part.share / static_cast<double>(walk.ways.size());
          const auto add = [&](HotChannel& channel, Nic nic) {
            if (nic != to) channel.flows.push_back({nic, to, of_load(channel.channel, share)});
          };
          if (!fabric.is_switch(fabric.from(part.channel))) {
            for (HotChannel* channel : own)
              if (fabric.port(channel->channel) == fabric.port(part.channel))
                add(*channel, Nic{index(fabric.from(channel->channel))});
          } else if (place[part.channel] != ~u32{0}) {
            for (const Nic nic : alike) add(hot[place[part.channel]], nic);
          }
        });
      }
    }
  };
  if (!hot.empty()) visit_forward(by, lister_.forward());
  for (HotChannel& channel : hot) in_order(channel);
}

}  // namespace banyan::flow
