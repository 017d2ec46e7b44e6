#include "opensm_plugin/hops.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace banyan::opensm_plugin {
namespace {

using Words = std::vector<u64>;  // a set of switches, or one for each of them

struct SwitchCable {
  u32 to;
  u8 label;
};

template <class F>
void each_bit(std::span<const u64> set, F&& f) {
  for (u32 w = 0; w < set.size(); ++w)
    for (u64 bits = set[w]; bits; bits &= bits - 1) f(64 * w + static_cast<u32>(std::countr_zero(bits)));
}

// Which switches can be reached within k hops, for all of them at once.
class HopSets {
 public:
  explicit HopSets(const Fabric& fabric) : words((fabric.switches() + 63) / 64), cables(fabric.switches()) {
    for (Node v : fabric.switch_nodes())
      for (Channel c : fabric.channels(v))
        if (fabric.cabled(c) && fabric.is_switch(fabric.to(c)))
          cables[index(v) - fabric.nics()].push_back(
              {index(fabric.to(c)) - fabric.nics(), static_cast<u8>(fabric.port_number(c))});
    within.emplace_back(std::size_t{fabric.switches()} * words);
    for (u32 v = 0; v < fabric.switches(); ++v)
      within[0][std::size_t{v} * words + v / 64] |= u64{1} << v % 64;
    while (grow()) continue;
  }

  std::span<const u64> set(u32 hops, u32 v) const {
    return {within[hops].data() + std::size_t{v} * words, words};
  }

  u32 words;  // of a set
  std::vector<std::vector<SwitchCable>> cables;
  std::vector<Words> within;  // by hops, then by switch

 private:
  bool grow() {
    Words next = within.back();
    for (u32 v = 0; v < cables.size(); ++v)
      for (const SwitchCable& cable : cables[v]) {
        u64* const reached = next.data() + std::size_t{v} * words;
        const auto there = set(static_cast<u32>(within.size()) - 1, cable.to);
        for (u32 w = 0; w < words; ++w) reached[w] |= there[w];
      }
    if (next == within.back()) return false;
    within.push_back(std::move(next));
    return true;
  }
};

// The goals of a switch that are so many hops away, in classes: those of one class are reached through the
// same ports.
class GoalClasses {
 public:
  explicit GoalClasses(const HopSets& sets) : sets_(sets) {}

  void find(u32 at, u32 hops) {
    const auto near = sets_.set(hops - 1, at), now = sets_.set(hops, at);
    goals_.resize(sets_.words);
    for (u32 w = 0; w < sets_.words; ++w) goals_[w] = now[w] & ~near[w];
    labels_.assign(1, {});
    for (const SwitchCable& cable : sets_.cables[at]) split(sets_.set(hops - 1, cable.to), cable.label);
  }
  u32 count() const { return static_cast<u32>(labels_.size()); }
  std::span<const u64> labels(u32 i) const { return labels_[i]; }
  std::span<const u64> goals(u32 i) const {
    return {goals_.data() + std::size_t{i} * sets_.words, sets_.words};
  }

 private:
  // Divides each class in goals that this port leads to and others.
  void split(std::span<const u64> there, u8 label) {
    for (u32 i = 0, before = count(); i < before; ++i) {
      u64 some = 0, others = 0;
      for (u32 w = 0; w < there.size(); ++w) {
        const u64 all = goals_[std::size_t{i} * there.size() + w];
        some |= all & there[w];
        others |= all & ~there[w];
      }
      if (!some) continue;
      u32 part = i;
      if (others) {
        part = count();
        labels_.push_back(labels_[i]);
        goals_.resize(goals_.size() + there.size());
        for (u32 w = 0; w < there.size(); ++w) {
          u64& all = goals_[std::size_t{i} * there.size() + w];
          goals_[std::size_t{part} * there.size() + w] = all & there[w];
          all &= ~there[w];
        }
      }
      labels_[part][label / 64] |= u64{1} << label % 64;
    }
  }

  const HopSets& sets_;
  std::vector<std::array<u64, 4>> labels_;  // by class, as a set
  Words goals_;                             // by class, a set of switches
};

}  // namespace

HopRows::HopRows(const Fabric& fabric)
    : first_(std::size_t{fabric.switches()} * fabric.switches()), length_(fabric.switches()) {
  const HopSets sets(fabric);
  GoalClasses classes(sets);
  for (u32 at = 0; at < fabric.switches(); ++at) {
    u32* const first = first_.data() + std::size_t{at} * fabric.switches();
    length_[at] = 1;
    for (const SwitchCable& cable : sets.cables[at]) length_[at] = std::max(length_[at], cable.label + 1u);
    const auto add_row = [&] {
      bytes_.resize(bytes_.size() + length_[at], no_path);
      return static_cast<u32>(bytes_.size()) - length_[at];
    };
    std::fill_n(first, fabric.switches(), add_row());  // of those that cannot be reached
    first[at] = add_row();
    bytes_[first[at]] = 0;
    for (u32 hops = 1; hops < sets.within.size(); ++hops) {
      classes.find(at, hops);
      for (u32 i = 0; i < classes.count(); ++i) {
        const u32 row = add_row();
        const u8 told = static_cast<u8>(std::min(hops, no_path - 1u));
        bytes_[row] = told;
        each_bit(classes.labels(i), [&](u32 label) { bytes_[row + label] = told; });
        each_bit(classes.goals(i), [&](u32 goal) { first[goal] = row; });
      }
    }
  }
}

}  // namespace banyan::opensm_plugin
