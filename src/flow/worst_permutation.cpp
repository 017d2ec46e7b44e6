#include "flow/worst_permutation.hpp"

#include <algorithm>

#include "flow/group_matching.hpp"
#include "flow/heaviest_channel.hpp"
#include "routing/visit_forward.hpp"

namespace banyan::flow {
namespace {

// The sources and destinations of a channel, numbered from 0 on.
struct ChannelMatching {
  ChannelMatching(const ChannelUses& uses, std::span<const ChannelUse> on_channel) {
    for (const ChannelUse& use : on_channel) {
      sources.push_back(use.source);
      destinations.push_back(use.to);
    }
    const auto sort = [](auto& v) {
      std::sort(v.begin(), v.end());
      v.erase(std::unique(v.begin(), v.end()), v.end());
    };
    sort(sources);
    sort(destinations);
    const auto place = [](const auto& v, auto x) {
      return static_cast<u32>(std::lower_bound(v.begin(), v.end(), x) - v.begin());
    };
    for (u32 source : sources) members.push_back(static_cast<u32>(uses.members(source).size()));
    for (const ChannelUse& use : on_channel)
      edges.push_back({place(sources, use.source), place(destinations, use.to), use.weight});
  }
  GroupMatching heaviest() const {
    return heaviest_matching(members, static_cast<u32>(destinations.size()), edges);
  }

  std::vector<u32> sources, members;
  std::vector<Nic> destinations;
  std::vector<MatchEdge> edges;
};

// Gives every destination of a group a member of it that is not the destination itself. There always is a
// way: a group of one is never matched to itself.
void share_out(std::span<const Nic> members, std::vector<Nic> destinations, std::vector<Nic>& source_of_flow,
               std::vector<Nic>& to_of_flow) {
  std::vector<Nic> sources(members.begin(), members.end());
  sources.resize(destinations.size());
  const std::size_t n = sources.size();
  if (n == 1 && sources[0] == destinations[0]) sources[0] = members[1];
  for (std::size_t i = 0; n > 1 && i < n; ++i)  // both ascend; whoever meets himself changes with another
    if (sources[i] == destinations[i]) {
      const std::size_t j = i + 1 < n ? i + 1 : i - 1;
      std::swap(destinations[i], destinations[j]);
    }
  source_of_flow.insert(source_of_flow.end(), sources.begin(), sources.end());
  to_of_flow.insert(to_of_flow.end(), destinations.begin(), destinations.end());
}

class Search {
 public:
  Search(const Fabric& fabric, const Routing& routing, const WorstPermutationOptions& options)
      : fabric_(fabric),
        routing_(routing),
        options_(options),
        uses_(fabric, routing, options.rail, options.threads) {}

  WorstPermutation run() {
    std::vector<double> sent(uses_.sources()), received(uses_.nics().size(), 1.0);
    for (u32 s = 0; s < sent.size(); ++s) sent[s] = static_cast<double>(uses_.members(s).size());
    ChannelUses::Bounds bounds = uses_.bounds(sent, received);
    for (Channel c : bounds.parts.ids()) bounds.parts[c] = load(c, bounds.parts[c]);
    const auto value = [&](Channel c, std::span<const ChannelUse> on_channel, double) {
      return load(c, static_cast<double>(ChannelMatching(uses_, on_channel).heaviest().weight));
    };
    const HeaviestChannel host = one_port();
    const HeaviestChannel found =
        heaviest_channel(uses_, bounds.uses, bounds.parts, host, options_.threads, value);
    WorstPermutation out;
    out.channel = found.channel;
    out.load = found.load;
    out.is_exact = uses_.is_exact();
    out.channels_matched = found.valued;
    if (found.channel == host.channel)
      one_pair(out);
    else
      match(out);
    complete(out);
    return out;
  }

 private:
  double load(Channel c, double parts) const {
    return parts / uses_.whole() / capacity(fabric_, c, options_.measure);
  }

  // The channels out of NICs with one port, and into NICs: one flow and no more.
  HeaviestChannel one_port() {
    HeaviestChannel best;
    visit_forward(
        [&](const auto& forward) {
          PairUses walk(uses_.lister(), forward, uses_.whole());
          for (Nic from : uses_.nics()) {
            if (fabric_.ports(fabric_.node(from)) != 1) continue;
            const Channel c = fabric_.channel(fabric_.node(from), Port{0});
            const double all = load(c, uses_.whole());
            if (!fabric_.cabled(c) || all <= best.load) continue;
            for (Nic to : uses_.nics())
              if (from != to && !walk(from, to).empty()) {
                best = {c, all, 0};
                pair_ = {from, to, 1};
                break;
              }
          }
        },
        routing_.forward);
    return best;
  }

  void one_pair(WorstPermutation& out) const {
    if (out.channel != none<Channel>) out.on_channel = {pair_};
  }

  void match(WorstPermutation& out) const {
    const auto on_channel = uses_.gather(std::span(&out.channel, 1));
    const ChannelMatching channel(uses_, on_channel[0]);
    const GroupMatching matching = channel.heaviest();
    std::vector<std::vector<Nic>> of_group(channel.sources.size());
    for (std::size_t t = 0; t < channel.destinations.size(); ++t)
      if (const u32 g = matching.group_of[t]; g != GroupMatching::unmatched)
        of_group[g].push_back(channel.destinations[t]);
    std::vector<Nic> from, to;
    for (std::size_t g = 0; g < of_group.size(); ++g)
      share_out(uses_.members(channel.sources[g]), of_group[g], from, to);
    for (std::size_t i = 0; i < from.size(); ++i)
      out.on_channel.push_back({from[i], to[i], part(out.channel, from[i], to[i])});
    std::sort(out.on_channel.begin(), out.on_channel.end(),
              [](const Flow& a, const Flow& b) { return a.from < b.from; });
  }

  double part(Channel c, Nic from, Nic to) const {
    return visit_forward(
        [&](const auto& forward) {
          PairUses walk(uses_.lister(), forward, uses_.whole());
          for (const Use& use : walk(from, to))
            if (use.channel == c) return static_cast<double>(use.weight) / uses_.whole();
          return 0.0;
        },
        routing_.forward);
  }

  void complete(WorstPermutation& out) const {
    const u32 n = fabric_.hosts();
    out.to.assign(n, none<Host>);
    std::vector<bool> taken(n, false);
    const auto send = [&](u32 from, u32 to) {
      out.to[from] = Host{to};
      taken[to] = true;
    };
    for (const Flow& flow : out.on_channel)
      send(index(fabric_.host(flow.from)), index(fabric_.host(flow.to)));
    for (u32 i = 0; i < n; ++i)
      if (out.to[i] == none<Host> && !taken[i]) send(i, i);
    u32 free = 0;
    for (u32 i = 0; i < n; ++i)
      if (out.to[i] == none<Host>) {
        while (taken[free]) ++free;
        send(i, free);
      }
  }

  const Fabric& fabric_;
  const Routing& routing_;
  WorstPermutationOptions options_;
  ChannelUses uses_;
  Flow pair_{};  // that loads the heaviest of the channels out of NICs
};

}  // namespace

std::vector<Flow> WorstPermutation::flows(const Fabric& fabric, u32 rail) const {
  std::vector<Flow> out;
  for (u32 i = 0; i < to.size(); ++i)
    if (index(to[i]) != i) out.push_back({fabric.in_column(Host{i}, rail), fabric.in_column(to[i], rail)});
  return out;
}

WorstPermutation worst_permutation(const Fabric& fabric, const Routing& routing,
                                   const WorstPermutationOptions& options) {
  return Search(fabric, routing, options).run();
}

}  // namespace banyan::flow
