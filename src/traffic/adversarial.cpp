// Traffic against d-mod-k on fat-trees. kind=theorem2: Theorem 2 of mahapatra, in which a subtree below the
// top sends through one cable. kind=ring: the ring of zahavi10, in which all hosts of each leaf send through
// one cable of that leaf. Ranks are hosts in order (placement linear).
#include <algorithm>
#include <numeric>

#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

struct AdversarialOptions {
  std::string kind = "theorem2";
  static void fields(auto& self, auto&& f) { f("kind", self.kind, "theorem2 or ring"); }
};

const Pgft& tree_of(const PatternSetting& setting) {
  const auto* tree = setting.topology.as<Pgft>();
  if (!tree || tree->h() < 2 || !tree->nics_are_endpoints())
    throw InputError(
        "adversarial: expected a fat-tree of at least two levels of switches and one NIC for each host");
  return *tree;
}

// Destinations this far apart leave every level through port 0: a multiple of W_l w_{l+1} p_{l+1} for every
// l. With one cable to each parent it is W_h.
u64 stride_of(const Pgft& tree) {
  u64 stride = 1;
  for (u32 l = 0; l < tree.h(); ++l) stride = std::lcm(stride, tree.W(l) * tree.w[l] * tree.p[l]);
  return stride;
}

// Host j of the first subtree below the top sends to host (A + j) * stride, A the smallest with A * stride
// outside of the subtree. The theorem wants enough hosts for all of the subtree; with fewer, only the first
// ones send.
std::vector<Demand> theorem2(const PatternSetting& setting, const Pgft& tree) {
  const u64 sources = tree.M(tree.h() - 1), stride = stride_of(tree), first = (sources + stride - 1) / stride;
  std::vector<Demand> out;
  for (u64 j = 0; j < sources && (first + j) * stride < setting.ranks; ++j)
    out.push_back({Rank{static_cast<u32>(j)}, Rank{static_cast<u32>((first + j) * stride)}});
  if (out.empty())
    throw InputError(
        fmt::format("adversarial: none of the {} ranks beyond the first {} is a multiple of {}; "
                    "expected more hosts",
                    setting.ranks, sources, stride));
  return out;
}

// Whom each host sends to, one ring where that can be had. Targets are in order of the leaf's up port that
// leads to them, and leaves take them by as many as they have hosts.
class AdversarialRing {
 public:
  AdversarialRing(u32 ranks, const Pgft& tree) : leaf_hosts_(tree.m[0]), to_(ranks) {
    std::iota(to_.begin(), to_.end(), 0);
    const u64 ports = u64{tree.w[1]} * tree.p[1], below = tree.W(1);
    const auto port = [&](u32 host) { return host / below % ports; };
    std::stable_sort(to_.begin(), to_.end(), [&](u32 a, u32 b) { return port(a) < port(b); });
    for (u32 i = 0, start = 0; i < ranks; ++i) {  // who leads to one port may exchange targets
      if (i + 1 < ranks && port(to_[i]) == port(to_[i + 1])) continue;
      classes_.push_back({start, i + 1});
      start = i + 1;
    }
    for (const auto& same_port : classes_) leave_the_leaf(same_port);
    join_rings();
  }
  std::vector<Demand> demands() const {
    std::vector<Demand> out;
    for (u32 i = 0; i < to_.size(); ++i) out.push_back({Rank{i}, Rank{to_[i]}});
    return out;
  }

 private:
  struct Range {
    u32 first, end;
  };
  bool stays(u32 from, u32 to) const { return from / leaf_hosts_ == to / leaf_hosts_; }
  bool may_swap(u32 a, u32 b) const { return !stays(a, to_[b]) && !stays(b, to_[a]); }

  void leave_the_leaf(Range same_port) {
    for (u32 i = same_port.first; i < same_port.end; ++i)
      for (u32 j = same_port.first; stays(i, to_[i]) && j < same_port.end; ++j)
        if (may_swap(i, j)) std::swap(to_[i], to_[j]);
  }

  // Two rings become one when a host of each exchange targets.
  void join_rings() {
    std::vector<u32> ring(to_.size());
    std::iota(ring.begin(), ring.end(), 0);
    const auto find = [&](u32 i) {
      while (ring[i] != i) i = ring[i] = ring[ring[i]];
      return i;
    };
    auto rings = static_cast<u32>(to_.size());
    const auto join = [&](u32 a, u32 b) {
      rings -= find(a) != find(b);
      ring[find(a)] = find(b);
    };
    for (u32 i = 0; i < to_.size(); ++i) join(i, to_[i]);
    for (const auto& [first, end] : classes_)
      for (u32 i = first; i < end; ++i)
        for (u32 j = first; rings > 1 && j < i; ++j)
          if (find(i) != find(j) && may_swap(i, j)) {
            std::swap(to_[i], to_[j]);
            join(i, j);
          }
  }

  u32 leaf_hosts_;
  std::vector<u32> to_;
  std::vector<Range> classes_;
};

Traffic adversarial(const PatternSetting& setting, const AdversarialOptions& options) {
  const Pgft& tree = tree_of(setting);
  std::vector<Demand> demands;
  if (options.kind == "theorem2")
    demands = theorem2(setting, tree);
  else if (options.kind == "ring")
    demands = AdversarialRing(setting.ranks, tree).demands();
  else
    throw InputError(fmt::format("adversarial: kind must be theorem2 or ring, not '{}'", options.kind));
  const auto list = [demands](u64, u64, u64, std::vector<Demand>& out) {
    out.insert(out.end(), demands.begin(), demands.end());
  };
  return {.ranks = setting.ranks, .list = list};
}

}  // namespace

Pattern adversarial_pattern() {
  return make_pattern<adversarial>("adversarial", "mahapatra, Theorem 2; zahavi10, section III",
                                   "the traffic on which d-mod-k is as bad as it can be; needs a fat-tree");
}

}  // namespace banyan::traffic
