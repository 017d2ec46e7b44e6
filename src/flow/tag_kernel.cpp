#include "flow/tag_kernel.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "base/shuffle.hpp"

namespace banyan::flow {
namespace {

constexpr u32 block = 2048;  // flows whose channels are found before they are counted

// Whole arrays at a time and without branches, for the compiler to vectorise.
template <class Index>
Index chosen(bool first, Index a, Index b) {
  const Index mask = static_cast<Index>(-static_cast<int>(first));
  return static_cast<Index>(b ^ ((a ^ b) & mask));
}

// A shift that is known when this is compiled: with 16 bits, vectors have no other.
template <u32 constant_shift, class Index>
void find_channels(const Index* from, const Index* to, const Index* offset, const Index* inside,
                   u32 variable_shift, u32 links, u32 count, Index* __restrict out) {
  const u32 shift = sizeof(Index) == 2 ? constant_shift : variable_shift;
  const Index stride = static_cast<Index>(links);
  for (u32 i = 0; i < count; ++i) {
    const Index a = static_cast<Index>(from[i] >> shift), b = static_cast<Index>(to[i] >> shift);
    out[i] = chosen(a == b, inside[i], static_cast<Index>(a * stride + offset[i]));
  }
}

template <class Index>
auto find_channels_by(u32 shift) {
  constexpr auto by_shift = []<std::size_t... s>(std::index_sequence<s...>) {
    return std::array{find_channels<s, Index>...};
  }(std::make_index_sequence<16>());
  return by_shift[sizeof(Index) == 2 ? shift : 0];
}

template <class Index>
void find_down(const Index* from, const Index* to, const Index* down, u32 shift, Index not_counted, u32 count,
               Index* __restrict out) {
  for (u32 i = 0; i < count; ++i) {
    const Index a = static_cast<Index>(from[i] >> shift), b = static_cast<Index>(to[i] >> shift);
    out[i] = chosen(a == b, not_counted, down[i]);
  }
}

template <class Index, class Counter>
void count_all(const Index* channel, u32 count, Counter* __restrict load) {
#pragma GCC unroll 8
  for (u32 i = 0; i < count; ++i) ++load[channel[i]];
}

u32 padded(u32 fan) { return static_cast<u32>(std::bit_width(fan - 1)); }

template <class Counter>
u32 slots_for(u32 max_inside) {
  constexpr u32 maximum = std::numeric_limits<Counter>::max();
  return max_inside / maximum + 1;
}

// Bits of the label above the leaf.
u32 label_bits(const std::vector<TagLevel>& levels) {
  u32 bits = 0;
  for (const TagLevel& level : levels) bits += padded(level.fan);
  return bits;
}

}  // namespace

template <class Index, class Counter>
bool TagCounters<Index, Counter>::fits(const std::vector<TagLevel>& levels) {
  constexpr u64 max_index = std::numeric_limits<Index>::max();
  constexpr u32 max_load = std::numeric_limits<Counter>::max();
  u32 bits = label_bits(levels);
  if (bits > std::numeric_limits<Index>::digits) return false;
  for (const TagLevel& level : levels) {
    const u64 subtrees = u64{1} << bits;
    const u64 counters = subtrees * (u64{level.channels} + slots_for<Counter>(level.max_inside));
    if (counters >= max_index || level.subtree.size() > max_index) return false;
    if (level.max_up > max_load || level.max_down > max_load) return false;
    bits -= padded(level.fan);
  }
  return true;
}

template <class Index, class Counter>
TagCounters<Index, Counter>::TagCounters(const std::vector<TagLevel>& levels)
    : ranks_(static_cast<u32>(levels.empty() ? 0 : levels[0].subtree.size())), label_(ranks_) {
  u32 shift = 0;
  for (const TagLevel& level : levels) {
    for (u32 rank = 0; rank < ranks_; ++rank)
      label_[rank] = static_cast<Index>(label_[rank] | level.subtree[rank] % level.fan << shift);
    shift += padded(level.fan);
  }
  shift = 0;
  for (const TagLevel& level : levels) {
    add_level(level, shift);
    shift += padded(level.fan);
  }
  shuffled_.resize(ranks_);
}

template <class Index, class Counter>
void TagCounters<Index, Counter>::add_level(const TagLevel& level, u32 shift) {
  u32 subtrees = 0;
  for (const Index label : label_) subtrees = std::max(subtrees, (u32{label} >> shift) + 1);
  const u32 slots = slots_for<Counter>(level.max_inside), channels = subtrees * level.channels;
  Level out{shift, channels, level.channels, {}, {}, {}, std::vector<Subtree>(subtrees), {}, {}};
  out.up_load.resize(channels + std::size_t{subtrees} * slots);
  for (u32 rank = 0; rank < ranks_; ++rank) {
    const u32 number = u32{label_[rank]} >> shift;
    Subtree& subtree = out.subtrees[number];
    subtree.first_slot = channels + number * slots;
    subtree.slots = slots;
    out.offset.push_back(static_cast<Index>(level.offset[rank]));
    out.inside.push_back(static_cast<Index>(subtree.first_slot + subtree.ranks++ % slots));
    if (level.max_down > 1)
      out.down.push_back(static_cast<Index>(number * level.channels + level.offset[rank]));
  }
  if (level.max_down > 1) out.down_load.resize(channels + 1);  // the last for what stays inside
  levels_.push_back(std::move(out));
}

template <class Index, class Counter>
void TagCounters<Index, Counter>::count_permutation(Level& level) {
  std::array<Index, block> channel;
  const auto find = find_channels_by<Index>(level.shift);
  for (u32 first = 0; first < ranks_; first += block) {
    const u32 count = std::min(block, ranks_ - first);
    const Index *from = &shuffled_[first], *to = &label_[first];
    find(from, to, &level.offset[first], &level.inside[first], level.shift, level.links, count,
         channel.data());
    count_all(channel.data(), count, level.up_load.data());
    if (level.down.empty()) continue;
    find_down(from, to, &level.down[first], level.shift, static_cast<Index>(level.channels), count,
              channel.data());
    count_all(channel.data(), count, level.down_load.data());
  }
}

template <class Index, class Counter>
u32 TagCounters<Index, Counter>::heaviest(const Level& level) {
  Counter out = 0;
  for (u32 i = 0; i < level.channels; ++i) out = std::max(out, level.up_load[i]);
  if (!level.down.empty())
    for (u32 i = 0; i < level.channels; ++i) out = std::max(out, level.down_load[i]);
  return out;
}

// Every rank sends and receives once: as much enters a subtree as leaves it.
template <class Index, class Counter>
double TagCounters<Index, Counter>::cut_bound(const Level& level) {
  u32 maximum = 0;
  for (const Subtree& subtree : level.subtrees) {
    u32 inside = 0;
    for (u32 i = 0; i < subtree.slots; ++i) inside += level.up_load[subtree.first_slot + i];
    maximum = std::max(maximum, subtree.ranks - inside);
  }
  return static_cast<double>(maximum) / level.links;
}

template <class Index, class Counter>
void TagCounters<Index, Counter>::clear(Level& level) {
  std::fill(level.up_load.begin(), level.up_load.end(), Counter{0});
  std::fill(level.down_load.begin(), level.down_load.end(), Counter{0});
}

template <class Index, class Counter>
void TagCounters<Index, Counter>::permutation(u64 seed, u64 sample, double nic_links, RoundLoads& out) {
  std::copy(label_.begin(), label_.end(), shuffled_.begin());
  shuffle(std::span(shuffled_), seed, sample);
  u32 load = 0;
  double bound = 0;
  for (Level& level : levels_) {
    count_permutation(level);
    load = std::max(load, heaviest(level));
    bound = std::max(bound, cut_bound(level));
    clear(level);
  }
  out.max_load = load;
  out.bound = load > 0 ? std::max(bound, 1 / nic_links) : 0;
}

template <class Index, class Counter>
u32 TagCounters<Index, Counter>::contention(Index from, Index to) const {
  u32 out = 1;
  for (const Level& level : levels_) {
    const u32 a = label_[from] >> level.shift, b = label_[to] >> level.shift;
    if (a == b) break;
    out = std::max<u32>(out, level.up_load[a * level.links + level.offset[to]]);
    if (!level.down.empty()) out = std::max<u32>(out, level.down_load[level.down[to]]);
  }
  return out;
}

template <class Index, class Counter>
void TagCounters<Index, Counter>::flows(std::span<const Index> from, std::span<const Index> to, bool rates,
                                        RoundLoads& out) {
  u32 load = 0;
  for (Level& level : levels_) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const u32 a = label_[from[i]] >> level.shift, b = label_[to[i]] >> level.shift;
      const u32 channel = a * level.links + level.offset[to[i]];
      ++level.up_load[a == b ? level.inside[to[i]] : channel];
      if (!level.down.empty()) ++level.down_load[a == b ? level.channels : level.down[to[i]]];
    }
    load = std::max(load, heaviest(level));
  }
  u64 count = 0;
  double sum = 0;
  u32 maximum = 1;
  for (std::size_t i = 0; rates && i < from.size(); ++i) {
    if (from[i] == to[i]) continue;
    const u32 there = contention(from[i], to[i]);
    ++count;
    maximum = std::max(maximum, there);
    sum += 1.0 / there;
  }
  for (Level& level : levels_) clear(level);
  out.max_load = load;
  out.mean_rate = count == 0 ? 0 : sum / static_cast<double>(count);
  out.min_rate = count == 0 ? 0 : 1.0 / maximum;
}

template class TagCounters<u16, u8>;
template class TagCounters<u32, u32>;

TagKernel::TagKernel(const Topology& topology, const std::vector<TagLevel>& levels,
                     const Placement& placement, Traffic::Draw draw, bool rates)
    : cuts_(topology),
      levels_(levels),
      placement_(placement),
      draw_(draw),
      rates_(rates),
      nic_links_(std::get<Pgft>(topology.shape).nic_ports()),
      counters_(TagCounters<u32, u32>({})) {
  if (TagCounters<u16, u8>::fits(levels))
    counters_ = TagCounters<u16, u8>(levels);
  else
    counters_ = TagCounters<u32, u32>(levels);
}

// The flows one by one, for rates and for bisections.
template <class Index, class Counter>
void TagKernel::run_flows(TagCounters<Index, Counter>& counters, u64 seed, u64 first,
                          std::span<RoundLoads> out) const {
  const u32 n = static_cast<u32>(placement_.size());
  std::vector<Index> order(n), same(n);
  std::iota(same.begin(), same.end(), Index{0});
  TreeCuts::Traffic cut = cuts_.none();
  for (std::size_t s = 0; s < out.size(); ++s) {
    std::copy(same.begin(), same.end(), order.begin());
    shuffle(std::span(order), seed, first + s);
    const std::span<const Index> from(order.data(), draw_ == Traffic::Draw::bisection ? n / 2 : n);
    const std::span<const Index> to(draw_ == Traffic::Draw::bisection ? order.data() + n / 2 : same.data(),
                                    from.size());
    counters.flows(from, to, rates_, out[s]);
    cut.clear();
    for (std::size_t i = 0; i < from.size(); ++i)
      cuts_.add(Nic{index(placement_[Rank{from[i]}])}, Nic{index(placement_[Rank{to[i]}])}, 1, cut);
    out[s].bound = cuts_.bound(cut);
    if (out[s].bound > 0) out[s].max_load = std::max(out[s].max_load, 1.0);  // on the hosts' own channels
  }
}

void TagKernel::run(u64 seed, u64 first, std::span<RoundLoads> out) const {
  const auto by = [&](auto counters) {  // a copy: its counters are this thread's
    if (draw_ == Traffic::Draw::bisection || rates_) return run_flows(counters, seed, first, out);
    for (std::size_t s = 0; s < out.size(); ++s) {
      counters.permutation(seed, first + s, nic_links_, out[s]);
      // Where nothing leaves a leaf, someone may still send to his neighbour.
      if (out[s].max_load == 0) run_flows(counters, seed, first + s, out.subspan(s, 1));
    }
  };
  std::visit(by, counters_);
}

}  // namespace banyan::flow
